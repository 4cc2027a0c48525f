/*
 * comm on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "comm --output-delimiter=, f d/x.c",
     ",,a\n,,b\n,,c\n,,foo\n", "", 0},
    {TEXT_FILES
     "comm --total f d/x.c",
     "\t\ta\n\t\tb\n\t\tc\n\t\tfoo\n0\t0\t4\ttotal\n", "", 0},
    {TEXT_FILES
     "comm --nocheck-order s f",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\n\ta\n\tb\n\tc\n\tfoo\n", "", 0},
    {TEXT_FILES
     "comm -12 f d/x.c",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nc\\nd\\n' > c1; printf 'b\\nc\\ne\\n' > c2; comm c1 c2",
     "a\n\tb\n\t\tc\nd\n\te\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nc\\nd\\n' > c1; printf 'b\\nc\\ne\\n' > c2; comm -13 --total c1 c2",
     "b\ne\n2\t2\t1\ttotal\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nc\\nd\\n' > c1; printf 'b\\nc\\ne\\n' > c2; comm --output-delimiter=:: -1 c1"
     " c2",
     "b\n::c\ne\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nc\\nd\\n' > c1; printf 'b\\nc\\ne\\n' > c2; comm -123 c1 c2",
     "", "", 0},
    {TEXT_FILES
     "printf 'a\\nc\\nd' > c1; comm - c1 < c1",
     "\t\ta\n\t\tc\n\t\td\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "comm f k",
     "a\nb\n\tb 2 x\n\ta 10 y\nc\n\tc 1 z\n\ta 2 w\n\tB 3 v\nfoo\n",
     "comm: file 2 is not in sorted order\ncomm: input is not in sorted order\n", 1},
    {TEXT_FILES
     "comm f",
     "",
     "comm: missing operand after \342\200\230f\342\200\231\nTry 'comm --help' for more inform"
     "ation.\n", 1},
    {TEXT_FILES
     "comm f f f",
     "",
     "comm: extra operand \342\200\230f\342\200\231\nTry 'comm --help' for more information.\n", 1},
    {TEXT_FILES
     "comm",
     "",
     "comm: missing operand\nTry 'comm --help' for more information.\n", 1},
    {TEXT_FILES
     "comm -1 -3 s f",
     "a\nb\nc\nfoo\n",
     "comm: file 1 is not in sorted order\ncomm: input is not in sorted order\n", 1},
    {TEXT_FILES
     "comm --check-order f k",
     "a\nb\n\tb 2 x\n",
     "comm: file 2 is not in sorted order\n", 1},
    {TEXT_FILES
     "comm -23 f u",
     "a\nb\nc\nfoo\n",
     "comm: file 2 is not in sorted order\ncomm: input is not in sorted order\n", 1},
    {TEXT_FILES
     "comm -3 f h",
     "a\nb\nc\nfoo\n\thello world\n\tfoo bar\n\tHello again\n\tthe end\n",
     "comm: file 2 is not in sorted order\ncomm: input is not in sorted order\n", 1},
    {TEXT_FILES
     "comm f nofile",
     "",
     "comm: nofile: No such file or directory\n", 1},
};

void test_comm__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_comm__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
