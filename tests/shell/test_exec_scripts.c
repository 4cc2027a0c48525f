#include "support/shell.h"

void test_exec_scripts__scripts_of_many_lines_agree_with_bash(void **state)
{
    static const struct test_shell_row rows[] = {
        {"#!/bin/bash\nset -euo pipefail\ndeclare -A counts=()\nwhile IFS= read -r line; do\n  [[ -z $line ]] && "
         "continue\n  key=${line%%:*}\n  counts[$key]=$(( ${counts[$key]:-0} + 1 ))\ndone <<'EOF'\na:1\nb:2\na:3"
         "\n\nEOF\nfor k in $(printf '%s\\n' \"${!counts[@]}\" | sort); do\n  printf '%-5s %d\\n' \"$k\" \"${coun"
         "ts[$k]}\"\ndone",
         "a     2\nb     1\n", "", 0},
        {"log() { printf '[%s] %s\\n' \"$1\" \"${*:2}\" >&2; }\ndie() { log ERROR \"$@\"; exit 1; }\nmain() {\n  "
         "local name=${1:-world} n=0\n  local -a items=()\n  while (( n < 3 )); do items+=(\"item$n\"); ((++n)); "
         "done\n  echo \"Hello, $name: ${items[*]}\"\n  [[ ${#items[@]} -eq 3 ]] || die \"bad\"\n  log INFO done"
         "\n}\nmain \"$@\"",
         "Hello, world: item0 item1 item2\n", "[INFO] done\n", 0},
        {"tmp=$(mktemp -d); trap 'rm -rf \"$tmp\"' EXIT\ncat > \"$tmp/a.txt\" <<< \"line1\"\necho \"line2\" >> \""
         "$tmp/a.txt\"\nwc -l < \"$tmp/a.txt\"\ncp \"$tmp/a.txt\" \"$tmp/b.txt\" && cmp -s \"$tmp/a.txt\" \"$tmp/"
         "b.txt\" 2>/dev/null && echo same || echo differ",
         "2\nsame\n", "", 0},
        {"mkdir -p src/{a,b}/c; for d in src/*; do echo \"$d\"; for e in \"$d\"/*/; do echo \"  $e\"; done; done;"
         " shopt -s globstar nullglob; for f in src/**; do echo $f; done; files=(nomatch*); echo ${#files[@]}",
         "src/a\n  src/a/c/\nsrc/b\n  src/b/c/\nsrc/\nsrc/a\nsrc/a/c\nsrc/b\nsrc/b/c\n0\n", "", 0},
        {"usage() { cat <<USAGE\nUsage: $0 [-v] [-o out] file\nUSAGE\n}\nparse() { local OPTIND opt; verbose=0 ou"
         "t=; while getopts \":vo:h\" opt \"$@\"; do case $opt in v) verbose=1;; o) out=$OPTARG;; h) usage; retur"
         "n 0;; :) echo \"missing $OPTARG\"; return 1;; \\?) echo \"bad $OPTARG\"; return 1;; esac; done; shift $"
         "((OPTIND-1)); echo \"v=$verbose o=$out rest=$*\"; }\nparse -v -o x f1 f2; parse -h; parse -o; parse -z;"
         " echo $?",
         "v=1 o=x rest=f1 f2\nUsage: bash [-v] [-o out] file\nmissing o\nbad z\n1\n", "", 0},
        {"s=\"Hello World\"; echo \"${s,,} ${s^^} ${s/World/There} ${s:0:5} ${#s} ${s%% *} ${s##* } ${s//o/0}\"; "
         "path=/a/b/c.tar.gz; echo \"${path##*/} ${path%.*} ${path%%.*} ${path%/*}\"; arr=(one two three); echo "
         "\"${arr[@]:1} ${arr[-1]} ${!arr[@]} ${#arr[1]} ${arr[@]/t/T}\"; IFS=,; echo \"${arr[*]}\"",
         "hello world HELLO WORLD Hello There Hello 11 Hello World Hell0 W0rld\nc.tar.gz /a/b/c.tar /a/b/c /a/b\n"
         "two three three 0 1 2 3 one Two Three\none,two,three\n",
         "", 0},
        {"i=5; while ((i-->0)); do ((i%2)) && continue; echo -n \"$i \"; done; echo; n=10; echo $((n**2)) $((n/3)"
         ") $((n%3)) $((0xff)) $((2#101)) $((n>5?1:0)) $((n<<2)); ((n+=5)); echo $n; echo $((1 + (2*3))) $(( ~5 )"
         ") $((!0))",
         "4 2 0 \n100 3 1 255 5 1 40\n15\n7 -6 1\n", "", 0},
        {"f() { local IFS=:; set -- $1; echo $#; printf '<%s>' \"$@\"; echo; }; f \"a:b c:d\"; x='a  b'; echo $x;"
         " echo \"$x\"; set -f; y='*'; echo $y; set +f; printf '%s\\n' a\\ b \"c d\" 'e f'",
         "3\n<a><b c><d>\na b\na  b\n*\na b\nc d\ne f\n", "", 0},
        {"cat > script.sh <<'S'\n#!/usr/bin/env bash\nset -o errexit -o nounset -o pipefail\nreadonly DIR=\"$(cd "
         "\"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\necho \"$DIR $# ${1:-none}\"\n[ \"${DEBUG:-0}\" = 1 ] &&"
         " echo debugging\nexit 0\nS\nchmod +x script.sh; ./script.sh a b; DEBUG=1 ./script.sh; bash script.sh x;"
         " echo $?",
         "/ 2 a\n/ 0 none\ndebugging\n/ 1 x\n0\n", "", 0},
        {"retry() { local n=0 max=$1; shift; until \"$@\"; do n=$((n+1)); [ $n -ge $max ] && { echo \"gave up aft"
         "er $n\"; return 1; }; done; }; retry 3 false; echo $?; retry 2 true; echo $?",
         "gave up after 3\n1\n0\n", "", 0},
        {"json='{\"a\":[1,2,{\"b\":\"x\"}]}'; echo \"$json\" | jq -r '.a[2].b'; for x in $(echo \"$json\" | jq -c"
         " '.a[]'); do echo \"<$x>\"; done",
         "x\n<1>\n<2>\n<{\"b\":\"x\"}>\n", "", 0},
        {"while read -r a b; do echo \"$b $a\"; done < <(printf '1 one\\n2 two\\n'); mapfile -t lines < <(seq 3);"
         " echo \"${lines[@]}\" \"${#lines[@]}\"; readarray -t w <<< \"$(echo -e 'x\\ny')\"; echo ${w[1]}",
         "one 1\ntwo 2\n1 2 3 3\ny\n", "", 0},
        {"a=(3 1 2); sorted=($(printf '%s\\n' \"${a[@]}\" | sort -n)); echo \"${sorted[@]}\"; unset 'a[1]'; echo "
         "\"${a[@]}\" \"${!a[@]}\"; a+=(9); echo ${a[@]: -1}; b=(\"${a[@]}\"); echo ${#b[@]}; declare -A m; m[x y"
         "]=1; m[\"k\"]=2; for k in \"${!m[@]}\"; do echo \"$k:${m[$k]}\"; done | sort; [[ -v m[k] ]] && echo has"
         "; echo \"${m[nope]-none}\"",
         "1 2 3\n3 2 0 2\n9\n3\nk:2\nx y:1\nhas\nnone\n", "", 0},
        {"func_with_output() { echo \"result\"; return 3; }; out=$(func_with_output) || rc=$?; echo \"$out ${rc:-"
         "0}\"; if ! out=$(false); then echo failed; fi; { echo a; false; } || echo b; x=$(echo 1; echo 2 >&2) 2>"
         "/dev/null; echo $x",
         "result 3\nfailed\na\nb\n1\n", "2\n", 0},
        {"exec 3>log; echo \"to log\" >&3; { echo out; echo err >&2; } 2>&3; exec 3>&-; cat log; echo \"both\" | "
         "tee -a log >/dev/null; wc -l < log",
         "out\nto log\nerr\n3\n", "", 0},
        {"trap 'echo \"error on line $LINENO\"; exit 1' ERR; f() { false; }; echo start\nf || true\nset -E\nf\nec"
         "ho unreachable",
         "start\nerror on line 1\n", "", 1},
        {"date -u -d @0 +%Y-%m-%d; printf '%(%F)T\\n' 86400; echo $((SECONDS < 5)); echo $RANDOM | grep -cE '^[0-"
         "9]+$'; echo \"${BASH_VERSINFO[0]}\"; echo $PWD; basename /a/b.txt .txt; dirname /a/b/c; [[ $OSTYPE == l"
         "inux* ]] && echo linux",
         "1970-01-01\n1970-01-02\n1\n1\n5\n/\nb\n/a/b\nlinux\n", "", 0},
        {"x=5; y=$x; ((y++)); echo $x $y; let \"z = x * y\"; echo $z; declare -i n; n=\"x+y\"; echo $n; echo $(( "
         "x == 5 && y == 6 )); c=$(( x > 3 ? 10 : 20 )); echo $c; for ((i=10; i>0; i-=3)); do printf '%d ' $i; do"
         "ne; echo; echo {1..10..3} {a..e} {01..03} x{1,2}y",
         "5 6\n30\n11\n1\n10\n10 7 4 1 \n1 4 7 10 a b c d e 01 02 03 x1y x2y\n", "", 0},
        {"echo \"quote: \\\"x\\\" \\$HOME \\`pwd\\`\" 'single $x' $'tab\\there' \"a'b\" 'c\"d'; echo a\\\nb; echo"
         " \"multi\nline\"; echo -e \"esc\\\\tx\"; printf '%s|' \"a b\" c; echo; echo \"$(echo \"$(echo \"deep 'q"
         "' \\\"d\\\"\")\")\"; v='$x'; eval \"echo $v\"; echo \"${v}\" '!' \"!\"",
         "quote: \"x\" $HOME `pwd` single $x tab\there a'b c\"d\nab\nmulti\nline\nesc\tx\na b|c|\ndeep 'q' \"d\""
         "\n\n$x ! !\n",
         "", 0},
        {"case \"$(uname -s 2>/dev/null || echo Linux)\" in Linux*) os=linux;; Darwin*) os=mac;; *) os=unknown;; "
         "esac; echo $os; select_opt=2; case $select_opt in 1|one) echo first;; [2-3]) echo range;; esac; read -p"
         " \"name? \" name <<< \"bob\"; echo \"hi $name\"",
         "linux\nrange\nhi bob\n", "", 0},
        {"sum=0; for n in 1 2 3 4; do (( n % 2 == 0 )) && (( sum += n )); done; echo $sum; nums=\"1 2 3\"; total="
         "0; for n in $nums; do total=$(expr $total + $n 2>/dev/null || echo $((total+n))); done; echo $total; se"
         "q 1 3 | xargs -n1 echo num; echo \"a b c\" | xargs -n 1 | sort -r | tr '\\n' ' '; echo",
         "6\n6\nnum 1\nnum 2\nnum 3\nc b a \n", "", 0},
        {"export A=1; (export B=2; env | grep -E '^(A|B)=' | sort); env | grep -E '^(A|B)='; env -i X=1 bash -c '"
         "echo \"$X ${A-unset}\"'; unset A; echo \"${A:-gone}\"; B=5 bash -c 'echo $B'; printenv HOME",
         "A=1\nB=2\nA=1\n1 unset\ngone\n5\n/\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_exec_scripts__everyday_lines_agree_with_bash(void **state)
{
    static const struct test_shell_row rows[] = {
        {"f() { local -n r=$1; r+=(x); r[0]=first; }; a=(1 2); f a; echo \"${a[@]}\"; g() { local -n out=$1; out="
         "$(( $2 * 2 )); }; g res 21; echo $res",
         "first 2 x\n42\n", "", 0},
        {"x=1 declare y=2; echo \"$x|$y\"; f() { x=5 declare z=3; echo $z; v=1 local w=2; echo $w; }; f; echo \"["
         "$z]\"; x=1 export e=2; echo $e; A=1 . /dev/stdin <<< 'declare -A mm=([k]=v); B=$A'; echo \"${mm[k]} $B "
         "[$A]\"",
         "|2\n3\n2\n[]\n2\nv 1 []\n", "", 0},
        {"f() { echo \"$FUNCNAME $LINENO ${BASH_LINENO[0]}\"; }\nf\n  f\ng() {\n  f\n}\ng",
         "f 1 2\nf 1 3\nf 1 5\n", "", 0},
        {"set -e; f() { echo start; cd /nonexistent_dir; echo not; }; f || echo caught; (f); echo no",
         "start\nnot\nstart\n",
         "environment: line 1: cd: /nonexistent_dir: No such file or directory\nenvironment: line 1: cd: /nonexis"
         "tent_dir: No such file or directory\n", 1},
        {"set -e; out=$(f() { false; echo x; }; f); echo \"[$out]\"; a=1; [ $a = 2 ] && echo two; echo after; tes"
         "t $a = 2; echo no",
         "[x]\nafter\n", "", 1},
        {"set -e; for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done; if [ 1 = 2 ]; then :; fi; while read "
         "x; do [ \"$x\" = b ] || continue; echo $x; done <<< $'a\\nb'; x=$(grep zzz /dev/null) || true; echo ok;"
         " x=$(grep zzz /dev/null); echo no",
         "1\n3\nb\nok\n", "", 1},
        {"set -u; a=(); echo \"${a[@]}\" \"${#a[@]}\"; echo \"${1-none}\"; declare -A m; echo \"${m[x]-d}\"; echo"
         " ${m[x]}; echo no",
         "0\nnone\nd\n", "bash: line 1: m[x]: unbound variable\n", 127},
        {"set -o pipefail; seq 3 | grep 9 | wc -l; echo $?; cat /nonexist 2>/dev/null | sort; echo $?; x=$(false "
         "| true); echo $?",
         "0\n1\n1\n1\n", "", 0},
        {"IFS=$'\\n'; x=$'a b\\nc'; for l in $x; do echo \"<$l>\"; done; unset IFS; set -- $x; echo $#; IFS=; set"
         " -- $x; echo $#; IFS=' '; v=\"  a  b \"; set -- $v; echo \"$#:$1:$2\"; IFS=':'; p=\"a::b:\"; set -- $p;"
         " echo \"$#\"; echo \"$*\"",
         "<a b>\n<c>\n3\n1\n2:a:b\n3\na::b\n", "", 0},
        {"a=(\"a b\" c); printf '<%s>' \"${a[@]}\"; printf '<%s>' \"${a[*]}\"; printf '<%s>' ${a[@]}; echo; f() {"
         " echo $#; }; f \"${a[@]}\" \"$@\"; f \"\"; f $nope; f \"$nope\"; set -- ; f \"$@\"; f \"$*\"",
         "<a b><c><a b c><a><b><c>\n2\n1\n0\n1\n0\n1\n", "", 0},
        {"echo ${x:-a b} \"${x:-a  b}\" ${x:=set} $x ${x:+alt} ${y+no}; echo \"${x/s/S}\" ${x@Q} ${x^} ${#x}; z=;"
         " echo \"${z:-e}\" \"${z-e}\" ; echo ${!x*}; echo \"${@:-none}\"; n=x; echo ${!n}",
         "a b a  b set set alt\nSet 'set' Set 3\ne \nx\nnone\nset\n", "", 0},
        {"true && { echo a; } || echo b; { false; } && echo c || echo d; (true; false) || echo e; ! { false; }; e"
         "cho $?; if ! grep -q x /dev/null; then echo f; fi; true; [ $? -eq 0 ] && echo g",
         "a\nd\ne\n0\nf\ng\n", "", 0},
        {"f() { case $1 in start) echo s;; stop|halt) echo h;; *) echo \"usage: $0\" >&2; return 64;; esac; }; f "
         "start; f halt; f x; echo $?",
         "s\nh\n64\n", "usage: bash\n", 0},
        {"exec 5< <(printf '%s\\n' l1 l2); read -u 5 a; read -u 5 b; echo $b$a; exec 5<&-; while IFS=, read -r x "
         "y rest; do echo \"$x-$y-$rest\"; done <<< \"1,2,3,4\"",
         "l2l1\n1-2-3,4\n", "", 0},
        {"x=$'line1\\nline2'; echo \"$x\" | while IFS= read -r l; do printf '[%s]' \"$l\"; done; echo; wc -l <<< "
         "\"$x\"; printf '%s' \"$x\" | wc -l; cat <<< \"${x//$'\\n'/;}\"",
         "[line1][line2]\n2\n1\nline1;line2\n", "", 0},
        {"a=1; b=2; echo $((a+b)) $[a*b]; ((c=a<b)); echo $c; (( a++ || b++ )); echo $a $b; echo $((a,b)); arr[3]"
         "=x; arr[a]=y; echo \"${!arr[@]}\"; ((arr2[0]+=5)); echo ${arr2[0]}; echo $((010 + 0x10 + 36#z))",
         "3 2\n1\n2 2\n2\n2 3\n5\n59\n", "", 0},
        {"until false; do echo once; break; done; while true; do while true; do break 2; done; echo no; done; for"
         " i in a b; do for j in 1 2; do [ $j = 2 ] && continue 2; echo $i$j; done; done",
         "once\na1\nb1\n", "", 0},
        {"cat << A << B\na\nA\nb\nB\ncat <<\"E\"\n$x \\n\nE\ncat <<E\\OF\n$y\nEOF", "b\n$x \\n\n$y\n", "", 0},
        {"f() (cd /; exit 3); f; echo $? $(pwd); f() { return $(( $1 * 2 )); }; f 4; echo $?; f() if true; then e"
         "cho compound; fi; f; f() for i in 1 2; do echo $i; done; f",
         "3 /\n8\ncompound\n1\n2\n", "", 0},
        {"let a=5 b=a+2 'c = b * 2'; echo $a $b $c; printf -v padded '%05d' 42; echo $padded; printf '%-10s|%5.2f"
         "|%s\\n' ab 3.14159 z; printf '%s\\n' \"${padded#0}\"; echo $(( ${padded#000} + 1 )); echo \"$((16#ff))"
         "\"",
         "5 7 14\n00042\nab        | 3.14|z\n0042\n43\n255\n", "", 0},
        {"while getopts 'a:b' f -a 1 -b; do case $f in a) echo a=$OPTARG;; b) echo b;; esac; done; shift $((OPTIN"
         "D - 1)); echo $#; set -- -x; OPTIND=1; getopts x o; echo $o",
         "a=1\nb\n0\nx\n", "", 0},
        {"trap 'echo int' INT TERM; kill -INT $$; kill -TERM $$; trap - INT; trap; (trap 'echo subexit' EXIT; exi"
         "t 2); echo $?; f() { trap 'echo fexit' EXIT; }; f; echo end",
         "int\nint\ntrap -- 'echo int' SIGTERM\nsubexit\n2\nend\nfexit\n", "", 0},
        {"wait_all() { local p; for p in \"$@\"; do wait $p || echo \"failed $?\"; done; }; pids=(); for i in 0 1"
         " 2; do (exit $i) & pids+=($!); done; wait_all \"${pids[@]}\"; (sleep 0.05; echo bg) & wait; echo done; "
         "{ sleep 0.02; echo grp; } & wait $!; echo $?",
         "failed 1\nfailed 2\nbg\ndone\ngrp\n0\n", "", 0},
        {"echo $'\\x41\\u00e9\\t|' $\"loc\"; printf '%b\\n' 'a\\tb'; echo -e 'a\\0101'; v=$'q\\'s'; echo \"$v\"; "
         "echo \"${v@Q}\"; printf '%q ' \"$v\" 'a b' '' '$x'; echo",
         "Aé\t| loc\na\tb\naA\nq's\n'q'\\''s'\nq\\'s a\\ b '' \\$x \n", "", 0},
        {"declare -f nosuch; echo $?; f() { echo \"a b\"; if true; then :; fi | cat; }; declare -f f; export -f f"
         "; bash -c 'f'; unset -f f; bash -c 'f' 2>/dev/null; echo $?",
         "1\nf () \n{ \n    echo \"a b\";\n    if true; then\n        :;\n    fi | cat\n}\na b\n127\n", "", 0},
        {"{ echo 1; echo 2; } | { read x; read y; echo $y$x; }; echo abc | { read -n 2 x; read y; echo \"$x|$y\";"
         " }; (echo a; echo b) | sort -r | head -1; echo x | cat - /dev/null; cat < <(cat <(echo nested))",
         "21\nab|c\nb\nx\nnested\n", "", 0},
        {"[ \"$(echo a)\" = a ] && echo eq; [ -z \"\" -a -n x ] && echo and; [ a = b -o c = c ] && echo or; [ ! -"
         "f /nofile ] && echo not; [ 10 -gt 9 ] && [ \"10\" \\< \"9\" ] && echo lex; [[ 10 < 9 ]] && echo lex2; ["
         "[ a =~ ^[a-z]$ ]] && echo re; [[ \"a b\" == a\\ b ]] && echo sp",
         "eq\nand\nor\nnot\nlex\nlex2\nre\nsp\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
