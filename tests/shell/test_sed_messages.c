/*
 * What sed says of faults, as the tools of Debian 12 said it in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "sed p nofile",
     "",
     "sed: can't read nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "sed p d",
     "",
     "sed: read error on d: Is a directory\n", 4},
    {TEXT_FILES
     "sed p f d h",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n",
     "sed: read error on d: Is a directory\n", 4},
    {TEXT_FILES
     "sed -i p d",
     "",
     "sed: couldn't edit d: not a regular file\n", 4},
    {TEXT_FILES
     "sed -n p nofile f",
     "a\nb\nc\nfoo\n",
     "sed: can't read nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "echo a | sed a",
     "",
     "sed: -e expression #1, char 1: expected \\ after `a', `c' or `i'\n", 1},
    {TEXT_FILES
     "echo a | sed '{p'",
     "",
     "sed: -e expression #1, char 0: unmatched `{'\n", 1},
    {TEXT_FILES
     "echo a | sed 'p}'",
     "",
     "sed: -e expression #1, char 2: unexpected `}'\n", 1},
    {TEXT_FILES
     "echo a | sed 'bx'",
     "",
     "sed: can't find label for jump to `x'\n", 4},
    {TEXT_FILES
     "echo a | sed ':'",
     "",
     "sed: -e expression #1, char 1: \":\" lacks a label\n", 1},
    {TEXT_FILES
     "echo a | sed '1:x'",
     "",
     "sed: -e expression #1, char 2: : doesn't want any addresses\n", 1},
    {TEXT_FILES
     "echo a | sed 'k'",
     "",
     "sed: -e expression #1, char 1: unknown command: `k'\n", 1},
    {TEXT_FILES
     "echo a | sed '1,p'",
     "",
     "sed: -e expression #1, char 3: unexpected `,'\n", 1},
    {TEXT_FILES
     "echo a | sed '1,2'",
     "",
     "sed: -e expression #1, char 3: missing command\n", 1},
    {TEXT_FILES
     "echo a | sed '0p'",
     "",
     "sed: -e expression #1, char 2: invalid usage of line address 0\n", 1},
    {TEXT_FILES
     "echo a | sed '+1p'",
     "",
     "sed: -e expression #1, char 2: invalid usage of +N or ~N as first address\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a/b'",
     "",
     "sed: -e expression #1, char 5: unterminated `s' command\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a'",
     "",
     "sed: -e expression #1, char 3: unterminated `s' command\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a/\\1/'",
     "",
     "sed: -e expression #1, char 7: invalid reference \\1 on `s' command's RHS\n", 1},
    {TEXT_FILES
     "printf x | sed -E 's/a)/x/'",
     "",
     "sed: -e expression #1, char 7: Unmatched ) or \\)\n", 1},
    {TEXT_FILES
     "echo a | sed 's/\\(a/b/'",
     "",
     "sed: -e expression #1, char 8: Unmatched ( or \\(\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a/b/gg'",
     "",
     "sed: -e expression #1, char 8: multiple `g' options to `s' command\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a/b/0'",
     "",
     "sed: -e expression #1, char 7: number option to `s' command may not be zero\n", 1},
    {TEXT_FILES
     "echo a | sed 's/a/b/k'",
     "",
     "sed: -e expression #1, char 7: unknown option to `s'\n", 1},
    {TEXT_FILES
     "echo a | sed 'y/abc/de/'",
     "",
     "sed: -e expression #1, char 9: strings for `y' command are different lengths\n", 1},
    {TEXT_FILES
     "echo a | sed 'y/abc/'",
     "",
     "sed: -e expression #1, char 6: unterminated `y' command\n", 1},
    {TEXT_FILES
     "echo a | sed '/a'",
     "",
     "sed: -e expression #1, char 2: unterminated address regex\n", 1},
    {TEXT_FILES
     "echo a | sed 'dp'",
     "",
     "sed: -e expression #1, char 2: extra characters after command\n", 1},
    {TEXT_FILES
     "echo a | sed 'r'",
     "",
     "sed: -e expression #1, char 1: missing filename in r/R/w/W commands\n", 1},
    {TEXT_FILES
     "echo a | sed 'w'",
     "",
     "sed: -e expression #1, char 1: missing filename in r/R/w/W commands\n", 1},
    {TEXT_FILES
     "echo a | sed '1,2q'",
     "",
     "sed: -e expression #1, char 4: command only uses one address\n", 1},
    {TEXT_FILES
     "echo a | sed '1!!p'",
     "",
     "sed: -e expression #1, char 3: multiple `!'s\n", 1},
    {TEXT_FILES
     "echo a | sed '}'",
     "",
     "sed: -e expression #1, char 1: unexpected `}'\n", 1},
    {TEXT_FILES
     "echo a | sed -f nofile",
     "",
     "sed: couldn't open file nofile: No such file or directory\n", 4},
    {TEXT_FILES
     "printf 'p\\nk\\n' > scr; sed -f scr f",
     "",
     "sed: file scr line 2: unknown command: `k'\n", 1},
    {TEXT_FILES
     "echo a | sed -e p -e k",
     "",
     "sed: -e expression #2, char 1: unknown command: `k'\n", 1},
    {TEXT_FILES
     "echo a | sed 's//x/'",
     "",
     "sed: -e expression #1, char 0: no previous regular expression\n", 1},
    {TEXT_FILES
     "echo a | sed '//Ip'",
     "",
     "sed: -e expression #1, char 3: cannot specify modifiers on empty regexp\n", 1},
    {TEXT_FILES
     "echo a | sed -n '1v9.0'",
     "",
     "sed: -e expression #1, char 5: expected newer version of sed\n", 1},
    {TEXT_FILES
     "echo a | sed 'vfoo'",
     "",
     "sed: -e expression #1, char 4: expected newer version of sed\n", 1},
    {TEXT_FILES
     "echo a | sed '1#n'",
     "",
     "sed: -e expression #1, char 2: comments don't accept any addresses\n", 1},
    {TEXT_FILES
     "sed -n '$=' f nofile",
     "4\n",
     "sed: can't read nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "echo a|sed --sandbox 'w x'",
     "",
     "sed: -e expression #1, char 1: e/r/w commands disabled in sandbox mode\n", 1},
    {TEXT_FILES
     "sed -i 's/a/X/' f nofile h; cat f h",
     "X\nb\nc\nfoo\nhello world\nfoo bXr\nHello Xgain\nthe end",
     "sed: can't read nofile: No such file or directory\n", 0},
    {TEXT_FILES
     "sed -i 1d sl; ls -l sl | cut -c1; cat f",
     "a\nb\nc\nfoo\n",
     "sed: can't read sl: No such file or directory\nls: cannot access 'sl': No such file or d"
     "irectory\n", 0},
    {TEXT_FILES
     "sed -f f h",
     "",
     "sed: file f line 4: unknown command: `f'\n", 1},
    {TEXT_FILES
     "sed '{p}p' f",
     "",
     "sed: -e expression #1, char 4: extra characters after command\n", 1},
    {TEXT_FILES
     "sed 's/a/b/}' f",
     "",
     "sed: -e expression #1, char 7: unexpected `}'\n", 1},
    {TEXT_FILES
     "sed 's/a/b/w' f",
     "",
     "sed: -e expression #1, char 7: missing filename in r/R/w/W commands\n", 1},
    {TEXT_FILES
     "sed 'p p' f",
     "",
     "sed: -e expression #1, char 3: extra characters after command\n", 1},
    {TEXT_FILES
     "sed '1p2p' f",
     "",
     "sed: -e expression #1, char 3: extra characters after command\n", 1},
    {TEXT_FILES
     "sed '1,2,3p' f",
     "",
     "sed: -e expression #1, char 4: unknown command: `,'\n", 1},
    {TEXT_FILES
     "sed 's/[[:foo:]]/X/g' f",
     "",
     "sed: -e expression #1, char 15: Invalid character class name\n", 1},
    {TEXT_FILES
     "sed 's/[a/X/g' f",
     "",
     "sed: -e expression #1, char 8: unterminated `s' command\n", 1},
    {TEXT_FILES
     "sed 's/a\\{1/X/g' f",
     "",
     "sed: -e expression #1, char 10: Unmatched \\{\n", 1},
    {TEXT_FILES
     "sed -E 's/a{1/X/g' f",
     "",
     "sed: -e expression #1, char 9: Unmatched \\{\n", 1},
    {TEXT_FILES
     "sed -E 's/(a/X/g' f",
     "",
     "sed: -e expression #1, char 8: Unmatched ( or \\(\n", 1},
    {TEXT_FILES
     "sed -E 's/*a/X/g' f",
     "",
     "sed: -e expression #1, char 8: Invalid preceding regular expression\n", 1},
    {TEXT_FILES
     "sed 's/a/\\' f",
     "",
     "sed: -e expression #1, char 5: unterminated `s' command\n", 1},
    {TEXT_FILES
     "sed 's/a/x\\/' f",
     "",
     "sed: -e expression #1, char 7: unterminated `s' command\n", 1},
};

void test_sed_messages__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
