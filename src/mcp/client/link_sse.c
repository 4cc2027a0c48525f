/*
 * The life of a link over HTTP+SSE, and what comes on its stream.
 */
#include "mcp/client/link_sse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "http/reference.h"
#include "mcp/client/link_sse_state.h"

enum {
    MESSAGE_MAX = 64 << 20,
    OPEN_MS = 30 * 1000,        /* until the endpoint is known */
    SILENT_MS = 60 * 60 * 1000  /* of a stream that nobody waits for: it may lead nowhere any more */
};

/* --- memory --- */

void tc_link_sse_ref(struct tc_link *self)
{
    ((struct tc_link_sse *)self)->refs++;
}

void tc_link_sse_unref(struct tc_link *self)
{
    struct tc_link_sse *link = (struct tc_link_sse *)self;

    if (!link || --link->refs > 0)
        return;
    assert(link->finished.set && link->pendings.n == 0);
    tc_pendings_finish(&link->pendings);
    tc_arena_finish(&link->arena);
    tc_mem_free(link);
}

/* --- messages --- */

static struct tc_pending *find(const struct tc_link_sse *link, struct tc_str id)
{
    int64_t number;

    return tc_str_int(id, &number) ? tc_pendings_find(&link->pendings, number) : NULL;
}

static void deliver(struct tc_link_sse *link, const struct tc_inbox_message *message)
{
    struct tc_pending *pending = find(link, message->rpc.id);

    if (!pending) {
        link->late++;
        return;
    }
    tc_pendings_remove(&link->pendings, pending);
    pending->answer = (struct tc_answer){
        .doc = tc_json_doc_ref(message->doc),
        .rpc = message->rpc,
        .suspect = message->suspect,
        .trouble = message->rpc.kind == TC_RPC_INVALID ? message->rpc.fault : NULL,
    };
    tc_event_set(&pending->done);
}

/* The stream does not tell which request a message belongs to, but progress names it. */
static void on_message(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message)
{
    struct tc_link_sse *link = arg;
    struct tc_link_message heard = {.rpc = message->rpc, .doc = message->doc, .suspect = message->suspect};
    const struct tc_pending *pending;

    if (message->rpc.kind != TC_RPC_REQUEST && message->rpc.kind != TC_RPC_NOTIFICATION) {
        deliver(link, message);
        return;
    }
    if (link->closing)
        return;
    if (tc_str_is(message->rpc.method, "notifications/progress")) {
        pending = find(link, tc_json_str(tc_json_get_c(message->rpc.params, "progressToken")));
        heard.use = pending ? pending->use : NULL;
    }
    link->events.message(link->events.arg, cx, &heard);
}

/* --- the endpoint --- */

static enum tc_err fail_start(struct tc_link_sse *link, struct tc_cx *cx)
{
    link->start_code = cx->err.code;
    link->start_error = (struct tc_error){.code = cx->err.code,
                                          .message = tc_arena_dup(&link->arena, cx->err.message),
                                          .hint = tc_arena_dup(&link->arena, cx->err.hint)};
    tc_event_set(&link->ready);
    return link->start_code;
}

static void take_endpoint(struct tc_cx *cx, struct tc_link_sse *link, struct tc_str reference)
{
    struct tc_str text = {NULL, 0};
    struct tc_url here, there;

    if (tc_url_parse(link->remote.url, &here))
        text = tc_reference_resolve(&link->arena, &here, tc_str_trim(reference));
    if (!text.p || !tc_url_parse(text, &there)) {
        tc_fail(cx, TC_E_MCP_PROTOCOL, "The server names an endpoint for messages that is no URL.");
        fail_start(link, cx);
    } else if (!tc_url_same_origin(&here, &there)) {
        tc_fail(cx, TC_E_MCP_PROTOCOL, "The server wants messages sent to %.*s, which is another origin than %.*s.",
                TC_STR_ARG(there.origin), TC_STR_ARG(here.origin));
        fail_start(link, cx);
    } else {
        link->endpoint = text;
        tc_event_set(&link->ready);
    }
}

static void on_other(void *arg, struct tc_cx *cx, const struct tc_sse_event *event)
{
    struct tc_link_sse *link = arg;

    if (tc_str_is(event->type, "endpoint") && !link->ready.set)
        take_endpoint(cx, link, event->data);
}

/* --- the stream --- */

static void count(struct tc_link_sse *link, const struct tc_inbox *inbox)
{
    link->heard = inbox->texts;
    link->messages = inbox->messages;
    link->skipped = inbox->skipped;
    link->too_long = inbox->fault != NULL;
    link->skipped_line_n = inbox->shown_n;
    memcpy(link->skipped_line, inbox->shown, inbox->shown_n);
}

static void read_stream(struct tc_cx *cx, struct tc_link_sse *link, struct tc_client_stream *stream)
{
    const struct tc_inbox_events events = {.message = on_message, .other = on_other, .arg = link};
    struct tc_inbox inbox;
    struct tc_str data;
    enum tc_err code;

    tc_inbox_init(&inbox, true, link->message_max, &events);
    do {
        code = tc_client_read(cx, stream, SILENT_MS, &data);
        if (code == TC_OK)
            tc_inbox_feed(cx, &inbox, data);
        else if (code == TC_E_TIMEOUT && link->pendings.n)
            code = tc_task_check(cx);
        count(link, &inbox);
    } while (code == TC_OK && !inbox.fault && link->start_code == TC_OK);
    tc_link_sse_end(link, inbox.fault ? "The server sent an event that is longer than allowed."
                                      : "The server ended the stream.");
    tc_inbox_finish(&inbox);
}

static enum tc_err open_stream(struct tc_cx *cx, struct tc_link_sse *link, struct tc_remote_answer *answer)
{
    const struct tc_header accept = {TC_STR("Accept"), TC_STR("text/event-stream")};
    struct tc_remote_request request = {
        .method = TC_STR("GET"), .headers = {&accept, 1}, .identity = link->identity, .timeout_ms = OPEN_MS};
    bool acted;
    enum tc_err code = tc_remote_open(cx, &link->remote, &request, &acted, answer);

    if (code != TC_OK)
        return code;
    if (answer->status == 200 &&
        tc_header_has(tc_header_get(answer->headers, TC_STR("Content-Type")), TC_STR("text/event-stream")))
        return TC_OK;
    link->start_status = answer->status;
    if (answer->status != 200)
        code = tc_remote_fail(cx, &link->remote, answer->status);
    else
        code = tc_fail(cx, TC_E_MCP_PROTOCOL, "%.*s has no stream of events at this path.",
                       TC_STR_ARG(tc_remote_origin(&link->remote)));
    tc_client_close(answer->stream);
    return code;
}

static void read_task(struct tc_cx *cx, void *arg)
{
    struct tc_link_sse *link = arg;
    struct tc_remote_answer answer;

    if (open_stream(cx, link, &answer) == TC_OK) {
        read_stream(cx, link, answer.stream);
        tc_client_close(answer.stream);
        tc_fail(cx, TC_E_MCP_PROTOCOL, "The server ended the stream before it named an endpoint for messages.");
    }
    if (!link->ready.set)
        fail_start(link, cx);
    tc_link_sse_end(link, "The stream could not be opened.");
}

/* --- the end --- */

void tc_link_sse_end(struct tc_link_sse *link, const char *reason)
{
    if (!link->over.set)
        snprintf(link->reason, sizeof link->reason, "%s", reason);
    tc_event_set(&link->over);
}

static void lose_requests(struct tc_link_sse *link)
{
    struct tc_pending *pending;

    while ((pending = tc_pendings_pop(&link->pendings))) {
        pending->lost = true;
        tc_event_set(&pending->done);
        tc_client_abort(&((struct tc_link_sse_flight *)pending)->handle);
    }
}

/* Holds a reference of its own until the end. */
static void supervise(struct tc_cx *cx, void *arg)
{
    struct tc_link_sse *link = arg;
    enum tc_err code = tc_task_wait(cx, &link->over, -1);

    tc_task_shield(cx);
    if (code != TC_OK)
        tc_link_sse_end(link, "Toolcrib is shutting down.");
    lose_requests(link);
    tc_task_group_cancel(&link->group, TC_E_CANCELED);
    tc_task_join(cx, &link->group);
    if (!link->closing && link->handed_out && link->events.ended)
        link->events.ended(link->events.arg);
    tc_event_set(&link->finished);
    tc_task_unshield(cx);
    tc_link_sse_unref(&link->base);
}

static void close_link(struct tc_link *self)
{
    struct tc_link_sse *link = (struct tc_link_sse *)self;

    link->closing = true;
    tc_link_sse_end(link, "The connection was closed.");
}

static enum tc_err join(struct tc_cx *cx, struct tc_link *self, int64_t timeout_ms)
{
    return tc_task_wait(cx, &((struct tc_link_sse *)self)->finished, timeout_ms);
}

/* --- state --- */

static void agreed(struct tc_link *self, const struct tc_mcp_revision *revision)
{
    ((struct tc_link_sse *)self)->revision = revision;
}

static bool alive(const struct tc_link *self)
{
    return !((const struct tc_link_sse *)self)->over.set;
}

static void status(const struct tc_link *self, struct tc_link_status *ret_status)
{
    const struct tc_link_sse *link = (const struct tc_link_sse *)self;

    *ret_status = (struct tc_link_status){
        .reason = link->over.set ? tc_str_of(link->reason) : tc_str_n("", 0),
        .forgotten = link->forgotten,
        .heard = link->heard,
        .output = tc_str_n("", 0),
        .skipped_line = tc_str_n(link->skipped_line, link->skipped_line_n),
        .in_flight = link->pendings.n,
        .messages = link->messages,
        .skipped = link->skipped,
        .late = link->late,
        .too_long = link->too_long,
    };
}

static const struct tc_link_ops ops = {
    .name = "sse",
    .takes_headers = true,
    .request = tc_link_sse_request,
    .notify = tc_link_sse_notify,
    .answer = tc_link_sse_answer,
    .agreed = agreed,
    .alive = alive,
    .status = status,
    .close = close_link,
    .join = join,
    .ref = tc_link_sse_ref,
    .unref = tc_link_sse_unref,
};

/* --- the start --- */

static enum tc_err make(struct tc_cx *cx, const struct tc_link_sse_options *options,
                        const struct tc_link_events *events, struct tc_link_sse **ret_link)
{
    struct tc_link_sse *link = tc_mem_zalloc(1, sizeof *link);
    enum tc_err code;

    if (!link)
        return tc_fail_memory(cx);
    link->base.ops = &ops;
    link->refs = 2; /* the caller's and the supervisor's */
    link->loop = options->loop;
    link->events = *events;
    link->message_max = options->message_max ? options->message_max : MESSAGE_MAX;
    tc_arena_init(&link->arena, 0);
    tc_task_group_init(&link->group, options->loop);
    code = tc_remote_copy(cx, options->remote, &link->arena, &link->remote);
    link->identity = tc_arena_dup(&link->arena, options->identity);
    if (code == TC_OK && !link->identity.p)
        code = tc_fail_memory(cx);
    if (code == TC_OK)
        code = tc_task_spawn(cx, options->loop, NULL, "mcp-sse", supervise, link);
    if (code != TC_OK) {
        tc_arena_finish(&link->arena);
        tc_mem_free(link);
        return code;
    }
    *ret_link = link;
    return TC_OK;
}

static enum tc_err give_up(struct tc_cx *cx, struct tc_link_sse *link, enum tc_err code)
{
    struct tc_error err = cx->err;

    close_link(&link->base);
    tc_task_shield(cx);
    join(cx, &link->base, -1);
    tc_task_unshield(cx);
    cx->err = err;
    tc_link_sse_unref(&link->base);
    return code;
}

/* What the link knows of its failed start, in words that outlive it. */
static enum tc_err tell_failure(struct tc_cx *cx, const struct tc_link_sse *link, int *ret_status)
{
    if (ret_status && link->start_status)
        *ret_status = link->start_status;
    tc_fail(cx, link->start_code, "%.*s", TC_STR_ARG(link->start_error.message));
    if (link->start_error.hint.n)
        tc_fail_hint(cx, "%.*s", TC_STR_ARG(link->start_error.hint));
    return link->start_code;
}

enum tc_err tc_link_sse_open(struct tc_cx *cx, const struct tc_link_sse_options *options,
                             const struct tc_link_events *events, struct tc_link **ret_link)
{
    struct tc_link_sse *link;
    enum tc_err code = make(cx, options, events, &link);

    if (code != TC_OK)
        return code;
    code = tc_task_spawn(cx, link->loop, &link->group, "mcp-read", read_task, link);
    if (code == TC_OK)
        code = tc_task_wait(cx, &link->ready, OPEN_MS);
    if (code == TC_E_TIMEOUT && tc_task_check(cx) == TC_OK)
        tc_fail(cx, code, "%.*s did not name an endpoint for messages within %d s.",
                TC_STR_ARG(tc_remote_origin(&link->remote)), OPEN_MS / 1000);
    if (code == TC_OK && link->start_code != TC_OK)
        code = tell_failure(cx, link, options->ret_status);
    if (code == TC_OK && link->over.set)
        code = tc_fail(cx, TC_E_MCP_PROTOCOL, "%s", link->reason);
    if (code != TC_OK)
        return give_up(cx, link, code);
    link->handed_out = true;
    *ret_link = &link->base;
    return TC_OK;
}
