/*
 * join on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join j1 j2",
     "a 1 x\nc 3 y\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -a1 j1 j2",
     "a 1 x\nb 2\nc 3 y\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -a1 -a2 -e - -o"
     " auto j1 j2",
     "a 1 x\nb 2 -\nc 3 y\nd - z\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -a1 -a2 -e - -o"
     " 0,1.2,2.2 j1 j2",
     "a 1 x\nb 2 -\nc 3 y\nd - z\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -v1 j1 j2",
     "b 2\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -v2 j1 j2",
     "d z\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\nb 2\\nc 3\\n' > j1; printf 'a x\\nc y\\nd z\\n' > j2; join -o 2.2,1.1 j1 j"
     "2",
     "x a\ny c\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\na 2\\nb 3\\n' > j1; printf 'a x\\na y\\nb z\\n' > j2; join j1 j2",
     "a 1 x\na 1 y\na 2 x\na 2 y\nb 3 z\n", "", 0},
    {TEXT_FILES
     "printf 'a,1\\nb,2\\n' > j1; printf 'a,x\\nb,y\\n' > j2; join -t, j1 j2",
     "a,1,x\nb,2,y\n", "", 0},
    {TEXT_FILES
     "printf '1,a\\n2,b\\n' > j1; printf 'x,a\\ny,b\\n' > j2; join -t, -1 2 -2 2 j1 j2",
     "a,1,x\nb,2,y\n", "", 0},
    {TEXT_FILES
     "printf '1,a\\n2,b\\n' > j1; printf 'x,a\\ny,b\\n' > j2; join -t, -j2 j1 j2",
     "a,1,x\nb,2,y\n", "", 0},
    {TEXT_FILES
     "printf 'k v\\na 1\\n' > j1; printf 'k w\\na 2\\n' > j2; join --header j1 j2",
     "k v w\na 1 2\n", "", 0},
    {TEXT_FILES
     "printf 'A 1\\nb 2\\n' > j1; printf 'a x\\nB y\\n' > j2; join -i j1 j2",
     "A 1 x\nb 2 y\n", "", 0},
    {TEXT_FILES
     "printf 'b 1\\na 2\\n' > j1; printf 'a x\\nb y\\n' > j2; join --nocheck-order j1 j2",
     "b 1 y\n", "", 0},
    {TEXT_FILES
     "printf 'a  1   2\\n' > j1; printf 'a    3\\n' > j2; join j1 j2",
     "a 1 2 3\n", "", 0},
    {TEXT_FILES
     "printf 'a 1\\n' > j1; join - j1 < j1",
     "a 1 1\n", "", 0},
    {TEXT_FILES
     "printf 'a 1' > j1; printf 'a 2' > j2; join j1 j2",
     "a 1 2\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "join k",
     "",
     "join: missing operand after \342\200\230k\342\200\231\nTry 'join --help' for more inform"
     "ation.\n", 1},
    {TEXT_FILES
     "join",
     "",
     "join: missing operand\nTry 'join --help' for more information.\n", 1},
    {TEXT_FILES
     "join -j x k k",
     "",
     "join: invalid field number: \342\200\230x\342\200\231\n", 1},
    {TEXT_FILES
     "join -o 1.x k k",
     "",
     "join: invalid field number: \342\200\230x\342\200\231\n", 1},
    {TEXT_FILES
     "join -a3 k k",
     "",
     "join: invalid field number: \342\200\2303\342\200\231\n", 1},
    {TEXT_FILES
     "join -t ab k k",
     "",
     "join: multi-character tab \342\200\230ab\342\200\231\n", 1},
    {TEXT_FILES
     "printf 'b 1\\na 2\\n' > j1; printf 'a x\\nb y\\n' > j2; join j1 j2",
     "b 1 y\n",
     "join: j1:2: is not sorted: a 2\njoin: input is not in sorted order\n", 1},
    {TEXT_FILES
     "printf 'b 1\\na 2\\n' > j1; printf 'a x\\nb y\\n' > j2; join --check-order j1 j2",
     "",
     "join: j1:2: is not sorted: a 2\n", 1},
    {TEXT_FILES
     "join f nofile",
     "",
     "join: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "join -e x -o auto -a1 f k",
     "a x x\nb 2 x\nc 1 z\nfoo x x\n",
     "join: k:2: is not sorted: a 10 y\njoin: input is not in sorted order\n", 1},
};

void test_join__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_join__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
