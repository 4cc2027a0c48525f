/*
 * A call that nobody waits for any more, and an interactive shell, of which only the
 * command that runs is cancelled.
 */
#include "support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "shell/shell.h"

struct session {
    const char *const *lines;
    size_t at;
    int cancel; /* written to when the last line is given out: 0 never */
    char said[256];
    size_t n;
};

static int hear(void *arg, const void *p, size_t n)
{
    struct session *session = arg;

    assert_true(n < sizeof session->said - session->n);
    memcpy(session->said + session->n, p, n);
    session->n += n;
    return 0;
}

static int next_line(void *arg, struct tc_str prompt, struct tc_buf *line)
{
    struct session *session = arg;
    const char *text = session->lines[session->at];

    (void)prompt;
    if (!text)
        return 0;
    session->at++;
    if (strcmp(text, "^C") == 0)
        return -1;
    if (strstr(text, "while"))
        assert_int_equal(write(session->cancel, "x", 1), 1);
    tc_buf_cstr(line, text);
    tc_buf_char(line, '\n');
    return 1;
}

static struct tc_sh_outcome run(struct session *session, const char *script, const int *cancel)
{
    struct tc_sh_call call = {
        .limits = tc_sh_limits_default(),
        .cwd = "/",
        .script = tc_str_of(script),
        .cancel = cancel,
        .line = session->lines ? next_line : NULL,
        .arg = session,
        .in = tc_sh_file_of_device(TC_SH_NULL),
        .out = tc_sh_file_of_sink(hear, session),
        .err = tc_sh_file_of_sink(hear, session),
    };
    struct tc_sh_outcome outcome;

    tc_sh_call_run(&call, &outcome, NULL, NULL);
    return outcome;
}

void test_cancel__what_comes_on_the_descriptor_ends_the_call(void **state)
{
    static const char *const scripts[] = {"echo on; while :; do :; done; echo no",
                                          "echo on; while :; do :; done | cat; echo no"};
    int fds[2];

    (void)state;
    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    for (size_t i = 0; i < 2; i++) {
        struct session session = {0};
        struct tc_sh_outcome outcome = run(&session, scripts[i], &fds[0]);
        assert_int_equal(outcome.limit, TC_SH_LIMIT_CANCELED);
        assert_true(session.n <= 3); /* it may be before the first command */
        assert_true(outcome.wall_ns < 2000000000);
    }
    close(fds[1]);
    close(fds[0]);
}

void test_cancel__the_other_ends_end_is_one_too(void **state)
{
    struct session session = {0};
    int fds[2];

    (void)state;
    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    close(fds[1]);
    assert_int_equal(run(&session, "while :; do :; done", &fds[0]).limit, TC_SH_LIMIT_CANCELED);
    close(fds[0]);
}

void test_cancel__an_interactive_shell_goes_on(void **state)
{
    static const char *const lines[] = {"x=40", "(while :; do :; done)", "echo $? $((x + 2))", "echo 'be", "^C",
                                        "f() { f; }; f", "", "echo $?", "exit 7", NULL};
    struct session session = {.lines = lines};
    struct tc_sh_outcome outcome;
    int fds[2];

    (void)state;
    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    session.cancel = fds[1];
    outcome = run(&session, "", &fds[0]);
    assert_int_equal(outcome.status, 7);
    assert_int_equal(outcome.limit, TC_SH_LIMIT_NONE);
    assert_str(tc_str_n(session.said, session.n),
               "130 42\nbash: depth limit of 1000 nested calls reached\n137\n");
    close(fds[1]);
    close(fds[0]);
}
