/*
 * unexpand: blanks to tabs, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_unexpand__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf '        a       b\\n    c   d\\n' | unexpand; printf '        a       b\\n' | unexpand -a; printf"
         " '    a   b\\n' | unexpand -t 4; printf '        a       b\\n' | unexpand --first-only -a",
         "\ta       b\n    c   d\n\ta\tb\n\ta\tb\n\ta       b\n",
         "", 0},
        {"printf '  a  b\\n' | unexpand -t 2,5; printf 'x       y\\n' | unexpand -t 0; echo $?",
         "\ta\tb\n1\n",
         "unexpand: tab size cannot be 0\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
