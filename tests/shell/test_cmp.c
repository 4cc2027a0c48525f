/*
 * cmp on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "cmp f f",
     "", "", 0},
    {TEXT_FILES
     "cmp f k",
     "f k differ: byte 1, line 1\n", "", 1},
    {TEXT_FILES
     "cmp f h",
     "f h differ: byte 1, line 1\n", "", 1},
    {TEXT_FILES
     "cmp -b f k",
     "f k differ: byte 1, line 1 is 141 a 142 b\n", "", 1},
    {TEXT_FILES
     "cmp -s f k",
     "", "", 1},
    {TEXT_FILES
     "cmp -n 2 f k",
     "f k differ: byte 1, line 1\n", "", 1},
    {TEXT_FILES
     "cmp -i 2 f f",
     "", "", 0},
    {TEXT_FILES
     "cmp -i 1:2 f f",
     "f f differ: byte 1, line 1\n", "", 1},
    {TEXT_FILES
     "cmp - f < f",
     "", "", 0},
    {TEXT_FILES
     "cmp f f 1 1",
     "", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "cmp -l f k",
     " 1 141 142\n 2  12  40\n 3 142  62\n 4  12  40\n 5 143 170\n 7 146 141\n 8 157  40\n 9 1"
     "57  61\n10  12  60\n",
     "cmp: EOF on f after byte 10\n", 1},
    {TEXT_FILES
     "cmp -lb f k",
     " 1 141 a    142 b\n 2  12 ^J    40  \n 3 142 b     62 2\n 4  12 ^J    40  \n 5 143 c    "
     "170 x\n 7 146 f    141 a\n 8 157 o     40  \n 9 157 o     61 1\n10  12 ^J    60 0\n",
     "cmp: EOF on f after byte 10\n", 1},
    {TEXT_FILES
     "cmp f nofile",
     "",
     "cmp: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "cmp f",
     "",
     "cmp: EOF on - which is empty\n", 1},
    {TEXT_FILES
     "printf 'abc' > a; printf 'abcd' > b; cmp a b",
     "",
     "cmp: EOF on a after byte 3, in line 1\n", 1},
    {TEXT_FILES
     "printf 'abc\\n' > a; printf 'abc\\nd' > b; cmp a b",
     "",
     "cmp: EOF on a after byte 4, line 1\n", 1},
    {TEXT_FILES
     "cmp empty f",
     "",
     "cmp: EOF on empty which is empty\n", 1},
    {TEXT_FILES
     "cmp -l a f",
     "",
     "cmp: a: No such file or directory\n", 2},
    {TEXT_FILES
     "printf 'abc' > a; printf 'abcd' > b; cmp -l a b",
     "",
     "cmp: EOF on a after byte 3\n", 1},
    {TEXT_FILES
     "cmp -n x f f",
     "",
     "cmp: invalid --bytes value 'x'\ncmp: Try 'cmp --help' for more information.\n", 2},
};

void test_cmp__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_cmp__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
