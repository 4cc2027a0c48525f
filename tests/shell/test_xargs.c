/*
 * xargs on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf '  a b  \\n\\n c\\n' | xargs -I{} echo '[{}]'",
     "[a b  ]\n[c]\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\nc d\\n' | xargs -n1",
     "a\nb\nc\nd\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\nc d\\n' | xargs -L1 echo x",
     "x a b\nx c d\n", "", 0},
    {TEXT_FILES
     "printf 'a b \\nc d\\n' | xargs -L1 echo x",
     "x a b c d\n", "", 0},
    {TEXT_FILES
     "printf \"a 'b c' \\\"d e\\\" f\\\\\\\\ g\\n\" | xargs -n1",
     "a\nb c\nd e\nf g\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\0c\\0' | xargs -0 -n1",
     "a b\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\nb\\0c' | xargs -0 echo x",
     "x a\n\nb c\n", "", 0},
    {TEXT_FILES
     "printf 'a,b,c' | xargs -d, -n1",
     "a\nb\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\nc\\n' | xargs -d '\\n' -n1",
     "a b\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a:b' | xargs -d '\\x3a' -n1",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "xargs < empty",
     "\n", "", 0},
    {TEXT_FILES
     "xargs -r < empty",
     "", "", 0},
    {TEXT_FILES
     "xargs echo hi < empty",
     "hi\n", "", 0},
    {TEXT_FILES
     "xargs -r echo hi < empty",
     "", "", 0},
    {TEXT_FILES
     "printf '\\n' | xargs echo x",
     "x\n", "", 0},
    {TEXT_FILES
     "xargs -a s -n 10",
     "1 2 3 4 5 6 7 8 9 10\n11 12 13 14 15 16 17 18 19 20\n21 22 23 24 25 26 27 28 29 30\n", "", 0},
    {TEXT_FILES
     "ls d | xargs -I{} cat d/{}",
     "a\nb\nc\nfoo\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "find d -type f | xargs grep -l foo",
     "d/x.c\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find . -name '*.c' -print0 | xargs -0 wc -l",
     "4 ./d/x.c\n", "", 0},
    {TEXT_FILES
     "printf 'f\\nk\\n' | xargs cat",
     "a\nb\nc\nfoo\nb 2 x\na 10 y\nc 1 z\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "echo a | xargs -I{} sh -c 'echo {}; exit 1'",
     "a\n", "", 123},
    {TEXT_FILES
     "echo 'a b c' | xargs -I{} -n 1 echo '<{}>'",
     "<a b c>\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | xargs -I % echo % %",
     "a a\nb b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\tb\\n' | xargs -I % echo %",
     "a\tb\n", "", 0},
    {TEXT_FILES
     "echo 'x' | xargs -- echo -n",
     "x", "", 0},
    {TEXT_FILES
     "printf 'a\\\\\\nb c\\n' | xargs -n1",
     "a\nb\nc\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "printf 'a\"b\\n' | xargs",
     "",
     "xargs: unmatched double quote; by default quotes are special to xargs unless you use the"
     " -0 option\n", 1},
    {TEXT_FILES
     "printf 'a:b' | xargs -d xx",
     "",
     "xargs: Invalid input delimiter specification xx: the delimiter must be either a single c"
     "haracter or an escape sequence starting with \\.\n", 1},
    {TEXT_FILES
     "xargs -a nofile",
     "",
     "xargs: Cannot open input file \342\200\230nofile\342\200\231: No such file or directory"
     "\n", 1},
    {TEXT_FILES
     "echo 'a b c' | xargs -n 1 -I{} echo '<{}>'",
     "<a b c>\n",
     "xargs: warning: options --max-args and --replace/-I/-i are mutually exclusive, ignoring "
     "previous --max-args value\n", 0},
    {TEXT_FILES
     "echo 'a b c' | xargs -I{} -n 2 echo '<{}>'",
     "<{}> a b\n<{}> c\n",
     "xargs: warning: options --replace and --max-args/-n are mutually exclusive, ignoring pre"
     "vious --replace value\n", 0},
    {TEXT_FILES
     "echo 'a b c' | xargs -I{} -L 1 echo '<{}>'",
     "<{}> a b c\n",
     "xargs: warning: options --replace and -L are mutually exclusive, ignoring previous --rep"
     "lace value\n", 0},
};

void test_xargs__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_xargs__what_is_missing_is_told_once(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo x | xargs nosuch; echo $?; echo x | xargs sh -c 'exit 127'; echo $?; echo x | xargs ./nosuch; echo $?",
         "127\n123\n127\n",
         "xargs: nosuch: No such file or directory\nxargs: ./nosuch: No such file or directory\n", 0},
        {"env nosuch; echo $?; timeout 5 ./nosuch; echo $?; f() { :; }; env f; echo $?; ls() { :; }; env ls -d .; env "
         "sh -c 'exit 127'; echo $?",
         "127\n127\n127\n.\n127\n",
         "env: ‘nosuch’: No such file or directory\ntimeout: failed to run command ‘./nosuch’: No such file or "
         "directory\nenv: ‘f’: No such file or directory\n",
         0},
        {"find . -maxdepth 0 -exec nosuch \\; -o -print; find . -maxdepth 0 -exec sh -c 'exit 127' \\; -o -print; "
         "find . -maxdepth 0 -exec nosuch {} +; echo $?",
         ".\n.\n1\n", "find: ‘nosuch’: No such file or directory\nfind: ‘nosuch’: No such file or directory\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_xargs__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
