// yq in the shell: what kislyuk's yq 3.1 writes, in-place and all.
#include "support/shell.h"

void test_yq__filters_on_yaml(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf 'a: 1\\n---\\nb: 2\\n' | yq -c .", "{\"a\":1}\n{\"b\":2}\n", "", 0},
        {"printf 'a: 1\\n---\\nb: 2\\n' | yq -y .", "a: 1\n---\nb: 2\n", "", 0},
        {"printf 'a: &x [1]\\nb: *x\\n' | yq -c .", "{\"a\":[1],\"b\":[1]}\n", "", 0},
        {"printf 'd: &d {a: 1, b: 2}\\nc:\\n  <<: *d\\n  b: 3\\n' | yq -c .c", "{\"a\":1,\"b\":3}\n", "", 0},
        {"printf 'a: 0x10\\nb: 010\\nc: ~\\nd: 1e3\\nf: on\\ng: \"1\"\\nh: 1.0\\ni: -5\\nj:\\n' | yq -c .",
         "{\"a\":16,\"b\":8,\"c\":null,\"d\":1000,\"f\":\"on\",\"g\":\"1\",\"h\":1,\"i\":-5,\"j\":null}\n", "", 0},
        {"echo '{\"a\":\"x: y\",\"b\":\"\",\"c\":\"true\",\"d\":\"1\",\"f\":[],\"g\":{},\"h\":[1,{\"a\":2}],"
         "\"i\":\"- x\",\"j\":null,\"k\":1.5,"
         "\"l\":\"2020-01-01\",\"m\":\"a#b\",\"n\":\"a #b\",\"o\":\"it'\"'\"'s\","
         "\"p\":\"1:30\",\"q\":\"@x\"}' | yq -y .",
         "a: 'x: y'\nb: ''\nc: 'true'\nd: '1'\nf: []\ng: {}\nh:\n  - 1\n  - a: 2\ni: '- x'\nj: null\n"
         "k: 1.5\nl: '2020-01-01'\nm: a#b\nn: 'a #b'\no: it's\np: '1:30'\nq: '@x'\n", "", 0},
        {"printf 'x: 1\\n' | yq -y '.y=2|.z=\"a\"'", "x: 1\ny: 2\nz: a\n", "", 0},
        {"printf -- '- a: 1\\n  b: [x]\\n- c\\n- - d\\n  - e\\n' | yq -y .", "- a: 1\n  b:\n    - x\n- c\n- - "
         "d\n  - e\n", "", 0},
        {"printf 'x: 1\\n' | yq -e .y", "null\n", "", 1},
        {"printf 'b: 1\\na: 2\\n' | yq -S -c .", "{\"a\":2,\"b\":1}\n", "", 0},
        {"printf 'b: 1\\na: 2\\n' | yq -y -S .", "a: 2\nb: 1\n", "", 0},
        {"printf '1\\n' | yq -n -c '{a:1}'", "{\"a\":1}\n", "", 0},
        {"printf 'a: 1\\n' | yq -c --arg v x '.b=$v'", "{\"a\":1,\"b\":\"x\"}\n", "", 0},
        {"printf 'a: 1\\n---\\na: 2\\n' | yq -s -c 'map(.a)'", "[1,2]\n", "", 0},
        {"printf '{\"a\": \"multi\\\\nline\"}' | yq -y .", "a: 'multi\n\n  line'\n", "", 0},
        {"printf 'a: \"tab\\\\there\"\\n' | yq -y .", "a: \"tab\\there\"\n", "", 0},
        {"printf 'a: |\\n  l1\\n  l2\\n' | yq -r .a", "l1\nl2\n\n", "", 0},
        {"printf 'a: 1\\n' > f; yq -y -i '.b=2' f; cat f", "a: 1\nb: 2\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_yq__faults(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf 'a: 1\n  b: 2\n' | yq .", "",
         "yq: <stdin>: mapping values are not allowed in this context, line 2, column 4\n", 1},
        {"yq -o xml .", NULL, NULL, 2},
        {"echo 'a: [1' | yq .", "", NULL, 1},
        {"echo 'a: *x' | yq .", "", NULL, 1},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
