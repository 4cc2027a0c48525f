/*
 * hexdump on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf 'abc' | hexdump",
     "0000000 6261 0063                              \n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'abc' | hexdump -C",
     "00000000  61 62 63                                          |abc|\n00000003\n", "", 0},
    {TEXT_FILES
     "printf 'abc\\001\\n\\t\\177\\200' | hexdump -c",
     "0000000   a   b   c 001  \\n  \\t 177 200                                \n0000008\n", "", 0},
    {TEXT_FILES
     "printf 'abc' | hexdump -b",
     "0000000 141 142 143                                                    \n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'abc' | hexdump -d",
     "0000000   25185   00099                                                \n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'abc' | hexdump -x",
     "0000000    6261    0063                                                \n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'abc' | hexdump -o",
     "0000000  061141  000143                                                \n0000003\n", "", 0},
    {TEXT_FILES
     "hexdump -C h",
     "00000000  68 65 6c 6c 6f 20 77 6f  72 6c 64 0a 66 6f 6f 20  |hello world.foo |\n00000010"
     "  62 61 72 0a 48 65 6c 6c  6f 20 61 67 61 69 6e 0a  |bar.Hello again.|\n00000020  74 68 "
     "65 20 65 6e 64                              |the end|\n00000027\n", "", 0},
    {TEXT_FILES
     "hexdump -C -n 5 h",
     "00000000  68 65 6c 6c 6f                                    |hello|\n00000005\n", "", 0},
    {TEXT_FILES
     "hexdump -C -s 5 -n 10 h",
     "00000005  20 77 6f 72 6c 64 0a 66  6f 6f                    | world.foo|\n0000000f\n", "", 0},
    {TEXT_FILES
     "hexdump -C f h",
     "00000000  61 0a 62 0a 63 0a 66 6f  6f 0a 68 65 6c 6c 6f 20  |a.b.c.foo.hello |\n00000010"
     "  77 6f 72 6c 64 0a 66 6f  6f 20 62 61 72 0a 48 65  |world.foo bar.He|\n00000020  6c 6c "
     "6f 20 61 67 61 69  6e 0a 74 68 65 20 65 6e  |llo again.the en|\n00000030  64            "
     "                                    |d|\n00000031\n", "", 0},
    {TEXT_FILES
     "hexdump -C bin",
     "00000000  61 00 62 0a 66 6f 6f 0a                           |a.b.foo.|\n00000008\n", "", 0},
    {TEXT_FILES
     "hexdump -v -C empty",
     "", "", 0},
    {TEXT_FILES
     "printf '%064d' 0 | hexdump -C",
     "00000000  30 30 30 30 30 30 30 30  30 30 30 30 30 30 30 30  |0000000000000000|\n*\n00000"
     "040\n", "", 0},
    {TEXT_FILES
     "printf '%064d' 0 | hexdump -v",
     "0000000 3030 3030 3030 3030 3030 3030 3030 3030\n0000010 3030 3030 3030 3030 3030 3030 3"
     "030 3030\n0000020 3030 3030 3030 3030 3030 3030 3030 3030\n0000030 3030 3030 3030 3030 3"
     "030 3030 3030 3030\n0000040\n", "", 0},
};

void test_hexdump__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}
