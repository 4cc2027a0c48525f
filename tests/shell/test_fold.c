/*
 * fold on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "fold -5 h",
     "hello\n worl\nd\nfoo b\nar\nHello\n agai\nn\nthe e\nnd", "", 0},
    {TEXT_FILES
     "fold -s -w 5 h",
     "hello\n \nworld\nfoo \nbar\nHello\n \nagain\nthe \nend", "", 0},
    {TEXT_FILES
     "fold -w 3 h",
     "hel\nlo \nwor\nld\nfoo\n ba\nr\nHel\nlo \naga\nin\nthe\n en\nd", "", 0},
    {TEXT_FILES
     "fold -w 1 f",
     "a\nb\nc\nf\no\no\n", "", 0},
    {TEXT_FILES
     "fold -b -w 4 u",
     "\303\251\n\303\274x\nz\303\251\n", "", 0},
    {TEXT_FILES
     "fold -w 8 tsv",
     "a\t\nb\t\nc\n1\t\n2\t\n3\n", "", 0},
    {TEXT_FILES
     "fold -w 9 tsv",
     "a\tb\n\tc\n1\t2\n\t3\n", "", 0},
    {TEXT_FILES
     "fold -sw 10 h k",
     "hello \nworld\nfoo bar\nHello \nagain\nthe endb 2 x\na 10 y\nc 1 z\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "printf 'abc\\bdef\\rgh\\n' | fold -w 3",
     "abc\010d\nef\015gh\n", "", 0},
    {TEXT_FILES
     "printf 'aaa bbb ccc ddd\\n' | fold -sw 7",
     "aaa \nbbb \nccc ddd\n", "", 0},
    {TEXT_FILES
     "printf 'aaaaaaaaaa bb\\n' | fold -sw 4",
     "aaaa\naaaa\naa \nbb\n", "", 0},
    {TEXT_FILES
     "printf '\\tabc\\t\\tx\\n' | fold -sw 4",
     "\t\nabc\n\t\n\t\nx\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "fold -w x f",
     "",
     "fold: invalid number of columns: \342\200\230x\342\200\231\n", 1},
    {TEXT_FILES
     "fold -w 0 f",
     "",
     "fold: invalid number of columns: \342\200\2300\342\200\231: Numerical result out of rang"
     "e\n", 1},
    {TEXT_FILES
     "fold -w 3 nofile f",
     "a\nb\nc\nfoo\n",
     "fold: nofile: No such file or directory\n", 1},
};

void test_fold__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_fold__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
