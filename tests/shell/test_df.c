/*
 * df: one place, whose name tells nothing of the machine.
 */
#include "support/shell.h"

static const struct test_shell_row rows[] = {
    {"df --output=source,fstype,target | tail -1 | tr -s ' '", "shell shell /\n", "", 0},
    {"df --output=file,pcent . nofile | wc -l", "2\n", "df: nofile: No such file or directory\n", 0},
    {"df -h | awk 'NR == 1 { print $2, $3 } END { print NR }'", "Size Used\n2\n", "", 0},
    {"df --total . . | awk '{ print $1 }'", "Filesystem\nshell\nshell\ntotal\n", "", 0},
    {"a=$(df -k --output=used . | tail -1); head -c 200000 /dev/zero > f; b=$(df -k --output=used . | tail -1); "
     "(( b - a >= 195 && b - a < 300 )) && echo grown", "grown\n", "", 0},
    {"df --output=x", "", "df: option --output: field ‘x’ unknown\nTry 'df --help' for more information.\n", 1},
    {"df --no-such", "", NULL, 2},
};

void test_df__tells_of_the_storage_of_the_shell(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
