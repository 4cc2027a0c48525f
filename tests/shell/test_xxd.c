/*
 * xxd on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "xxd h",
     "00000000: 6865 6c6c 6f20 776f 726c 640a 666f 6f20  hello world.foo \n00000010: 6261 720a"
     " 4865 6c6c 6f20 6167 6169 6e0a  bar.Hello again.\n00000020: 7468 6520 656e 64           "
     "             the end\n", "", 0},
    {TEXT_FILES
     "xxd -p h",
     "68656c6c6f20776f726c640a666f6f206261720a48656c6c6f2061676169\n6e0a74686520656e64\n", "", 0},
    {TEXT_FILES
     "xxd -u h",
     "00000000: 6865 6C6C 6F20 776F 726C 640A 666F 6F20  hello world.foo \n00000010: 6261 720A"
     " 4865 6C6C 6F20 6167 6169 6E0A  bar.Hello again.\n00000020: 7468 6520 656E 64           "
     "             the end\n", "", 0},
    {TEXT_FILES
     "xxd -c 8 h",
     "00000000: 6865 6c6c 6f20 776f  hello wo\n00000008: 726c 640a 666f 6f20  rld.foo \n000000"
     "10: 6261 720a 4865 6c6c  bar.Hell\n00000018: 6f20 6167 6169 6e0a  o again.\n00000020: 74"
     "68 6520 656e 64    the end\n", "", 0},
    {TEXT_FILES
     "xxd -g 1 h",
     "00000000: 68 65 6c 6c 6f 20 77 6f 72 6c 64 0a 66 6f 6f 20  hello world.foo \n00000010: 6"
     "2 61 72 0a 48 65 6c 6c 6f 20 61 67 61 69 6e 0a  bar.Hello again.\n00000020: 74 68 65 20 "
     "65 6e 64                             the end\n", "", 0},
    {TEXT_FILES
     "xxd -g 4 h",
     "00000000: 68656c6c 6f20776f 726c640a 666f6f20  hello world.foo \n00000010: 6261720a 4865"
     "6c6c 6f206167 61696e0a  bar.Hello again.\n00000020: 74686520 656e64                     "
     " the end\n", "", 0},
    {TEXT_FILES
     "xxd -g 0 h",
     "00000000: 68656c6c6f20776f726c640a666f6f20  hello world.foo \n00000010: 6261720a48656c6c"
     "6f20616761696e0a  bar.Hello again.\n00000020: 74686520656e64                    the end"
     "\n", "", 0},
    {TEXT_FILES
     "xxd -e h",
     "00000000: 6c6c6568 6f77206f 0a646c72 206f6f66  hello world.foo \n00000010: 0a726162 6c6c"
     "6548 6761206f 0a6e6961  bar.Hello again.\n00000020: 20656874   646e65                   "
     " the end\n", "", 0},
    {TEXT_FILES
     "xxd -e -g 2 h",
     "00000000: 6568 6c6c 206f 6f77 6c72 0a64 6f66 206f  hello world.foo \n00000010: 6162 0a72"
     " 6548 6c6c 206f 6761 6961 0a6e  bar.Hello again.\n00000020: 6874 2065 6e65   64         "
     "             the end\n", "", 0},
    {TEXT_FILES
     "xxd -b f",
     "00000000: 01100001 00001010 01100010 00001010 01100011 00001010  a.b.c.\n00000006: 01100"
     "110 01101111 01101111 00001010                    foo.\n", "", 0},
    {TEXT_FILES
     "xxd -i f",
     "unsigned char f[] = {\n  0x61, 0x0a, 0x62, 0x0a, 0x63, 0x0a, 0x66, 0x6f, 0x6f, 0x0a\n};"
     "\nunsigned int f_len = 10;\n", "", 0},
    {TEXT_FILES
     "xxd -i < f",
     "  0x61, 0x0a, 0x62, 0x0a, 0x63, 0x0a, 0x66, 0x6f, 0x6f, 0x0a\n", "", 0},
    {TEXT_FILES
     "xxd -l 5 h",
     "00000000: 6865 6c6c 6f                             hello\n", "", 0},
    {TEXT_FILES
     "xxd -s 5 h",
     "00000005: 2077 6f72 6c64 0a66 6f6f 2062 6172 0a48   world.foo bar.H\n00000015: 656c 6c6f"
     " 2061 6761 696e 0a74 6865 2065  ello again.the e\n00000025: 6e64                        "
     "             nd\n", "", 0},
    {TEXT_FILES
     "xxd -s -5 h",
     "00000022: 6520 656e 64                             e end\n", "", 0},
    {TEXT_FILES
     "xxd -o 16 f",
     "00000010: 610a 620a 630a 666f 6f0a                 a.b.c.foo.\n", "", 0},
    {TEXT_FILES
     "xxd -d h",
     "00000000: 6865 6c6c 6f20 776f 726c 640a 666f 6f20  hello world.foo \n00000016: 6261 720a"
     " 4865 6c6c 6f20 6167 6169 6e0a  bar.Hello again.\n00000032: 7468 6520 656e 64           "
     "             the end\n", "", 0},
    {TEXT_FILES
     "xxd -p -c 4 h",
     "68656c6c\n6f20776f\n726c640a\n666f6f20\n6261720a\n48656c6c\n6f206167\n61696e0a\n74686520"
     "\n656e64\n", "", 0},
    {TEXT_FILES
     "xxd -c 5 h",
     "00000000: 6865 6c6c 6f  hello\n00000005: 2077 6f72 6c   worl\n0000000a: 640a 666f 6f  d."
     "foo\n0000000f: 2062 6172 0a   bar.\n00000014: 4865 6c6c 6f  Hello\n00000019: 2061 6761 6"
     "9   agai\n0000001e: 6e0a 7468 65  n.the\n00000023: 2065 6e64      end\n", "", 0},
    {TEXT_FILES
     "xxd h | xxd -r",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "xxd -p h | xxd -r -p",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "xxd -c 8 -g 1 h | xxd -r -c 8",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "echo '68 65 6c6c6f' | xxd -r -p",
     "hello", "", 0},
    {TEXT_FILES
     "echo 'zz' | xxd -r -p",
     "", "", 0},
    {TEXT_FILES
     "xxd f out; cat out",
     "00000000: 610a 620a 630a 666f 6f0a                 a.b.c.foo.\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "xxd nofile",
     "",
     "xxd: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "xxd -c 300 f",
     "",
     "xxd: invalid number of columns (max. 256).\n", 1},
};

void test_xxd__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_xxd__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
