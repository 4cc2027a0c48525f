/*
 * yes on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "yes | head -3",
     "y\ny\ny\n", "", 0},
    {TEXT_FILES
     "yes a b | head -2",
     "a b\na b\n", "", 0},
    {TEXT_FILES
     "yes | head -50000 | tail -1",
     "y\n", "", 0},
    {TEXT_FILES
     "yes a b | head -30000 | sort -u",
     "a b\n", "", 0},
};

void test_yes__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}
