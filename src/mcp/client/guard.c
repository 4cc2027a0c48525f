/*
 * One guard process at a time, as a run: its socket, its children, and a task
 * that reads what it says. The task alone ends a run, whatever the cause, since
 * every cause shows as the end of the socket; it is shielded, since children are
 * ended in an orderly way also while the loop stops.
 */
#include "mcp/client/guard.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/loop.h"
#include "io/process.h"
#include "io/stream.h"

enum {
    EVENT_LINE_MAX = 128,
    BLOCK_MAX = 4 << 20,
    START_WAIT_MS = 20000, /* until the guard says that a program runs */
    SEND_WAIT_MS = 2000,   /* until it takes a request */
    SEND_PAUSE_MS = 5,
    END_WAIT_MS = 6000     /* it needs at most 5 s to end what it holds */
};

enum { LAUNCH, IN, OUT, ERR, FDS };

struct tc_guard_run {
    struct tc_guard *guard;
    struct tc_process *process;
    struct tc_stream *stream; /* of the reading task */
    int fd;                   /* a duplicate to send on: descriptors pass beside the bytes */
    struct tc_guard_child *children;
};

struct tc_guard {
    struct tc_loop *loop;
    struct tc_task_group group; /* the reading tasks */
    struct tc_guard_run *run;   /* NULL: started at the next spawn */
    int64_t last_id;
    int starts;
    char path[];
};

enum tc_err tc_guard_create(struct tc_cx *cx, struct tc_loop *loop, const char *path, struct tc_guard **ret_guard)
{
    size_t n = strlen(path) + 1;
    struct tc_guard *guard = tc_mem_zalloc(1, sizeof *guard + n);

    if (!guard)
        return tc_fail_memory(cx);
    guard->loop = loop;
    tc_task_group_init(&guard->group, loop);
    memcpy(guard->path, path, n);
    *ret_guard = guard;
    return TC_OK;
}

/* --- events --- */

static void set_exited(struct tc_guard_child *child, int status)
{
    if (child->exited.set)
        return;
    child->status = status;
    tc_event_set(&child->started);
    tc_event_set(&child->exited);
    if (child->on_exit)
        child->on_exit(child->arg);
}

static void set_gone(struct tc_guard_child *child)
{
    struct tc_guard_child **link = &child->run->children;

    set_exited(child, -1);
    while (*link != child)
        link = &(*link)->next;
    *link = child->next;
    child->run = NULL;
    tc_event_set(&child->gone);
}

static void set_failed(struct tc_guard_child *child, int error, const char *stage)
{
    child->error = error ? error : EIO;
    snprintf(child->stage, sizeof child->stage, "%s", stage);
    set_exited(child, -1);
}

static struct tc_guard_child *find_child(struct tc_guard_run *run, long long id)
{
    struct tc_guard_child *child = run->children;

    while (child && child->id != id)
        child = child->next;
    return child;
}

static void on_line(struct tc_guard_run *run, struct tc_str line)
{
    char text[EVENT_LINE_MAX + 1], event[8], stage[8] = "";
    long long id;
    int value = 0;
    struct tc_guard_child *child;

    memcpy(text, line.p, line.n);
    text[line.n] = '\0';
    if (sscanf(text, "%7s %lld %d %7s", event, &id, &value, stage) < 2)
        return;
    child = find_child(run, id);
    if (!child)
        return;
    if (!strcmp(event, "pid")) {
        child->pid = value;
        tc_event_set(&child->started);
    } else if (!strcmp(event, "failed")) {
        set_failed(child, value, stage);
    } else if (!strcmp(event, "exit")) {
        set_exited(child, value);
    } else if (!strcmp(event, "gone")) {
        set_gone(child);
    }
}

static void end_run(struct tc_cx *cx, struct tc_guard_run *run)
{
    int status;

    if (run->guard->run == run)
        run->guard->run = NULL;
    while (run->children)
        set_gone(run->children);
    close(run->fd);
    tc_stream_close(run->stream);
    tc_process_wait(cx, run->process, END_WAIT_MS, &status);
    tc_process_destroy(run->process);
    tc_mem_free(run);
}

static void read_events(struct tc_cx *cx, void *arg)
{
    struct tc_guard_run *run = arg;
    struct tc_stream_lines lines;
    struct tc_str line;
    enum tc_err code;

    tc_task_shield(cx);
    tc_stream_lines_init(&lines, run->stream, EVENT_LINE_MAX);
    do {
        code = tc_stream_line(cx, &lines, -1, &line);
        if (code == TC_OK)
            on_line(run, line);
    } while (code == TC_OK || code == TC_E_LIMIT);
    tc_stream_lines_finish(&lines);
    end_run(cx, run);
    tc_task_unshield(cx);
}

/* --- the guard process --- */

static enum tc_err start_process(struct tc_cx *cx, struct tc_guard *guard, int socket, struct tc_process **ret_process)
{
    const char *const argv[] = {guard->path, NULL};
    struct tc_process_options options = {.argv = argv, .fds = {-1, -1, STDERR_FILENO, socket}};
    enum tc_err code = tc_process_spawn(cx, guard->loop, &options, ret_process);

    if (code == TC_OK || code == TC_E_NO_MEMORY)
        return code;
    cx->err.code = TC_E_MCP_START_FAILED;
    return tc_fail_hint(cx, "MCP servers are started through %s; is it installed and executable?", guard->path);
}

static enum tc_err start_run(struct tc_cx *cx, struct tc_guard *guard, struct tc_guard_run *run, int pair[2])
{
    enum tc_err code;

    run->fd = fcntl(pair[0], F_DUPFD_CLOEXEC, 0);
    if (run->fd < 0)
        return tc_fail(cx, TC_E_IO, "No descriptor for the guard's socket.");
    code = start_process(cx, guard, pair[1], &run->process);
    if (code != TC_OK)
        return code;
    code = tc_stream_open_fd(cx, guard->loop, pair[0], &run->stream);
    pair[0] = -1;
    if (code != TC_OK)
        return code;
    return tc_task_spawn(cx, guard->loop, &guard->group, "guard-events", read_events, run);
}

/* The running guard, or a new one. */
static enum tc_err need_run(struct tc_cx *cx, struct tc_guard *guard)
{
    struct tc_guard_run *run;
    int pair[2];
    enum tc_err code;

    if (guard->run)
        return TC_OK;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return tc_fail(cx, TC_E_IO, "No socket for the guard.");
    run = tc_mem_zalloc(1, sizeof *run);
    if (!run) {
        close(pair[0]);
        close(pair[1]);
        return tc_fail_memory(cx);
    }
    run->guard = guard;
    run->fd = -1;
    code = start_run(cx, guard, run, pair);
    close(pair[1]);
    if (code == TC_OK) {
        guard->run = run;
        guard->starts++;
        return TC_OK;
    }
    if (pair[0] >= 0)
        close(pair[0]);
    if (run->fd >= 0)
        close(run->fd);
    tc_stream_close(run->stream);
    tc_process_destroy(run->process);
    tc_mem_free(run);
    return code;
}

/* 0, or an errno. A request is one small piece: it goes whole or not at all. */
static int send_request(const struct tc_guard_run *run, const char *line, const int *fds, size_t n)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(FDS * sizeof(int))];
    } control = {0};
    struct iovec iov = {(char *)line, strlen(line)};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

    if (n) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
        *CMSG_FIRSTHDR(&msg) =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), fds, n * sizeof(int));
    }
    return sendmsg(run->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

/* --- spawning --- */

static void add_string(struct tc_buf *block, const char *s)
{
    tc_buf_add(block, s, strlen(s) + 1);
}

static size_t count(const char *const *strings)
{
    size_t n = 0;

    while (strings[n])
        n++;
    return n;
}

static bool write_all(int fd, struct tc_str data)
{
    while (data.n) {
        ssize_t n = write(fd, data.p, data.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data = tc_str_from(data, (size_t)n);
    }
    return true;
}

static enum tc_err write_block(struct tc_cx *cx, const struct tc_guard_launch *launch, int *ret_fd)
{
    struct tc_buf block;
    size_t argc = count(launch->argv), envc = count(launch->env);
    int fd;
    bool written;

    tc_buf_init(&block, BLOCK_MAX);
    tc_buf_printf(&block, "%zu%c%zu%c", argc, '\0', envc, '\0');
    add_string(&block, launch->cwd ? launch->cwd : "");
    for (size_t i = 0; i < argc; i++)
        add_string(&block, launch->argv[i]);
    for (size_t i = 0; i < envc; i++)
        add_string(&block, launch->env[i]);
    if (block.failed)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "The command line and environment are longer than 4 MiB.");
    fd = memfd_create("toolcrib-launch", MFD_CLOEXEC);
    written = fd >= 0 && write_all(fd, tc_buf_get(&block));
    tc_buf_finish(&block);
    if (written) {
        *ret_fd = fd;
        return TC_OK;
    }
    if (fd >= 0)
        close(fd);
    return tc_fail(cx, TC_E_IO, "The launch block cannot be written: %s.", strerror(errno));
}

static void close_all(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

/* theirs: what the guard gets; ours: this side of in, out, err. */
static enum tc_err open_fds(struct tc_cx *cx, const struct tc_guard_launch *launch, int theirs[FDS], int ours[3])
{
    enum tc_err code = write_block(cx, launch, &theirs[LAUNCH]);
    int pair[2];

    for (int i = 0; i < 3 && code == TC_OK; i++) {
        if (pipe2(pair, O_CLOEXEC) != 0)
            return tc_fail(cx, TC_E_IO, "No pipe for a server: %s.", strerror(errno));
        ours[i] = pair[i == 0 ? 1 : 0];
        theirs[IN + i] = pair[i == 0 ? 0 : 1];
    }
    return code;
}

static enum tc_err request_spawn(struct tc_cx *cx, struct tc_guard *guard, struct tc_guard_child *child,
                                 const int fds[FDS])
{
    char line[40];
    int error = EPIPE, waited = 0;
    enum tc_err code;

    child->id = ++guard->last_id;
    snprintf(line, sizeof line, "spawn %lld\n", (long long)child->id);
    for (int tries = 0; tries < 2 && error == EPIPE; tries++) {
        do {
            code = error == EAGAIN ? tc_task_sleep(cx, SEND_PAUSE_MS) : TC_OK;
            if (code == TC_OK)
                code = need_run(cx, guard);
            if (code != TC_OK)
                return code;
            error = send_request(guard->run, line, fds, FDS);
            waited += SEND_PAUSE_MS;
        } while (error == EAGAIN && waited < SEND_WAIT_MS);
        if (error == EPIPE || error == ECONNRESET) {
            guard->run = NULL; /* it died this moment; its task will find out */
            error = EPIPE;
        }
    }
    if (error)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "The guard takes no requests: %s.", strerror(error));
    child->run = guard->run;
    child->next = guard->run->children;
    guard->run->children = child;
    return TC_OK;
}

static enum tc_err fail_start(struct tc_cx *cx, const struct tc_guard_launch *launch,
                              const struct tc_guard_child *child)
{
    if (!child->error)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "The guard ended while it was starting \"%s\".", launch->argv[0]);
    if (!strcmp(child->stage, "cwd"))
        return tc_fail(cx, TC_E_MCP_START_FAILED, "The working directory \"%s\" cannot be entered: %s.", launch->cwd,
                       strerror(child->error));
    if (!strcmp(child->stage, "exec") && child->error == ENOENT) {
        tc_fail(cx, TC_E_MCP_START_FAILED, "There is no program \"%s\".", launch->argv[0]);
        return tc_fail_hint(cx, "Install it, or give its full path; it is looked up in the server's PATH.");
    }
    return tc_fail(cx, TC_E_MCP_START_FAILED, "\"%s\" cannot be started: %s.", launch->argv[0], strerror(child->error));
}

static enum tc_err await_start(struct tc_cx *cx, const struct tc_guard_launch *launch, struct tc_guard_child *child)
{
    enum tc_err code = tc_task_wait(cx, &child->started, START_WAIT_MS);

    if (code == TC_OK && child->pid == 0)
        code = fail_start(cx, launch, child);
    if (code != TC_OK)
        tc_guard_child_finish(child);
    return code;
}

/* *ret_again: the guard died of its own before it could say anything. */
static enum tc_err spawn_once(struct tc_cx *cx, struct tc_guard *guard, const struct tc_guard_launch *launch,
                              struct tc_guard_child *child, bool *ret_again)
{
    int theirs[FDS] = {-1, -1, -1, -1}, ours[3] = {-1, -1, -1};
    enum tc_err code = open_fds(cx, launch, theirs, ours);

    if (code == TC_OK)
        code = request_spawn(cx, guard, child, theirs);
    close_all(theirs, FDS); /* only the child may hold its ends: else its end would not be seen */
    if (code == TC_OK)
        code = await_start(cx, launch, child);
    *ret_again = code == TC_E_MCP_START_FAILED && child->gone.set && !child->error;
    if (code != TC_OK) {
        close_all(ours, 3);
        return code;
    }
    child->in = ours[0];
    child->out = ours[1];
    child->err = ours[2];
    return TC_OK;
}

enum tc_err tc_guard_spawn(struct tc_cx *cx, struct tc_guard *guard, const struct tc_guard_launch *launch,
                           struct tc_guard_child *child)
{
    struct tc_guard_child blank = {.on_exit = child->on_exit, .arg = child->arg, .status = -1};
    enum tc_err code = TC_OK;
    bool again = true;

    for (int tries = 0; again && tries < 2; tries++) {
        *child = blank;
        child->on_exit = NULL; /* a failure to start is told by the return */
        code = spawn_once(cx, guard, launch, child, &again);
    }
    child->on_exit = blank.on_exit;
    if (code == TC_OK && child->exited.set && child->on_exit)
        child->on_exit(child->arg);
    return code;
}

void tc_guard_child_end(struct tc_guard_child *child)
{
    char line[40];

    if (!child->run)
        return;
    snprintf(line, sizeof line, "end %lld\n", (long long)child->id);
    /* A guard that takes nothing hangs: closing the socket is all that is left,
     * and makes it end everything. */
    if (send_request(child->run, line, NULL, 0) == EAGAIN)
        shutdown(child->run->fd, SHUT_RDWR);
}

void tc_guard_child_finish(struct tc_guard_child *child)
{
    assert(!child->started.waiters && !child->exited.waiters && !child->gone.waiters);
    if (!child->run)
        return;
    child->on_exit = NULL;
    tc_guard_child_end(child);
    set_gone(child); /* no event reaches it any more */
}

void tc_guard_close(struct tc_cx *cx, struct tc_guard *guard)
{
    if (!guard)
        return;
    tc_task_shield(cx);
    if (guard->run)
        shutdown(guard->run->fd, SHUT_RDWR);
    tc_task_join(cx, &guard->group);
    tc_task_unshield(cx);
    tc_mem_free(guard);
}

int tc_guard_starts(const struct tc_guard *guard)
{
    return guard->starts;
}

int tc_guard_pid(const struct tc_guard *guard)
{
    return guard->run ? tc_process_pid(guard->run->process) : 0;
}
