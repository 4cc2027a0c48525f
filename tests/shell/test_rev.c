/*
 * rev on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "rev u",
     "\303\251\nx\303\274\n\303\251z\n", "", 0},
    {TEXT_FILES
     "rev h",
     "dlrow olleh\nrab oof\nniaga olleH\ndne eht", "", 0},
    {TEXT_FILES
     "rev < f",
     "a\nb\nc\noof\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "rev nofile f",
     "a\nb\nc\noof\n",
     "rev: cannot open nofile: No such file or directory\n", 1},
};

void test_rev__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_rev__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
