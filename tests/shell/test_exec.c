#include "support/shell.h"

void test_exec__a_pipeline_streams_through_commands(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo hello | tr a-z A-Z", "HELLO\n", "", 0},
        {"x=$(echo a; echo b); echo \"[$x]\"", "[a\nb]\n", "", 0},
        {"for i in 1 2 3; do echo $i; done | { read a; read b; echo $b; }", "2\n", "", 0},
        {"nosuch_command", "", "bash: line 1: nosuch_command: command not found\n", 127}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
