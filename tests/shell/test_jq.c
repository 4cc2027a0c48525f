// jq in the shell: what jq 1.6 writes.
#include "support/shell.h"

void test_jq__filters_and_writes(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo '{\"b\":1,\"a\":[1,2]}' | jq -S .", "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": 1\n}\n", "", 0},
        {"echo '{\"b\":1,\"a\":[1,2]}' | jq -c '.a[]'", "1\n2\n", "", 0},
        {"echo '[{\"n\":\"x\",\"v\":2},{\"n\":\"y\",\"v\":3}]' | jq -r '.[] | \"\\(.n)=\\(.v)\"'",
         "x=2\ny=3\n", "", 0},
        {"echo '{\"a\":[1]}' | jq --tab .a; echo '[1]' | jq --indent 1 .; echo '[1]' | jq --indent 0 .",
         "[\n\t1\n]\n[\n 1\n]\n[1]\n", "", 0},
        {"printf '\"x\"' | jq -j '.,.'", "xx", "", 0},
        {"printf '\"\\303\\251\"' | jq -a .", "\"\\u00e9\"\n", "", 0},
        {"echo '[1,{\"a\":2}]' | jq -c --stream .", "[[0],1]\n[[1,\"a\"],2]\n[[1,\"a\"]]\n[[1]]\n", "", 0},
        {"echo '{\"a\":1}' | jq -c -C .",
         "\033[1;39m{"
         "\033[0m\033[34;1m\"a\"\033[0m\033[1;39m:\033[0m\033[0;39m1\033[0m\033[1;39m\033[1;39m}\033[0m\n", "",
         0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jq__inputs(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf '1\\n2 3\\n' | jq -s -c .", "[1,2,3]\n", "", 0},
        {"printf '1 2 3' | jq -n -c '[inputs]'", "[1,2,3]\n", "", 0},
        {"printf '1 2 3 4' | jq -c '[., input]'", "[1,2]\n[3,4]\n", "", 0},
        {"printf 'a\\nb' | jq -R .; printf 'a\\nb' | jq -Rs .", "\"a\"\n\"b\"\n\"a\\nb\"\n", "", 0},
        {"echo 1 > f; echo 2 > g; jq -c '[., input_filename, input_line_number]' f g",
         "[1,\"f\",1]\n[2,\"g\",1]\n", "", 0},
        {"echo '.a' > p; echo '{\"a\":5}' > f; jq -f p f", "5\n", "", 0},
        {"jq -n '{' ", NULL, NULL, 3},
        {"jq . missing", "", "jq: error: Could not open file missing: No such file or directory\n", 2},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jq__variables(void **state)
{
    static const struct test_shell_row rows[] = {
        {"jq -n -c --arg a 1 --argjson b '{\"c\":2}' '[$a,$b,$ARGS]'",
         "[\"1\",{\"c\":2},{\"positional\":[],\"named\":{\"a\":\"1\",\"b\":{\"c\":2}}}]\n", "", 0},
        {"jq -n -c '$ARGS.positional' --args a b; jq -n -c '$ARGS.positional' --jsonargs 1 '{}'",
         "[\"a\",\"b\"]\n[1,{}]\n", "", 0},
        {"echo '1 2' > f; jq -n -c --slurpfile s f --rawfile r f '[$s,$r]'", "[[1,2],\"1 2\\n\"]\n", "", 0},
        {"export V=exported; W=not; jq -n -c '[$ENV.V, env.V, $ENV.W, ($ENV.PATH | type)]'",
         "[\"exported\",\"exported\",null,\"string\"]\n", "", 0},
        {"jq -n --argjson b '{x' '$b'", "",
         "jq: invalid JSON text passed to --argjson\nUse jq --help for help with command-line options,\n"
         "or see the jq manpage, or online docs  at https://stedolan.github.io/jq\n", 2},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jq__status_and_messages(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo null | jq -e .", "null\n", "", 1},
        {"echo 1 | jq -e empty", "", "", 4},
        {"echo 1 | jq .a", "", "jq: error (at <stdin>:1): Cannot index number with string \"a\"\n", 5},
        {"echo abc | jq .", "", "parse error: Invalid numeric literal at line 2, column 0\n", 4},
        {"jq -n '1 +'", "",
         "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:\n1 +  \n"
         "jq: 1 compile error\n", 3},
        {"jq -n 'error(\"x\")'", "", "jq: error (at <unknown>): x\n", 5},
        {"jq -n '\"bye\\n\" | halt_error(3)'", "", "bye\n", 3},
        {"jq -n '1 | debug | stderr'", "1\n", "[\"DEBUG:\",1]\n1", 0},
        {"jq --nonsense .", NULL, NULL, 2},
        {"jq -n 'import \"a\" as a; 1'", "", "jq: error: module not found: a\n\njq: 1 compile error\n", 3},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
