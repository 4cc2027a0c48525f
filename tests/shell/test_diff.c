/*
 * diff on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "diff f f",
     "", "", 0},
    {TEXT_FILES
     "diff f k",
     "1,4c1,5\n< a\n< b\n< c\n< foo\n---\n> b 2 x\n> a 10 y\n> c 1 z\n> a 2 w\n> B 3 v\n", "", 1},
    {TEXT_FILES
     "diff f h",
     "1,4c1,4\n< a\n< b\n< c\n< foo\n---\n> hello world\n> foo bar\n> Hello again\n> the end\n"
     "\\ No newline at end of file\n", "", 1},
    {TEXT_FILES
     "diff -u f h | sed 's/\\t.*//'",
     "--- f\n+++ h\n@@ -1,4 +1,4 @@\n-a\n-b\n-c\n-foo\n+hello world\n+foo bar\n+Hello again\n+"
     "the end\n\\ No newline at end of file\n", "", 0},
    {TEXT_FILES
     "diff -c f h | sed 's/\\t[0-9].*//'",
     "*** f\n--- h\n***************\n*** 1,4 ****\n! a\n! b\n! c\n! foo\n--- 1,4 ----\n! hello"
     " world\n! foo bar\n! Hello again\n! the end\n\\ No newline at end of file\n", "", 0},
    {TEXT_FILES
     "diff -y h k",
     "hello world\t\t\t\t\t\t      |\tb 2 x\nfoo bar\t\t\t\t\t\t\t      |\ta 10 y\nHello again"
     "\t\t\t\t\t\t      |\tc 1 z\nthe end\t\t\t\t\t\t\t      \\\ta 2 w\n\t\t\t\t\t\t\t      >"
     "\tB 3 v\n", "", 1},
    {TEXT_FILES
     "diff -q f k",
     "Files f and k differ\n", "", 1},
    {TEXT_FILES
     "diff -q f f",
     "", "", 0},
    {TEXT_FILES
     "diff -s f f",
     "Files f and f are identical\n", "", 0},
    {TEXT_FILES
     "diff -qs f d/x.c",
     "Files f and d/x.c are identical\n", "", 0},
    {TEXT_FILES
     "diff -i <(echo A) <(echo a)",
     "", "", 0},
    {TEXT_FILES
     "printf 'A\\nb\\n' > a; printf 'a\\nB\\nc\\n' > b; diff -i a b",
     "2a3\n> c\n", "", 1},
    {TEXT_FILES
     "printf 'a  b\\nc\\n' > a; printf 'a b\\nc \\n' > b; diff -b a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a  b\\nc\\n' > a; printf 'ab\\nc \\n' > b; diff -b a b",
     "1c1\n< a  b\n---\n> ab\n", "", 1},
    {TEXT_FILES
     "printf 'a  b\\nc\\n' > a; printf 'ab\\nc \\n' > b; diff -w a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a  b\\nc\\n' > a; printf 'a b\\nc \\n' > b; diff -Z a b",
     "1c1\n< a  b\n---\n> a b\n", "", 1},
    {TEXT_FILES
     "printf 'a\\tb\\n' > a; printf 'a       b\\n' > b; diff -E a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\nb\\n' > a; printf 'a\\nb\\n\\n\\nc\\n' > b; diff -B a b",
     "3a3,5\n> \n> \n> c\n", "", 1},
    {TEXT_FILES
     "printf 'a\\n\\nb\\n' > a; printf 'a\\nb\\n\\n' > b; diff -B a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a\\n#x\\nb\\n' > a; printf 'a\\n#y\\nb\\n' > b; diff -I '^#' a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a\\n#x\\nb\\n' > a; printf 'a\\n#y\\nc\\n' > b; diff -I '^#' a b",
     "2,3c2,3\n< #x\n< b\n---\n> #y\n> c\n", "", 1},
    {TEXT_FILES
     "printf 'a\\r\\nb\\r\\n' > a; printf 'a\\nb\\n' > b; diff --strip-trailing-cr a b",
     "", "", 0},
    {TEXT_FILES
     "printf 'a' > a; printf 'a\\n' > b; diff a b",
     "1c1\n< a\n\\ No newline at end of file\n---\n> a\n", "", 1},
    {TEXT_FILES
     "printf 'a\\nb' > a; printf 'a\\nc' > b; diff -u --label a --label b a b",
     "--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline a"
     "t end of file\n", "", 1},
    {TEXT_FILES
     "printf 'a\\nb' > a; printf 'a\\nb\\nc\\n' > b; diff -c --label a --label b a b",
     "*** a\n--- b\n***************\n*** 1,2 ****\n  a\n! b\n\\ No newline at end of file\n---"
     " 1,3 ----\n  a\n! b\n! c\n", "", 1},
    {TEXT_FILES
     "diff bin f",
     "Binary files bin and f differ\n", "", 1},
    {TEXT_FILES
     "diff bin b2",
     "Binary files bin and b2 differ\n", "", 1},
    {TEXT_FILES
     "diff -u bin bin",
     "", "", 0},
    {TEXT_FILES
     "diff d/x.c d",
     "", "", 0},
    {TEXT_FILES
     "cp f d/f; diff f d",
     "", "", 0},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s e2/s; echo x > e1/s"
     "/q; diff e1 e2",
     "diff e1/a e2/a\n1c1\n< 1\n---\n> 2\nOnly in e1: b\nCommon subdirectories: e1/s and e2/s"
     "\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s e2/s; echo x > e1/s"
     "/q; diff -r e1 e2",
     "diff -r e1/a e2/a\n1c1\n< 1\n---\n> 2\nOnly in e1: b\nOnly in e1/s: q\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s e2/s; echo x > e1/s"
     "/q; diff -rN e1 e2",
     "diff -rN e1/a e2/a\n1c1\n< 1\n---\n> 2\ndiff -rN e1/b e2/b\n1d0\n< 3\ndiff -rN e1/s/q e2"
     "/s/q\n1d0\n< x\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s e2/s; echo x > e1/s"
     "/q; diff -rq e1 e2",
     "Files e1/a and e2/a differ\nOnly in e1: b\nOnly in e1/s: q\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s; diff -rqN e1 e2",
     "Files e1/a and e2/a differ\nFiles e1/b and e2/b differ\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; mkdir e1/s; diff -r -x 'a' e1 "
     "e2",
     "Only in e1: b\nOnly in e1: s\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 1 > e2/a; diff -rs e1 e2",
     "Files e1/a and e2/a are identical\n", "", 0},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; mkdir e2/a; diff -r e1 e2",
     "File e1/a is a regular file while file e2/a is a directory\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo 1 > e1/a; echo 2 > e2/a; diff -ru --label x --label y e1 e2",
     "diff -ru --label x --label y x y\n--- x\n+++ y\n@@ -1 +1 @@\n-1\n+2\n", "", 1},
    {TEXT_FILES
     "mkdir e1 e2; echo b > pat; echo 1 > e1/a; echo 2 > e2/a; echo 3 > e1/b; diff -r -X pat e"
     "1 e2",
     "diff -r -X pat e1/a e2/a\n1c1\n< 1\n---\n> 2\n", "", 1},
    {TEXT_FILES
     "diff -N f nofile",
     "1,4d0\n< a\n< b\n< c\n< foo\n", "", 1},
    {TEXT_FILES
     "diff -uN --label a --label b nofile f",
     "--- a\n+++ b\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+foo\n", "", 1},
    {TEXT_FILES
     "printf 'int f()\\n{\\n 1\\n 2\\n 3\\n 4\\n 5\\n}\\n' > a; sed 's/5/6/' a > b; diff -up -"
     "-label a --label b a b",
     "--- a\n+++ b\n@@ -4,5 +4,5 @@ int f()\n  2\n  3\n  4\n- 5\n+ 6\n }\n", "", 1},
    {TEXT_FILES
     "printf 'int f()\\n{\\n 1\\n 2\\n 3\\n 4\\n 5\\n}\\n' > a; sed 's/5/6/' a > b; diff -p --"
     "label a --label b a b",
     "*** a\n--- b\n*************** int f()\n*** 4,8 ****\n   2\n   3\n   4\n!  5\n  }\n--- 4,"
     "8 ----\n   2\n   3\n   4\n!  6\n  }\n", "", 1},
    {TEXT_FILES
     "printf 'int f()\\n{\\n 1\\n 2\\n 3\\n 4\\n 5\\n}\\n' > a; sed 's/5/6/' a > b; diff -u -F"
     " '^{' --label a --label b a b",
     "--- a\n+++ b\n@@ -4,5 +4,5 @@ {\n  2\n  3\n  4\n- 5\n+ 6\n }\n", "", 1},
    {TEXT_FILES
     "diff - f < k",
     "1,5c1,4\n< b 2 x\n< a 10 y\n< c 1 z\n< a 2 w\n< B 3 v\n---\n> a\n> b\n> c\n> foo\n", "", 1},
    {TEXT_FILES
     "diff f - < f",
     "", "", 0},
    {TEXT_FILES
     "diff -u5 --label a --label b s e",
     "--- a\n+++ b\n@@ -1,30 +1,6 @@\n-1\n-2\n-3\n-4\n-5\n-6\n-7\n-8\n-9\n-10\n-11\n-12\n-13\n"
     "-14\n-15\n-16\n-17\n-18\n-19\n-20\n-21\n-22\n-23\n-24\n-25\n-26\n-27\n-28\n-29\n-30\n+on"
     "e\n+\n+two\n+\n+\n+three\n", "", 1},
    {TEXT_FILES
     "diff -w f h",
     "1,4c1,4\n< a\n< b\n< c\n< foo\n---\n> hello world\n> foo bar\n> Hello again\n> the end\n"
     "\\ No newline at end of file\n", "", 1},
    {TEXT_FILES
     "diff --color=always f k",
     "\033[36m1,4c1,5\033[0m\n\033[31m< a\033[0m\n\033[31m< b\033[0m\n\033[31m< c\033[0m\n\033"
     "[31m< foo\033[0m\n---\n\033[32m> b 2 x\033[0m\n\033[32m> a 10 y\033[0m\n\033[32m> c 1 z"
     "\033[0m\n\033[32m> a 2 w\033[0m\n\033[32m> B 3 v\033[0m\n", "", 1},
    {TEXT_FILES
     "diff --color=always -u --label a --label b f k",
     "\033[1m--- a\033[0m\n\033[1m+++ b\033[0m\n\033[36m@@ -1,4 +1,5 @@\033[0m\n\033[31m-a\033"
     "[0m\n\033[31m-b\033[0m\n\033[31m-c\033[0m\n\033[31m-foo\033[0m\n\033[32m+b 2 x\033[0m\n"
     "\033[32m+a 10 y\033[0m\n\033[32m+c 1 z\033[0m\n\033[32m+a 2 w\033[0m\n\033[32m+B 3 v\033"
     "[0m\n", "", 1},
    {TEXT_FILES
     "printf 'a\\nb\\nc\\na\\nb\\nb\\na\\n' > a; printf 'c\\nb\\na\\nb\\na\\nc\\n' > b; diff a"
     " b",
     "1,2d0\n< a\n< b\n4d1\n< a\n5a3\n> a\n7a6\n> c\n", "", 1},
    {TEXT_FILES
     "printf '.\\na\\n' > a; printf 'a\\n.\\nb\\n.\\n' > b; diff -e a b",
     "2a\n..\n.\ns/.//\na\nb\n..\n.\ns/.//\n1d\n", "", 1},
    {TEXT_FILES
     "diff -t tsv csv",
     "1,2c1,4\n< a       b       c\n< 1       2       3\n---\n> a,b,c\n> 1,2,3\n> x,,z\n> node"
     "lim\n", "", 1},
    {TEXT_FILES
     "diff -T tsv csv",
     "1,2c1,4\n<\ta\tb\tc\n<\t1\t2\t3\n---\n>\ta,b,c\n>\t1,2,3\n>\tx,,z\n>\tnodelim\n", "", 1},
    {TEXT_FILES
     "diff --normal f k",
     "1,4c1,5\n< a\n< b\n< c\n< foo\n---\n> b 2 x\n> a 10 y\n> c 1 z\n> a 2 w\n> B 3 v\n", "", 1},
    {TEXT_FILES
     "diff --brief f k",
     "Files f and k differ\n", "", 1},
    {TEXT_FILES
     "diff --side-by-side f k",
     "a\t\t\t\t\t\t\t      |\tb 2 x\nb\t\t\t\t\t\t\t      |\ta 10 y\nc\t\t\t\t\t\t\t      |\tc"
     " 1 z\nfoo\t\t\t\t\t\t\t      |\ta 2 w\n\t\t\t\t\t\t\t      >\tB 3 v\n", "", 1},
    {TEXT_FILES
     "diff -d s k",
     "1,30c1,5\n< 1\n< 2\n< 3\n< 4\n< 5\n< 6\n< 7\n< 8\n< 9\n< 10\n< 11\n< 12\n< 13\n< 14\n< 1"
     "5\n< 16\n< 17\n< 18\n< 19\n< 20\n< 21\n< 22\n< 23\n< 24\n< 25\n< 26\n< 27\n< 28\n< 29\n<"
     " 30\n---\n> b 2 x\n> a 10 y\n> c 1 z\n> a 2 w\n> B 3 v\n", "", 1},
    {TEXT_FILES
     "diff empty f",
     "0a1,4\n> a\n> b\n> c\n> foo\n", "", 1},
    {TEXT_FILES
     "diff f empty",
     "1,4d0\n< a\n< b\n< c\n< foo\n", "", 1},
    {TEXT_FILES
     "diff -u --label a --label b empty f",
     "--- a\n+++ b\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+foo\n", "", 1},
    {TEXT_FILES
     "diff -c --label a --label b f empty",
     "*** a\n--- b\n***************\n*** 1,4 ****\n- a\n- b\n- c\n- foo\n--- 0 ----\n", "", 1},
    {TEXT_FILES
     "diff -y empty f",
     "\t\t\t\t\t\t\t      >\ta\n\t\t\t\t\t\t\t      >\tb\n\t\t\t\t\t\t\t      >\tc\n\t\t\t\t\t"
     "\t\t      >\tfoo\n", "", 1},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "diff f nofile",
     "",
     "diff: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "diff nofile f",
     "",
     "diff: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "diff f",
     "",
     "diff: missing operand after 'f'\ndiff: Try 'diff --help' for more information.\n", 2},
    {TEXT_FILES
     "diff",
     "",
     "diff: missing operand after 'diff'\ndiff: Try 'diff --help' for more information.\n", 2},
    {TEXT_FILES
     "diff f k h",
     "",
     "diff: extra operand 'h'\ndiff: Try 'diff --help' for more information.\n", 2},
    {TEXT_FILES
     "diff d f",
     "",
     "diff: d/f: No such file or directory\n", 2},
    {TEXT_FILES
     "diff f d",
     "",
     "diff: d/f: No such file or directory\n", 2},
    {TEXT_FILES
     "diff -u -c f k",
     "",
     "diff: conflicting output style options\ndiff: Try 'diff --help' for more information.\n", 2},
    {TEXT_FILES
     "diff -U x f k",
     "",
     "diff: invalid context length 'x'\ndiff: Try 'diff --help' for more information.\n", 2},
};

void test_diff__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_diff__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
