#include "support/shell.h"

void test_redirect__files_are_read_written_and_appended(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo hi > f; cat < f; echo more >> f; cat f; cat < nofile; echo $?; echo x 2>&1 >f2; cat f2; > empty; w"
         "c -c < empty",
         "hi\nhi\nmore\n1\nx\n0\n", "bash: line 1: nofile: No such file or directory\n", 0},
        {"{ echo out; echo err >&2; } > both 2>&1; cat both; { echo out; echo err >&2; } &> b2; cat b2; { echo o2"
         "; } &>> b2; cat b2; { echo a; echo b >&2; } >& b3; cat b3",
         "out\nerr\nout\nerr\nout\nerr\no2\na\nb\n", "", 0},
        {"{ echo out; echo err >&2; } 2>&1 > f | tr a-z A-Z; cat f; (echo 1; echo 2 >&2) 2> e; cat e",
         "ERR\nout\n1\n2\n", "", 0},
        {"echo abc > f; exec 5<> f; read -n 1 x <&5; echo -n Z >&5; exec 5>&-; cat f; echo $x", "aZc\na\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__words_do_not_see_what_is_assigned_for_the_command(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=1; x=2 cat <<< \"$x\"; x=2 cat < <(echo $x); f() { cat; echo \"$x\"; }; x=2 f <<< \"$x\"; "
         "x=2 command cat <<< $x",
         "1\n1\n1\n2\n1\n", "", 0},
        {"x=1; x=2 eval 'echo $x' > f$x; cat f1; y=a,b; IFS=, read a b <<< $y; echo $a-$b; "
         "IFS=, read a b < <(echo $y); echo $a-$b",
         "2\na-b\na-b\n", "", 0},
        {"x=1 y=$x$x z=$((q=5)) env <<< \"${w:=7}\" | grep -x '[xyz]=.*' | sort; x=1 read x <<< \"${w:=7}\"; "
         "echo $w $x $q",
         "x=1\ny=11\nz=5\n7\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__descriptors_are_moved_and_closed(void **state)
{
    static const struct test_shell_row rows[] = {
        {"exec 3> f3; echo three >&3; exec 3>&-; cat f3; echo x >&3; echo $?; exec 4< f3; read -u 4 l; echo $l; e"
         "xec {fd}> f5; echo $((fd>=10)); echo q >&$fd; exec {fd}>&-; cat f5",
         "three\n1\nthree\n1\nq\n", "bash: line 1: 3: Bad file descriptor\n", 0},
        {"exec 3>&1 1>f; echo in file; exec 1>&3-; echo back; cat f; echo x >&3; exec 6<<< \"six\"; cat <&6; exec"
         " 6<&-; cat <&6; echo $?",
         "back\nin file\nsix\n1\n",
         "bash: line 1: 3: Bad file descriptor\nbash: line 1: 6: Bad file descriptor\n", 0},
        {"f() { echo to $1 >&$1; }; f 1; f 2 2>&1; f 7 7>&1; { echo a >&3; } 3>&1; echo b 3>&1 >&3",
         "to 1\nto 2\nto 7\na\nb\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__noclobber_keeps_files(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -C; echo a > f; echo b > f; echo $?; echo c >| f; cat f; echo d >> f; cat f; echo x > /dev/null; ec"
         "ho $?; set +C; echo e > f; cat f",
         "1\nc\nc\nd\n0\ne\n", "bash: line 1: f: cannot overwrite existing file\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__errors_say_what_is_wrong(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=\"a b\"; echo hi > $x; echo $?; echo >&9; echo $?; echo hi > /nonexist/f; echo $?; echo x > \"\"; ech"
         "o $?; y=; echo z > $y; echo $?; echo w >& $x; echo $?",
         "1\n1\n1\n1\n1\n1\n",
         "bash: line 1: $x: ambiguous redirect\nbash: line 1: 9: Bad file descriptor\nbash: line 1: /nonexist/f: "
         "No such file or directory\nbash: line 1: : No such file or directory\nbash: line 1: $y: ambiguous redir"
         "ect\nbash: line 1: $x: ambiguous redirect\n", 0},
        {"echo a > .; echo $?; cat < nofile | cat; echo ${PIPESTATUS[@]}; { echo no; } < nofile; echo $?; f() { e"
         "cho no; }; f < nofile; echo $?; while read x; do :; done < nofile; echo $?; exec 3< nofile; echo not re"
         "ached",
         "1\n1 0\n1\n1\n1\nnot reached\n",
         "bash: line 1: .: Is a directory\nbash: line 1: nofile: No such file or directory\nbash: line 1: nofile:"
         " No such file or directory\nbash: line 1: nofile: No such file or directory\nbash: line 1: nofile: No s"
         "uch file or directory\nbash: line 1: nofile: No such file or directory\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__a_failed_expansion_ends_what_runs_in_the_shell(void **state)
{
    static const struct test_shell_row rows[] = {
        {"exec 2>/dev/null; for i in 1 2; do cat <<< $((1/0)); echo $? $i; done; cat <<< ${nosuch?bad}; echo $?; "
         "set -u; cat <<< $nosuch; echo $?; read x <<< $nosuch; echo no",
         "1 1\n1 2\n127\n127\n", "", 127},
        {"for i in 1 2; do (cat) <<< $((1/0)); echo $? $i; done; echo end; "
         "for i in 1 2; do : <<< $((1/0)); echo no; done",
         "1 1\n1 2\nend\n",
         "bash: line 1: 1/0: division by 0 (error token is \"0\")\nbash: line 1: 1/0: division by 0 (error token is "
         "\"0\")\nbash: line 1: 1/0: division by 0 (error token is \"0\")\n",
         1},
        {"i=0; cat <<< $((i++)); cat <<< ${v:=3}; cat {fd}>f </dev/null; echo \"$i <$v> <$fd>\"; read y <<< $((i++)); "
         "{ cat; } <<< $((i++)); echo $i; (cat; echo $i) <<< $((i++)); echo $i",
         "0\n3\n0 <> <>\n1\n2\n2\n3\n2\n", "", 0},
        {"f() { cat; }; for i in 1 2; do f <<< $((1/0)); echo no; done; echo no", "",
         "bash: line 1: 1/0: division by 0 (error token is \"0\")\n", 1}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__here_documents_expand_unless_quoted(void **state)
{
    static const struct test_shell_row rows[] = {
        {"cat <<EOF\n$((1+1)) `echo b` $(echo c) \\$x\nEOF\ncat <<'EOF'\n$x `y` \\\nEOF\ncat <<-EOF\n\ttab\n\tEOF"
         "\ncat <<< \"here $((2))\"",
         "2 b c $x\n$x `y` \\\ntab\nhere 2\n", "", 0},
        {"x=$(cat <<'E'\nit's \"quoted\" $x\nE\n); echo \"$x\"; cat <<A; cat <<B\na\nA\nb\nB",
         "it's \"quoted\" $x\na\nb\n", "", 0},
        {"cat <<E | tr a-z A-Z\none\nE\nf() { cat <<E\nin $1\nE\n}; f x; for i in 1 2; do cat <<E\n$i\nE\ndone",
         "ONE\nin x\n1\n2\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__standard_input_is_one_stream(void **state)
{
    static const struct test_shell_row rows[] = {
        {"{ read a; read b; echo $b $a; } <<< $'1\\n2'; { read -r a; cat; } <<< $'x\\ny\\nz'", "2 1\ny\nz\n", "", 0},
        {"printf '%s\\n' 1 2 3 > f; while read -r x; do echo \"<$x>\"; echo in | cat; done < f; { head -1; read y"
         "; echo \"y=$y\"; } < f",
         "<1>\nin\n<2>\nin\n<3>\nin\n1\ny=2\n", "", 0},
        {"printf '%s\\n' a b c > f; while read -u 3 x; do read y <<< in; echo \"$x$y\"; done 3< f; (read a; echo "
         "$a; (read b; echo $b); read c; echo $c) < f",
         "ain\nbin\ncin\na\nb\nc\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_redirect__dev_names_are_files(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo out > /dev/stdout; echo err > /dev/stderr; echo x | cat /dev/stdin; cat /dev/null; echo y > /dev/f"
         "d/1; echo z 3>&1 > /dev/fd/3; cat < /dev/null; head -c 3 /dev/zero | wc -c",
         "out\nx\ny\nz\n3\n", "err\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
