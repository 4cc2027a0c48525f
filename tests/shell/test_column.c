/*
 * column on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "column -t k",
     "b  2   x\na  10  y\nc  1   z\na  2   w\nB  3   v\n", "", 0},
    {TEXT_FILES
     "column -t -s, csv",
     "a        b  c\n1        2  3\nx           z\nnodelim     \n", "", 0},
    {TEXT_FILES
     "column -c 20 s",
     "1\t16\n2\t17\n3\t18\n4\t19\n5\t20\n6\t21\n7\t22\n8\t23\n9\t24\n10\t25\n11\t26\n12\t27\n1"
     "3\t28\n14\t29\n15\t30\n", "", 0},
    {TEXT_FILES
     "column -x -c 20 s",
     "1\t2\n3\t4\n5\t6\n7\t8\n9\t10\n11\t12\n13\t14\n15\t16\n17\t18\n19\t20\n21\t22\n23\t24\n2"
     "5\t26\n27\t28\n29\t30\n", "", 0},
    {TEXT_FILES
     "column -t -o '|' -N A,B,C k",
     "A|B |C\nb|2 |x\na|10|y\nc|1 |z\na|2 |w\nB|3 |v\n", "", 0},
    {TEXT_FILES
     "column -t -R 1 k",
     "b  2   x\na  10  y\nc  1   z\na  2   w\nB  3   v\n", "", 0},
    {TEXT_FILES
     "column -t -R 2 k",
     "b   2  x\na  10  y\nc   1  z\na   2  w\nB   3  v\n", "", 0},
    {TEXT_FILES
     "column k",
     "b 2 x\ta 10 y\tc 1 z\ta 2 w\tB 3 v\n", "", 0},
    {TEXT_FILES
     "column h",
     "hello world\tfoo bar\t\tHello again\tthe end\n", "", 0},
    {TEXT_FILES
     "column s",
     "1\t4\t7\t10\t13\t16\t19\t22\t25\t28\n2\t5\t8\t11\t14\t17\t20\t23\t26\t29\n3\t6\t9\t12\t1"
     "5\t18\t21\t24\t27\t30\n", "", 0},
    {TEXT_FILES
     "column -t h",
     "hello  world\nfoo    bar\nHello  again\nthe    end\n", "", 0},
    {TEXT_FILES
     "column -t -N a,b -d k",
     "b  2   x\na  10  y\nc  1   z\na  2   w\nB  3   v\n", "", 0},
    {TEXT_FILES
     "printf 'a  b\\n\\nc\\n' | column -t",
     "a  b\nc  \n", "", 0},
    {TEXT_FILES
     "printf 'a  b\\n\\nc\\n' | column -t -L",
     "a  b\n   \nc  \n", "", 0},
    {TEXT_FILES
     "printf 'a,,b\\n,c\\n' | column -t -s,",
     "a     b\n   c  \n", "", 0},
    {TEXT_FILES
     "column -t -s : -o : f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "column -t tsv",
     "a  b  c\n1  2  3\n", "", 0},
    {TEXT_FILES
     "column -c 10 f k",
     "a\nb\nc\nfoo\nb 2 x\na 10 y\nc 1 z\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "column empty",
     "", "", 0},
    {TEXT_FILES
     "column -t empty",
     "", "", 0},
    {TEXT_FILES
     "printf '\303\251 a\\nbb c\\n' | column -t",
     "\303\251   a\nbb  c\n", "", 0},
    {TEXT_FILES
     "printf 'a:b;c\\n' | column -t -s ':;'",
     "a  b  c\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "column nofile",
     "",
     "column: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "column -N a k",
     "",
     "column: option --table required for all --table-*\n", 1},
};

void test_column__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_column__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
