/*
 * expand on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "expand tsv",
     "a       b       c\n1       2       3\n", "", 0},
    {TEXT_FILES
     "expand -t 4 tsv",
     "a   b   c\n1   2   3\n", "", 0},
    {TEXT_FILES
     "expand -t 2,5 tsv",
     "a b  c\n1 2  3\n", "", 0},
    {TEXT_FILES
     "expand -t 2,+4 tsv",
     "a b   c\n1 2   3\n", "", 0},
    {TEXT_FILES
     "expand -t 2,/4 tsv",
     "a b c\n1 2 3\n", "", 0},
    {TEXT_FILES
     "expand -3 tsv",
     "a  b  c\n1  2  3\n", "", 0},
    {TEXT_FILES
     "printf 'a\\tb\\n\\tc\\td\\n' | expand -i",
     "a\tb\n        c\td\n", "", 0},
    {TEXT_FILES
     "printf 'a\\bb\\tc\\n' | expand",
     "a\010b       c\n", "", 0},
    {TEXT_FILES
     "printf '        a       b\\n    c\\n' | unexpand",
     "\ta       b\n    c\n", "", 0},
    {TEXT_FILES
     "printf '        a       b\\n    c\\n' | unexpand -a",
     "\ta\tb\n    c\n", "", 0},
    {TEXT_FILES
     "printf '        a       b\\n    c\\n' | unexpand -t 4",
     "\t\ta\t\tb\n\tc\n", "", 0},
    {TEXT_FILES
     "printf '        a       b\\n    c\\n' | unexpand -t 4 --first-only",
     "\t\ta       b\n\tc\n", "", 0},
    {TEXT_FILES
     "printf 'a  b   c    d     e      f\\n' | unexpand -a",
     "a  b   c    d\t  e\t f\n", "", 0},
    {TEXT_FILES
     "printf 'a  b   c    d     e      f\\n' | unexpand -t 3",
     "a\tb\t c\t\td\t\te\t\t f\n", "", 0},
    {TEXT_FILES
     "printf 'a  b \\t  c  \\t  d     e      f\\n' | unexpand -a",
     "a  b\t  c\t  d\te      f\n", "", 0},
    {TEXT_FILES
     "printf '  \\t a\\n   \\tb\\n' | unexpand",
     "\t a\n\tb\n", "", 0},
    {TEXT_FILES
     "unexpand -a h",
     "hello world\nfoo bar\nHello again\nthe end", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "expand -t x f",
     "",
     "expand: tab size contains invalid character(s): \342\200\230x\342\200\231\n", 1},
    {TEXT_FILES
     "expand -t 2,1 f",
     "",
     "expand: tab sizes must be ascending\n", 1},
    {TEXT_FILES
     "expand -t 0 f",
     "",
     "expand: tab size cannot be 0\n", 1},
    {TEXT_FILES
     "expand nofile tsv",
     "a       b       c\n1       2       3\n",
     "expand: nofile: No such file or directory\n", 1},
};

void test_expand__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_expand__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}

void test_expand__read_splits_its_line(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "IFS=: read a b <<< 1:2:3; p \"$a\" \"$b\"; IFS=: read a b <<< 1:2:; p \"$a\" \"$b\""
         "; IFS=: read a b <<< 1:2::; p \"$a\" \"$b\"; IFS=' :' read a b <<< ' 1 : 2 : '; p \"$a\" \"$b\""
         "; IFS=: read a <<< x:; p \"$a\"",
         "2:<1><2:3>\n2:<1><2>\n2:<1><2::>\n2:<1><2>\n1:<x>\n", "", 0},
        {TEST_SHELL_P "read a <<< '  x  y  '; p \"$a\"; read <<< '  x  '; p \"$REPLY\"; read a b <<< 'a\\"
         " b c'; p \"$a\" \"$b\"; read -r a b <<< 'a\\b \\\\ c  '; p \"$a\" \"$b\"; read a b <<< ''; p "
         "\"$a\" \"$b\"; read a <<< 'x\\  '; p \"$a\"",
         "1:<x  y>\n1:<  x  >\n2:<a b><c>\n2:<a\\b><\\\\ c>\n2:<><>\n1:<x >\n", "", 0},
        {TEST_SHELL_P "IFS=: read -a r <<< a:b::c:; p \"${r[@]}\"; read -a r <<< ''; p \"${r[@]}\"; IFS= "
         "read -r l <<< '  kept  '; p \"$l\"",
         "4:<a><b><><c>\n0:<>\n1:<  kept  >\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__long_values_grow_in_place(void **state)
{
    static const struct test_shell_row rows[] = {
        {"s=; t=; for ((i=0;i<3000;i++)); do s=\"$s,item$i\"; t+=,item$i; done; [[ $s == \"$t\" ]] && ech"
         "o ${#s}; x=ab; x=\"$x$x\"; echo $x; y=1; y=\"$y$((y=5))$y\"; echo $y; export z=a; z=$z-b; echo "
         "$z; declare -u w=a; w=\"${w}b\"; echo $w",
         "25890\nabab\n155\na-b\nAB\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
