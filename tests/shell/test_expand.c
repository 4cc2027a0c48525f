#include "support/shell.h"

void test_expand__the_order_is_braces_tilde_parameters_splitting_pathnames(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "x='a b'; p $x{1,2} ${x}{1,2} \"$x\"{1,2}; y='{a,b}'; p $y; z='~'; p $z; q='$x'; "
         "p $q; w='\"a b\"'; p $w",
         "6:<a><b1><a><b2><a b1><a b2>\n1:<{a,b}>\n1:<~>\n1:<$x>\n2:<\"a><b\">\n", "", 0},
        {": >a.c >b.c; x='*.c'; echo $x \"$x\" '*.c' \\*.c \"*\".c; y='a b'; for i in $y*; do echo \"<$i>\"; done",
         "a.c b.c *.c *.c *.c *.c\n<a>\n<b.c>\n", "", 0},
        {"x=5; echo $((x))$(echo $x)${x}`echo $x`",
         "5555\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__quoted_nothings_are_fields(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "p '' \"\" \"$u\" $u ''$u \"\"a $u$u; x=; p \"$x\" $x \"$x\"$x '' $x''; p ${u-} ${u"
         "-''} \"${u-}\" ${u:-\"\" x}",
         "5:<><><><><a>\n4:<><><><>\n4:<><><><x>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__dollar_at_in_quotes_is_one_field_a_parameter(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "set --; p \"$@\"; p \"$*\"; p \"$@\"\"\"; p \"x$@\"; p \"$@$u\"; p ''\"$@\"; p \"$"
         "@\" \"$@\"; p ${1+\"$@\"}",
         "0:<>\n1:<>\n1:<>\n1:<x>\n0:<>\n1:<>\n0:<>\n0:<>\n", "", 0},
        {TEST_SHELL_P "set -- '' a 'b c'; p \"$@\"; p $@; p \"$*\"; p $*; p x$@y; p \"x$@y\"; p \"$@$@\";"
         " p \"${@}\" ; for i; do echo \"[$i]\"; done",
         "3:<><a><b c>\n3:<a><b><c>\n1:< a b c>\n3:<a><b><c>\n4:<x><a><b><cy>\n3:<x><a><b cy>\n5:<><a><b "
         "c><a><b c>\n3:<><a><b c>\n[]\n[a]\n[b c]\n", "", 0},
        {TEST_SHELL_P "set -- a 'b c' d; IFS=; p $*; p \"$*\"; x=$*; p \"$x\"; IFS=:; p \"$*\"; x=$*; p "
         "\"$x\"; x=$@; p \"$x\"; p $*; unset IFS; p \"$*\"; case $* in 'a b c d') echo yes;; esac",
         "3:<a><b c><d>\n1:<ab cd>\n1:<ab cd>\n1:<a:b c:d>\n1:<a:b c:d>\n1:<a b c d>\n3:<a><b c><d>\n1:<a"
         " b c d>\nyes\n", "", 0},
        {TEST_SHELL_P "set -- ''; p \"${@:-z}\" \"${@-z}\" ${@+w} \"${@:+w}\"; set --; p \"${@:-z}\" \"${"
         "@+w}\"; a=(); p \"${a[@]+x}\"; p ${a[@]+\"${a[@]}\"}; p \"${a[*]+x}\"",
         "4:<z><><w><>\n1:<z>\n0:<>\n0:<>\n1:<>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__splitting_follows_ifs(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "IFS=' :'; x=' a : b::c :'; p $x; p \"p\"$x\"q\"; p p$x; x=:a; p $x; p p$x; x=a:;"
         " p $x\"q\"; p $x''; x='a :'; y=': b'; p $x$y",
         "4:<a><b><><c>\n6:<p><a><b><><c><q>\n5:<p><a><b><><c>\n2:<><a>\n2:<p><a>\n2:<a><q>\n2:<a><>\n3:<a><><b>\n",
         "", 0},
        {TEST_SHELL_P "IFS=,; x=a,b,,c; p $x \"$x\" $x$x; p ${u:-1,2} ${u:-\"1,2\",3}; y=$x; p \"$y\"; "
         "IFS=; p $x; x='a b'; p $x",
         "12:<a><b><><c><a,b,,c><a><b><><ca><b><><c>\n4:<1><2><1,2><3>\n1:<a,b,,c>\n1:<a,b,,c>\n1:<a b>\n", "", 0},
        {TEST_SHELL_P "x=$(printf 'a\\tb\\nc  d'); p $x \"$x\"; unset IFS; p $x; IFS=$'\\n'; p $x; IFS=x;"
         " y=1x2; p $y 1x2",
         "5:<a><b><c><d><a\tb\nc  d>\n4:<a><b><c><d>\n2:<a\tb><c  d>\n3:<1><2><1x2>\n", "", 0},
        {TEST_SHELL_P "IFS=\303\251; x=1\303\2512\303\2513; p $x; p \"${x//\303\251/-}\"",
         "3:<1><2><3>\n1:<1-2-3>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__a_tilde_is_the_home_directory_where_it_begins_a_word_or_an_assigned_part(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "HOME=/h; p ~ ~/x a=~ a=b:~/c x~ '~' \"~\" \\~ --x=~ a:~\"z\"; x=~/y:~; p \"$x\";"
         " x=a:~; p $x; x=~$u; p $x; p ${u:-~} \"${u:-~}\"",
         "10:</h></h/x><a=/h><a=b:/h/c><x~><~><~><~><--x=~><a:~z>\n1:</h/y:/h>\n1:<a:/h>\n1:<~>\n2:</h><~>\n",
         "", 0},
        {TEST_SHELL_P "cd /; PWD=/w; OLDPWD=/o; p ~+ ~- ~+/x; unset HOME; HOME=; p ~ ~/x",
         "3:</w></o></w/x>\n2:<></x>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__failures_are_told_in_the_words_of_bash(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo ${x?}; echo not reached",
         "",
         "bash: line 1: x: parameter not set\n", 127},
        {"echo ${x:?}",
         "",
         "bash: line 1: x: parameter null or not set\n", 127},
        {"x=; echo ${x:?is empty $((1+1))}",
         "",
         "bash: line 1: x: is empty 2\n", 127},
        {"echo ${x?a  b} 2>&1",
         "",
         "bash: line 1: x: a  b\n", 127},
        {"set -u; echo $x",
         "",
         "bash: line 1: x: unbound variable\n", 127},
        {"set -u; echo $1",
         "",
         "bash: line 1: $1: unbound variable\n", 127},
        {"set -u; a=(); echo \"${a[@]}\" ok ${a[0]}",
         "",
         "bash: line 1: a[0]: unbound variable\n", 127},
        {"set -u; echo ${#x}",
         "",
         "bash: line 1: x: unbound variable\n", 127},
        {"set -u; echo ${x#y}",
         "",
         "bash: line 1: x: unbound variable\n", 127},
        {"set -u; echo ${x-ok} ${x:+no} \"$@\" $*; echo $!",
         "ok\n",
         "bash: line 1: $!: unbound variable\n", 127},
        {"echo ${x!y}; echo not reached\necho next line",
         "next line\n",
         "bash: line 1: ${x!y}: bad substitution\n", 0},
        {"(echo ${x?}); echo $?",
         "1\n",
         "bash: line 1: x: parameter not set\n", 0},
        {"readonly r=1; r=2; echo not reached\necho next line",
         "next line\n",
         "bash: line 1: r: readonly variable\n", 0},
        {"echo ${1:=x}\necho next",
         "next\n",
         "bash: line 1: $1: cannot assign in this way\n", 0},
        {"echo ${a[-1]}; echo after",
         "\nafter\n",
         "bash: line 1: a: bad array subscript\n", 0},
        {"x=abc; echo ${x:2:-2}\necho next",
         "next\n",
         "bash: line 1: -2: substring expression < 0\n", 0},
        {"x='1 2'; echo ${!x}\necho next",
         "next\n",
         "bash: line 1: 1 2: invalid variable name\n", 0},
        {"echo ${!x}\necho next",
         "next\n",
         "bash: line 1: x: invalid indirect expansion\n", 0},
        {"a=(1); a[-2]=x; echo no\necho next",
         "next\n",
         "bash: line 1: a[-2]: bad array subscript\n", 0},
        {"a[]=1\necho next",
         "next\n",
         "bash: line 1: a[]: bad array subscript\n", 0},
        {"shopt -s failglob\necho zz*\necho next",
         "next\n",
         "bash: line 2: no match: zz*\n", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand__set_u_lets_empty_lists_be(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -u; a=(); echo \"${#a[@]}\" \"${a[@]}\" \"${!a[@]}\" ${a[@]:1}; declare -A m=(); echo \"${m"
         "[@]}\" \"${#m[@]}\"; echo \"${@:1}\" $# \"$*\"",
         "0\n0\n0 \n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
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
