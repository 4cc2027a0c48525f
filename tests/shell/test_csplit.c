/*
 * csplit on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_csplit__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"seq 6 > t; csplit t 3 5; cat xx01; ls",
         "4\n4\n4\n3\n4\nt\nxx00\nxx01\nxx02\n",
         "", 0},
        {"printf 'a\\nb\\na\\nc\\n' > t; csplit -s -f p t /a/ '{*}'; head p*",
         "==> p00 <==\n\n==> p01 <==\na\nb\n\n==> p02 <==\na\nc\n",
         "", 0},
        {"seq 9 > t; csplit -n 1 -s t /4/+1 /8/-1; head xx*",
         "==> xx0 <==\n1\n2\n3\n4\n\n==> xx1 <==\n5\n6\n\n==> xx2 <==\n7\n8\n9\n",
         "", 0},
        {"seq 9 > t; csplit -s -z --suppress-matched t /3/ /6/; head xx*",
         "==> xx00 <==\n1\n2\n\n==> xx01 <==\n4\n5\n\n==> xx02 <==\n7\n8\n9\n",
         "", 0},
        {"seq 9 > t; csplit -s -b %03d.q t %5%; head xx*",
         "5\n6\n7\n8\n9\n",
         "", 0},
        {"seq 3 > t; csplit t 9; echo $?; ls; csplit -k -s t 2 9; echo $?; ls; csplit t /x/; echo $?; csplit t 'z';"
         " echo $?",
         "6\n1\nt\n1\nt\nxx00\nxx01\n6\n1\n1\n",
         "csplit: \342\200\2309\342\200\231: line number out of range\ncsplit: \342\200\2309\342\200\231: line numb"
         "er out of range\ncsplit: \342\200\230/x/\342\200\231: match not found\ncsplit: \342\200\230z\342\200\231:"
         " invalid pattern\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
