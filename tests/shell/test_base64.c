/*
 * base64 on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "base64 f",
     "YQpiCmMKZm9vCg==\n", "", 0},
    {TEXT_FILES
     "base64 -w 10 h",
     "aGVsbG8gd2\n9ybGQKZm9v\nIGJhcgpIZW\nxsbyBhZ2Fp\nbgp0aGUgZW\n5k\n", "", 0},
    {TEXT_FILES
     "base64 -w 0 h",
     "aGVsbG8gd29ybGQKZm9vIGJhcgpIZWxsbyBhZ2Fpbgp0aGUgZW5k", "", 0},
    {TEXT_FILES
     "base64 h | base64 -d",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "echo 'aGk=' | base64 -d",
     "hi", "", 0},
    {TEXT_FILES
     "echo 'a!Gk=' | base64 -di",
     "hi", "", 0},
    {TEXT_FILES
     "base64 empty",
     "", "", 0},
    {TEXT_FILES
     "printf a | base64",
     "YQ==\n", "", 0},
    {TEXT_FILES
     "printf ab | base64",
     "YWI=\n", "", 0},
    {TEXT_FILES
     "base32 h",
     "NBSWY3DPEB3W64TMMQFGM33PEBRGC4QKJBSWY3DPEBQWOYLJNYFHI2DFEBSW4ZA=\n", "", 0},
    {TEXT_FILES
     "base32 h | base32 -d",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "printf abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz | "
     "base64",
     "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5emFiY2Rl\nZmdoaWprbG"
     "1ub3BxcnN0dXZ3eHl6\n", "", 0},
    {TEXT_FILES
     "echo 'YQ==YQ==' | base64 -d",
     "aa", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "echo 'aGk' | base64 -d",
     "hi",
     "base64: invalid input\n", 1},
    {TEXT_FILES
     "echo 'a!Gk=' | base64 -d",
     "",
     "base64: invalid input\n", 1},
    {TEXT_FILES
     "base64 nofile",
     "",
     "base64: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "base64 f k",
     "",
     "base64: extra operand \342\200\230k\342\200\231\nTry 'base64 --help' for more informatio"
     "n.\n", 1},
    {TEXT_FILES
     "base64 -w x f",
     "",
     "base64: invalid wrap size: \342\200\230x\342\200\231\n", 1},
};

void test_base64__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_base64__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
