#include "support/shell.h"

void test_trap__exit_runs_its_trap_once(void **state)
{
    static const struct test_shell_row rows[] = {
        {"trap 'echo EXIT $?' EXIT; exit 5", "EXIT 5\n", "", 5},
        {"trap 'echo EXIT' EXIT; (trap 'echo sub' EXIT; echo in); echo out; (echo no trap); x=$(echo cap); echo $"
         "x",
         "in\nsub\nout\nno trap\ncap\nEXIT\n", "", 0},
        {"trap 'exit 7' EXIT; true", "", "", 7},
        {"trap 'echo a' EXIT; trap 'echo b' EXIT; set -e; false; echo no", "b\n", "", 1},
        {"f() { trap 'echo bye from $1' EXIT; }; f x; set -- arg; echo end; trap 'echo $BASH_COMMAND' EXIT",
         "end\ntrap 'echo $BASH_COMMAND' EXIT\n", "", 0},
        {"trap 'echo cleanup; rm -f t' EXIT; : > t; nosuch_cmd; exit",
         "cleanup\n", "bash: line 1: nosuch_cmd: command not found\n", 127}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_trap__err_tells_of_failures(void **state)
{
    static const struct test_shell_row rows[] = {
        {"trap 'echo ERR $?' ERR; false; true; (exit 3); f() { false; }; f; false || true; if false; then :; fi; "
         "! true; false && true; while false; do :; done; echo end",
         "ERR 1\nERR 3\nERR 1\nend\n", "", 0},
        {"set -E; trap 'echo ERR $LINENO' ERR; f() { false; true; }; f; (false; true); x=$(false; echo a); echo e"
         "nd",
         "ERR 1\nERR 1\nend\n", "", 0},
        {"trap 'echo \"line $LINENO: $BASH_COMMAND\"' ERR\nfalse\nls /nonexist 2> /dev/null\n[[ a = b ]]\n((0))\n"
         "false | true; true | false\necho end",
         "line 2: false\nline 3: ls /nonexist 2> /dev/null\nline 4: [[ a = b ]]\nline 5: ((0))\nline 6: false\nen"
         "d\n",
         "", 0},
        {"trap 'echo \"$LINENO: $BASH_COMMAND\"' ERR\nok() { return 0; }\n! ok\n(exit 4)\n(\n:\nexit 4\n)\n(exit 5) >f",
         "4: ( exit 4 )\n8: ( :; exit 4 )\n9: ( exit 5 ) > f\n", "", 5},
        {"set -e; trap 'echo ERR' ERR; trap 'echo EXIT $?' EXIT; f() { false; echo no; }; f", "EXIT 1\n", "", 1}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_trap__debug_runs_before_each_command(void **state)
{
    static const struct test_shell_row rows[] = {
        {"set -T; trap 'echo \"D $BASH_COMMAND\"' DEBUG; f() { echo in; }; f; (echo sub)",
         "D f\nD f\nD echo in\nin\nD echo sub\nsub\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_trap__return_runs_when_functions_end(void **state)
{
    static const struct test_shell_row rows[] = {
        {"f() { trap 'echo RET' RETURN; echo in; }; f; echo out; f", "in\nRET\nout\nin\nRET\n", "", 0},
        {"trap 'echo R' RETURN; f() { echo f; }; f; set -T; f; echo 'echo sourced' > s; . ./s",
         "f\nf\nR\nsourced\nR\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_trap__signals_run_their_traps(void **state)
{
    static const struct test_shell_row rows[] = {
        {"trap 'echo got TERM' TERM; kill -TERM $$; echo after", "got TERM\nafter\n", "", 0},
        {"trap '' TERM; kill -TERM $$; echo after; trap 'echo U1' USR1; kill -USR1 $$; kill -s USR1 $$; trap - TE"
         "RM; echo end",
         "after\nU1\nU1\nend\n", "", 0},
        {"kill -TERM $$; echo no", "", "", 143},
        {"trap 'echo INT; exit 3' INT; kill -INT $$; echo no", "INT\n", "", 3},
        {"trap 'echo got' USR1; (sleep 0.05; kill -USR1 $$) & while [ -z \"$done\" ]; do sleep 0.02; n=$((n+1)); "
         "[ $n -gt 20 ] && done=1; done; echo end",
         "got\nend\n", "", 0},
        {"trap 'echo waited' USR1; (sleep 0.05; kill -USR1 $$) & sleep 0.3 & wait $!; echo $(($? > 128))",
         "waited\n1\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
