#include "support/shell.h"

void test_jobs__jobs_run_beside_the_shell(void **state)
{
    static const struct test_shell_row rows[] = {
        {"true & wait $!; echo $?; (exit 3) & wait $!; echo $?; wait; echo $?; { echo bg; } & wait",
         "0\n3\n0\nbg\n", "", 0},
        {"(sleep 0.05; echo late) & echo first; wait; echo done; x=1; { x=2; } & wait; echo $x",
         "first\nlate\ndone\n1\n", "", 0},
        {"(sleep 0.06; exit 2) & a=$!; (exit 1) & b=$!; wait $a; echo $?; wait $b; echo $?; wait $a; echo $?",
         "2\n1\n2\n", "", 0},
        {"for i in 3 1 2; do (sleep 0.0$i; echo $i) & done; wait; cat & wait $!; echo $?", "1\n2\n3\n0\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jobs__wait_takes_jobs_pids_and_the_next(void **state)
{
    static const struct test_shell_row rows[] = {
        {"(sleep 0.2; exit 4) & (sleep 0.02; exit 5) & wait -n; echo $?; wait -n; echo $?; wait -n; echo $?",
         "5\n4\n127\n", "", 0},
        {"wait 99999; echo $?; wait %9; echo $?; wait abc; echo $?; (exit 6) & wait %1; echo $?; (exit 2) & wait "
         "-n -p who; echo $? $((who == $!))",
         "127\n127\n1\n6\n2 1\n",
         "bash: line 1: wait: pid 99999 is not a child of this shell\nbash: line 1: wait: %9: no such job\nbash: "
         "line 1: wait: `abc': not a pid or valid job spec\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jobs__wait_for_all_forgets_them(void **state)
{
    static const struct test_shell_row rows[] = {
        {"(exit 3) & p=$!; wait $p; echo $?; wait; wait $p 2>e; echo $?; sed s/$p/N/ e",
         "3\n127\nbash: line 1: wait: pid N is not a child of this shell\n", "", 0},
        {"cat <(echo a); wait; wait $! 2>/dev/null; echo $?", "a\n127\n", "", 0},
        {"(exit 3) & p=$!; (wait; wait $p 2>/dev/null; echo $?); wait $p; echo $?; true & wait; wait %1 2>/dev/null",
         "127\n3\n", "", 127},
        {"(exit 3) & wait -n; wait $!; echo $?", "3\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jobs__kill_ends_jobs(void **state)
{
    static const struct test_shell_row rows[] = {
        {"sleep 5 & kill $!; wait $!; echo $?; sleep 5 & kill -9 %1; wait %1 2>/dev/null; echo $?",
         "143\n137\n", "", 0},
        {"(trap 'echo caught; exit 9' TERM; sleep 0.5; echo no) & p=$!; sleep 0.05; kill $p; wait $p; echo $?",
         "caught\n9\n", "", 0},
        {"while :; do :; done & kill $!; wait $! 2>/dev/null; echo $?; kill $! 2>/dev/null; echo $?",
         "143\n1\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jobs__a_job_list_shows_them(void **state)
{
    static const struct test_shell_row rows[] = {
        {"sleep 0.2 & jobs; sleep 0.3 & jobs; jobs -p | wc -l; jobs -r | wc -l; disown %1; jobs; kill %2; wait 2>"
         "/dev/null; jobs",
         "[1]+  Running                 sleep 0.2 &\n[1]-  Running                 sleep 0.2 &\n[2]+  Running    "
         "             sleep 0.3 &\n2\n2\n[2]+  Running                 sleep 0.3 &\n",
         "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_jobs__what_is_left_running_is_waited_for_a_while(void **state)
{
    static const struct test_shell_row rows[] = {
        {"(sleep 0.1; echo late) & exit 3", "late\n", "", 3},
        {"echo x > >(cat; sleep 0.05; echo end)", "x\nend\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
