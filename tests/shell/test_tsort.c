/*
 * tsort: orders and loops, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_tsort__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf 'a b\\nb c\\nd c\\n' | tsort",
         "a\nd\nb\nc\n",
         "", 0},
        {"printf 'a a b b c d' | tsort; printf 'a b b a' | tsort; echo $?; printf 'a' | tsort; echo $?; tsort nofil"
         "e; echo $?",
         "a\nb\nc\nd\na\nb\n1\n1\n1\n",
         "tsort: -: input contains a loop:\ntsort: a\ntsort: b\ntsort: -: input contains an odd number of tokens\nt"
         "sort: nofile: No such file or directory\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
