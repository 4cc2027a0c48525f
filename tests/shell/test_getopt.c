/*
 * getopt: words in order, quoted, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_getopt__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"getopt -o ab: -l long,arg: -- -a x -b 'b c' --long --arg=1 y; echo $?",
         " -a -b 'b c' --long --arg '1' -- 'x' 'y'\n0\n",
         "", 0},
        {"getopt -o a:: -- -a -a1 -- -x; getopt -o +a -- x -a; getopt -o -a -- x -a; getopt ab: -a -b 1 2",
         " -a '' -a '1' -- '-x'\n -- 'x' '-a'\n 'x' -a --\n -a -b 1 -- 2\n",
         "", 0},
        {"getopt -o a -n prog -- -z; echo $?; getopt -o a -l arg: -- --arg; echo $?; getopt -q -o a -- -z; echo $?;"
         " getopt -T; echo $?; getopt -o a -l long,lone -- --lon; echo $?",
         " --\n1\n --\n1\n --\n1\n4\n --\n1\n",
         "prog: invalid option -- 'z'\ngetopt: option '--arg' requires an argument\ngetopt: option '--lon' is ambig"
         "uous; possibilities: '--long' '--lone'\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
