/*
 * paste on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "paste -d '' f k",
     "ab 2 x\nba 10 y\ncc 1 z\nfooa 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "paste -d 'ab\\q\\n' f k s",
     "aab 2 xb1\nbaa 10 yb2\ncac 1 zb3\nfooaa 2 wb4\naB 3 vb5\nab6\nab7\nab8\nab9\nab10\nab11"
     "\nab12\nab13\nab14\nab15\nab16\nab17\nab18\nab19\nab20\nab21\nab22\nab23\nab24\nab25\nab"
     "26\nab27\nab28\nab29\nab30\n", "", 0},
    {TEXT_FILES
     "paste - - < f",
     "a\tb\nc\tfoo\n", "", 0},
    {TEXT_FILES
     "paste - - - < s",
     "1\t2\t3\n4\t5\t6\n7\t8\t9\n10\t11\t12\n13\t14\t15\n16\t17\t18\n19\t20\t21\n22\t23\t24\n2"
     "5\t26\t27\n28\t29\t30\n", "", 0},
    {TEXT_FILES
     "paste -d '\\0' f f",
     "aa\nbb\ncc\nfoofoo\n", "", 0},
    {TEXT_FILES
     "paste -s f k",
     "a\tb\tc\tfoo\nb 2 x\ta 10 y\tc 1 z\ta 2 w\tB 3 v\n", "", 0},
    {TEXT_FILES
     "paste -sd, f",
     "a,b,c,foo\n", "", 0},
    {TEXT_FILES
     "paste -sd+ s",
     "1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17+18+19+20+21+22+23+24+25+26+27+28+29+30\n", "", 0},
    {TEXT_FILES
     "paste -sd ',;' s",
     "1,2;3,4;5,6;7,8;9,10;11,12;13,14;15,16;17,18;19,20;21,22;23,24;25,26;27,28;29,30\n", "", 0},
    {TEXT_FILES
     "paste -d, f k s",
     "a,b 2 x,1\nb,a 10 y,2\nc,c 1 z,3\nfoo,a 2 w,4\n,B 3 v,5\n,,6\n,,7\n,,8\n,,9\n,,10\n,,11"
     "\n,,12\n,,13\n,,14\n,,15\n,,16\n,,17\n,,18\n,,19\n,,20\n,,21\n,,22\n,,23\n,,24\n,,25\n,,"
     "26\n,,27\n,,28\n,,29\n,,30\n", "", 0},
    {TEXT_FILES
     "paste empty f",
     "\ta\n\tb\n\tc\n\tfoo\n", "", 0},
    {TEXT_FILES
     "paste f empty k",
     "a\t\tb 2 x\nb\t\ta 10 y\nc\t\tc 1 z\nfoo\t\ta 2 w\n\t\tB 3 v\n", "", 0},
    {TEXT_FILES
     "paste < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "paste -s empty f",
     "\na\tb\tc\tfoo\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "paste -d '\\' f k",
     "",
     "paste: delimiter list ends with an unescaped backslash: \\\n", 1},
    {TEXT_FILES
     "paste -s f nofile",
     "a\tb\tc\tfoo\n",
     "paste: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "paste f nofile",
     "",
     "paste: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "paste f d",
     "a\t\nb\t\nc\t\nfoo\t\n",
     "paste: d: Is a directory\n", 1},
};

void test_paste__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_paste__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
