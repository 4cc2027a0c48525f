/*
 * fmt: paragraphs, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_fmt__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf 'aaa bbb ccc ddd\\neee\\n\\nx\\n' | fmt -w 10; echo ==; printf '  one two three\\nfour five\\n' | "
         "fmt -w 12",
         "aaa\nbbb ccc\nddd eee\n\nx\n==\n  one\n  two three\nfour five\n",
         "", 0},
        {"printf '> a b c d e f\\n> g\\nno\\n' | fmt -p '> ' -w 8; echo ==; printf 'a   b.  c\\n' | fmt -u",
         "> a b\n> c d e\n> f g\nno\n==\na b.  c\n",
         "", 0},
        {"printf 'long line here\\nshort\\n' | fmt -s -w 8; echo ==; printf 'one two three\\n  four five six seven"
         "\\n' | fmt -c -w 14; printf 'a b\\n' | fmt -w 0; echo $?; fmt -w x; echo $?",
         "long\nline\nhere\nshort\n==\none two three\n  four five\n  six seven\na\nb\n0\n1\n",
         "fmt: invalid width: \342\200\230x\342\200\231\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
