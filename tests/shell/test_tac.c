/*
 * tac on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "tac f",
     "foo\nc\nb\na\n", "", 0},
    {TEXT_FILES
     "tac h",
     "the endHello again\nfoo bar\nhello world\n", "", 0},
    {TEXT_FILES
     "tac -s '' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tac f k",
     "foo\nc\nb\na\nB 3 v\na 2 w\nc 1 z\na 10 y\nb 2 x\n", "", 0},
    {TEXT_FILES
     "tac -b f",
     "\n\nfoo\nc\nba", "", 0},
    {TEXT_FILES
     "tac -b h",
     "\nthe end\nHello again\nfoo barhello world", "", 0},
    {TEXT_FILES
     "tac -s o h",
     " again\nthe end bar\nHelloorld\nfo wohello", "", 0},
    {TEXT_FILES
     "tac -bs o h",
     "o again\nthe endo bar\nHelloorld\nfo whell", "", 0},
    {TEXT_FILES
     "tac -s ' ' h",
     "endagain\nthe bar\nHello world\nfoo hello ", "", 0},
    {TEXT_FILES
     "tac -rs '[oe]' h",
     "nd e again\nthello bar\nHeorld\nfo wollohe", "", 0},
    {TEXT_FILES
     "tac -brs '[oe]' h",
     "ende o again\nthello bar\nHoorld\nfo wellh", "", 0},
    {TEXT_FILES
     "tac -rs 'o\\|e' h",
     "nd e again\nthello bar\nHeorld\nfo wollohe", "", 0},
    {TEXT_FILES
     "tac empty",
     "", "", 0},
    {TEXT_FILES
     "tac < s",
     "30\n29\n28\n27\n26\n25\n24\n23\n22\n21\n20\n19\n18\n17\n16\n15\n14\n13\n12\n11\n10\n9\n8"
     "\n7\n6\n5\n4\n3\n2\n1\n", "", 0},
    {TEXT_FILES
     "tac -s lo h",
     " again\nthe end world\nfoo bar\nHellohello", "", 0},
    {TEXT_FILES
     "printf 'a\\n\\nb\\n\\n' | tac",
     "\nb\n\na\n", "", 0},
    {TEXT_FILES
     "printf '1x2xx3x' | tac -s xx",
     "3x1x2xx", "", 0},
    {TEXT_FILES
     "printf '1x2xx3x' | tac -s x",
     "3xx2x1x", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "tac nofile f",
     "foo\nc\nb\na\n",
     "tac: failed to open 'nofile' for reading: No such file or directory\n", 1},
};

void test_tac__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_tac__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
