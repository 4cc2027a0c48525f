#include "support/shell.h"

void test_builtins__printf_formats_as_bash_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf \"%d|%s|%5s|%-5s|%05d|%+d|%x\\n\" \"\" \"\" ab ab 42 7 255", "0||   ab|ab   |00042|+7|ff\n", "", 0},
        {"printf \"%d\\n\" 0x1f 010 \"'a\" '\"b' 08 12abc 1e3; echo $?",
         "31\n8\n97\n98\n0\n12\n1\n1\n",
         "bash: line 1: printf: 08: invalid octal number\nbash: line 1: printf: 12abc: invalid number\nbash: line"
         " 1: printf: 1e3: invalid number\n", 0},
        {"printf \"%q|%q|%q\\n\" \"a b\" \"\" \"it's\"; printf \"%.3q|%10q\\n\" \"a b\" \"a b\"",
         "a\\ b|''|it\\'s\na\\ |      a\\ b\n", "", 0},
        {"printf \"%b|\" \"a\\tb\" \"\\101\" \"\\0101\" \"x\\cy\" z; echo", "a\tb|A|A|x\n", "", 0},
        {"printf \"%s %s\\n\" a b c; printf \"%s\\n\"; printf \"%d %s\\n\" 1", "a b\nc \n\n1 \n", "", 0},
        {"printf \"%c|%c\\n\" abc \"\" | tr '\\0' N", "a|N\n", "", 0},
        {"printf \"%*d|%-*d|%.*f|%*d\\n\" 5 42 5 42 2 3.14159 -6 7", "   42|42   |3.14|7     \n", "", 0},
        {"printf \"%e %g %G %a %f\\n\" 12345.678 0.0001 1e20 1 1.5",
         "1.234568e+04 0.0001 1E+20 0x8p-3 1.500000\n", "", 0},
        {"printf \"\\x41\\u00e9\\U1F600\\\"\\?\\n\"; printf 'a\\\\b\\101\\n'; printf \"%%|%5s%%\\n\" x",
         "Aé😀\"?\na\\bA\n%|    x%\n", "", 0},
        {"TZ=EST5EDT4,M3.2.0,M11.1.0 printf '%(%F %T %Z %z)T\\n' 0; export TZ=CET-1CEST,M3.5.0,M10.5.0/3; printf "
         "'%(%c|%s)T\\n' 1720000000; TZ=XYZ-3; printf '%(%H%Z)T|%()T|%12(%F)T|%.3(%F)T\\n' 0 0 0 0; unset TZ; TZ=AAA3; "
         "printf '%(%H)T\\n' 0; printf '%(%F)T\\n' 67768036191676800",
         "1969-12-31 19:00:00 EST -0500\nWed Jul  3 11:46:40 2024|1720000000\n03XYZ|03:00:00|  1970-01-01|197\n00\n"
         "1970-01-01\n", "", 0},
        {"printf \"%(%Y-%m-%d %H)T\\n\" 0 3600", "1970-01-01 00\n1970-01-01 01\n", "", 0},
        {"printf \"%z\\n\"; echo $?; printf; echo $?; printf -v 1a x; echo $?",
         "1\n2\n2\n",
         "bash: line 1: printf: `\\': invalid format character\nprintf: usage: printf [-v var] format [arguments]"
         "\nbash: line 1: printf: `1a': not a valid identifier\n", 0},
        {"printf -v x \"%s-%s\" a b; echo \"$x\"; printf -v \"a[2]\" q; declare -p a",
         "a-b\ndeclare -a a=([2]=\"q\")\n", "", 0},
        {"printf \"%d\\n\" 9223372036854775808 -9223372036854775809; echo $?; printf \"%u %o %X %#x %#o\\n\" -1 8"
         " 255 255 8",
         "9223372036854775807\n-9223372036854775808\n0\n18446744073709551615 10 FF 0xff 010\n",
         "bash: line 1: printf: warning: 9223372036854775808: Numerical result out of range\nbash: line 1: printf"
         ": warning: -9223372036854775809: Numerical result out of range\n", 0},
        {"printf \"%i\\n\" \" 12\" \"12 \"; printf \"%f\\n\" abc 1.5x; printf \"%lld %hd %ld %zd\\n\" 1 2 3 4",
         "12\n12\n0.000000\n1.500000\n1 2 3 4\n",
         "bash: line 1: printf: 12 : invalid number\nbash: line 1: printf: abc: invalid number\nbash: line 1: pri"
         "ntf: 1.5x: invalid number\n", 0},
        {"printf '\\x|\\u|\\Uz|%b' '\\xg'; echo $?; printf '\\ud800\\U110000\\Uffffffff' | od -An -tx1",
         "\\x|\\u|\\Uz|\\xg0\n ed a0 80 f4 90 80 80\n",
         "bash: line 1: printf: missing hex digit for \\x\nbash: line 1: printf: missing unicode digit for \\u\n"
         "bash: line 1: printf: missing unicode digit for \\U\nbash: line 1: printf: missing hex digit for \\x\n", 0},
        {"printf -v x 'a\\0b%cz' ''; echo ${#x}; printf '%d' 0x; echo $?; printf '%n|%d' 1x 5; echo $?; "
         "printf 'ab%n' n; echo $n",
         "1\n01\n1\nab2\n",
         "bash: line 1: printf: 0x: invalid hex number\nbash: line 1: printf: `1x': not a valid identifier\n", 0},
        {"printf -- \"--\\n\"; printf \"\\8\\n\"; printf \"%s\" \"-n\"; echo; printf '%s\\n' \"$(printf 'a\\nb')"
         "\"",
         "--\n\\8\n-n\na\nb\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__echo_has_its_own_rules_for_options(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo -n a; echo -e 'a\\tb\\x41\\0101\\c no'; echo; echo -E 'a\\tb'; echo -ne 'x\\n'; echo -x a; echo --"
         " a; echo - a; echo \"-n\" ; echo -nq",
         "aa\tbAA\na\\tb\nx\n-x a\n-- a\n- a\n-nq\n", "", 0},
        {"shopt -s xpg_echo; echo 'a\\tb'; echo -E 'a\\tb'; echo 'a\\cb'; echo", "a\tb\na\\tb\na\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__read_splits_a_line(void **state)
{
    static const struct test_shell_row rows[] = {
        {"read a b <<< \"1 2 3\"; echo \"$a|$b\"; read -r x <<< '  a\\b  '; echo \"[$x]\"; read <<< '  keep  '; e"
         "cho \"[$REPLY]\"",
         "1|2 3\n[a\\b]\n[  keep  ]\n", "", 0},
        {"IFS=: read a b c <<< \"1::3\"; echo \"$a|$b|$c\"; IFS=, read -ra v <<< \"a,b c,d\"; echo \"${#v[@]} ${v"
         "[1]}\"",
         "1||3\n3 b c\n", "", 0},
        {"read -d : a <<< \"x:y\"; echo \"$a\"; read -n 3 a <<< \"abcdef\"; echo \"$a\"; read -N 4 a <<< $'ab\\nc"
         "d'; echo \"[$a]\"",
         "x\nabc\n[ab\nc]\n", "", 0},
        {"read a b <<< 'x\\ y z'; echo \"$a|$b\"; read -r a b <<< 'x\\ y z'; echo \"$a|$b\"; printf 'one\\\\\\ntw"
         "o\\n' | { read l; echo \"$l\"; }",
         "x y|z\nx\\|y z\nonetwo\n", "", 0},
        {"printf 'no newline' | { read x; echo \"$? $x\"; }; read x < /dev/null; echo \"$? [$x]\"",
         "1 no newline\n1 []\n", "", 0},
        {"read -t x y; echo $?; read 1a; echo $?; read -u 77 x; echo $?; read -n x y; echo $?",
         "1\n1\n1\n1\n",
         "bash: line 1: read: x: invalid timeout specification\nbash: line 1: read: `1a': not a valid identifier"
         "\nbash: line 1: read: 77: invalid file descriptor: Bad file descriptor\nbash: line 1: read: x: invalid "
         "number\n", 0},
        {"printf 'a\\0b\\0' | { read -r -d '' x; read -r -d '' y; echo \"$x$y\"; }; printf 'é1' | { read -n 1 x; "
         "echo \"$x\"; }",
         "ab\né\n", "", 0},
        {"{ read -r a; read -r b; cat; } <<< $'1\\n2\\n3\\n4'; read -t 0.01 x < <(sleep 1); echo $?",
         "3\n4\n142\n", "", 0},
        {"readonly ro=1; read ro <<< 2; echo $?; read -a arr <<< \"x y\"; declare -p arr",
         "1\ndeclare -a arr=([0]=\"x\" [1]=\"y\")\n", "bash: line 1: ro: readonly variable\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__mapfile_reads_lines_into_an_array(void **state)
{
    static const struct test_shell_row rows[] = {
        {"mapfile -t a <<< $'x\\ny\\nz'; declare -p a; readarray b <<< $'q\\nr'; declare -p b",
         "declare -a a=([0]=\"x\" [1]=\"y\" [2]=\"z\")\ndeclare -a b=([0]=$'q\\n' [1]=$'r\\n')\n", "", 0},
        {"mapfile -t -n 2 -s 1 a < <(printf '%s\\n' 1 2 3 4); declare -p a; mapfile -t -O 2 a <<< new; declare -p"
         " a",
         "declare -a a=([0]=\"2\" [1]=\"3\")\ndeclare -a a=([0]=\"2\" [1]=\"3\" [2]=\"new\")\n", "", 0},
        {"mapfile -d : -t a <<< \"1:2:3\"; declare -p a; mapfile < /dev/null; declare -p MAPFILE",
         "declare -a a=([0]=\"1\" [1]=\"2\" [2]=$'3\\n')\ndeclare -a MAPFILE=()\n", "", 0},
        {"cb() { echo \"cb $1 $2\"; }; mapfile -t -c 2 -C cb a < <(printf '%s\\n' a b c d); echo \"${a[@]}\"; map"
         "file 1a; echo $?; mapfile -n x a; echo $?",
         "cb 1 b\ncb 3 d\na b c d\n1\n1\n",
         "bash: line 1: mapfile: `1a': not a valid identifier\nbash: line 1: mapfile: x: invalid line count\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__declare_gives_attributes_and_prints_them(void **state)
{
    static const struct test_shell_row rows[] = {
        {"declare -a a; declare -p a; a=(); declare -p a; declare -A m; declare -p m; m[k]=v; m[\"a b\"]='c\"d'; "
         "declare -p m",
         "declare -a a\ndeclare -a a=()\ndeclare -A m\ndeclare -A m=([k]=\"v\" [\"a b\"]=\"c\\\"d\" )\n", "", 0},
        {"declare x; declare -p x; declare -i n=3+4; declare -p n; declare -rx r=1; declare -p r; declare -lu q=A"
         "b; declare -p q; declare -c w=abc; declare -p w",
         "declare -- x\ndeclare -i n=\"7\"\ndeclare -rx r=\"1\"\ndeclare -- q=\"Ab\"\ndeclare -c w=\"Abc\"\n", "", 0},
        {"n=1; declare -n ref=n; declare -p ref; ref=5; echo $n; declare -p nn; echo $?; unset -n ref; declare -p"
         " ref",
         "declare -n ref=\"n\"\n5\n1\n",
         "bash: line 1: declare: nn: not found\nbash: line 1: declare: ref: not found\n", 1},
        {"f() { local z=1 y; local; declare -p y; }; f; declare -f f; declare -F; declare -F f nof; echo $?",
         "declare -- y\ndeclare -- z=\"1\"\ndeclare -- y\nf () \n{ \n    local z=1 y;\n    local;\n    declare -p"
         " y\n}\ndeclare -f f\nf\n1\n",
         "", 0},
        {"readonly r=1; declare r=2; echo $?; f() { local r=2; }; f; echo $?; declare +r r; echo $?",
         "1\n1\n1\n",
         "bash: line 1: declare: r: readonly variable\nenvironment: line 1: local: r: readonly variable\nbash: li"
         "ne 1: declare: r: readonly variable\n", 0},
        {"declare -a b=(1 2); declare -A b; echo $?; declare -A h=([x]=1); declare -p h; declare -ax b; declare -"
         "p b",
         "1\ndeclare -A h=([x]=\"1\" )\ndeclare -ax b=([0]=\"1\" [1]=\"2\")\n",
         "bash: line 1: declare: b: cannot convert indexed to associative array\n", 0},
        {"x=\"a b\"; y=$'a\\nb'; z=\"\"; q=\"it's\"; set | grep -E \"^(x|y|z|q)=\"; declare -p y",
         "q='it'\\''s'\nx='a b'\ny=$'a\\nb'\nz=\ndeclare -- y=$'a\\nb'\n", "", 0},
        {"declare -a \"w=(1 2)\"; declare -p w; declare v=\"(1 2)\"; declare -p v; declare -l low=ABC; echo $low;"
         " low=XyZ; echo $low; declare -u up=abc; echo $up",
         "declare -a w=([0]=\"1\" [1]=\"2\")\ndeclare -- v=\"(1 2)\"\nabc\nxyz\nABC\n", "", 0},
        {"declare -i n=5; n+=3; echo $n; n=\"2*3\"; echo $n; declare -i m=x; echo $m; f() { declare -g gg=1; loca"
         "l ll=2; }; f; echo \"$gg|$ll\"",
         "8\n6\n0\n1|\n", "", 0},
        {"export e=1; declare -p e; export -n e; declare -p e; export -p | grep -c ' e='; f() { :; }; export -f f"
         "; declare -F; export 1a=2; echo $?; export -f nof; echo $?",
         "declare -x e=\"1\"\ndeclare -- e=\"1\"\n0\ndeclare -fx f\n1\n1\n",
         "bash: line 1: export: `1a=2': not a valid identifier\nbash: line 1: export: nof: not a function\n", 0},
        {"a=(1 2 3); unset 'a[1]'; declare -p a; a[5]=x; echo ${!a[@]}; unset a; declare -p a; declare -A m=([a]="
         "1 [b]=2); unset 'm[a]'; declare -p m",
         "declare -a a=([0]=\"1\" [2]=\"3\")\n0 2 5\ndeclare -A m=([b]=\"2\" )\n",
         "bash: line 1: declare: a: not found\n", 0},
        {"f() { local -i n=2+2; local -a l=(x y); local -A h=([k]=v); declare -p n l h; }; f; local x; echo $?; d"
         "eclare -z; echo $?",
         "declare -i n=\"4\"\ndeclare -a l=([0]=\"x\" [1]=\"y\")\ndeclare -A h=([k]=\"v\" )\n1\n2\n",
         "bash: line 1: local: can only be used in a function\nbash: line 1: declare: -z: invalid option\ndeclare"
         ": usage: declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]\n", 0},
        {"x=1; unset x; echo \"${x-unset}\"; f() { :; }; unset f; f; unset -f nof; echo $?; unset 1a; echo $?; re"
         "adonly r=1; unset r; echo $?; unset -fv x; echo $?",
         "unset\n0\n0\n1\n1\n",
         "bash: line 1: f: command not found\nbash: line 1: unset: r: cannot unset: readonly variable\nbash: line"
         " 1: unset: cannot simultaneously unset a function and a variable\n", 0},
        {"readonly -a ra=(1 2); ra[0]=5; echo \"${ra[@]}\"; readonly -p | grep ra",
         "", "bash: line 1: ra: readonly variable\n", 1},
        {"typeset -i k=7/2; echo $k; declare x=1 y=2; echo $x$y; declare -- z=3; echo $z; declare -x PATH; declar"
         "e -p nope 2>/dev/null || echo none",
         "3\n12\n3\nnone\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__set_and_shopt_know_their_options(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -- a \"b c\" d; echo $# \"$2\"; set --; echo $#; set x y; echo \"$@\"; set -- -a -b; echo \"$@\"",
         "3 b c\n0\nx y\n-a -b\n", "", 0},
        {"set -o | grep -E 'errexit|pipefail|noglob'; set -euo pipefail; echo $-; set +e; set -o | grep errexit; "
         "set -o foo; echo $?",
         "errexit        \toff\nnoglob         \toff\npipefail       \toff\nehuBc\nerrexit        \toff\n2\n",
         "bash: line 1: set: foo: invalid option name\n", 0},
        {"set -f; echo *; set +f; set -u; echo $-; set +o | grep nounset; set -Z; echo $?",
         "*\nhuBc\nset -o nounset\n2\n",
         "bash: line 1: set: -Z: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-]"
         " [arg ...]\n", 0},
        {"shopt -s extglob nullglob; shopt extglob nullglob dotglob; echo $?; shopt -q extglob; echo $?; shopt -u"
         " extglob; shopt -p extglob; shopt foo; echo $?; shopt -so pipefail; set -o | grep pipefail",
         "extglob        \ton\nnullglob       \ton\ndotglob        \toff\n1\n0\nshopt -u extglob\n1\npipefail    "
         "   \ton\n",
         "bash: line 1: shopt: foo: invalid shell option name\n", 0},
        {"set -a; x=5; set +a; bash -c 'echo $x'; set -n; echo no", "5\n", "", 0},
        {"f() { local -; set -f; echo $-; }; set +f; f; case $- in *f*) echo still;; *) echo back;; esac",
         "fhBc\nback\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__getopts_iterates_over_options(void **state)
{
    static const struct test_shell_row rows[] = {
        {"while getopts \"ab:c\" o -a -b val -c rest; do echo \"$o ${OPTARG-none} $OPTIND\"; done; echo $OPTIND",
         "a none 2\nb val 4\nc none 5\n5\n", "", 0},
        {"while getopts \":ab:\" o -x -b; do echo \"$o $OPTARG\"; done", "? x\n: b\n", "", 0},
        {"while getopts \"ab:\" o -x -b; do echo \"$o [$OPTARG]\"; done",
         "? []\n? []\n", "bash: illegal option -- x\nbash: option requires an argument -- b\n", 0},
        {"f() { local OPTIND o; while getopts \"abc:\" o; do echo \"$o $OPTARG\"; done; shift $((OPTIND-1)); echo"
         " \"rest $*\"; }; f -abc10 -- x y; f -c 5 z",
         "a \nb \nc 10\nrest x y\nc 5\nrest z\n", "", 0},
        {"set -- -a -b; getopts ab o; echo $o; OPTIND=1; getopts ab o; echo $o; getopts ab o; echo $o; getopts ab"
         " o; echo $? $o; getopts; echo $?",
         "a\na\nb\n1 ?\n2\n", "getopts: usage: getopts optstring name [arg ...]\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__cd_and_the_stack_of_directories(void **state)
{
    static const struct test_shell_row rows[] = {
        {"mkdir -p a/b; cd a/b; pwd; cd ..; pwd; cd -; echo $OLDPWD $PWD; cd /; cd a/./b/../b; pwd; cd /nonexist;"
         " echo $?; cd x y; echo $?; cd -z; echo $?",
         "/a/b\n/a\n/a/b\n/a /a/b\n/a/b\n1\n1\n2\n",
         "bash: line 1: cd: /nonexist: No such file or directory\nbash: line 1: cd: too many arguments\nbash: lin"
         "e 1: cd: -z: invalid option\ncd: usage: cd [-L|[-P [-e]] [-@]] [dir]\n", 0},
        {"mkdir a b; pushd a; pushd /b; dirs; dirs -v; popd; pwd; popd; popd; echo $?; pushd +5; echo $?; dirs -l"
         " -p",
         "/a /\n/b /a /\n/b /a /\n 0  /b\n 1  /a\n 2  /\n/a /\n/a\n/\n1\n1\n/\n",
         "bash: line 1: popd: directory stack empty\nbash: line 1: pushd: directory stack empty\n", 0},
        {"mkdir -p real; ln -s real link; cd link; pwd; pwd -P; cd -P .; pwd; cd ../link/..; pwd",
         "/link\n/real\n/real\n/\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__alias_and_type_tell_names(void **state)
{
    static const struct test_shell_row rows[] = {
        {"alias ll='ls -l' x=y; alias; alias ll; alias nn; echo $?; unalias x; alias; unalias nn; echo $?; unalia"
         "s -a; alias",
         "alias ll='ls -l'\nalias x='y'\nalias ll='ls -l'\n1\nalias ll='ls -l'\n1\n",
         "bash: line 1: alias: nn: not found\nbash: line 1: unalias: nn: not found\n", 0},
        {"shopt -s expand_aliases\nalias hi='echo hello'\nhi there\nalias two='echo 1; echo'\ntwo 2",
         "hello there\n1\n2\n", "", 0},
        {"f() { echo func; }; echo() { builtin echo \"my $*\"; }; echo hi; command echo hi; unset -f echo; builti"
         "n nosuch; echo $?; command nosuch; echo $?",
         "my hi\nhi\n1\n127\n",
         "bash: line 1: builtin: nosuch: not a shell builtin\nbash: line 1: nosuch: command not found\n", 0},
        {"cd() { echo \"no cd\"; }; cd /x; command cd /; builtin cd /; enable -n test; type test; enable test; ty"
         "pe -t test; enable -n nosuch; echo $?",
         "no cd\ntest is /usr/bin/test\nbuiltin\n1\n", "bash: line 1: enable: nosuch: not a shell builtin\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__shift_return_exit_check_their_numbers(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -- 1 2 3; shift; echo \"$@\"; shift 2; echo $#; shift; echo $?; shift -1; echo $?",
         "2 3\n0\n1\n1\n", "bash: line 1: shift: -1: shift count out of range\n", 0},
        {"f() { return 300; }; f; echo $?; return; echo $?; (exit 256); echo $?; (exit -1); echo $?; (exit abc); "
         "echo $?",
         "44\n2\n0\n255\n2\n",
         "bash: line 1: return: can only `return' from a function or sourced script\nbash: line 1: exit: abc: num"
         "eric argument required\n", 0},
        {"break; echo $?; continue; echo $?; for i in 1; do break 0; echo no; done; echo $?; for i in 1 2; do con"
         "tinue 5; done; echo $?",
         "0\n0\n1\n0\n",
         "bash: line 1: break: only meaningful in a `for', `while', or `until' loop\nbash: line 1: continue: only"
         " meaningful in a `for', `while', or `until' loop\nbash: line 1: break: 0: loop count out of range\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__let_and_test_evaluate(void **state)
{
    static const struct test_shell_row rows[] = {
        {"let x=5 y=x+1; echo $x $y; let 0; echo $?; let; echo $?; let 'a=1,b=2'; echo $a$b; let 1/0; echo $?",
         "5 6\n1\n1\n12\n1\n",
         "bash: line 1: let: expression expected\nbash: line 1: let: 1/0: division by 0 (error token is \"0\")\n", 0},
        {"test; echo $?; test x; echo $?; test -n; echo $?; [ ]; echo $?; [ -f /nonexist ]; echo $?; [ a '<' b ];"
         " echo $?; [ 5 -gt 3 -a 2 -lt 3 ]; echo $?; [ ! ]; echo $?; [ -a ]; echo $?",
         "1\n0\n0\n1\n1\n0\n0\n0\n0\n", "", 0},
        {"[ 1 -eq ]; echo $?; [ a b ]; echo $?; [ 1; echo $?; [ a -eq 1 ]; echo $?; [ -z a b ]; echo $?; test 1 -"
         "foo 2; echo $?; test a b c d e; echo $?; [ \\( a = a \\) -a ! b = c ]; echo $?",
         "2\n2\n2\n2\n2\n2\n2\n0\n",
         "bash: line 1: [: 1: unary operator expected\nbash: line 1: [: a: unary operator expected\nbash: line 1:"
         " [: missing `]'\nbash: line 1: [: a: integer expression expected\nbash: line 1: [: a: binary operator e"
         "xpected\nbash: line 1: test: -foo: binary operator expected\nbash: line 1: test: too many arguments\n", 0},
        {"x=5; [ -v x ]; echo $?; [ -v y ]; echo $?; a=(1); [ -v 'a[0]' ]; echo $?; [ -o errexit ]; echo $?; [ -t"
         " 0 ]; echo $?; [ \" 5 \" -eq 5 ]; echo $?",
         "0\n1\n0\n1\n1\n0\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__eval_source_and_exec(void **state)
{
    static const struct test_shell_row rows[] = {
        {"eval 'x=5; echo $x'; eval; echo $?; false; eval 'echo $?'; eval \"echo a\nnosuch_cmd\"; eval 'exit 3'; "
         "echo no",
         "5\n0\n1\na\n", "bash: line 3: nosuch_cmd: command not found\n", 3},
        {"echo 'echo \"in $1 $#\"; y=7; return 4' > s; . ./s q r; echo $? $y; source s; echo $?; . ./nofile; echo"
         " $?; .; echo $?; set -- keep; . ./s; echo \"$1\"",
         "in q 2\n4 7\nin  0\n4\n1\n2\nin keep 1\nkeep\n",
         "bash: line 1: ./nofile: No such file or directory\nbash: line 1: .: filename argument required\n.: usag"
         "e: . filename [arguments]\n", 0},
        {"exec 3>&1; echo to3 >&3; exec 3>&-; (exec echo replaced; echo no); (exec nosuch_x; echo no); echo $?; e"
         "xec > f; echo into; exec >&2; cat f",
         "to3\nreplaced\n127\n", "bash: line 1: exec: nosuch_x: not found\ninto\n", 0},
        {"(exec -c env); (trap 'echo no' EXIT; exec true)", "", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__hash_help_times_and_history(void **state)
{
    static const struct test_shell_row rows[] = {
        {"hash; hash -r; hash nosuch; echo $?; help nosuch_topic >/dev/null 2>&1; echo $?; history; times | wc -l"
         "; ulimit -c; ulimit -n > /dev/null; echo $?; suspend; echo $?; fg; echo $?; logout; echo $?",
         "hash: hash table empty\n1\n1\n2\n0\n0\n1\n1\n1\n",
         "bash: line 1: hash: nosuch: not found\nbash: line 1: suspend: cannot suspend: no job control\nbash: lin"
         "e 1: fg: no job control\nbash: line 1: logout: not login shell: use `exit'\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__caller_and_compgen(void **state)
{
    static const struct test_shell_row rows[] = {
        {"f() { caller; caller 0; caller 1; caller 5; echo $?; }; g() { f; }; g; caller; echo $?",
         "1 environment\n1 g environment\n1\n1\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__trap_lists_and_takes_back(void **state)
{
    static const struct test_shell_row rows[] = {
        {"trap 'echo hi' INT; trap; trap -p INT TERM; trap - INT; trap; trap '' HUP; trap; trap 'x' FOO; echo $?;"
         " trap 2; trap -l | head -2",
         "trap -- 'echo hi' SIGINT\ntrap -- 'echo hi' SIGINT\ntrap -- '' SIGHUP\n1\n 1) SIGHUP\t 2) SIGINT\t 3) S"
         "IGQUIT\t 4) SIGILL\t 5) SIGTRAP\n 6) SIGABRT\t 7) SIGBUS\t 8) SIGFPE\t 9) SIGKILL\t10) SIGUSR1\n",
         "bash: line 1: trap: FOO: invalid signal specification\n", 0},
        {"trap \"echo 'q'\" EXIT; trap -p EXIT; x=$(trap -p EXIT); echo \"$x\"; trap - EXIT",
         "trap -- 'echo '\\''q'\\''' EXIT\ntrap -- 'echo '\\''q'\\''' EXIT\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_builtins__kill_names_signals_and_refuses_strangers(void **state)
{
    static const struct test_shell_row rows[] = {
        {"kill -l 9 TERM 137; kill; echo $?; kill 99999; echo $?; kill -s FOO 1; echo $?; kill -l | head -1; jobs"
         " %2; echo $?; disown; echo $?; kill %3; echo $?; kill abc; echo $?; kill -0 $$; echo $?",
         "KILL\n15\nKILL\n2\n1\n1\n 1) SIGHUP\t 2) SIGINT\t 3) SIGQUIT\t 4) SIGILL\t 5) SIGTRAP\n1\n1\n1\n1\n0\n",
         "kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\nbash: lin"
         "e 1: kill: (99999) - No such process\nbash: line 1: kill: FOO: invalid signal specification\nbash: line"
         " 1: jobs: %2: no such job\nbash: line 1: disown: current: no such job\nbash: line 1: kill: %3: no such "
         "job\nbash: line 1: kill: abc: arguments must be process or job IDs\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
