/*
 * strings on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf 'abc\\0defgh\\0ij\\001klmno\\n' | strings",
     "defgh\nklmno\n", "", 0},
    {TEXT_FILES
     "printf 'abc\\0defgh\\0ij\\001klmno\\n' | strings -n 3",
     "abc\ndefgh\nklmno\n", "", 0},
    {TEXT_FILES
     "printf 'abc\\0defgh\\0ij\\001klmno\\n' | strings -t x",
     "      4 defgh\n      d klmno\n", "", 0},
    {TEXT_FILES
     "printf 'abc\\0defgh\\0ij\\001klmno\\n' | strings -3 -t d",
     "      0 abc\n      4 defgh\n     13 klmno\n", "", 0},
    {TEXT_FILES
     "strings -f h bin",
     "h: hello world\nh: foo bar\nh: Hello again\nh: the end\n", "", 0},
};

void test_strings__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}
