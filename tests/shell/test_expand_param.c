#include "support/shell.h"

void test_expand_param__words_stand_in_for_what_is_unset_or_empty(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "e=; x=v; p ${u-d} ${u:-d} ${e-d} ${e:-d} ${x-d} ${x:-d}; p ${u+a} ${e+a} ${e:+a} "
         "${x+a} ${x:+a}; p ${u:-a b} \"${u:-a b}\" ${u:-\"a b\" c} ${u:-a\\ b}; p \"${u:-\\\"q\\\"}\" "
         "\"${u-a\\$b}\" ${u:-'x y'} \"${u:-'x'}\"",
         "5:<d><d><d><v><v>\n3:<a><a><a>\n6:<a><b><a b><a b><c><a b>\n4:<\"q\"><a$b><x y><'x'>\n", "", 0},
        {TEST_SHELL_P "p ${u:=a b}; p \"$u\"; p \"${v:=a  b}\"; p ${w=$(echo x y)}; a[2]=; p ${a[2]:=z} "
         "${a[1]=q} ${!a[@]}; declare -i n; p ${n:=2+3}",
         "2:<a><b>\n1:<a b>\n1:<a  b>\n2:<x><y>\n4:<z><q><1><2>\n1:<5>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__beginnings_and_ends_come_off(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "q=a.b.c; p ${q%.*} ${q%%.*} ${q#*.} ${q##*.} ${q#x} ${q%} ${q##*} ${q%%[.]*}; x='/"
         "usr//lib/'; p ${x%/} ${x%/*} ${x##*/} ${x%%+(/)}; s='*x'; p \"${s#\\*}\" \"${s#'*'}\" \"${s#\"*"
         "\"}\"",
         "7:<a.b><a><b.c><c><a.b.c><a.b.c><a>\n3:</usr//lib></usr//lib></usr//lib/>\n3:<x><x><x>\n", "", 0},
        {TEST_SHELL_P "set -- a.c b.c; a=(x.o y.o); p \"${@%.c}\" \"${a[@]%.o}\" \"${a[*]#?}\"; y=\303\251"
         "a\303\251; p \"${y#?}\" \"${y%?}\" \"${y#\303\251}\"",
         "5:<a><b><x><y><.o .o>\n3:<a\303\251><\303\251a><a\303\251>\n", "", 0},
        {TEST_SHELL_P "shopt -s extglob\nx='  a b  '; p \"${x##+( )}\" \"${x%%+( )}\" \"${x//+( )/_}\";"
         " v=v1.02.003; p ${v//[!0-9.]} ${v/#v} ${v##*.*(0)}",
         "3:<a b  ><  a b><_a_b_>\n3:<1.02.003><1.02.003><3>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__parts_are_replaced(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo \"<${u/*/X}>\"; u=; echo \"<${u/*/X}>\" \"<${u/#/X}>\" \"<${1/*/X}>\" \"<${*/*/X}>\"; "
         "a=(); echo \"<${a/*/X}>\" \"<${a[@]/*/X}>\"; a=('' b); echo \"<${a[@]/*/X}>\"",
         "<>\n<X> <X> <> <>\n<> <>\n<X X>\n", "", 0},
        {TEST_SHELL_P "x=abcabc; p \"${x/}\" \"${x/#/X}\" \"${x/%/X}\" \"${x//b}\" \"${x//b/[&]}\" \"${x/"
         "/b/[\\&]}\" \"${x//b/\"[&]\"}\" \"${x//*/z}\" \"${x//?/&&}\" \"${x/#a/Z}\" \"${x/%c/Z}\" \"${x/"
         "b*/Z}\"",
         "12:<abcabc><Xabcabc><abcabcX><acac><a[b]ca[b]c><a[&]ca[&]c><a[&]ca[&]c><z><aabbccaabbcc><Zbcabc"
         "><abcabZ><aZ>\n", "", 0},
        {TEST_SHELL_P "x=abc; r='<&>'; p \"${x/b/$r}\" \"${x/b/\"$r\"}\"; r='\\&'; p \"${x/b/$r}\"; r='a\\"
         "b'; p \"${x/b/$r}\"; shopt -u patsub_replacement; p \"${x/b/&&}\"",
         "2:<a<b>c><a<&>c>\n1:<a&c>\n1:<aa\\bc>\n1:<a&&c>\n", "", 0},
        {TEST_SHELL_P "s=/a/b//c; p \"${s//\\//:}\" \"${s/\\//:}\" \"${s////:}\" \"${s///x}\"; e=; p \"${"
         "e/*/Z}\" \"${e/#/Z}\" \"${e/x/Z}\"; a=(one two); p \"${a[@]/o/0}\" \"${a[@]/#/-}\"; p='x y'; "
         "p ${p// /_} \"${p/ /\\/}\"",
         "4:<:a:b::c><:a/b//c><:a:b::c></a/b//c>\n3:<Z><Z><>\n4:<0ne><tw0><-one><-two>\n2:<x_y><x/y>\n", "", 0},
        {TEST_SHELL_P "shopt -s extglob\ns=aab; p \"${s//*(a)/Z}\" \"${s//?(b)/-}\" \"${s/*(z)/Z}\" \"${s"
         "/%?(z)/Z}\" \"${s//@(a|b)/<&>}\"",
         "5:<ZZb><-a-a-><Zaab><aabZ><<a><a><b>>\n", "", 0},
        {TEST_SHELL_P "shopt -s nocasematch; x=aBAb; p \"${x//b/-}\" \"${x#A}\"",
         "2:<a-A-><aBAb>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__slices_count_characters_and_elements(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "x=hello; p \"${x:1:2}\" \"${x: -3}\" \"${x: -9}\" \"${x:9}\" \"${x:1:-1}\" \"${x::"
         "2}\" \"${x: -3:2}\"; s=5; p ${x:s-4} ${x:$s-4:1}; y=\303\251\303\240\303\274; p \"${y:1:1}\" "
         "${#y}",
         "7:<el><llo><><><ell><he><ll>\n2:<ello><e>\n2:<\303\240><3>\n", "", 0},
        {TEST_SHELL_P "a=([2]=a [5]=b [9]=c); p \"${a[@]:0}\"; p \"${a[@]:3}\"; p \"${a[@]:3:1}\"; p \"${"
         "a[@]: -1}\"; p \"${a[@]: -5:1}\"; p \"${a[@]:10}\"; p \"${a[*]:2:2}\"",
         "3:<a><b><c>\n2:<b><c>\n1:<b>\n1:<c>\n1:<b>\n0:<>\n1:<a b>\n", "", 0},
        {TEST_SHELL_P "set -- a b c; p \"${@:1:2}\"; p \"${@: -1}\"; p \"${@:4}\"; p \"${*:2}\"; p \"${@:"
         "0:1}\"; p \"${@: -4}\"; p \"${@: -5}\"",
         "2:<a><b>\n1:<c>\n0:<>\n1:<b c>\n1:<bash>\n4:<bash><a><b><c>\n0:<>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__cases_change(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "x=hello; p ${x^} ${x^^} ${x^^[el]} ${x^x} ${x~~}; y=HeLLo; p ${y,} ${y,,} ${y,,[L]"
         "} ${y~}; z=\303\251\303\200; p \"${z^}\" \"${z^^}\" \"${z,,}\"; a=(ab cd); p \"${a[@]^}\"",
         "5:<Hello><HELLO><hELLo><hello><HELLO>\n4:<heLLo><hello><Hello><heLLo>\n3:<\303\211\303\200><\303"
         "\211\303\200><\303\251\303\240>\n2:<Ab><Cd>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__transforms(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "x=\"a'b\"; y=$'a\\nb'; p \"${x@Q}\" \"${y@Q}\" ${u@Q} \"${x@U}\" \"${x@u}\"; e='a\\"
         "nb\\t\\x41\\u00e9'; p \"${e@E}\" \"${e@L}\"; w='$x \\t'; w=${w%?}\\101; p \"${w@P}\"",
         "4:<'a'\\''b'><$'a\\nb'><A'B><A'b>\n2:<a\nb\tA\303\251><a\\nb\\t\\x41\\u00e9>\n1:<a'b A>\n", "", 0},
        {TEST_SHELL_P "declare -ir n=5; declare -x ex; a=(1 'b c'); declare -A m=([k]=v ['a b']='c d');"
         " p \"${n@A}\" \"${n@a}\" \"${ex@A}\" \"${a[@]@A}\" \"${a@A}\"; p \"${m[@]@A}\"; p \"${a[@]@K}\""
         " \"${m[@]@K}\"; p \"${m[@]@k}\"; p \"${a[@]@Q}\"; p \"${a[*]@Q}\" \"${a@a}\" \"${m[@]@a}\"; set"
         " -- 1 'x y'; p \"${@@Q}\"; p \"${@@A}\"",
         "7:<declare -ir n='5'><ir><declare -x ex><declare><-a><a=([0]=\"1\" [1]=\"b c\")><declare -a a='"
         "1'>\n3:<declare><-A><m=([k]=\"v\" [\"a b\"]=\"c d\" )>\n2:<0 \"1\" 1 \"b c\"><k \"v\" \"a b\" "
         "\"c d\" >\n4:<k><v><a b><c d>\n2:<'1'><'b c'>\n4:<'1' 'b c'><a><A><A>\n2:<'1'><'x y'>\n4:<set><"
         "--><'1'><'x y'>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_expand_param__names_keys_and_indirection(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "x=val; i=x; p \"${!i}\" \"${!i:1}\" \"${!i/a/b}\" \"${!i-d}\"; a=(p 'q r'); i='a[1"
         "]'; p \"${!i}\"; i='a[@]'; p \"${!i}\"; p \"${!a[@]}\"; set -- A B; i=2; p \"${!i}\" \"${!#}\";"
         " i='#'; p \"${!i}\"",
         "4:<val><al><vbl><val>\n1:<q r>\n2:<p><q r>\n2:<0><1>\n2:<B><B>\n1:<2>\n", "", 0},
        {TEST_SHELL_P "zz_1=1; zz_2=2; p ${!zz_*}; p \"${!zz_@}\"; p \"${!zz_*}\"; p \"${!nothing@}\"; "
         "declare -A m=([a]=1); p \"${!m[@]}\" \"${#m[@]}\" \"${#m[a]}\"",
         "2:<zz_1><zz_2>\n2:<zz_1><zz_2>\n1:<zz_1 zz_2>\n0:<>\n3:<a><1><1>\n", "", 0},
        {TEST_SHELL_P "x=5; a=(1 2 3); declare -n r=x; p $r \"${!r}\"; r=6; p $x; declare -n e='a[1]'; "
         "e=changed; p \"${a[@]}\"; declare -n l=a; p \"${l[@]}\" \"${#l[@]}\" \"${l[2]}\"; l+=(4); p \"$"
         "{a[@]}\"; f() { local -n o=$1; o=out; }; f y; p $y",
         "2:<5><x>\n1:<6>\n3:<1><changed><3>\n5:<1><changed><3><3><3>\n4:<1><changed><3><4>\n1:<out>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
