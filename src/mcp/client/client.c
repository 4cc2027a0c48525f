/*
 * The life of a connection: start, supervision, end.
 */
#include "mcp/client/client.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client/client_state.h"

enum {
    START_MS = 60000,
    DRAIN_MS = 250,   /* for what an exited server has written last */
    EXIT_MS = 250,    /* to learn why it closed its output */
    GRACE_MS = 1000,  /* to exit once its input is closed */
    GONE_MS = 6000,
    STDERR_MAX = 192 << 10,
    ARENA_MAX = 16 << 20,
    TAIL_LINES = 5,   /* of stderr in an error */
    TAIL_BYTES = 1000
};

/* --- memory --- */

void tc_mcp_client_ref(struct tc_mcp_client *client)
{
    client->refs++;
}

void tc_mcp_client_unref(struct tc_mcp_client *client)
{
    if (!client || --client->refs > 0)
        return;
    assert(client->finished.set && client->pendings.n == 0);
    tc_outbox_finish(&client->outbox);
    tc_pendings_finish(&client->pendings);
    tc_buf_finish(&client->stderr_tail);
    tc_arena_finish(&client->arena);
    tc_mem_free(client);
}

static struct tc_mcp_client *make(struct tc_loop *loop, const struct tc_mcp_client_options *options)
{
    struct tc_mcp_client *client = tc_mem_zalloc(1, sizeof *client);

    if (!client)
        return NULL;
    client->refs = 1;
    client->loop = loop;
    client->events = options->events;
    client->line_max = options->line_max ? options->line_max : TC_MCP_CLIENT_LINE_MAX;
    tc_task_group_init(&client->group, loop);
    tc_outbox_init(&client->outbox);
    tc_buf_init(&client->stderr_tail, STDERR_MAX);
    tc_arena_init(&client->arena, ARENA_MAX);
    return client;
}

/* --- the end --- */

void tc_mcp_client_end(struct tc_mcp_client *client, const char *reason)
{
    if (!client->over.set)
        snprintf(client->reason, sizeof client->reason, "%s", reason);
    tc_event_set(&client->over);
}

bool tc_mcp_client_alive(const struct tc_mcp_client *client)
{
    return !client->over.set;
}

static void on_child_exit(void *arg)
{
    tc_mcp_client_end(arg, "The server ended.");
}

static void describe_exit(struct tc_mcp_client *client)
{
    int status = client->child.status;

    if (!client->child.exited.set || client->closing)
        return;
    if (status == -1)
        snprintf(client->reason, sizeof client->reason, "The guard of the server ended.");
    else if (WIFSIGNALED(status))
        snprintf(client->reason, sizeof client->reason, "The server was ended by signal %d (%s).", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(client->reason, sizeof client->reason, "The server exited with status %d.", WEXITSTATUS(status));
}

static void close_stream(struct tc_stream **stream)
{
    tc_stream_close(*stream);
    *stream = NULL;
}

/* Input is closed first: what has not left by now never will. */
static void lose_requests(struct tc_mcp_client *client)
{
    struct tc_pending *pending;

    tc_outbox_close(&client->outbox);
    close_stream(&client->in);
    while ((pending = tc_pendings_pop(&client->pendings))) {
        pending->lost = true;
        tc_event_set(&pending->done);
    }
    tc_event_set(&client->settled);
}

static void end_server(struct tc_cx *cx, struct tc_mcp_client *client)
{
    tc_task_wait(cx, &client->child.exited, GRACE_MS);
    tc_guard_child_end(&client->child);
    tc_task_wait(cx, &client->child.gone, GONE_MS);
    tc_task_group_cancel(&client->group, TC_E_CANCELED);
    close_stream(&client->out);
    close_stream(&client->err);
    tc_task_join(cx, &client->group);
    tc_guard_child_finish(&client->child);
}

static void write_stdin(struct tc_cx *cx, void *arg)
{
    struct tc_mcp_client *client = arg;

    tc_outbox_run(cx, &client->outbox, client->in, client->child.in);
    tc_mcp_client_end(client, "The server closed its input.");
}

static enum tc_err spawn_tasks(struct tc_cx *cx, struct tc_mcp_client *client)
{
    static const struct {
        const char *name;
        tc_task_fn *fn;
    } tasks[] = {
        {"mcp-write", write_stdin}, {"mcp-read", tc_mcp_client_read_stdout}, {"mcp-stderr", tc_mcp_client_read_stderr}};
    enum tc_err code = TC_OK;

    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0] && code == TC_OK; i++)
        code = tc_task_spawn(cx, client->loop, &client->group, tasks[i].name, tasks[i].fn, client);
    return code;
}

/* Holds a reference of its own until the end. */
static void supervise(struct tc_cx *cx, void *arg)
{
    struct tc_mcp_client *client = arg;
    enum tc_err code = spawn_tasks(cx, client);

    if (code == TC_OK)
        code = tc_task_wait(cx, &client->over, -1);
    tc_task_shield(cx);
    if (code != TC_OK)
        tc_mcp_client_end(client, "Toolcrib is shutting down.");
    if (!client->closing && code == TC_OK) {
        tc_task_wait(cx, &client->drained, DRAIN_MS);
        tc_task_wait(cx, &client->child.exited, EXIT_MS);
        describe_exit(client);
    }
    lose_requests(client);
    if (!client->closing && client->events.ended)
        client->events.ended(client->events.arg);
    end_server(cx, client);
    tc_event_set(&client->finished);
    tc_task_unshield(cx);
    tc_mcp_client_unref(client);
}

void tc_mcp_client_close(struct tc_mcp_client *client)
{
    client->closing = true;
    tc_mcp_client_end(client, "The connection was closed.");
}

enum tc_err tc_mcp_client_join(struct tc_cx *cx, struct tc_mcp_client *client, int64_t timeout_ms)
{
    return tc_task_wait(cx, &client->finished, timeout_ms);
}

/* --- the start --- */

static enum tc_err open_streams(struct tc_cx *cx, struct tc_mcp_client *client)
{
    const int fds[] = {client->child.in, client->child.out, client->child.err};
    struct tc_stream **const streams[] = {&client->in, &client->out, &client->err};
    enum tc_err code = TC_OK;

    for (size_t i = 0; i < 3; i++) {
        if (code == TC_OK)
            code = tc_stream_open_fd(cx, client->loop, fds[i], streams[i]);
        else
            close(fds[i]);
    }
    return code;
}

/* Undoes what a failed start has done before the supervisor took over. */
static void give_up(struct tc_mcp_client *client)
{
    tc_stream_close(client->in);
    tc_stream_close(client->out);
    tc_stream_close(client->err);
    tc_guard_child_finish(&client->child);
    tc_event_set(&client->finished);
    tc_mcp_client_unref(client);
}

/* The last lines of stderr as one line of text; empty when there are none. */
static struct tc_str last_words(struct tc_cx *cx, const struct tc_mcp_client *client)
{
    struct tc_str all = tc_str_trim(tc_buf_get(&client->stderr_tail)), part = all;
    size_t lines = 0;

    if (part.n > TAIL_BYTES)
        part = tc_str_from(part, part.n - TAIL_BYTES);
    for (size_t i = part.n; i > 0 && lines < TAIL_LINES; i--) {
        if (part.p[i - 1] == '\n' && ++lines == TAIL_LINES)
            part = tc_str_from(part, i);
    }
    part = tc_utf8_cleaned(cx->arena, part);
    return part.p ? part : tc_str_n("", 0);
}

static enum tc_err fail_start(struct tc_cx *cx, struct tc_mcp_client *client, enum tc_err code)
{
    struct tc_error err = cx->err;
    struct tc_str words;

    tc_mcp_client_close(client);
    tc_task_shield(cx);
    tc_mcp_client_join(cx, client, -1);
    tc_task_unshield(cx);
    words = last_words(cx, client);
    cx->err = err;
    if (words.n)
        tc_fail(cx, code, "%.*s Its last words: %.*s", TC_STR_ARG(err.message), TC_STR_ARG(words));
    tc_mcp_client_unref(client);
    return code;
}

enum tc_err tc_mcp_client_open(struct tc_cx *cx, struct tc_loop *loop, struct tc_guard *guard,
                               const struct tc_mcp_client_options *options, struct tc_mcp_client **ret_client)
{
    struct tc_mcp_client *client = make(loop, options);
    enum tc_err code;

    if (!client)
        return tc_fail_memory(cx);
    client->child.on_exit = on_child_exit;
    client->child.arg = client;
    code = tc_guard_spawn(cx, guard, options->launch, &client->child);
    if (code == TC_OK)
        code = open_streams(cx, client);
    if (code == TC_OK)
        code = tc_task_spawn(cx, loop, NULL, "mcp-client", supervise, client);
    if (code != TC_OK) {
        give_up(client);
        return code;
    }
    tc_mcp_client_ref(client); /* the supervisor's */
    code = tc_mcp_client_greet(cx, client, options->start_ms ? options->start_ms : START_MS);
    if (code != TC_OK)
        return fail_start(cx, client, code);
    *ret_client = client;
    return TC_OK;
}

void tc_mcp_client_status(const struct tc_mcp_client *client, struct tc_mcp_client_status *ret_status)
{
    enum { TAIL = 64 << 10 };
    struct tc_str output = tc_buf_get(&client->stderr_tail);

    *ret_status = (struct tc_mcp_client_status){
        .pid = client->child.pid,
        .revision = client->revision,
        .server = tc_json_get_c(client->hello, "serverInfo"),
        .instructions = tc_json_get_c(client->hello, "instructions"),
        .reason = client->over.set ? tc_str_of(client->reason) : tc_str_n("", 0),
        .output = output.n > TAIL ? tc_str_from(output, output.n - TAIL) : output,
        .skipped_line = tc_str_n(client->skipped_line, client->skipped_line_n),
        .in_flight = client->pendings.n,
        .skipped = client->skipped,
        .late = client->late,
        .too_long = client->too_long,
    };
}
