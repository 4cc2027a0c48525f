/*
 * tr on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "echo abc | tr 'abc' '[x*2]y'",
     "xxy\n", "", 0},
    {TEXT_FILES
     "tr a-z A-Z < h",
     "HELLO WORLD\nFOO BAR\nHELLO AGAIN\nTHE END", "", 0},
    {TEXT_FILES
     "tr '[:lower:]' '[:upper:]' < h",
     "HELLO WORLD\nFOO BAR\nHELLO AGAIN\nTHE END", "", 0},
    {TEXT_FILES
     "tr '[:upper:]' '[:lower:]' < h",
     "hello world\nfoo bar\nhello again\nthe end", "", 0},
    {TEXT_FILES
     "tr -d aeiou < h",
     "hll wrld\nf br\nHll gn\nth nd", "", 0},
    {TEXT_FILES
     "tr -d '\\n' < h",
     "hello worldfoo barHello againthe end", "", 0},
    {TEXT_FILES
     "tr -s l < h",
     "helo world\nfoo bar\nHelo again\nthe end", "", 0},
    {TEXT_FILES
     "tr -s 'a-z' < h",
     "helo world\nfo bar\nHelo again\nthe end", "", 0},
    {TEXT_FILES
     "tr -cd 'a-z\\n' < h",
     "helloworld\nfoobar\nelloagain\ntheend", "", 0},
    {TEXT_FILES
     "tr -c 'a-z\\n' _ < h",
     "hello_world\nfoo_bar\n_ello_again\nthe_end", "", 0},
    {TEXT_FILES
     "tr -cs 'a-z' '\\n' < h",
     "hello\nworld\nfoo\nbar\nello\nagain\nthe\nend", "", 0},
    {TEXT_FILES
     "tr -s '[:space:]' '\\n' < h",
     "hello\nworld\nfoo\nbar\nHello\nagain\nthe\nend", "", 0},
    {TEXT_FILES
     "tr ' ' '\\n' < h",
     "hello\nworld\nfoo\nbar\nHello\nagain\nthe\nend", "", 0},
    {TEXT_FILES
     "tr -t abc x < h",
     "hello world\nfoo bxr\nHello xgxin\nthe end", "", 0},
    {TEXT_FILES
     "tr abc x < h",
     "hello world\nfoo xxr\nHello xgxin\nthe end", "", 0},
    {TEXT_FILES
     "tr -ds l o < h",
     "heo word\nfo bar\nHeo again\nthe end", "", 0},
    {TEXT_FILES
     "tr 'a-y' 'b-z' < h",
     "ifmmp xpsme\ngpp cbs\nHfmmp bhbjo\nuif foe", "", 0},
    {TEXT_FILES
     "tr '\\141' b < h",
     "hello world\nfoo bbr\nHello bgbin\nthe end", "", 0},
    {TEXT_FILES
     "tr '\\0' x < bin",
     "axb\nfoo\n", "", 0},
    {TEXT_FILES
     "tr -d '\\000' < bin",
     "ab\nfoo\n", "", 0},
    {TEXT_FILES
     "tr '[:digit:]' x < k",
     "b x x\na xx y\nc x z\na x w\nB x v\n", "", 0},
    {TEXT_FILES
     "tr '[a-z]' '[A-Z]' < h",
     "HELLO WORLD\nFOO BAR\nHELLO AGAIN\nTHE END", "", 0},
    {TEXT_FILES
     "tr -d '[:punct:]' < csv",
     "abc\n123\nxz\nnodelim\n", "", 0},
    {TEXT_FILES
     "tr ab '[x*]' < h",
     "hello world\nfoo xxr\nHello xgxin\nthe end", "", 0},
    {TEXT_FILES
     "tr a-e '[x*2][y*]' < h",
     "hyllo worly\nfoo xxr\nHyllo xgxin\nthy yny", "", 0},
    {TEXT_FILES
     "tr a-e '[x*02]z' < h",
     "hzllo worlz\nfoo xxr\nHzllo xgxin\nthz znz", "", 0},
    {TEXT_FILES
     "tr '[=a=]' x < h",
     "hello world\nfoo bxr\nHello xgxin\nthe end", "", 0},
    {TEXT_FILES
     "tr -d '[=a=]' < h",
     "hello world\nfoo br\nHello gin\nthe end", "", 0},
    {TEXT_FILES
     "tr 'a\\-c' xyz < csv",
     "x,b,z\n1,2,3\nx,,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "tr '\\\\' x < h",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "tr -- -a xy < csv",
     "y,b,c\n1,2,3\nx,,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "tr 'a-' 'xy' < h",
     "hello world\nfoo bxr\nHello xgxin\nthe end", "", 0},
    {TEXT_FILES
     "tr '[:upper:][:lower:]' '[:lower:][:upper:]' < h",
     "HELLO WORLD\nFOO BAR\nhELLO AGAIN\nTHE END", "", 0},
    {TEXT_FILES
     "tr '[:lower:]' 'A-Z' < h",
     "HELLO WORLD\nFOO BAR\nHELLO AGAIN\nTHE END", "", 0},
    {TEXT_FILES
     "tr -C 'a-z' x < f",
     "axbxcxfoox", "", 0},
    {TEXT_FILES
     "tr --delete a < f",
     "\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr --squeeze-repeats o < f",
     "a\nb\nc\nfo\n", "", 0},
    {TEXT_FILES
     "tr --complement --delete 'a\\n' < f",
     "a\n\n\n\n", "", 0},
    {TEXT_FILES
     "tr --truncate-set1 abc x < f",
     "x\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr '\303\251' 'e' < u",
     "ee\ne\274x\nzee\n", "", 0},
    {TEXT_FILES
     "tr -d '\303\251' < u",
     "\n\274x\nz\n", "", 0},
    {TEXT_FILES
     "tr '\\t' , < tsv",
     "a,b,c\n1,2,3\n", "", 0},
    {TEXT_FILES
     "tr '\\n' ' ' < f",
     "a b c foo ", "", 0},
    {TEXT_FILES
     "tr '[:blank:]' _ < tsv",
     "a_b_c\n1_2_3\n", "", 0},
    {TEXT_FILES
     "tr -d '[:cntrl:]' < tsv",
     "abc123", "", 0},
    {TEXT_FILES
     "tr '[' x < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr '[:' xy < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr ':' '[:' < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr '[a' xy < h",
     "hello world\nfoo byr\nHello ygyin\nthe end", "", 0},
    {TEXT_FILES
     "tr '[*a]' xyzw < h",
     "hello world\nfoo bzr\nHello zgzin\nthe end", "", 0},
    {TEXT_FILES
     "tr '[:]' xyz < h",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "tr -s '' < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "tr -c '[:alpha:]' 'x' < f",
     "axbxcxfoox", "", 0},
    {TEXT_FILES
     "tr -dc '[:print:]\\n' < bin",
     "ab\nfoo\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "tr",
     "",
     "tr: missing operand\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr a",
     "",
     "tr: missing operand after \342\200\230a\342\200\231\nTwo strings must be given when tran"
     "slating.\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr a b c",
     "",
     "tr: extra operand \342\200\230c\342\200\231\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr -d a b",
     "",
     "tr: extra operand \342\200\230b\342\200\231\nOnly one string may be given when deleting "
     "without squeezing repeats.\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr -d",
     "",
     "tr: missing operand\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr -ds a",
     "",
     "tr: missing operand after \342\200\230a\342\200\231\nTwo strings must be given when both"
     " deleting and squeezing repeats.\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "tr -s",
     "",
     "tr: missing operand\nTry 'tr --help' for more information.\n", 1},
    {TEXT_FILES
     "echo a | tr '[:foo:]' b",
     "",
     "tr: invalid character class \342\200\230foo\342\200\231\n", 1},
    {TEXT_FILES
     "echo a | tr a ''",
     "",
     "tr: when not truncating set1, string2 must be non-empty\n", 1},
    {TEXT_FILES
     "echo a | tr '[:upper:]' '[:digit:]'",
     "",
     "tr: when translating, the only character classes that may appear in\nstring2 are 'upper'"
     " and 'lower'\n", 1},
    {TEXT_FILES
     "echo a | tr 'a' '[:alpha:]'",
     "",
     "tr: when translating, the only character classes that may appear in\nstring2 are 'upper'"
     " and 'lower'\n", 1},
    {TEXT_FILES
     "echo a | tr '[a*]' b",
     "",
     "tr: the [c*] repeat construct may not appear in string1\n", 1},
    {TEXT_FILES
     "echo a\\\\ | tr '\\' x",
     "ax\n",
     "tr: warning: an unescaped backslash at end of string is not portable\n", 0},
    {TEXT_FILES
     "echo a | tr -c a '[:upper:]'",
     "",
     "tr: when translating with string1 longer than string2,\nthe latter string must not end w"
     "ith a character class\n", 1},
    {TEXT_FILES
     "echo a | tr '[=ab=]' x",
     "",
     "tr: ab: equivalence class operand must be a single character\n", 1},
    {TEXT_FILES
     "tr '[:alpha:]' '[:upper:]' < h",
     "",
     "tr: misaligned [:upper:] and/or [:lower:] construct\n", 1},
    {TEXT_FILES
     "tr 'x[:lower:]' '[:upper:]y' < h",
     "",
     "tr: misaligned [:upper:] and/or [:lower:] construct\n", 1},
    {TEXT_FILES
     "tr '[::]' x < f",
     "",
     "tr: missing character class name '[::]'\n", 1},
    {TEXT_FILES
     "tr '[==]' x < f",
     "",
     "tr: missing equivalence class character '[==]'\n", 1},
    {TEXT_FILES
     "tr 'a' '[=b=]' < f",
     "",
     "tr: [=c=] expressions may not appear in string2 when translating\n", 1},
    {TEXT_FILES
     "tr 'ab' '[x*][y*]' < f",
     "",
     "tr: only one [c*] repeat construct may appear in string2\n", 1},
    {TEXT_FILES
     "tr 'a' '[x*a]' < f",
     "",
     "tr: invalid repeat count \342\200\230a\342\200\231 in [c*n] construct\n", 1},
    {TEXT_FILES
     "tr '\\400' x < f",
     "a\nb\nc\nfoo\n",
     "tr: warning: the ambiguous octal escape \\400 is being\n\tinterpreted as the 2-byte sequ"
     "ence \\040, 0\n", 0},
    {TEXT_FILES
     "tr -c '[:alpha:]' 'xy' < f",
     "",
     "tr: when translating with complemented character classes,\nstring2 must map all characte"
     "rs in the domain to one\n", 1},
};

void test_tr__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_tr__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
