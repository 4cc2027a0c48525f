#include "support/task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/process.h"
#include "io/stream.h"
#include "toolcrib/buf.h"

/* Starts `sh -c script` with its output in a stream. */
static struct tc_process *start(struct tc_cx *cx, const char *script, struct tc_process_options options,
                                struct tc_stream **ret_out)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct tc_process *process = NULL;
    int fds[2];

    expect_int(pipe2(fds, O_CLOEXEC), 0);
    if (!options.argv)
        options.argv = argv;
    options.fds[0] = -1;
    options.fds[1] = fds[1];
    options.fds[2] = 2;
    options.fds[3] = -1;
    expect_int(tc_process_spawn(cx, tc_task_loop(cx), &options, &process), TC_OK);
    close(fds[1]);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[0], ret_out), TC_OK);
    return process;
}

static struct tc_str read_all(struct tc_cx *cx, struct tc_stream *stream)
{
    struct tc_buf buf;
    struct tc_str all;

    tc_buf_init(&buf, 1024 * 1024);
    while (tc_stream_read(cx, stream, &buf, 10 * 1000) == TC_OK)
        ;
    expect_int(cx->err.code, TC_E_CLOSED);
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return all;
}

/* Output of the script, which must end with exit status 0. */
static struct tc_str output_of(struct tc_cx *cx, const char *script, struct tc_process_options options)
{
    struct tc_stream *out;
    struct tc_process *process = start(cx, script, options, &out);
    struct tc_str all = read_all(cx, out);
    int status = -1;

    if (process)
        expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
    expect_int(status, 0);
    tc_process_destroy(process);
    tc_stream_close(out);
    return all;
}

static bool is_alive(int pid)
{
    char path[64], state = 'Z';
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    f = fopen(path, "r");
    if (!f)
        return false;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    fclose(f);
    return state != 'Z';
}

static void no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Ends */

static void exit_status(struct tc_cx *cx, void *arg)
{
    struct {
        const char *script;
        int status;
    } cases[] = {{"exit 0", 0}, {"exit 7", 7 << 8}, {"exit 255", 255 << 8}, {"kill -TERM $$", SIGTERM},
                 {"kill -KILL $$", SIGKILL}};
    struct tc_stream *out;

    (void)arg;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tc_process *process = start(cx, cases[i].script, (struct tc_process_options){0}, &out);
        int status = -1;

        expect(tc_process_pid(process) > 0);
        expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
        expect_int(status, cases[i].status);
        status = -1;
        expect_int(tc_process_wait(cx, process, 0, &status), TC_OK); /* may be asked again */
        expect_int(status, cases[i].status);
        tc_process_signal(process, SIGKILL);
        tc_process_destroy(process);
        tc_stream_close(out);
    }
    tc_process_destroy(NULL);
}

void test_process__reports_the_status_as_waitpid_does(void **state)
{
    (void)state;
    test_task_run(exit_status, NULL);
    no_child_is_left();
}

static void wait_and_kill(struct tc_cx *cx, void *arg)
{
    struct tc_stream *out;
    struct tc_process *process = start(cx, "exec sleep 1000", (struct tc_process_options){0}, &out);
    int status = -1, *pids = arg;

    expect_int(tc_process_wait(cx, process, 10, &status), TC_E_TIMEOUT);
    expect_int(status, -1);
    tc_process_signal(process, SIGINT);
    expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
    expect_int(status, SIGINT);
    tc_process_destroy(process);
    tc_stream_close(out);
    /* Destroyed while it runs: killed, and reaped at the latest with the loop. */
    process = start(cx, "exec sleep 1000", (struct tc_process_options){0}, &out);
    pids[0] = tc_process_pid(process);
    tc_process_destroy(process);
    tc_stream_close(out);
}

void test_process__destroy_kills_and_reaps(void **state)
{
    int pids[1] = {0};
    (void)state;

    test_task_run(wait_and_kill, pids);
    assert_true(pids[0] > 0);
    assert_false(is_alive(pids[0]));
    no_child_is_left();
}

static void wait_cancelled(struct tc_cx *cx, void *arg)
{
    struct tc_stream *out;
    struct tc_process *process = start(cx, "exec sleep 1000", (struct tc_process_options){0}, &out);
    int status = -1;

    ++*(int *)arg;
    expect_int(tc_process_wait(cx, process, -1, &status), TC_E_CANCELED);
    tc_process_destroy(process);
    tc_stream_close(out);
}

static void cancel_wait(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 10; i++)
        expect_int(tc_task_spawn(cx, group.loop, &group, "waiter", wait_cancelled, arg), TC_OK);
    while (*(int *)arg < 10)
        tc_task_yield(cx);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
}

void test_process__wait_can_be_cancelled(void **state)
{
    int n = 0;
    (void)state;

    test_task_run(cancel_wait, &n);
    no_child_is_left();
}

/* Groups */

static int read_pid(struct tc_cx *cx, struct tc_stream *out)
{
    struct tc_stream_lines lines;
    struct tc_str line;
    int64_t pid = 0;

    tc_stream_lines_init(&lines, out, 100);
    expect_int(tc_stream_line(cx, &lines, 10 * 1000, &line), TC_OK);
    expect(tc_str_int(line, &pid) && pid > 1);
    tc_stream_lines_finish(&lines);
    return (int)pid;
}

static bool gone_soon(struct tc_cx *cx, int pid)
{
    for (int i = 0; i < 1000 && is_alive(pid); i++)
        tc_task_sleep(cx, 5);
    return !is_alive(pid);
}

static void group_kill(struct tc_cx *cx, void *arg)
{
    struct tc_stream *out;
    struct tc_process_options options = {.own_group = true};
    struct tc_process *process = start(cx, "sleep 1000 & echo $!; wait", options, &out);
    int pid = read_pid(cx, out), status;

    (void)arg;
    expect_int(getpgid(pid), tc_process_pid(process));
    expect(is_alive(pid));
    tc_process_signal(process, SIGTERM);
    expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
    expect_int(status, SIGTERM);
    expect(gone_soon(cx, pid));
    tc_process_destroy(process);
    tc_stream_close(out);
    /* The leader ends, its child stays in the group: destroy takes it along. */
    process = start(cx, "sleep 1000 & echo $!; exit 0", options, &out);
    pid = read_pid(cx, out);
    expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
    expect_int(status, 0);
    expect(is_alive(pid));
    tc_process_signal(process, 0);
    tc_process_destroy(process);
    expect(gone_soon(cx, pid));
    tc_stream_close(out);
    /* Without a group of its own it stays in ours. */
    process = start(cx, "exec sleep 1000", (struct tc_process_options){0}, &out);
    expect_int(getpgid(tc_process_pid(process)), getpgrp());
    tc_process_destroy(process);
    tc_stream_close(out);
}

void test_process__signals_reach_the_whole_group(void **state)
{
    (void)state;
    test_task_run(group_kill, NULL);
    no_child_is_left();
}

/* What the child gets */

static void descriptors(struct tc_cx *cx, void *arg)
{
    int extra = open("/dev/null", O_RDONLY); /* not close-on-exec, on purpose */

    (void)arg;
    expect_text(output_of(cx, "ls /proc/self/fd; readlink /proc/self/fd/0", (struct tc_process_options){0}),
                "0\n1\n2\n3\n/dev/null\n"); /* 3 is what ls itself opened */
    close(extra);
}

void test_process__closes_every_other_descriptor(void **state)
{
    (void)state;
    test_task_run(descriptors, NULL);
}

/* Each descriptor given lies where another one must go. */
static void crossed(struct tc_cx *cx, void *arg)
{
    const char *script = "for i in 0 1 2 3; do readlink /proc/self/fd/$i; done >\"$OUT\"";
    char *dir = test_tmpdir(cx->arena), *out = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/out", dir));
    char *files[3], *setting = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "OUT=%s", out));
    const char *argv[] = {"/bin/sh", "-c", script, NULL}, *env[] = {"PATH=/usr/bin:/bin", setting, NULL};
    struct tc_process_options options = {.argv = argv, .env = env, .fds = {2, 0, 1, 0}};
    struct tc_process *process = NULL;
    struct tc_str expected;
    int saved[3], status = -1;

    (void)arg;
    for (int i = 0; i < 3; i++) {
        files[i] = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/%d", dir, i));
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 100);
        close(i);
        expect_int(open(files[i], O_RDWR | O_CREAT, 0600), i);
    }
    if (expect_int(tc_process_spawn(cx, tc_task_loop(cx), &options, &process), TC_OK))
        expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
    for (int i = 0; i < 3; i++) {
        close(i);
        if (saved[i] >= 0) {
            dup2(saved[i], i);
            close(saved[i]);
        }
    }
    expect_int(status, 0);
    /* The redirection of the loop took the place of 1. */
    expected = tc_arena_printf(cx->arena, "%s\n%s\n%s\n%s\n", files[2], out, files[1], files[0]);
    expect_text(test_read_file(cx->arena, out), expected.p);
    tc_process_destroy(process);
    test_rmtree(dir);
}

void test_process__descriptors_may_be_crossed_over(void **state)
{
    (void)state;
    test_task_run(crossed, NULL);
}

static void surroundings(struct tc_cx *cx, void *arg)
{
    const char *env[] = {"A=1", "PATH=/usr/bin:/bin", NULL}, *argv[] = {"env", NULL};
    sigset_t set, old;

    (void)arg;
    expect_text(output_of(cx, "", (struct tc_process_options){.argv = argv, .env = env}), "A=1\nPATH=/usr/bin:/bin\n");
    expect_text(output_of(cx, "pwd", (struct tc_process_options){.cwd = "/usr"}), "/usr\n");
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    /* Signals 1 to 28; the C library may keep its own two at 32 and 33 ignored. SIGPIPE is ignored in us. */
    expect_text(output_of(cx, "sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(.......\\)$/\\1 \\2/p' /proc/self/status",
                          (struct tc_process_options){0}), "Blk 0000000\nIgn 0000000\n");
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    setenv("TC_TEST_INHERITED", "yes", 1);
    expect_text(output_of(cx, "echo $TC_TEST_INHERITED", (struct tc_process_options){0}), "yes\n");
    unsetenv("TC_TEST_INHERITED");
}

void test_process__sets_environment_folder_and_signals(void **state)
{
    (void)state;
    test_task_run(surroundings, NULL);
}

/* Finding the command */

static void write_script(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    expect(f != NULL);
    fputs(text, f);
    fclose(f);
    expect_int(chmod(path, mode), 0);
}

static char *join(struct tc_cx *cx, const char *a, const char *b)
{
    return tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s%s", a, b));
}

static void path_of_env(struct tc_cx *cx, void *arg)
{
    char *dir = test_tmpdir(cx->arena);
    const char *argv[] = {"tc-test-command", NULL};
    const char *env[] = {join(cx, "PATH=/nowhere:/etc/passwd:rel:", join(cx, dir, "/b")), NULL};
    const char *empty[] = {"PATH=:/nowhere", NULL};
    struct tc_process_options options = {.argv = argv, .env = env, .cwd = dir};

    (void)arg;
    expect_int(mkdir(join(cx, dir, "/rel"), 0700), 0);
    expect_int(mkdir(join(cx, dir, "/b"), 0700), 0);
    write_script(join(cx, dir, "/b/tc-test-command"), "#!/bin/sh\necho b\n", 0700);
    expect_text(output_of(cx, "", options), "b\n");
    write_script(join(cx, dir, "/rel/tc-test-command"), "#!/bin/sh\necho rel\n", 0700);
    expect_text(output_of(cx, "", options), "rel\n"); /* seen from the child's folder */
    expect_int(chmod(join(cx, dir, "/rel/tc-test-command"), 0600), 0);
    expect_text(output_of(cx, "", options), "b\n");
    write_script(join(cx, dir, "/tc-test-command"), "#!/bin/sh\necho here\n", 0700);
    options.env = empty;
    expect_text(output_of(cx, "", options), "here\n");
    argv[0] = "b/tc-test-command";
    expect_text(output_of(cx, "", options), "b\n");
    test_rmtree(dir);
}

void test_process__looks_the_command_up_in_the_childs_path(void **state)
{
    (void)state;
    test_task_run(path_of_env, NULL);
}

static void expect_refused(struct tc_cx *cx, struct tc_process_options options, const char *message)
{
    struct tc_process *process = NULL;

    for (int i = 0; i < 4; i++)
        options.fds[i] = -1;
    expect_int(tc_process_spawn(cx, tc_task_loop(cx), &options, &process), TC_E_IO);
    expect_text(cx->err.message, message);
    expect(process == NULL);
}

static void refusals(struct tc_cx *cx, void *arg)
{
    char *dir = test_tmpdir(cx->arena), *script = join(cx, dir, "/script"), *broken = join(cx, dir, "/broken");
    const char *argv[] = {"tc-no-such-command", NULL}, *env[] = {"PATH=/usr/bin:/bin", NULL};
    const char *search[] = {join(cx, "PATH=", dir), NULL};
    struct tc_process_options options = {.argv = argv, .env = env};
    struct tc_process *process;

    (void)arg;
    expect_refused(cx, options, "The command \"tc-no-such-command\" was not found in PATH (/usr/bin:/bin).");
    expect(cx->err.hint.n > 0);
    argv[0] = "/no/such/command";
    expect_refused(cx, options, "The command \"/no/such/command\" could not be started: No such file or directory.");
    argv[0] = "/";
    expect_refused(cx, options, "The command \"/\" could not be started: Is a directory.");
    argv[0] = "";
    expect_refused(cx, options, "The command \"\" was not found in PATH (/usr/bin:/bin).");
    write_script(script, "#!/bin/sh\n", 0600);
    argv[0] = "script";
    options.env = search;
    expect_refused(cx, options, "The command \"script\" could not be started: Permission denied.");
    write_script(broken, "no interpreter line\n", 0700);
    argv[0] = "broken";
    expect_refused(cx, options, "The command \"broken\" could not be started: Exec format error.");
    argv[0] = "sh";
    options.env = env;
    options.cwd = "/no/such/folder";
    expect_refused(cx, options,
                   "The command \"sh\" could not be started in /no/such/folder: No such file or directory.");
    argv[0] = NULL;
    expect_int(tc_process_spawn(cx, tc_task_loop(cx), &options, &process), TC_E_USAGE);
    argv[0] = "sh";
    options.cwd = NULL;
    if (tc_mem_fail_at(1, true)) {
        expect_int(tc_process_spawn(cx, tc_task_loop(cx), &options, &process), TC_E_NO_MEMORY);
        tc_mem_fail_at(0, false);
    }
    test_rmtree(dir);
}

void test_process__names_command_and_reason_when_it_cannot_start(void **state)
{
    (void)state;
    test_task_run(refusals, NULL);
    no_child_is_left();
}

/* With ever fewer descriptors to be had: it starts, or fails and leaves nothing. */
static void few_descriptors(struct tc_cx *cx, void *arg)
{
    const char *argv[] = {"true", NULL};
    struct tc_process_options options = {.argv = argv, .cwd = "/", .fds = {0, 1, 2, -1}};
    struct rlimit limit, few;
    int failed = 0, started = 0;

    (void)arg;
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t n = 4; n < 32; n++) {
        struct tc_process *process = NULL;
        int status = -1;

        few = (struct rlimit){n, limit.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        if (tc_process_spawn(cx, tc_task_loop(cx), &options, &process) != TC_OK) {
            expect_int(cx->err.code, TC_E_IO);
            failed++;
            continue;
        }
        started++;
        expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_OK);
        expect_int(status, 0);
        tc_process_destroy(process);
        tc_task_yield(cx);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    expect(failed > 0 && started > 0);
}

void test_process__fails_cleanly_without_descriptors(void **state)
{
    (void)state;
    test_task_run(few_descriptors, NULL);
    no_child_is_left();
}

/* A program around us may reap what is not its own. */
static void reaped_by_another(struct tc_cx *cx, void *arg)
{
    struct tc_stream *out;
    struct tc_process *process = start(cx, "exit 0", (struct tc_process_options){0}, &out);
    int status = -1;

    (void)arg;
    expect_int(waitpid(tc_process_pid(process), NULL, 0), tc_process_pid(process));
    expect_int(tc_process_wait(cx, process, 10 * 1000, &status), TC_E_IO);
    expect_int(status, -1);
    tc_process_signal(process, SIGKILL); /* no effect: the number may be another's by now */
    tc_process_destroy(process);
    tc_stream_close(out);
}

void test_process__survives_a_stolen_exit_status(void **state)
{
    (void)state;
    test_task_run(reaped_by_another, NULL);
}
