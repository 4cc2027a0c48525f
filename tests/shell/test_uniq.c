/*
 * uniq on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq",
     "a\nb\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -c",
     "      2 a\n      1 b\n      3 c\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -d",
     "a\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -u",
     "b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -D",
     "a\na\nc\nc\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -du",
     "", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -cd",
     "      2 a\n      3 c\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -cu",
     "      1 b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq -Du",
     "a\nc\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq --all-repeated=prepend",
     "\na\na\n\nc\nc\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq --all-repeated=separate",
     "a\na\n\nc\nc\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\nb\\nc\\nc\\nc\\n' | uniq --all-repeated=none",
     "a\na\nc\nc\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nA\\nb' | uniq -i",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "printf '1 a\\n2 a\\n3 b\\n' | uniq -f1",
     "1 a\n3 b\n", "", 0},
    {TEXT_FILES
     "printf '1 a\\n2 a\\n3 b\\n' | uniq -1",
     "1 a\n3 b\n", "", 0},
    {TEXT_FILES
     "printf '1 a\\n2 a\\n3 b\\n' | uniq -f 5",
     "1 a\n", "", 0},
    {TEXT_FILES
     "printf 'xa\\nya\\nzb\\n' | uniq -s1",
     "xa\nzb\n", "", 0},
    {TEXT_FILES
     "printf 'xa\\nxb\\nzb\\n' | uniq -w1",
     "xa\nzb\n", "", 0},
    {TEXT_FILES
     "printf 'xa\\nxb\\nzb\\n' | uniq -w 0",
     "xa\n", "", 0},
    {TEXT_FILES
     "uniq k out; cat out",
     "b 2 x\na 10 y\nc 1 z\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "uniq - < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "uniq empty",
     "", "", 0},
    {TEXT_FILES
     "printf '\\n\\n\\na\\n' | uniq -c",
     "      3 \n      1 a\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "uniq nofile",
     "",
     "uniq: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "uniq d",
     "",
     "uniq: error reading 'd'\n", 1},
    {TEXT_FILES
     "uniq -D -c f",
     "",
     "uniq: printing all duplicated lines and repeat counts is meaningless\nTry 'uniq --help' "
     "for more information.\n", 1},
    {TEXT_FILES
     "uniq -f x f",
     "",
     "uniq: x: invalid number of fields to skip\n", 1},
    {TEXT_FILES
     "uniq a b c",
     "",
     "uniq: extra operand \342\200\230c\342\200\231\nTry 'uniq --help' for more information.\n", 1},
};

void test_uniq__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_uniq__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
