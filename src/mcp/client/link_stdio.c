/*
 * The life of a link to a program: start, supervision, end.
 */
#include "mcp/client/link_stdio.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "mcp/client/link_stdio_state.h"

enum {
    DRAIN_MS = 250, /* for what an exited server has written last */
    EXIT_MS = 250, /* to learn why it closed its output */
    GRACE_MS = 1000, /* to exit once its input is closed */
    GONE_MS = 6000,
    STDERR_MAX = 192 << 10,
    STDERR_SHOWN = 64 << 10
};

/* --- memory --- */

void tc_link_stdio_ref(struct tc_link *self)
{
    ((struct tc_link_stdio *)self)->refs++;
}

void tc_link_stdio_unref(struct tc_link *self)
{
    struct tc_link_stdio *link = (struct tc_link_stdio *)self;

    if (!link || --link->refs > 0)
        return;
    assert(link->finished.set && link->pendings.n == 0);
    tc_outbox_finish(&link->outbox);
    tc_pendings_finish(&link->pendings);
    tc_buf_finish(&link->stderr_tail);
    tc_mem_free(link);
}

/* --- the end --- */

void tc_link_stdio_end(struct tc_link_stdio *link, const char *reason)
{
    if (!link->over.set)
        snprintf(link->reason, sizeof link->reason, "%s", reason);
    tc_event_set(&link->over);
}

static bool is_alive(const struct tc_link *self)
{
    return !((const struct tc_link_stdio *)self)->over.set;
}

static void on_child_exit(void *arg)
{
    tc_link_stdio_end(arg, "The server ended.");
}

static void describe_exit(struct tc_link_stdio *link)
{
    int status = link->child.status;

    if (!link->child.exited.set || link->closing)
        return;
    if (status == -1)
        snprintf(link->reason, sizeof link->reason, "The guard of the server ended.");
    else if (WIFSIGNALED(status))
        snprintf(link->reason, sizeof link->reason, "The server was ended by signal %d (%s).", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(link->reason, sizeof link->reason, "The server exited with status %d.", WEXITSTATUS(status));
}

static void close_stream(struct tc_stream **stream)
{
    tc_stream_close(*stream);
    *stream = NULL;
}

/* Input is closed first: what has not left by now never will. */
static void lose_requests(struct tc_link_stdio *link)
{
    struct tc_pending *pending;

    tc_outbox_close(&link->outbox);
    close_stream(&link->in);
    while ((pending = tc_pendings_pop(&link->pendings))) {
        pending->lost = true;
        tc_event_set(&pending->done);
    }
    tc_event_set(&link->settled);
}

static void end_server(struct tc_cx *cx, struct tc_link_stdio *link)
{
    tc_task_wait(cx, &link->child.exited, GRACE_MS);
    tc_guard_child_end(&link->child);
    tc_task_wait(cx, &link->child.gone, GONE_MS);
    tc_task_group_cancel(&link->group, TC_E_CANCELED);
    close_stream(&link->out);
    close_stream(&link->err);
    tc_task_join(cx, &link->group);
    tc_guard_child_finish(&link->child);
}

static void write_stdin(struct tc_cx *cx, void *arg)
{
    struct tc_link_stdio *link = arg;

    tc_outbox_run(cx, &link->outbox, link->in, link->child.in);
    tc_link_stdio_end(link, "The server closed its input.");
}

static enum tc_err spawn_tasks(struct tc_cx *cx, struct tc_link_stdio *link)
{
    static const struct {
        const char *name;
        tc_task_fn *fn;
    } tasks[] = {
        {"mcp-write", write_stdin}, {"mcp-read", tc_link_stdio_read_stdout}, {"mcp-stderr", tc_link_stdio_read_stderr}};
    enum tc_err code = TC_OK;

    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0] && code == TC_OK; i++)
        code = tc_task_spawn(cx, link->loop, &link->group, tasks[i].name, tasks[i].fn, link);
    return code;
}

/* Holds a reference of its own until the end. */
static void supervise(struct tc_cx *cx, void *arg)
{
    struct tc_link_stdio *link = arg;
    enum tc_err code = spawn_tasks(cx, link);

    if (code == TC_OK)
        code = tc_task_wait(cx, &link->over, -1);
    tc_task_shield(cx);
    if (code != TC_OK)
        tc_link_stdio_end(link, "Toolcrib is shutting down.");
    if (!link->closing && code == TC_OK) {
        tc_task_wait(cx, &link->drained, DRAIN_MS);
        tc_task_wait(cx, &link->child.exited, EXIT_MS);
        describe_exit(link);
    }
    lose_requests(link);
    if (!link->closing && link->events.ended)
        link->events.ended(link->events.arg);
    link->closing = true;
    end_server(cx, link);
    tc_event_set(&link->finished);
    tc_task_unshield(cx);
    tc_link_stdio_unref(&link->base);
}

static void close_link(struct tc_link *self)
{
    struct tc_link_stdio *link = (struct tc_link_stdio *)self;

    link->closing = true;
    tc_link_stdio_end(link, "The connection was closed.");
}

static enum tc_err join_link(struct tc_cx *cx, struct tc_link *self, int64_t timeout_ms)
{
    return tc_task_wait(cx, &((struct tc_link_stdio *)self)->finished, timeout_ms);
}

static void get_status(const struct tc_link *self, struct tc_link_status *ret_status)
{
    const struct tc_link_stdio *link = (const struct tc_link_stdio *)self;
    struct tc_str output = tc_buf_get(&link->stderr_tail);

    *ret_status = (struct tc_link_status){
        .pid = link->child.pid,
        .reason = link->over.set ? tc_str_of(link->reason) : tc_str_n("", 0),
        .heard = link->heard,
        .output = output.n > STDERR_SHOWN ? tc_str_from(output, output.n - STDERR_SHOWN) : output,
        .skipped_line = tc_str_n(link->skipped_line, link->skipped_line_n),
        .in_flight = link->pendings.n - link->pendings.standing,
        .messages = link->messages,
        .skipped = link->skipped,
        .late = link->late,
        .too_long = link->too_long,
    };
}

/* Lines carry no version. */
static void hear_agreed(struct tc_link *self, const struct tc_mcp_revision *revision)
{
    (void)self, (void)revision;
}

static const struct tc_link_ops ops = {
    .name = "stdio",
    .request = tc_link_stdio_request,
    .notify = tc_link_stdio_notify,
    .answer = tc_link_stdio_answer,
    .agreed = hear_agreed,
    .alive = is_alive,
    .status = get_status,
    .close = close_link,
    .join = join_link,
    .ref = tc_link_stdio_ref,
    .unref = tc_link_stdio_unref,
};

/* --- the start --- */

static enum tc_err open_streams(struct tc_cx *cx, struct tc_link_stdio *link)
{
    const int fds[] = {link->child.in, link->child.out, link->child.err};
    struct tc_stream **const streams[] = {&link->in, &link->out, &link->err};
    enum tc_err code = TC_OK;

    for (size_t i = 0; i < 3; i++) {
        if (code == TC_OK)
            code = tc_stream_open_fd(cx, link->loop, fds[i], streams[i]);
        else
            close(fds[i]);
    }
    return code;
}

/* Undoes what a failed start has done before the supervisor took over. */
static void give_up(struct tc_link_stdio *link)
{
    tc_stream_close(link->in);
    tc_stream_close(link->out);
    tc_stream_close(link->err);
    tc_guard_child_finish(&link->child);
    tc_event_set(&link->finished);
    tc_link_stdio_unref(&link->base);
}

static struct tc_link_stdio *make(const struct tc_link_stdio_options *options, const struct tc_link_events *events)
{
    struct tc_link_stdio *link = tc_mem_zalloc(1, sizeof *link);

    if (!link)
        return NULL;
    link->base.ops = &ops;
    link->refs = 1;
    link->loop = options->loop;
    link->events = *events;
    link->line_max = options->line_max ? options->line_max : TC_LINK_STDIO_LINE_MAX;
    tc_task_group_init(&link->group, link->loop);
    tc_outbox_init(&link->outbox);
    tc_buf_init(&link->stderr_tail, STDERR_MAX);
    return link;
}

enum tc_err tc_link_stdio_open(struct tc_cx *cx, const struct tc_link_stdio_options *options,
                               const struct tc_link_events *events, struct tc_link **ret_link)
{
    struct tc_link_stdio *link = make(options, events);
    enum tc_err code;

    if (!link)
        return tc_fail_memory(cx);
    link->child.on_exit = on_child_exit;
    link->child.arg = link;
    code = tc_guard_spawn(cx, options->guard, options->launch, &link->child);
    if (code == TC_OK)
        code = open_streams(cx, link);
    if (code == TC_OK)
        code = tc_task_spawn(cx, link->loop, NULL, "mcp-link", supervise, link);
    if (code != TC_OK) {
        give_up(link);
        return code;
    }
    link->refs++; /* the supervisor's */
    *ret_link = &link->base;
    return TC_OK;
}
