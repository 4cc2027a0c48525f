/*
 * iconv: codings and what does not fit, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_iconv__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf '\303\251\342\202\254' | iconv -t utf-16le | od -An -tx1; printf '\303\251' | iconv -t utf-16 | od"
         " -An -tx1; printf '\303\251' | iconv -t latin1 | od -An -tx1",
         " e9 00 ac 20\n ff fe e9 00\n e9\n",
         "", 0},
        {"printf '\\351' | iconv -f latin1; echo; printf 'a\\0b\\0' | iconv -f utf-16le; echo; printf '\\376\\377\\"
         "0a' | iconv -f utf-16",
         "\303\251\nab\na",
         "", 0},
        {"printf 'a\342\202\254b' | iconv -t ascii; echo $?; printf 'a\342\202\254b' | iconv -c -t ascii; echo $?; "
         "printf 'a\\377b' | iconv; echo $?",
         "a1\nab0\na1\n",
         "iconv: illegal input sequence at position 1\niconv: illegal input sequence at position 1\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
