/*
 * What a server sends: answers go to who waits for them, progress and log to the
 * caller of their request, requests are answered, and lines that are no message
 * are counted and skipped.
 *
 * Each line is parsed into a document of its own, which holds the one copy of
 * its text; whoever waits for the answer takes over a reference.
 */
#include "mcp/client/client_state.h"

#include <string.h>

#include "base/utf8.h"
#include "mcp/codec/clean.h"

enum { CHANGE_MS = 200, STDERR_KEEP = 64 << 10, STDERR_FULL = 128 << 10 };

struct line {
    struct tc_cx *cx; /* whose arena lasts for this line */
    struct tc_json_doc *doc;
    bool suspect;
};

/* --- answers --- */

static void deliver(struct tc_mcp_client *client, struct tc_pending *pending, const struct line *line,
                    const struct tc_rpc *rpc)
{
    tc_pendings_remove(&client->pendings, pending);
    pending->doc = tc_json_doc_ref(line->doc);
    pending->suspect = line->suspect;
    pending->answer = *rpc;
    pending->trouble = rpc->kind == TC_RPC_INVALID ? rpc->fault : NULL;
    tc_event_set(&pending->done);
}

static struct tc_pending *find(const struct tc_mcp_client *client, struct tc_str id)
{
    int64_t number;

    return tc_str_int(id, &number) ? tc_pendings_find(&client->pendings, number) : NULL;
}

static void on_answer(struct tc_mcp_client *client, const struct line *line, const struct tc_rpc *rpc)
{
    struct tc_pending *pending = find(client, rpc->id);

    if (pending)
        deliver(client, pending, line, rpc);
    else
        client->late++;
}

/* --- notifications --- */

static struct tc_str clean(const struct line *line, struct tc_str s)
{
    return line->suspect ? tc_utf8_cleaned(line->cx->arena, s) : s;
}

static void on_progress(struct tc_mcp_client *client, const struct line *line, const struct tc_json *params)
{
    struct tc_pending *pending = find(client, tc_json_str(tc_json_get_c(params, "progressToken")));
    const struct tc_json *progress = tc_json_get_c(params, "progress"), *total = tc_json_get_c(params, "total"),
                         *message = tc_json_get_c(params, "message");

    if (!pending || !pending->caller || !pending->caller->ops->progress || !tc_json_is(progress, TC_JSON_NUMBER))
        return;
    pending->caller->ops->progress(pending->caller, tc_json_str(progress),
                                   tc_json_is(total, TC_JSON_NUMBER) ? tc_json_str(total) : tc_str_n("", 0),
                                   tc_json_is(message, TC_JSON_STRING) ? clean(line, tc_json_str(message))
                                                                       : tc_str_n("", 0));
}

/* A log message names no request: it is handed on while there is no doubt whose
 * it is. */
static void on_log(struct tc_mcp_client *client, const struct line *line, const struct tc_json *params)
{
    struct tc_pending *pending = tc_pendings_only(&client->pendings);
    const struct tc_json *data = tc_json_get_c(params, "data");

    if (!pending || !pending->caller || !pending->caller->ops->log || !data)
        return;
    if (line->suspect && tc_mcp_clean(line->cx, data, &data) != TC_OK)
        return;
    pending->caller->ops->log(pending->caller, clean(line, tc_json_str(tc_json_get_c(params, "level"))),
                              clean(line, tc_json_str(tc_json_get_c(params, "logger"))), data);
}

static void tell_change(struct tc_cx *cx, void *arg)
{
    struct tc_mcp_client *client = arg;
    enum tc_err code = tc_task_sleep(cx, CHANGE_MS);
    unsigned due = client->changes_due;

    client->changes_due = 0;
    for (int kind = 0; kind < TC_SOURCE_KINDS && code == TC_OK && client->events.list_changed; kind++) {
        if (due & 1u << kind && !client->over.set)
            client->events.list_changed(client->events.arg, (enum tc_source_kind)kind);
    }
}

static void on_list_changed(struct tc_mcp_client *client, const struct line *line, unsigned kinds)
{
    unsigned due = client->changes_due | kinds;

    if (client->changes_due ||
        tc_task_spawn(line->cx, client->loop, &client->group, "mcp-changed", tell_change, client) == TC_OK)
        client->changes_due = due;
}

static void on_notification(struct tc_mcp_client *client, const struct line *line, const struct tc_rpc *rpc)
{
    if (tc_str_is(rpc->method, "notifications/progress"))
        on_progress(client, line, rpc->params);
    else if (tc_str_is(rpc->method, "notifications/message"))
        on_log(client, line, rpc->params);
    else if (tc_str_is(rpc->method, "notifications/tools/list_changed"))
        on_list_changed(client, line, 1u << TC_SOURCE_TOOLS);
    else if (tc_str_is(rpc->method, "notifications/prompts/list_changed"))
        on_list_changed(client, line, 1u << TC_SOURCE_PROMPTS);
    else if (tc_str_is(rpc->method, "notifications/resources/list_changed"))
        on_list_changed(client, line, 1u << TC_SOURCE_RESOURCES | 1u << TC_SOURCE_TEMPLATES);
}

/* --- requests of the server --- */

/* No capability was declared, so there is nothing that it may ask but whether
 * this side is alive. */
static void on_request(struct tc_mcp_client *client, const struct tc_rpc *rpc)
{
    struct tc_buf *buf = &client->outbox.next;
    uint64_t start, end;

    if (!tc_outbox_has_room(&client->outbox))
        return; /* it asks without reading answers */
    if (tc_str_is(rpc->method, "ping"))
        tc_rpc_write_result(buf, rpc->id, TC_STR("{}"));
    else
        tc_rpc_write_error(buf, rpc->id, -32601, TC_STR("This client offers no such method."), TC_STR(""));
    if (!tc_outbox_commit(&client->outbox, &start, &end))
        tc_mcp_client_end(client, "There is no memory for messages to the server.");
}

/* --- lines --- */

/* Something that was meant for a request came in no readable form. Nobody can
 * tell for which, unless only one waits. */
static void fail_only(struct tc_mcp_client *client, const char *trouble)
{
    struct tc_pending *pending = tc_pendings_only(&client->pendings);

    if (!pending)
        return;
    tc_pendings_remove(&client->pendings, pending);
    pending->trouble = trouble;
    tc_event_set(&pending->done);
}

static void skip(struct tc_mcp_client *client, struct tc_str text)
{
    client->skipped++;
    client->skipped_line_n = text.n < sizeof client->skipped_line ? text.n : sizeof client->skipped_line;
    memcpy(client->skipped_line, text.p, client->skipped_line_n);
}

/* False when it is no message of MCP. */
static bool on_message(struct tc_mcp_client *client, const struct line *line, const struct tc_json *message)
{
    struct tc_rpc rpc;
    struct tc_pending *pending;

    if (tc_rpc_read(line->cx, message, &rpc) != TC_OK)
        return false;
    if (rpc.kind == TC_RPC_RESULT || rpc.kind == TC_RPC_ERROR) {
        on_answer(client, line, &rpc);
    } else if (rpc.kind == TC_RPC_NOTIFICATION) {
        on_notification(client, line, &rpc);
    } else if (rpc.kind == TC_RPC_REQUEST) {
        on_request(client, &rpc);
    } else {
        /* A log line may have an id, too: only what looks like an answer is one. */
        pending = tc_json_get_c(message, "result") || tc_json_get_c(message, "error") ? find(client, rpc.id) : NULL;
        if (!pending)
            return false;
        deliver(client, pending, line, &rpc);
    }
    return true;
}

static bool on_document(struct tc_mcp_client *client, const struct line *line)
{
    const struct tc_json *root = tc_json_doc_root(line->doc), *message;
    struct tc_json_iter it;
    struct tc_str key;
    bool all = true;

    if (!tc_json_is(root, TC_JSON_ARRAY))
        return on_message(client, line, root);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &message);)
        all = on_message(client, line, message) && all;
    return all;
}

static void on_line(struct tc_cx *cx, struct tc_mcp_client *client, struct tc_str text)
{
    struct tc_json_limits limits = {.max_bytes = client->line_max, .flags = TC_JSON_CLEAN};
    struct line line = {.cx = cx};

    text = tc_str_trim(text);
    if (text.n == 0)
        return;
    if (text.p[0] != '{' && text.p[0] != '[') {
        skip(client, text);
        return;
    }
    line.suspect = tc_mcp_clean_suspect(text);
    if (tc_json_parse(cx, text, &limits, &line.doc) != TC_OK) {
        skip(client, text);
        if (tc_str_find(text, TC_STR("\"jsonrpc\"")) != SIZE_MAX) /* NaN, most often */
            fail_only(client, "is no valid JSON");
        return;
    }
    if (!on_document(client, &line))
        skip(client, text);
    tc_json_doc_unref(line.doc);
}

void tc_mcp_client_read_stdout(struct tc_cx *cx, void *arg)
{
    struct tc_mcp_client *client = arg;
    struct tc_stream_lines lines;
    struct tc_arena arena;
    struct tc_cx line_cx = *cx;
    struct tc_str text;
    enum tc_err code;

    tc_arena_init(&arena, 0);
    line_cx.arena = &arena;
    tc_stream_lines_init(&lines, client->out, client->line_max);
    do {
        code = tc_stream_line(cx, &lines, -1, &text);
        if (code == TC_OK) {
            on_line(&line_cx, client, text);
        } else if (code == TC_E_LIMIT) {
            client->too_long++;
            fail_only(client, "is longer than allowed");
        }
        if (arena.used)
            tc_arena_reset(&arena);
    } while (code == TC_OK || code == TC_E_LIMIT);
    tc_stream_lines_finish(&lines);
    tc_arena_finish(&arena);
    tc_event_set(&client->drained);
    tc_mcp_client_end(client, "The server closed its output.");
}

void tc_mcp_client_read_stderr(struct tc_cx *cx, void *arg)
{
    struct tc_mcp_client *client = arg;
    struct tc_buf *tail = &client->stderr_tail;
    enum tc_err code;

    do {
        code = tc_stream_read(cx, client->err, tail, -1);
        if (tail->failed)
            tc_buf_clear(tail); /* what was said is lost, what comes is not */
        if (tail->n > STDERR_FULL)
            tc_buf_drop(tail, tail->n - STDERR_KEEP);
    } while (code == TC_OK || code == TC_E_NO_MEMORY);
}
