/*
 * One zygote at a time, as a run: its process, its socket, its children, and a task
 * that reads what it tells. That task alone ends a run, whatever the cause, since every
 * cause shows as the end of the socket.
 */
#include "sandbox/pool_impl.h"

#include <assert.h>
#include <errno.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "io/process.h"

enum {
    CHILD_WAIT_MS = 10000, /* until a child stands ready */
    PLACE_WAIT_MS = 60000, /* until another call has ended */
    RUNS_TRIED = 2,        /* for one call */
    END_WAIT_MS = 3000,
    PAUSE_FIRST_MS = 100,
    PAUSE_MAX_MS = 5000
};

struct tc_pool_run {
    struct tc_sandbox_pool *pool;
    struct tc_process *process;
    int socket;
    struct tc_watch *watch;
    struct tc_pool_child *children;
    size_t ready, asked;
    int fault; /* errno of a child that could not be made */
};

static void tell_waiting(struct tc_sandbox_pool *pool)
{
    tc_event_set(&pool->changed);
    tc_event_clear(&pool->changed);
}

/* --- children --- */

/* What has said its last word may do nothing more. */
static void destroy_child(struct tc_pool_child *child)
{
    pidfd_send_signal(child->pidfd, SIGKILL, NULL, 0);
    tc_watch_close(child->watch);
    close(child->socket);
    close(child->pidfd);
    tc_mem_free(child);
}

static void unlink_child(struct tc_pool_child *child)
{
    struct tc_pool_child **link = &child->run->children;

    while (*link != child)
        link = &(*link)->next;
    *link = child->next;
    child->run->ready -= child->ready;
    child->run = NULL;
}

static void add_child(struct tc_cx *cx, struct tc_pool_run *run, int pid, const int fds[2])
{
    struct tc_pool_child *child = tc_mem_zalloc(1, sizeof *child);

    run->asked -= run->asked > 0;
    if (!child || tc_watch_open(cx, run->pool->loop, fds[0], &child->watch)) {
        tc_fail_clear(cx);
        tc_mem_free(child);
        close(fds[0]); /* which ends it */
        close(fds[1]);
        run->fault = ENOMEM;
        return;
    }
    child->run = run;
    child->pid = pid;
    child->socket = fds[0];
    child->pidfd = fds[1];
    child->ready = true;
    child->next = run->children;
    run->children = child;
    run->ready++;
}

static void end_child(struct tc_pool_child *child, int status)
{
    child->status = status;
    unlink_child(child);
    if (child->ready)
        destroy_child(child);
    else
        tc_event_set(&child->ended);
}

static void ask(struct tc_pool_run *run, size_t n)
{
    struct tc_wire_ask more = {(int32_t)n};

    if (n && tc_wire_send(run->socket, tc_str_n((const char *)&more, sizeof more), MSG_DONTWAIT, NULL, 0) == 0)
        run->asked += n;
}

/* As many as are kept, and one for each call that waits. */
static void refill(struct tc_sandbox_pool *pool, size_t kept)
{
    struct tc_pool_run *run = pool->run;
    size_t wanted = kept + pool->waiting, there = run ? run->ready + run->asked : 0;

    if (run && there < wanted)
        ask(run, wanted - there);
}

/* What the callers of this turn need not wait for. */
static void on_turn(struct tc_loop_hook *hook)
{
    struct tc_sandbox_pool *pool = (struct tc_sandbox_pool *)((char *)hook - offsetof(struct tc_sandbox_pool, refill));

    while (pool->done) {
        struct tc_pool_child *child = pool->done;
        pool->done = child->next;
        destroy_child(child);
    }
    refill(pool, TC_SANDBOX_READY);
}

/* --- the zygote --- */

static void on_news(struct tc_cx *cx, struct tc_pool_run *run, const struct tc_wire_news *news,
                    const struct tc_wire_in *in)
{
    struct tc_pool_child *child = run->children;

    if (news->kind == TC_WIRE_READY && in->fds_n == 2) {
        add_child(cx, run, news->pid, in->fds);
        return;
    }
    for (size_t i = 0; i < in->fds_n; i++)
        close(in->fds[i]);
    if (news->kind == TC_WIRE_FAULT) {
        run->asked -= run->asked > 0;
        run->fault = news->status;
    }
    while (child && child->pid != news->pid)
        child = child->next;
    if (news->kind == TC_WIRE_ENDED && child)
        end_child(child, news->status);
}

/* What has come; false at the end of the zygote. */
static bool read_news(struct tc_cx *cx, struct tc_pool_run *run)
{
    struct tc_wire_news news;
    int fds[2], error = 0;
    struct tc_wire_in in = {.p = (char *)&news, .size = sizeof news, .fds = fds, .fds_max = 2};

    while (!(error = tc_wire_recv(run->socket, MSG_DONTWAIT, &in)) && in.n == sizeof news)
        on_news(cx, run, &news, &in);
    tell_waiting(run->pool);
    return error == EAGAIN;
}

static void end_run(struct tc_cx *cx, struct tc_pool_run *run)
{
    struct tc_sandbox_pool *pool = run->pool;
    int status;

    if (pool->run == run)
        pool->run = NULL;
    while (run->children)
        end_child(run->children, -1);
    pool->pause_ms = pool->pause_ms ? pool->pause_ms * 2 : PAUSE_FIRST_MS;
    if (pool->pause_ms > PAUSE_MAX_MS)
        pool->pause_ms = PAUSE_MAX_MS;
    pool->start_us = tc_clock_mono_us(cx->clock) + pool->pause_ms * 1000;
    tell_waiting(pool);
    tc_watch_close(run->watch);
    close(run->socket);
    tc_process_wait(cx, run->process, END_WAIT_MS, &status);
    tc_process_destroy(run->process);
    tc_mem_free(run);
}

static void follow_run(struct tc_cx *cx, void *arg)
{
    struct tc_pool_run *run = arg;

    tc_task_shield(cx);
    while (tc_watch_readable(cx, run->watch, -1) == TC_OK && read_news(cx, run))
        continue;
    end_run(cx, run);
    tc_task_unshield(cx);
}

static enum tc_err start_process(struct tc_cx *cx, struct tc_sandbox_pool *pool, int socket,
                                 struct tc_process **ret_process)
{
    const char *const argv[] = {pool->path, pool->tmp, pool->weak ? "weak" : NULL, NULL};
    static const char *const env[] = {"LC_ALL=C.UTF-8", NULL};
    struct tc_process_options options = {.argv = argv, .env = env, .fds = {-1, -1, STDERR_FILENO, socket}};
    enum tc_err e = tc_process_spawn(cx, pool->loop, &options, ret_process);

    if (e && e != TC_E_NO_MEMORY)
        cx->err.code = e = TC_E_WS_SHELL_FAILED;
    return e;
}

static void discard_run(struct tc_pool_run *run)
{
    tc_watch_close(run->watch);
    if (run->socket >= 0)
        close(run->socket);
    tc_process_destroy(run->process);
    tc_mem_free(run);
}

static enum tc_err start_run(struct tc_cx *cx, struct tc_sandbox_pool *pool)
{
    struct tc_pool_run *run = tc_mem_zalloc(1, sizeof *run);
    int pair[2];
    enum tc_err e;

    if (!run)
        return tc_fail_memory(cx);
    run->pool = pool;
    run->socket = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        tc_mem_free(run);
        return tc_fail(cx, TC_E_WS_SHELL_FAILED, "No socket for the shell's helper program.");
    }
    run->socket = pair[0];
    e = start_process(cx, pool, pair[1], &run->process);
    close(pair[1]);
    if (!e)
        e = tc_watch_open(cx, pool->loop, run->socket, &run->watch);
    if (!e)
        e = tc_task_spawn(cx, pool->loop, &pool->group, "shell-zygote", follow_run, run);
    if (e) {
        discard_run(run);
        return e;
    }
    pool->run = run;
    return TC_OK;
}

/* --- taking and giving --- */

/* The running zygote, or a new one, not at once when the last one ended. */
static enum tc_err need_run(struct tc_cx *cx, struct tc_sandbox_pool *pool)
{
    int64_t left = pool->start_us - tc_clock_mono_us(cx->clock);
    enum tc_err e;

    if (pool->run)
        return TC_OK;
    if (pool->start_us && left > 0) {
        e = tc_task_sleep(cx, left / 1000 + 1);
        if (e || pool->run)
            return e;
    }
    return start_run(cx, pool);
}

static struct tc_pool_child *take_ready(struct tc_pool_run *run)
{
    struct tc_pool_child *child = run->children;

    while (child && !child->ready)
        child = child->next;
    if (child) {
        child->ready = false;
        run->ready--;
    }
    return child;
}

/* NULL without a failure: the zygote ended meanwhile. */
static enum tc_err wait_child(struct tc_cx *cx, struct tc_sandbox_pool *pool, int64_t due_us,
                              struct tc_pool_child **ret_child)
{
    struct tc_pool_run *run = pool->run;

    while (pool->run == run && !(*ret_child = take_ready(run))) {
        enum tc_err e;
        int64_t left;
        refill(pool, 0);
        if (run->fault && !run->asked)
            return tc_fail(cx, TC_E_WS_SHELL_FAILED, "No process for the shell could be made: %s.",
                           strerror(run->fault));
        left = (due_us - tc_clock_mono_us(cx->clock)) / 1000;
        e = tc_task_wait(cx, &pool->changed, left > 0 ? left : 0);
        if (e == TC_E_TIMEOUT && !tc_task_check(cx))
            e = tc_fail(cx, TC_E_WS_SHELL_FAILED, "The shell's helper program does not answer.");
        if (e)
            return e;
    }
    if (pool->run == run)
        run->fault = 0;
    return TC_OK;
}

/* Of the zygote that runs or of a new one. One that ends before it has made a child will not do better. */
static enum tc_err get_child(struct tc_cx *cx, struct tc_sandbox_pool *pool, struct tc_pool_child **ret_child)
{
    int64_t due = tc_clock_mono_us(cx->clock) + (int64_t)CHILD_WAIT_MS * 1000;
    enum tc_err e = TC_OK;

    *ret_child = NULL;
    for (int runs = 0; runs < RUNS_TRIED && !e && !*ret_child; runs++) {
        e = need_run(cx, pool);
        if (!e && pool->run)
            e = wait_child(cx, pool, due, ret_child);
    }
    if (!e && !*ret_child)
        e = tc_fail(cx, TC_E_WS_SHELL_FAILED, "The shell's helper program ended before it could be used.");
    return e;
}

static enum tc_err wait_place(struct tc_cx *cx, struct tc_sandbox_pool *pool)
{
    int64_t due = tc_clock_mono_us(cx->clock) + (int64_t)PLACE_WAIT_MS * 1000, left;
    enum tc_err e = TC_OK;

    while (!e && pool->running >= TC_SANDBOX_RUNNING) {
        left = (due - tc_clock_mono_us(cx->clock)) / 1000;
        e = tc_task_wait(cx, &pool->changed, left > 0 ? left : 0);
        if (e == TC_E_TIMEOUT && !tc_task_check(cx))
            e = tc_fail(cx, TC_E_WS_SHELL_FAILED, "Too many scripts run already; nothing was run.");
    }
    return e;
}

enum tc_err tc_pool_take(struct tc_cx *cx, struct tc_sandbox_pool *pool, struct tc_pool_child **ret_child)
{
    enum tc_err e = wait_place(cx, pool);

    if (e)
        return e;
    pool->running++;
    pool->waiting++;
    e = get_child(cx, pool, ret_child);
    pool->waiting--;
    if (!e)
        return TC_OK;
    pool->running--;
    tell_waiting(pool);
    return e;
}

void tc_pool_give(struct tc_sandbox_pool *pool, struct tc_pool_child *child)
{
    if (child->run)
        unlink_child(child);
    child->next = pool->done;
    pool->done = child;
    pool->running--;
    tc_loop_after_turn(pool->loop, &pool->refill);
    tell_waiting(pool);
}

/* --- all of it --- */

static const struct tc_sandbox_ops ops = {.shell = tc_pool_shell};

enum tc_err tc_sandbox_pool_create(struct tc_cx *cx, const struct tc_sandbox_pool_options *options,
                                   struct tc_sandbox_pool **ret_pool)
{
    size_t path_n = strlen(options->path) + 1, tmp_n = strlen(options->tmp) + 1;
    struct tc_sandbox_pool *pool = tc_mem_zalloc(1, sizeof *pool);
    char *texts = pool ? tc_mem_alloc(path_n + tmp_n) : NULL;

    if (!texts) {
        tc_mem_free(pool);
        return tc_fail_memory(cx);
    }
    pool->port.ops = &ops;
    pool->refill.fn = on_turn;
    pool->loop = options->loop;
    pool->weak = options->weak;
    pool->path = memcpy(texts, options->path, path_n);
    pool->tmp = memcpy(texts + path_n, options->tmp, tmp_n);
    tc_task_group_init(&pool->group, options->loop);
    *ret_pool = pool;
    return TC_OK;
}

struct tc_sandbox *tc_sandbox_pool_port(struct tc_sandbox_pool *pool)
{
    return &pool->port;
}

void tc_sandbox_pool_close(struct tc_cx *cx, struct tc_sandbox_pool *pool)
{
    if (!pool)
        return;
    assert(pool->running == 0);
    while (pool->refill.queued) /* it is ours until it was called */
        tc_task_yield(cx);
    if (pool->run)
        shutdown(pool->run->socket, SHUT_RDWR); /* the zygote ends, then the task that follows it */
    tc_task_join(cx, &pool->group);
    tc_mem_free(pool->path);
    tc_mem_free(pool);
}

int tc_sandbox_pool_pid(const struct tc_sandbox_pool *pool)
{
    return pool->run ? tc_process_pid(pool->run->process) : 0;
}

const char *tc_sandbox_pool_missing(const char *path, bool weak)
{
    uint32_t action = SECCOMP_RET_KILL_PROCESS;

    if (!path || access(path, X_OK) != 0)
        return "The program toolcrib-worker-shell is not installed beside toolcrib.";
    if (!weak && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return "This kernel has no seccomp to confine scripts with (\"sandbox\": \"weak\" runs them all the same).";
    return NULL;
}

const char *tc_sandbox_pool_limit(void)
{
    uint32_t action = SECCOMP_RET_KILL_PROCESS;

    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return "This kernel has no seccomp: scripts run without a filter of system calls.";
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) <= 0)
        return "This kernel has no landlock: files are guarded by one wall, not two.";
    return NULL;
}
