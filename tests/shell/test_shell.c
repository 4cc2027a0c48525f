#include "support/shell.h"

void test_shell__scripts_of_the_workspace_run(void **state)
{
    static const struct test_shell_row rows[] = {
        {"cat > x.sh <<'EOF'\necho \"$0 $1 $#\"\nnosuch\necho $LINENO ${BASH_SOURCE[0]}\nf() { echo ${FUNCNAME[@]"
         "} ${BASH_LINENO[@]} ${BASH_SOURCE[@]}; return 2; }\nf\nexit 4\nEOF\nbash x.sh q; echo $?; . ./x.sh",
         "x.sh q 1\n3 x.sh\nf main 5 0 x.sh x.sh\n4\nbash  0\n3 ./x.sh\nf source 5 9 ./x.sh ./x.sh\n",
         "x.sh: line 2: nosuch: command not found\n./x.sh: line 2: nosuch: command not found\n", 4},
        {"cat > s.sh <<'EOF'\n#!/bin/bash\necho hi $1 $0\nexit 3\nEOF\nchmod +x s.sh; ./s.sh a; echo $?; printf '"
         "#!/usr/bin/env bash\\necho env $1\\n' > b; chmod +x b; ./b 2; printf 'echo plain $0\\n' > c; chmod +x c"
         "; ./c",
         "hi a ./s.sh\n3\nenv 2\nplain ./c\n", "", 0},
        {"./d; echo $?; : > e; ./e; echo $?; ./; echo $?; /tmp; echo $?; : > z; chmod +x z; ./z; echo $?; printf "
         "\"a\\0b\\n\" > binf; chmod +x binf; ./binf; echo $?; mkdir -p p; printf 'echo from path\\n' > p/prog; c"
         "hmod +x p/prog; PATH=/p:$PATH; prog; nofile/x; echo $?; z/x; echo $?",
         "127\n126\n126\n126\n0\n126\nfrom path\n127\n126\n",
         "bash: line 1: ./d: No such file or directory\nbash: line 1: ./e: Permission denied\nbash: line 1: ./: I"
         "s a directory\nbash: line 1: /tmp: Is a directory\nbash: line 1: ./binf: cannot execute binary file: Ex"
         "ec format error\nbash: line 1: nofile/x: No such file or directory\nbash: line 1: z/x: Not a directory"
         "\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_shell__bash_is_a_shell_of_its_own(void **state)
{
    static const struct test_shell_row rows[] = {
        {"bash -c 'echo $0 $1 $#' a b c; x=1; export y=2; bash -c 'echo \"$x|$y\"'; f() { echo fun; }; export -f "
         "f; bash -c f; g() { :; }; bash -c g; echo $?; sh -c 'echo $x$y'; bash -c 'exit 7'; echo $?",
         "a b 2\n|2\nfun\n127\n2\n7\n", "bash: line 1: g: command not found\n", 0},
        {"echo 'echo from stdin $1' | bash -s arg; bash -e -c 'false; echo no'; echo $?; bash -x -c 'echo hi'; ba"
         "sh nofile; echo $?; bash -c; echo $?; bash -n -c 'echo no'; bash -u -c 'echo $nope'; echo $?",
         "from stdin arg\n1\nhi\n127\n2\n127\n",
         "+ echo hi\nbash: nofile: No such file or directory\nbash: -c: option requires an argument\nbash: line 1"
         ": nope: unbound variable\n", 0},
        {"bash <<< 'read x; echo \"got $x\"\nthe line\necho rest'; printf 'echo 1\\nexit 5\\necho 2\\n' | bash; e"
         "cho $?; printf 'if true\\nthen echo multi\\nfi\\necho )\\n' | bash; echo $?",
         "got the line\nrest\n1\n5\nmulti\n2\n",
         "bash: line 4: syntax error near unexpected token `)'\nbash: line 4: `echo )'\n", 0},
        {"bash -c 'echo )'; echo $?; bash -c 'echo a\nnosuch'; printf 'echo a\\nnosuch\\n' > s; bash s; bash -o p"
         "ipefail -c 'false | true'; echo $?; bash -euo pipefail -c 'echo ok; false; echo no'; echo $?; bash -O e"
         "xtglob -c 'case aa in +(a)) echo ext;; esac'",
         "2\na\na\n1\nok\n1\next\n",
         "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo )'\nbash: line 2: nos"
         "uch: command not found\ns: line 2: nosuch: command not found\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_shell__unknown_commands_are_127(void **state)
{
    static const struct test_shell_row rows[] = {
        {"nosuch_thing; echo $?; ./nosuch; echo $?; ''; echo $?; x=; $x; echo $?; $x echo hi; nosuch_thing 2>/dev"
         "/null; echo $?; nosuch_thing | cat; if nosuch_thing; then :; else echo else $?; fi",
         "127\n127\n127\n0\nhi\n127\nelse 127\n",
         "bash: line 1: nosuch_thing: command not found\nbash: line 1: ./nosuch: No such file or directory\nbash:"
         " line 1: : command not found\nbash: line 1: nosuch_thing: command not found\nbash: line 1: nosuch_thing"
         ": command not found\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_shell__syntax_is_checked_line_by_line(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo before\necho )\necho after",
         "before\n", "bash: -c: line 2: syntax error near unexpected token `)'\nbash: -c: line 2: `echo )'\n", 2},
        {"echo one; if; echo two",
         "",
         "bash: -c: line 1: syntax error near unexpected token `;'\nbash: -c: line 1: `echo one; if; echo two'\n", 2},
        {"f() { echo a\n}\nf; for i in 1 2; do echo $i; done; done",
         "",
         "bash: -c: line 3: syntax error near unexpected token `done'\nbash: -c: line 3: `f; for i in 1 2; do ech"
         "o $i; done; done'\n", 2},
        {"echo \"unclosed", "", "bash: -c: line 1: unexpected EOF while looking for matching `\"'\n", 2},
        {"set -n; echo no", "", "", 0},
        {"cat > s <<'EOF'\necho a\nfi\nEOF\n. ./s; echo $?; source ./s 2>/dev/null; bash s; echo $?",
         "a\n2\na\na\n2\n",
         "./s: line 2: syntax error near unexpected token `fi'\n./s: line 2: `fi'\ns: line 2: syntax error near u"
         "nexpected token `fi'\ns: line 2: `fi'\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_shell__names_of_programs_that_are_not_here_get_advice(void **state)
{
    static const struct test_shell_row rows[] = {
        {"python3 -c 1", "",
         "bash: line 1: python3: command not found: this shell runs no programs of the host; 'help' lists what it has"
         " (awk, sed, jq, bc …)\n", 127},
        {"curl x | cat", "", "bash: line 1: curl: command not found: this shell has no network\n", 0},
        {"printf '#!/usr/bin/python3\\nprint(1)\\n' > p; chmod +x p; ./p", "",
         "bash: line 1: ./p: cannot execute: required file not found: /usr/bin/python3\n", 127}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}

/* A script that would never end does so by the limit that it runs into. */
static void ends_by(struct test_shell *shell, const char *script, enum tc_sh_limit limit)
{
    test_shell_run(shell, script);
    if (shell->outcome.limit != limit)
        fail_msg("%s ended by limit %d: %s", script, shell->outcome.limit, shell->outcome.message);
}

void test_shell__bombs_end_by_a_named_limit(void **state)
{
    struct test_shell shell;

    (void)state;
    test_shell_init(&shell);
    shell.limits.wall_ns = 500 * 1000 * 1000;
    ends_by(&shell, "f() { f; }; f", TC_SH_LIMIT_DEPTH);
    ends_by(&shell, "f() { $(f); }; f", TC_SH_LIMIT_DEPTH);
    ends_by(&shell, "e() { eval e; }; e", TC_SH_LIMIT_DEPTH);
    ends_by(&shell, ":(){ :|:& };:", TC_SH_LIMIT_PROCESSES);
    ends_by(&shell, "while :; do :; done", TC_SH_LIMIT_WALL);
    ends_by(&shell, "while :; do echo x; done | while :; do :; done", TC_SH_LIMIT_WALL);
    assert_int_equal(shell.outcome.status, 124);
    shell.limits.work = 1000;
    ends_by(&shell, "for ((;;)); do :; done", TC_SH_LIMIT_WORK);
    test_shell_finish(&shell);
}

/* As on a disk that is full: the write fails, the script goes on, and at the end it is said why. */
void test_shell__a_quota_fails_the_write_and_not_the_script(void **state)
{
    struct test_shell shell;

    (void)state;
    test_shell_init(&shell);
    shell.limits.bytes = 3000;
    assert_int_equal(test_shell_run(&shell, "head -c 2000 /dev/zero >a && cat a >b || echo full\n"
                                            "mv a b && wc -c <b; yes >c 2>/dev/null; echo $?; rm c"), 0);
    assert_str(shell.out, "full\n2000\n1\n");
    assert_str(shell.err, "cat: write error: Disk quota exceeded\nbash: limit of 3000 bytes in files reached\n");
    assert_int_equal(shell.outcome.limit, TC_SH_LIMIT_NONE);
    assert_string_equal(shell.outcome.message, "");

    test_shell_finish(&shell);
    test_shell_init(&shell);
    shell.limits.files = 3;
    assert_int_equal(test_shell_run(&shell, "mkdir d; for i in 1 2 3; do : >d/$i || echo no $i; done; exit 5"), 5);
    assert_str(shell.out, "no 3\n");
    assert_str(shell.err, "bash: line 1: d/3: Disk quota exceeded\nbash: limit of 3 files reached\n");

    test_shell_finish(&shell);
    test_shell_init(&shell);
    shell.limits.file_size = 1024;
    assert_int_equal(test_shell_run(&shell, "truncate -s 1024 e && truncate -s 1025 e || wc -c <e"), 0);
    assert_str(shell.out, "1024\n");
    assert_str(shell.err, "truncate: failed to truncate 'e' at 1025 bytes: File too large\n"
                          "bash: file size limit of 1 KiB reached\n");

    /* what grows for ever ends by another limit, which is then the one that is told */
    shell.limits.wall_ns = 300 * 1000 * 1000;
    ends_by(&shell, "while :; do echo x; done >e 2>/dev/null", TC_SH_LIMIT_WALL);
    test_shell_finish(&shell);
}

void test_shell__a_script_file_has_its_name_in_messages(void **state)
{
    static const char *const args[] = {"a", "b c", NULL};
    struct test_shell shell;

    (void)state;
    test_shell_init(&shell);
    shell.input = "line of input\n";
    assert_int_equal(test_shell_run_as(&shell, "read x\necho \"$0 $# $2 $x\"\nnosuch\n", "dir/s.sh", args, true), 127);
    assert_str(shell.out, "dir/s.sh 2 b c line of input\n");
    assert_str(shell.err, "dir/s.sh: line 3: nosuch: command not found\n");
    test_shell_finish(&shell);
}

void test_shell__jobs_left_behind_do_not_change_the_status(void **state)
{
    static const struct test_shell_row rows[] = {
        {"sleep 20 & echo x; exit 3", "x\n", "bash: background jobs that were still running have been ended\n", 3}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
