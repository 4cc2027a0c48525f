/*
 * od on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "od f",
     "0000000 005141 005142 005143 067546 005157\n0000012\n", "", 0},
    {TEXT_FILES
     "od -c h",
     "0000000   h   e   l   l   o       w   o   r   l   d  \\n   f   o   o    \n0000020   b   "
     "a   r  \\n   H   e   l   l   o       a   g   a   i   n  \\n\n0000040   t   h   e       e"
     "   n   d\n0000047\n", "", 0},
    {TEXT_FILES
     "od -x f",
     "0000000 0a61 0a62 0a63 6f66 0a6f\n0000012\n", "", 0},
    {TEXT_FILES
     "od -An -tx1 h",
     " 68 65 6c 6c 6f 20 77 6f 72 6c 64 0a 66 6f 6f 20\n 62 61 72 0a 48 65 6c 6c 6f 20 61 67 6"
     "1 69 6e 0a\n 74 68 65 20 65 6e 64\n", "", 0},
    {TEXT_FILES
     "od -An -c f",
     "   a  \\n   b  \\n   c  \\n   f   o   o  \\n\n", "", 0},
    {TEXT_FILES
     "od -A x -t x1z h",
     "000000 68 65 6c 6c 6f 20 77 6f 72 6c 64 0a 66 6f 6f 20  >hello world.foo <\n000010 62 61"
     " 72 0a 48 65 6c 6c 6f 20 61 67 61 69 6e 0a  >bar.Hello again.<\n000020 74 68 65 20 65 6e"
     " 64                             >the end<\n000027\n", "", 0},
    {TEXT_FILES
     "od -A d -t u1 f",
     "0000000  97  10  98  10  99  10 102 111 111  10\n0000010\n", "", 0},
    {TEXT_FILES
     "od -t d2 f",
     "0000000   2657   2658   2659  28518   2671\n0000012\n", "", 0},
    {TEXT_FILES
     "od -t x4 h",
     "0000000 6c6c6568 6f77206f 0a646c72 206f6f66\n0000020 0a726162 6c6c6548 6761206f 0a6e6961"
     "\n0000040 20656874 00646e65\n0000047\n", "", 0},
    {TEXT_FILES
     "od -t x8 h",
     "0000000 6f77206f6c6c6568 206f6f660a646c72\n0000020 6c6c65480a726162 0a6e69616761206f\n00"
     "00040 00646e6520656874\n0000047\n", "", 0},
    {TEXT_FILES
     "od -b f",
     "0000000 141 012 142 012 143 012 146 157 157 012\n0000012\n", "", 0},
    {TEXT_FILES
     "od -a h",
     "0000000   h   e   l   l   o  sp   w   o   r   l   d  nl   f   o   o  sp\n0000020   b   a"
     "   r  nl   H   e   l   l   o  sp   a   g   a   i   n  nl\n0000040   t   h   e  sp   e   "
     "n   d\n0000047\n", "", 0},
    {TEXT_FILES
     "od -t c -t x1 h",
     "0000000   h   e   l   l   o       w   o   r   l   d  \\n   f   o   o    \n         68  6"
     "5  6c  6c  6f  20  77  6f  72  6c  64  0a  66  6f  6f  20\n0000020   b   a   r  \\n   H "
     "  e   l   l   o       a   g   a   i   n  \\n\n         62  61  72  0a  48  65  6c  6c  6"
     "f  20  61  67  61  69  6e  0a\n0000040   t   h   e       e   n   d\n         74  68  65 "
     " 20  65  6e  64\n0000047\n", "", 0},
    {TEXT_FILES
     "od -t x1 -t x4 h",
     "0000000 68 65 6c 6c 6f 20 77 6f 72 6c 64 0a 66 6f 6f 20\n           6c6c6568    6f77206f"
     "    0a646c72    206f6f66\n0000020 62 61 72 0a 48 65 6c 6c 6f 20 61 67 61 69 6e 0a\n     "
     "      0a726162    6c6c6548    6761206f    0a6e6961\n0000040 74 68 65 20 65 6e 64\n      "
     "     20656874    00646e65\n0000047\n", "", 0},
    {TEXT_FILES
     "od -j 3 -N 4 -c h",
     "0000003   l   o       w\n0000007\n", "", 0},
    {TEXT_FILES
     "od -w4 -c h",
     "0000000   h   e   l   l\n0000004   o       w   o\n0000010   r   l   d  \\n\n0000014   f "
     "  o   o    \n0000020   b   a   r  \\n\n0000024   H   e   l   l\n0000030   o       a   g"
     "\n0000034   a   i   n  \\n\n0000040   t   h   e    \n0000044   e   n   d\n0000047\n", "", 0},
    {TEXT_FILES
     "od -v -tx1 bin",
     "0000000 61 00 62 0a 66 6f 6f 0a\n0000010\n", "", 0},
    {TEXT_FILES
     "head -c 64 /dev/zero | od",
     "0000000 000000 000000 000000 000000 000000 000000 000000 000000\n*\n0000100\n", "", 0},
    {TEXT_FILES
     "head -c 64 /dev/zero | od -v",
     "0000000 000000 000000 000000 000000 000000 000000 000000 000000\n0000020 000000 000000 0"
     "00000 000000 000000 000000 000000 000000\n0000040 000000 000000 000000 000000 000000 000"
     "000 000000 000000\n0000060 000000 000000 000000 000000 000000 000000 000000 000000\n0000"
     "100\n", "", 0},
    {TEXT_FILES
     "head -c 70 /dev/zero | od -t x1",
     "0000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n0000100 00 00 00 00 00 00\n0"
     "000106\n", "", 0},
    {TEXT_FILES
     "od -t f4 h",
     "0000000   1.1431415e+27   7.6482007e+28   1.0998197e-32   2.0280946e-19\n0000020   1.167"
     "0192e-32   1.1431391e+27  1.06313075e+24   1.1479103e-32\n0000040   1.9431615e-19    9.2"
     "23152e-39\n0000047\n", "", 0},
    {TEXT_FILES
     "od -t d1 enc",
     "0000000   -1   97   10\n0000003\n", "", 0},
    {TEXT_FILES
     "od -d f",
     "0000000  2657  2658  2659 28518  2671\n0000012\n", "", 0},
    {TEXT_FILES
     "od -i f",
     "0000000   174197345  1868958307        2671\n0000012\n", "", 0},
    {TEXT_FILES
     "od -s f",
     "0000000   2657   2658   2659  28518   2671\n0000012\n", "", 0},
    {TEXT_FILES
     "od -l h",
     "0000000  8031924123371070824  2337209215680277618\n0000020  7812730813668286818   751654"
     "054884614255\n0000040    28268878285334644\n0000047\n", "", 0},
    {TEXT_FILES
     "od -o f",
     "0000000 005141 005142 005143 067546 005157\n0000012\n", "", 0},
    {TEXT_FILES
     "od -tx1 -w3 f",
     "0000000 61 0a 62\n0000003 0a 63 0a\n0000006 66 6f 6f\n0000011 0a\n0000012\n", "", 0},
    {TEXT_FILES
     "od -tu4 f k",
     "0000000  174197345 1868958307  543296111  175644722\n0000020  808525921 1661630752 20489"
     "30080  840982794\n0000040 1107982112 1981821728         10\n0000051\n", "", 0},
    {TEXT_FILES
     "od < f",
     "0000000 005141 005142 005143 067546 005157\n0000012\n", "", 0},
    {TEXT_FILES
     "od -An -tu1 -N1 f",
     "  97\n", "", 0},
    {TEXT_FILES
     "md5sum -z f | od -c",
     "0000000   e   5   7   f   3   8   4   4   3   e   3   d   7   8   5   7\n0000020   1   7"
     "   f   c   e   e   6   3   4   a   2   6   5   0   c   5\n0000040           f  \\0\n0000"
     "044\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "od nofile",
     "",
     "od: nofile: No such file or directory\n", 1},
};

void test_od__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_od__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
