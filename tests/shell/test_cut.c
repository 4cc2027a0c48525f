/*
 * cut on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "cut -d, -f1 csv",
     "a\n1\nx\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f2- csv",
     "b,c\n2,3\n,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f-2 csv",
     "a,b\n1,2\nx,\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f1,3 csv",
     "a,c\n1,3\nx,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f3,1 csv",
     "a,c\n1,3\nx,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f1-2,2-3 csv",
     "a,b,c\n1,2,3\nx,,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -s -f1 csv",
     "a\n1\nx\n", "", 0},
    {TEXT_FILES
     "cut -d, --complement -f2 csv",
     "a,c\n1,3\nx,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, --complement -f1-3 csv",
     "\n\n\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, --complement -f2- csv",
     "a\n1\nx\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -d, -f1,3 --output-delimiter=-- csv",
     "a--c\n1--3\nx--z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -f2 tsv",
     "b\n2\n", "", 0},
    {TEXT_FILES
     "cut -f2 csv",
     "a,b,c\n1,2,3\nx,,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -f5 tsv",
     "\n\n", "", 0},
    {TEXT_FILES
     "cut -c1-3 h",
     "hel\nfoo\nHel\nthe\n", "", 0},
    {TEXT_FILES
     "cut -c2- h",
     "ello world\noo bar\nello again\nhe end\n", "", 0},
    {TEXT_FILES
     "cut -c-2 h",
     "he\nfo\nHe\nth\n", "", 0},
    {TEXT_FILES
     "cut -c1,3,5 h",
     "hlo\nfob\nHlo\ntee\n", "", 0},
    {TEXT_FILES
     "cut -b1-2,4-5 --output-delimiter=: h",
     "he:lo\nfo: b\nHe:lo\nth: e\n", "", 0},
    {TEXT_FILES
     "cut -b1-2,3-5 --output-delimiter=: h",
     "he:llo\nfo:o b\nHe:llo\nth:e e\n", "", 0},
    {TEXT_FILES
     "cut -b1-3,2-5 --output-delimiter=: h",
     "hello\nfoo b\nHello\nthe e\n", "", 0},
    {TEXT_FILES
     "cut -b2 -n u",
     "\251\n\274\n\303\n", "", 0},
    {TEXT_FILES
     "cut --complement -c2 h",
     "hllo world\nfo bar\nHllo again\nte end\n", "", 0},
    {TEXT_FILES
     "cut -d '' -f1 f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\nc\\n' | cut -d $'\\n' -f2",
     "b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\nc\\n' | cut -d $'\\n' -f1,3",
     "a\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\nc' | cut -d $'\\n' -f2-",
     "b\nc\n", "", 0},
    {TEXT_FILES
     "printf 'a:b' | cut -d: -f2",
     "b\n", "", 0},
    {TEXT_FILES
     "printf ':a::b:\\n' | cut -d: -f1-3",
     ":a:\n", "", 0},
    {TEXT_FILES
     "cut -d, -f1 - < csv",
     "a\n1\nx\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut -f '1 2' tsv",
     "a\tb\n1\t2\n", "", 0},
    {TEXT_FILES
     "cut -f1,1,1 tsv",
     "a\n1\n", "", 0},
    {TEXT_FILES
     "cut -c1000 f",
     "\n\n\n\n", "", 0},
    {TEXT_FILES
     "cut --fields=1 --delimiter=, csv",
     "a\n1\nx\nnodelim\n", "", 0},
    {TEXT_FILES
     "cut --only-delimited -f1 -d, csv",
     "a\n1\nx\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "cut f",
     "",
     "cut: you must specify a list of bytes, characters, or fields\nTry 'cut --help' for more "
     "information.\n", 1},
    {TEXT_FILES
     "cut -f1 -b1 f",
     "",
     "cut: only one list may be specified\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -d ab -f1 f",
     "",
     "cut: the delimiter must be a single character\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -b0 f",
     "",
     "cut: byte/character positions are numbered from 1\nTry 'cut --help' for more information"
     ".\n", 1},
    {TEXT_FILES
     "cut -f0 f",
     "",
     "cut: fields are numbered from 1\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -f 3-1 f",
     "",
     "cut: invalid decreasing range\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -fx f",
     "",
     "cut: invalid field value \342\200\230x\342\200\231\nTry 'cut --help' for more informatio"
     "n.\n", 1},
    {TEXT_FILES
     "cut -bx f",
     "",
     "cut: invalid byte/character position \342\200\230x\342\200\231\nTry 'cut --help' for mor"
     "e information.\n", 1},
    {TEXT_FILES
     "cut -b1-x f",
     "",
     "cut: invalid byte/character position \342\200\230x\342\200\231\nTry 'cut --help' for mor"
     "e information.\n", 1},
    {TEXT_FILES
     "cut -c - f",
     "",
     "cut: invalid range with no endpoint: -\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -f1-2-3 f",
     "",
     "cut: invalid field range\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -f, f",
     "",
     "cut: fields are numbered from 1\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -f '' f",
     "",
     "cut: fields are numbered from 1\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -s -b1 f",
     "",
     "cut: suppressing non-delimited lines makes sense\n\tonly when operating on fields\nTry '"
     "cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -d: -b1 f",
     "",
     "cut: an input delimiter may be specified only when operating on fields\nTry 'cut --help'"
     " for more information.\n", 1},
    {TEXT_FILES
     "cut -d \303\251 -f1 f",
     "",
     "cut: the delimiter must be a single character\nTry 'cut --help' for more information.\n", 1},
    {TEXT_FILES
     "cut -d' ' -f2 h nofile k",
     "world\nbar\nagain\nend\n2\n10\n1\n2\n3\n",
     "cut: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "cut -f1 d",
     "",
     "cut: d: Is a directory\n", 1},
};

void test_cut__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_cut__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
