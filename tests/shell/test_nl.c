/*
 * nl on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "nl e",
     "     1\tone\n       \n     2\ttwo\n       \n       \n     3\tthree\n", "", 0},
    {TEXT_FILES
     "nl -ba -s: -w3 -nrz e",
     "001:one\n002:\n003:two\n004:\n005:\n006:three\n", "", 0},
    {TEXT_FILES
     "nl -bp^t e",
     "       one\n       \n     1\ttwo\n       \n       \n     2\tthree\n", "", 0},
    {TEXT_FILES
     "nl -d xy e",
     "     1\tone\n       \n     2\ttwo\n       \n       \n     3\tthree\n", "", 0},
    {TEXT_FILES
     "nl -nln e",
     "1     \tone\n       \n2     \ttwo\n       \n       \n3     \tthree\n", "", 0},
    {TEXT_FILES
     "nl -v 10 -i 5 e",
     "    10\tone\n       \n    15\ttwo\n       \n       \n    20\tthree\n", "", 0},
    {TEXT_FILES
     "nl -s '' e",
     "     1one\n      \n     2two\n      \n      \n     3three\n", "", 0},
    {TEXT_FILES
     "nl -w 2 s",
     " 1\t1\n 2\t2\n 3\t3\n 4\t4\n 5\t5\n 6\t6\n 7\t7\n 8\t8\n 9\t9\n10\t10\n11\t11\n12\t12\n1"
     "3\t13\n14\t14\n15\t15\n16\t16\n17\t17\n18\t18\n19\t19\n20\t20\n21\t21\n22\t22\n23\t23\n2"
     "4\t24\n25\t25\n26\t26\n27\t27\n28\t28\n29\t29\n30\t30\n", "", 0},
    {TEXT_FILES
     "nl -ba -l 2 e",
     "     1\tone\n       \n     2\ttwo\n       \n     3\t\n     4\tthree\n", "", 0},
    {TEXT_FILES
     "nl -bt -l 2 e",
     "     1\tone\n       \n     2\ttwo\n       \n       \n     3\tthree\n", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\\\:\\\\:\\\\:\\nh\\n\\\\:\\\\:\\nb\\n\\\\:\\nf\\n' | nl",
     "     1\ta\n\n       h\n\n     1\tb\n\n       f\n", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\\\:\\\\:\\\\:\\nh\\n\\\\:\\\\:\\nb\\n\\\\:\\nf\\n' | nl -ha -fa",
     "     1\ta\n\n     1\th\n\n     1\tb\n\n     1\tf\n", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\\\:\\\\:\\\\:\\nh\\n\\\\:\\\\:\\nb\\n\\\\:\\nf\\n' | nl -p -ha -fa",
     "     1\ta\n\n     2\th\n\n     3\tb\n\n     4\tf\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nxyxy\\nb\\n' | nl -d xy",
     "     1\ta\n\n     1\tb\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nx:x:\\nb\\n' | nl -d x",
     "     1\ta\n\n     1\tb\n", "", 0},
    {TEXT_FILES
     "nl -ba h",
     "     1\thello world\n     2\tfoo bar\n     3\tHello again\n     4\tthe end\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "nl -b x f",
     "",
     "nl: invalid body numbering style: \342\200\230x\342\200\231\nTry 'nl --help' for more in"
     "formation.\n", 1},
    {TEXT_FILES
     "nl -v x f",
     "",
     "nl: invalid starting line number: \342\200\230x\342\200\231\n", 1},
    {TEXT_FILES
     "nl -n foo f",
     "",
     "nl: invalid line numbering format: \342\200\230foo\342\200\231\nTry 'nl --help' for more"
     " information.\n", 1},
    {TEXT_FILES
     "nl -w 0 f",
     "",
     "nl: invalid line number field width: \342\200\2300\342\200\231: Numerical result out of "
     "range\n", 1},
    {TEXT_FILES
     "nl f nofile k",
     "     1\ta\n     2\tb\n     3\tc\n     4\tfoo\n     5\tb 2 x\n     6\ta 10 y\n     7\tc 1"
     " z\n     8\ta 2 w\n     9\tB 3 v\n",
     "nl: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "nl -b 'p\\(' f",
     "",
     "nl: Unmatched ( or \\(\n", 1},
};

void test_nl__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_nl__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
