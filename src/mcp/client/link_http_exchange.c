/*
 * One request to a server and what comes of it: the POST, the answer in one of its
 * two forms, a broken stream taken up again.
 *
 * `acted` is the line between NOT_SENT and UNKNOWN: false as long as the server
 * provably did nothing with the request.
 */
#include <string.h>

#include "base/utf8.h"
#include "mcp/client/link_http_state.h"

enum {
    FAULT_MAX = 1 << 20,  /* of the body of an answer that is no success */
    SHOWN_CHARS = 100,
    RESUMES_MAX = 5,      /* in a row that bring nothing */
    SESSION_MAX = 1024
};

/* --- messages --- */

/* A server that could not read the request knows no id for its error. */
static bool is_mine(const struct tc_link_http_exchange *ex, const struct tc_rpc *rpc)
{
    int64_t id;

    if (tc_str_int(rpc->id, &id))
        return id == ex->flight.id;
    return rpc->kind == TC_RPC_ERROR && (ex->whole || rpc->id.n == 0);
}

static void on_message(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message)
{
    struct tc_link_http_exchange *ex = arg;
    const struct tc_rpc *rpc = &message->rpc;

    if (rpc->kind == TC_RPC_REQUEST || rpc->kind == TC_RPC_NOTIFICATION) {
        tc_link_http_hear(cx, ex->link, &ex->flight, message);
    } else if (ex->answered || !is_mine(ex, rpc)) {
        ex->link->late++;
    } else {
        ex->answered = true;
        ex->answer = (struct tc_answer){
            .doc = tc_json_doc_ref(message->doc),
            .rpc = *rpc,
            .suspect = message->suspect,
            .trouble = rpc->kind == TC_RPC_INVALID ? rpc->fault : NULL,
        };
    }
}

/* --- bodies --- */

static void set_trouble(struct tc_link_http_exchange *ex, const char *trouble)
{
    ex->answered = true;
    ex->answer = (struct tc_answer){.trouble = trouble};
}

/* A body that is over, without an answer in it. */
static void judge_body(struct tc_link_http_exchange *ex, const struct tc_inbox *inbox)
{
    if (inbox->fault)
        set_trouble(ex, inbox->fault);
    else if (!inbox->streams && inbox->trouble)
        set_trouble(ex, inbox->trouble);
    else if (!inbox->streams && inbox->messages)
        set_trouble(ex, "belongs to another request");
}

/* Until the answer, the end, or a fault. TC_OK with no answer: the stream ended. */
static enum tc_err read_body(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_client_stream *stream,
                             struct tc_inbox *inbox)
{
    struct tc_str data;
    enum tc_err code = TC_OK;

    while (code == TC_OK && !ex->answered && !inbox->fault) {
        code = tc_client_read(cx, stream, -1, &data);
        if (code == TC_OK)
            tc_inbox_feed(cx, inbox, data);
    }
    if (code == TC_E_CLOSED) {
        tc_fail_clear(cx);
        tc_inbox_end(cx, inbox);
        code = TC_OK;
    }
    if (code == TC_OK && !ex->answered)
        judge_body(ex, inbox);
    return code;
}

static enum tc_err take_body(struct tc_cx *cx, struct tc_link_http_exchange *ex, const struct tc_remote_answer *answer,
                             bool streams, size_t max)
{
    const struct tc_inbox_events events = {.message = on_message, .arg = ex};
    struct tc_inbox inbox;
    enum tc_err code;

    ex->whole = !streams;
    tc_inbox_init(&inbox, streams, max, &events);
    code = read_body(cx, ex, answer->stream, &inbox);
    if (streams) {
        ex->fresh = inbox.texts > 0;
        if (tc_inbox_last_id(&inbox).n) {
            tc_buf_clear(&ex->last_id);
            tc_buf_str(&ex->last_id, tc_inbox_last_id(&inbox));
        }
        ex->retry_ms = tc_inbox_retry_ms(&inbox) >= 0 ? tc_inbox_retry_ms(&inbox) : ex->retry_ms;
    }
    tc_link_http_count(ex->link, &inbox);
    tc_inbox_finish(&inbox);
    return code;
}

/* --- statuses --- */

/* An answer to initialize may bring a session. */
static enum tc_err take_session(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_header_list headers)
{
    struct tc_link_http *link = ex->link;
    struct tc_str id = tc_header_get(headers, TC_STR("Mcp-Session-Id"));

    if (!id.p || strcmp(ex->request->method, "initialize") != 0)
        return TC_OK;
    for (size_t i = 0; i < id.n; i++) {
        if (id.p[i] < 0x21 || id.p[i] > 0x7e)
            id.n = 0;
    }
    if (id.n == 0 || id.n > SESSION_MAX)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server gave a session id that is not of 1 to %d visible characters.",
                       SESSION_MAX);
    tc_buf_clear(&link->session);
    tc_buf_str(&link->session, id);
    return link->session.failed ? tc_fail_memory(cx) : TC_OK;
}

/* An answer that is no success: the error in it, if it is one of the protocol. */
static enum tc_err take_failure(struct tc_cx *cx, struct tc_link_http_exchange *ex,
                                const struct tc_remote_answer *answer)
{
    struct tc_str type = tc_header_get(answer->headers, TC_STR("Content-Type"));
    enum tc_err code = TC_OK;

    ex->acted = !tc_remote_turned_away(answer->status, answer->headers);
    if (tc_header_has(type, TC_STR("application/json")) && answer->status != 401)
        code = take_body(cx, ex, answer, false, FAULT_MAX);
    if (code != TC_OK)
        return code;
    if (ex->answered && ex->answer.rpc.kind == TC_RPC_ERROR && !ex->answer.trouble)
        return TC_OK;
    ex->answered = false;
    tc_json_doc_unref(ex->answer.doc);
    ex->answer = (struct tc_answer){0};
    return tc_remote_fail(cx, &ex->link->remote, answer->status);
}

static enum tc_err take_success(struct tc_cx *cx, struct tc_link_http_exchange *ex,
                                const struct tc_remote_answer *answer)
{
    struct tc_str type = tc_header_get(answer->headers, TC_STR("Content-Type"));
    enum tc_err code = take_session(cx, ex, answer->headers);

    ex->acted = true;
    if (code != TC_OK)
        return code;
    if (tc_link_http_is_stream(answer->headers))
        return take_body(cx, ex, answer, true, ex->link->message_max);
    if (answer->status == 202 || answer->status == 204)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server took the request without answering it (HTTP %d).",
                       answer->status);
    if (!type.p || tc_header_has(type, TC_STR("application/json")))
        return take_body(cx, ex, answer, false, ex->link->message_max);
    type = tc_arena_printf(cx->arena, "is of the type \"%.*s\", of which no message is",
                           TC_STR_ARG(tc_utf8_cleaned(cx->arena, tc_utf8_head(type, SHOWN_CHARS))));
    set_trouble(ex, type.p ? type.p : "is of a type of which no message is");
    return TC_OK;
}

/* --- sending --- */

/* Closed at once when the caller gave up: that is how the server learns of it. */
static void drop_stream(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_client_stream *stream)
{
    struct tc_error err = cx->err; /* of the exchange: it is still to be told */

    tc_client_detach(&ex->flight.handle);
    if (tc_task_check(cx) == TC_OK && !ex->flight.handle.aborted)
        tc_remote_drop(cx, &ex->link->group, stream);
    else
        tc_client_close(stream);
    cx->err = err;
}

static enum tc_err post(struct tc_cx *cx, struct tc_link_http_exchange *ex)
{
    struct tc_header headers[TC_LINK_HTTP_HEADERS_MAX];
    struct tc_remote_request request = {
        .method = TC_STR("POST"),
        .headers = tc_link_http_headers(ex->link, true, TC_STR(""), headers),
        .own = ex->request->headers,
        .body = ex->body,
        .identity = ex->request->identity,
        .handle = &ex->flight.handle,
        .timeout_ms = -1,
    };
    struct tc_remote_answer answer;
    enum tc_err code = tc_remote_open(cx, &ex->link->remote, &request, &ex->acted, &answer);

    if (code != TC_OK)
        return code;
    ex->status = answer.status;
    code = answer.status >= 200 && answer.status < 300 ? take_success(cx, ex, &answer) : take_failure(cx, ex, &answer);
    drop_stream(cx, ex, answer.stream);
    return code;
}

/* --- taking up again --- */

static bool can_resume(const struct tc_link_http_exchange *ex)
{
    const struct tc_mcp_revision *revision = ex->link->revision;

    return !ex->answered && ex->last_id.n && tc_header_value_ok(tc_buf_get(&ex->last_id)) && !ex->link->over.set &&
           (!revision || tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE));
}

static enum tc_err open_again(struct tc_cx *cx, struct tc_link_http_exchange *ex)
{
    struct tc_header headers[TC_LINK_HTTP_HEADERS_MAX];
    struct tc_remote_request request = {
        .method = TC_STR("GET"),
        .headers = tc_link_http_headers(ex->link, false, tc_buf_get(&ex->last_id), headers),
        .identity = ex->request->identity,
        .handle = &ex->flight.handle,
        .timeout_ms = -1,
    };
    struct tc_remote_answer answer;
    bool acted;
    enum tc_err code = tc_remote_open(cx, &ex->link->remote, &request, &acted, &answer);

    if (code != TC_OK)
        return code;
    if (answer.status == 200 && tc_link_http_is_stream(answer.headers))
        code = take_body(cx, ex, &answer, true, ex->link->message_max);
    else if (answer.status < 500)
        code = tc_fail(cx, TC_E_MCP_PROTOCOL, "The stream of the answer broke, and the server does not take it up again"
                       " (HTTP %d).", answer.status);
    if (answer.status == 404 && ex->link->session.n)
        tc_link_http_forgotten(ex->link);
    drop_stream(cx, ex, answer.stream);
    return code;
}

/* As long as the server asks a reader to wait, within bounds. */
static enum tc_err pause_before(struct tc_cx *cx, struct tc_link_http_exchange *ex, int barren)
{
    int64_t ms = ex->retry_ms >= 0 ? ex->retry_ms : TC_LINK_HTTP_RETRY_MS;

    if (barren > 0 && ms < TC_LINK_HTTP_RETRY_MS)
        ms = TC_LINK_HTTP_RETRY_MS;
    if (ms > TC_LINK_HTTP_RETRY_MAX_MS)
        ms = TC_LINK_HTTP_RETRY_MAX_MS;
    tc_task_wait(cx, &ex->link->over, ms);
    if (ex->link->over.set)
        return tc_fail(cx, TC_E_CLOSED, "%s", ex->link->reason);
    return tc_task_check(cx);
}

/* Whether the link to the server failed, rather than what was said over it. */
static bool is_breakage(enum tc_err code)
{
    return code == TC_E_HTTP_UPSTREAM || code == TC_E_CLOSED;
}

/* cause: what broke the stream, TC_OK for a regular end. */
static enum tc_err resume(struct tc_cx *cx, struct tc_link_http_exchange *ex, enum tc_err cause)
{
    int barren = 0;

    while ((cause == TC_OK || is_breakage(cause)) && can_resume(ex) && barren < RESUMES_MAX) {
        cause = pause_before(cx, ex, barren);
        if (cause != TC_OK)
            return cause;
        ex->fresh = false;
        cause = open_again(cx, ex);
        barren = ex->fresh ? 0 : barren + 1;
    }
    if (cause == TC_OK && !ex->answered)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server ended its answer before it was complete.");
    return cause;
}

/* --- all of it --- */

enum tc_err tc_link_http_exchange(struct tc_cx *cx, struct tc_link_http_exchange *ex)
{
    enum tc_err code = post(cx, ex);

    if (!ex->answered && ex->acted && ex->status >= 200 && ex->status < 300)
        code = resume(cx, ex, code);
    return code;
}
