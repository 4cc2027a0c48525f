#include "support/shell.h"

void test_exec__set_e_holds_back_where_bash_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -e; false; echo no", "", "", 1},
        {"set -e; if false; then :; fi; false || true; ! true; echo yes; f() { false; echo in; }; f || echo x; f;"
         " echo no",
         "yes\nin\n", "", 1},
        {"set -e; (false; echo a); echo b", "", "", 1},
        {"set -e; x=$(false; echo hi); echo \"$x\"; x=$(false); echo no", "hi\n", "", 1},
        {"set -e; f() { local x=$(false); echo after; }; f; shopt -s inherit_errexit; x=$(false; echo hi); echo n"
         "o",
         "after\n", "", 1},
        {"set -eo pipefail; true | false | true; echo no", "", "", 1},
        {"set -e; { false && true; }; echo z; (false && true); echo y", "z\n", "", 1},
        {"set -e; while false; do :; done; until true; do :; done; for i in; do :; done; echo ok; [[ a = b ]]; ec"
         "ho no",
         "ok\n", "", 1},
        {"set -e; f() { false; echo \"still $?\"; }; if f; then echo t; fi; while f && false; do :; done; f && ec"
         "ho and; ! f; echo end; ((0)); echo no",
         "still 1\nt\nstill 1\nstill 1\nand\nstill 1\nend\n", "", 1},
        {"set -euo pipefail; x=${y:-d}; echo $x; echo \"${PIPESTATUS[@]}\"; cat nofile | wc -l; echo no",
         "d\n0\n0\n", "cat: nofile: No such file or directory\n", 1},
        {"set -e; eval 'false'; echo no", "", "", 1},
        {"set -e; false & wait $! || echo \"job $?\"; trap 'echo exit $?' EXIT; command false; echo no",
         "job 1\nexit 1\n", "", 1}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__conditions_decide_by_status(void **state)
{
    static const struct test_shell_row rows[] = {
        {"if true; then echo 1; elif false; then echo 2; else echo 3; fi; if false; then :; fi; echo $?; if false"
         "; then :; elif true; then echo elif; fi",
         "1\n0\nelif\n", "", 0},
        {"true && echo a || echo b; false && echo a || echo b; false || false && echo no; echo $?; true && ! fals"
         "e && echo c",
         "a\nb\n1\nc\n", "", 0},
        {"! true; echo $?; ! false; echo $?; ! (exit 3); echo $?; ! ! true; echo $?", "1\n0\n0\n0\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__loops_break_and_continue(void **state)
{
    static const struct test_shell_row rows[] = {
        {"for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; d"
         "one",
         "1a\n2a\n", "", 0},
        {"i=0; while :; do i=$((i+1)); [ $i -gt 3 ] && break; echo $i; done; echo end $?; until [ $i -le 0 ]; do "
         "((i--)); done; echo $i",
         "1\n2\n3\nend 0\n0\n", "", 0},
        {"for ((i=0,j=9;i<3;i++,j--)); do echo $i$j; done; for ((;;)); do break; done; echo $?; for ((i=0;i<3;i++"
         ")); do [ $i = 1 ] && continue; echo $i; done",
         "09\n18\n27\n0\n0\n2\n", "", 0},
        {"set -- a 'b c'; for x; do echo \"<$x>\"; done; for x in \"$@\" d; do echo $x; done; for x in; do echo n"
         "o; done; echo \"$? $x\"",
         "<a>\n<b c>\na\nb c\nd\n0 d\n", "", 0},
        {"for f in *.txt; do echo \"$f\"; done; while read -r a; do echo \"$a\" | cat; cat /dev/null; done <<< $'"
         "1\\n2'; for i in {1..3}{a,b}; do echo -n \"$i \"; done; echo",
         "*.txt\n1\n2\n1a 1b 2a 2b 3a 3b \n", "", 0},
        {"f() { for i in 1 2; do return 5; done; }; f; echo $?; while true; do (break; echo sub); break; done; fo"
         "r i in 1 2; do eval break; done; echo $i",
         "5\nsub\n1\n", "bash: line 1: break: only meaningful in a `for', `while', or `until' loop\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__case_falls_and_tests_on(void **state)
{
    static const struct test_shell_row rows[] = {
        {"case abc in a*) echo 1;;& *c) echo 2;& x) echo 3;; y) echo 4;; esac", "1\n2\n3\n", "", 0},
        {"case \"a b\" in \"a b\") echo q;; esac; case x in [[:alpha:]]) echo al;; esac; shopt -s nocasematch; ca"
         "se ABC in abc) echo nc;; esac; case x in y) ;; esac; echo $?",
         "q\nal\nnc\n0\n", "", 0},
        {"p='a*'; case abc in \"$p\") echo no;; $p) echo yes;; esac; case '*' in \\*) echo star;; esac; case ab i"
         "n (a|ab) echo alt;; esac; shopt -s extglob; case foobar in @(foo|bar)+([a-z])) echo ext;; esac",
         "",
         "bash: -c: line 1: syntax error near unexpected token `('\nbash: -c: line 1: `p='a*'; case abc in \"$p\""
         ") echo no;; $p) echo yes;; esac; case '*' in \\*) echo star;; esac; case ab in (a|ab) echo alt;; esac; "
         "shopt -s extglob; case foobar in @(foo|bar)+([a-z])) echo ext;; esac'\n", 2}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__arithmetic_commands_are_true_when_not_zero(void **state)
{
    static const struct test_shell_row rows[] = {
        {"((1/0)); echo $?; let 0; echo $?; ((0)); echo $?; ((5)); echo $?; ((x=3, x>2)); echo $? $x",
         "1\n1\n1\n0\n0 3\n", "bash: line 1: ((: 1/0: division by 0 (error token is \"0\")\n", 0},
        {"echo $((1/0)); echo no\necho yes $?",
         "yes 1\n", "bash: line 1: 1/0: division by 0 (error token is \"0\")\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__conditions_in_double_brackets(void **state)
{
    static const struct test_shell_row rows[] = {
        {"[[ a == a* && ! -e /nonexist ]]; echo $?; [[ 3 -lt 10 ]]; echo $?; [[ b > a ]]; echo $?; [[ -z \"\" ]];"
         " echo $?; [[ foo =~ ^f(o+)$ ]]; echo \"${BASH_REMATCH[@]}\"",
         "0\n0\n0\n0\nfoo oo\n", "", 0},
        {"[[ a =~ \"a.c\" ]]; echo $?; r='('; [[ a =~ $r ]]; echo $?; x=5; [[ x -eq 5 ]]; echo $?; [[ 1/0 -eq 2 ]"
         "]; echo $?; [[ a.c =~ a\\.c ]]; echo $?",
         "1\n2\n0\n1\n0\n", "bash: line 1: [[: 1/0: division by 0 (error token is \"0\")\n", 0},
        {"re='^([a-z]+)-([0-9]+)$'; [[ foo-42 =~ $re ]] && echo \"${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${#BASH_R"
         "EMATCH[@]}\"; [[ x =~ y ]]; echo \"$? ${#BASH_REMATCH[@]}\"",
         "foo 42 3\n1 0\n", "", 0},
        {"x=\"a b\"; [[ $x == \"a b\" ]] && echo 1; [[ $x = a* ]] && echo 2; [[ $x != *z ]] && echo 3; [[ -n $x &"
         "& ( -z $y || a = b ) ]] && echo 4; [[ ! -v y ]] && echo 5; [[ -o errexit ]] || echo 6",
         "1\n2\n3\n4\n5\n6\n", "", 0},
        {": > f; [[ -s f ]]; echo $?; [[ -f f && -r f && -w f && ! -x f ]]; echo $?; [[ -d . ]]; echo $?; [[ f -n"
         "t g ]]; echo $?; [[ f -ef f ]]; echo $?; shopt -s nocasematch; [[ ABC == abc ]]; echo $?; [[ ABC =~ b ]"
         "]; echo $?",
         "1\n0\n0\n0\n0\n0\n0\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__functions_have_scopes_and_frames(void **state)
{
    static const struct test_shell_row rows[] = {
        {"f() { local x=1; g; echo $x; }; g() { x=2; }; x=0; f; echo $x", "2\n0\n", "", 0},
        {"f() { echo $# \"$@\" $1; shift; echo $# \"$*\"; set -- q; echo $1; }; set -- a b; f 1 2 3; echo \"$@\"",
         "3 1 2 3 1\n2 2 3\nq\na b\n", "", 0},
        {"f() { echo ${FUNCNAME[@]} ${BASH_LINENO[@]}; caller; caller 0; }\ng() { f; }\ng",
         "f g 2 3\n2 environment\n2 g environment\n", "", 0},
        {"f() { return 3; }; f; echo $?; f() { return; }; false; f; echo $?; f() (x=1; exit 4); f; echo \"$? $x\""
         "; function g { echo g; }; g",
         "3\n1\n4 \ng\n", "", 0},
        {"fib() { local n=$1; ((n<2)) && { echo $n; return; }; echo $(( $(fib $((n-1))) + $(fib $((n-2))) )); }; "
         "fib 10",
         "55\n", "", 0},
        {"f() { echo out; echo err >&2; } 2>&1; f | tr a-z A-Z; f() { f() { echo new; }; echo old; }; f; f; unset"
         " -f f; f; echo $?",
         "OUT\nERR\nold\nnew\n127\n", "bash: line 1: f: command not found\n", 0},
        {"f() { nosuch_in_f; }\nf; command_not_found_handle() { echo \"handler $1 $2\"; return 9; }; nosuch arg; "
         "echo $?",
         "handler nosuch arg\n9\n", "environment: line 1: nosuch_in_f: command not found\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__a_temporary_environment_ends_with_the_command(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=5 eval 'echo $x'; echo \"[$x]\"; IFS=: read p q <<< \"1:2\"; echo $p $q; f() { echo $v; v=2; }; v=1 f"
         "; echo \"[$v]\"; a=1; a=2 true; echo $a",
         "5\n[]\n1 2\n1\n[]\n1\n", "", 0},
        {"export e=1; e=2 bash -c 'echo $e'; echo $e; x=1 y=$x bash -c 'echo \"[$x$y]\"'; f() { bash -c 'echo \"$"
         "t\"'; }; t=7 f; z=1 :; echo \"[$z]\"",
         "2\n1\n[11]\n7\n[]\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__assignments_before_declarations_are_seen_by_them(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=1 declare -p x; echo ${x-unset}; x=1 typeset -i y=x+1; declare -p y; x=1 export -p | grep ' x='; "
         "echo ${x-unset}",
         "declare -x x=\"1\"\nunset\ndeclare -i y=\"2\"\nunset\n", "", 0},
        {"x=1 export x; declare -p x; y=1 readonly y; declare -p y; z=1 export z=2; declare -p z; a=1 declare a; echo "
         "${a-unset}; b=1 readonly c=1; echo ${b-unset}",
         "declare -x x=\"1\"\ndeclare -rx y=\"1\"\ndeclare -x z=\"2\"\nunset\nunset\n", "", 0},
        {"a=1 declare b=(1 $a); declare -p b; a=1 declare a=(1 2); declare -p a",
         "declare -a b=([0]=\"1\")\ndeclare -a a=([0]=\"1\" [1]=\"2\")\n", "", 0},
        {"x=0; f() { x=1 local y=2; declare -p y; x=3 declare -p x; x=4 declare x; declare -p x; x=5 export x; "
         "declare -p x; }; f; declare -p x; g() { x=3 local x; declare -p x; x=5 local x=4; declare -p x; }; g",
         "declare -- y=\"2\"\ndeclare -x x=\"3\"\ndeclare -x x=\"4\"\ndeclare -x x=\"5\"\ndeclare -- x=\"0\"\n"
         "declare -x x=\"3\"\ndeclare -x x=\"4\"\n",
         "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__pipelines_run_their_stages_apart(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo a | { read x; echo $x; }; echo b | read y; echo \"[$y]\"; shopt -s lastpipe; echo c | read z; echo"
         " \"[$z]\"",
         "a\n[]\n[c]\n", "", 0},
        {"true | false | true; echo \"${PIPESTATUS[@]} $?\"; set -o pipefail; false | true; echo $?; ! true; echo"
         " $?; true | exit 3; echo $?",
         "0 1 0 0\n1\n1\n3\n", "", 0},
        {"while :; do echo y; done | head -2; echo ${PIPESTATUS[@]}; x=1; echo | x=2; echo $x; { echo 1; echo 2; "
         "} | while read n; do echo \"n$n\"; done",
         "y\ny\n141 0\n1\nn1\nn2\n", "", 0},
        {"echo a |& cat; { echo o; echo e >&2; } |& tr a-z A-Z; (exit 2) | (exit 3) | :; echo ${PIPESTATUS[@]}",
         "a\nO\nE\n2 3 0\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__subshells_change_nothing_outside(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=1; (x=2; cd /; f() { :; }; echo $x); echo $x; { x=3; }; echo $x; y=$(x=4; echo $x); echo $x $y; (exit"
         " 7); echo $?",
         "2\n1\n3\n3 4\n7\n", "", 0},
        {"echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL)); echo $(echo $BASH_SUBSHELL); x=$(ech"
         "o a; exit 5); echo \"$? $x\"",
         "0\n1\n2\n1\n5 a\n", "", 0},
        {"echo content > f; x=$(<f); echo \"$x\"; echo \"$(< nofile)\"; echo $?; echo `echo back \\`echo tick\\``"
         "; echo \"$(echo \"nested $(echo \"deep\")\")\"",
         "content\n\n0\nback tick\nnested deep\n", "bash: line 1: nofile: No such file or directory\n", 0},
        {"cat <(echo 1) <(echo 2); cat < <(echo from); while read l; do echo \"got $l\"; done < <(printf '%s\\n' "
         "a b); echo x | tee >(cat > f) > /dev/null; wait; paste <(echo l) <(echo r) 2>/dev/null || true",
         "1\n2\nfrom\ngot a\ngot b\nl\tr\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__errors_of_expansion_end_the_line(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -u; echo $nope; echo no", "", "bash: line 1: nope: unbound variable\n", 127},
        {"set -u; echo ${x:-d}; echo \"$@\"; f() { echo $1; }; f; echo no",
         "d\n\n", "environment: line 1: $1: unbound variable\n", 127},
        {"readonly r=1; r=2; echo no\necho yes; r=3 true; echo $?",
         "yes\n0\n", "bash: line 1: r: readonly variable\nbash: line 2: r: readonly variable\n", 0},
        {"echo ${x:?bad thing}; echo no", "", "bash: line 1: x: bad thing\n", 127},
        {"eval 'echo )'; echo $?; eval 'echo $((1/0)); echo a\necho b'; echo c",
         "2\nb\nc\n",
         "bash: eval: line 1: syntax error near unexpected token `)'\nbash: eval: line 1: `echo )'\nbash: line 2:"
         " 1/0: division by 0 (error token is \"0\")\n", 0},
        {"echo a; echo )",
         "", "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo a; echo )'\n", 2},
        {"if true; then echo x", "", "bash: -c: line 2: syntax error: unexpected end of file\n", 2},
        {"f() { echo $((1/0)); echo d; }; f; echo e\necho \"next $?\"",
         "next 1\n", "environment: line 1: 1/0: division by 0 (error token is \"0\")\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__tracing_writes_commands_as_bash_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -x; echo a \"b c\" 'd$e'; x=1; y=\"a b\" true; [[ -n $x ]]; (( x + 1 )); for i in 1 2; do :; done; "
         "f() { :; }; f 1; echo $(echo in); case a in a) :;; esac; a=(1 2); set +x",
         "a b c d$e\nin\n",
         "+ echo a 'b c' 'd$e'\n+ x=1\n+ y='a b'\n+ true\n+ [[ -n 1 ]]\n+ ((  x + 1  ))\n+ for i in 1 2\n+ :\n+ f"
         "or i in 1 2\n+ :\n+ f 1\n+ :\n++ echo in\n+ echo in\n+ case a in\n+ :\n+ a=(1 2)\n+ set +x\n", 0},
        {"PS4='> '; set -x; x=$(echo $(echo deep)); [[ $x == d* || a = b ]]; echo \"\" \"it's\" $'\\t'; eval 'ech"
         "o ev'; { :; } > /dev/null; x+=y; for ((i=0;i<1;i++)); do :; done",
         " it's \t\nev\n",
         ">>> echo deep\n>> echo deep\n> x=deep\n> [[ deep == d* ]]\n> echo '' 'it'\\''s' '\t'\n> eval 'echo ev'"
         "\n>> echo ev\n> :\n> x+=y\n> (( i=0 ))\n> (( i<1 ))\n> :\n> (( i++ ))\n> (( i<1 ))\n", 0},
        {"set -v; echo a\necho b; set +v\necho c", "a\nb\nc\n", "echo b; set +v\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__select_shows_a_menu(void **state)
{
    static const struct test_shell_row rows[] = {
        {"select x in a b c; do echo \"got $x $REPLY\"; break; done <<< 2", "got b 2\n", "1) a\n2) b\n3) c\n#? ", 0},
        {"PS3='pick: '; select x in one two; do echo \"$x\"; [ \"$x\" ] && break; done <<< $'9\\n\\n1'; select y "
         "in a b c d e f g h i j k l; do break; done < /dev/null; echo $?",
         "\none\n\n1\n",
         "1) one\n2) two\npick: pick: 1) one\n2) two\npick: 1) a    3) c   5) e   7) g   9) i  11) k\n2) b    4) "
         "d   6) f   8) h  10) j  12) l\npick: ", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec__time_has_its_formats(void **state)
{
    static const struct test_shell_row rows[] = {
        {"TIMEFORMAT='%R'; { time true; } 2>&1 | grep -c '^0\\.'; { time -p true; } 2>&1 | sed 's/[0-9.]*$/N/'; u"
         "nset TIMEFORMAT; { time true; } 2>&1 | sed 's/[0-9]/N/g'; TIMEFORMAT=; time false; echo $?",
         "1\nreal N\nuser N\nsys N\n\nreal\tNmN.NNNs\nuser\tNmN.NNNs\nsys\tNmN.NNNs\n1\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
