/*
 * envsubst on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "export A=1 B=two; echo 'x $A ${B} $C ${A $ $1 $$' | envsubst",
     "x 1 two  ${A $ $1 $$\n", "", 0},
    {TEXT_FILES
     "export A=1 B=two; echo 'x $A ${B} $C' | envsubst '$A'",
     "x 1 ${B} $C\n", "", 0},
    {TEXT_FILES
     "envsubst -v 'a $A ${B}'",
     "A\nB\n", "", 0},
};

void test_envsubst__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}
