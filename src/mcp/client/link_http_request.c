/*
 * Requests over Streamable HTTP as the owner of the link sees them: written, timed,
 * counted, given up, and what became of each.
 */
#include <stdio.h>

#include "base/clock.h"
#include "mcp/client/cancel.h"
#include "mcp/client/link_http_state.h"

enum { IN_FLIGHT_MAX = 256, BODY_MAX = 64 << 20 /* of a request */, LAST_ID_MAX = 4096 };

/* --- sessions --- */

static bool has_word(struct tc_str text, const char *word)
{
    struct tc_str w = tc_str_of(word);

    for (size_t i = 0; i + w.n <= text.n; i++) {
        if (tc_str_eq_nocase(tc_str_n(text.p + i, w.n), w))
            return true;
    }
    return false;
}

/* Servers that do not say 404 for a session that they do not know say it in words,
 * with a status or code that turns the request away. */
static bool speaks_of_session(const struct tc_link_http_exchange *ex)
{
    static const char *const words[] = {"not found", "unknown", "expired", "no valid", "invalid",
                                        "not exist", "terminated", "not initialized"};
    const struct tc_rpc *rpc = &ex->answer.rpc;

    if (rpc->kind != TC_RPC_ERROR || !has_word(rpc->message, "session"))
        return false;
    if (ex->status == 200) /* a tool may speak of sessions of its own */
        return rpc->code == -32600 && tc_str_eq_nocase(tc_str_trim(rpc->message), TC_STR("Session not found"));
    for (size_t i = 0; ex->status == 400 && i < sizeof words / sizeof words[0]; i++) {
        if (has_word(rpc->message, words[i]))
            return true;
    }
    return false;
}

static bool session_is_lost(const struct tc_link_http_exchange *ex)
{
    return ex->link->session.n && (ex->status == 404 || (ex->answered && speaks_of_session(ex)));
}

/* --- what became of it --- */

static void settle(struct tc_cx *cx, const struct tc_link_http_exchange *ex, struct tc_link_reply *reply)
{
    tc_answer_none(&reply->base, ex->acted ? TC_OUTCOME_UNKNOWN : TC_OUTCOME_NOT_SENT, NULL);
    reply->base.message = cx->err.message;
    reply->base.code = cx->err.code;
    reply->base.hint = cx->err.hint;
    reply->cause = cx->err;
    tc_fail_clear(cx);
}

/* The caller waits no longer, or may not. */
static void abandon(struct tc_cx *cx, struct tc_link_http_exchange *ex, enum tc_err why,
                    struct tc_link_reply *reply)
{
    struct tc_link_http *link = ex->link;
    bool handshake = !link->revision || tc_mcp_revision_has(link->revision, TC_MCP_HANDSHAKE);

    if (ex->flight.handle.aborted || why == TC_E_CLOSED) {
        tc_fail(cx, TC_E_CLOSED, "%s", link->reason);
    } else {
        /* Without a handshake the end of the stream says it. */
        if (ex->acted && handshake && !ex->request->untold)
            tc_cancel_tell(cx, &link->group, &link->base, ex->flight.id);
        if (why == TC_E_TIMEOUT)
            tc_fail(cx, why, "The server did not answer within %lld ms.", (long long)ex->request->timeout_ms);
        else
            tc_fail(cx, why, "The call was cancelled before the server answered.");
    }
    settle(cx, ex, reply);
}

static void lose_session(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_link_reply *reply)
{
    tc_link_http_forgotten(ex->link);
    tc_json_doc_unref(ex->answer.doc);
    ex->acted = false; /* who does not know the session runs nothing for it */
    tc_fail(cx, TC_E_MCP_SESSION_UNKNOWN, "%s", ex->link->reason);
    settle(cx, ex, reply);
}

/* TC_OK: *reply is filled. */
static enum tc_err conclude(struct tc_cx *cx, struct tc_link_http_exchange *ex, enum tc_err code,
                            struct tc_link_reply *reply)
{
    bool ours = code == TC_E_NO_MEMORY || code == TC_E_SHUTDOWN || code == TC_E_INTERNAL;

    *reply = (struct tc_link_reply){.http_status = ex->status};
    if (session_is_lost(ex)) {
        lose_session(cx, ex, reply);
    } else if (ex->answered) {
        tc_answer_read(cx, ex->keeper, &ex->answer, &reply->base);
    } else if (ours && !ex->acted) {
        return code;
    } else if (code == TC_E_TIMEOUT || code == TC_E_CANCELED || code == TC_E_SHUTDOWN || code == TC_E_CLOSED) {
        abandon(cx, ex, code, reply);
    } else {
        settle(cx, ex, reply);
    }
    return TC_OK;
}

/* --- the request --- */

static enum tc_err write_body(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_buf *buf)
{
    struct tc_jsonw w;
    char id[24];

    snprintf(id, sizeof id, "%lld", (long long)ex->flight.id);
    tc_rpc_open_request(&w, buf, tc_str_of(id), ex->request->method);
    ex->request->write_params(&w, ex->flight.id, ex->request->arg);
    tc_jsonw_end(&w);
    if (buf->failed)
        return tc_fail(cx, TC_E_LIMIT, "The message to the server is larger than %d MiB, or there is no memory for it.",
                       BODY_MAX >> 20);
    ex->body = tc_buf_get(buf);
    return TC_OK;
}

static void take_off(struct tc_link_http_exchange *ex)
{
    struct tc_link_http *link = ex->link;

    ex->flight.next = link->flights;
    if (ex->flight.next)
        ex->flight.next->prev = &ex->flight;
    link->flights = &ex->flight;
    tc_event_clear(&link->empty);
    if (ex->flight.standing)
        return;
    link->in_flight++;
    tc_event_clear(&link->idle);
}

static void touch_down(struct tc_link_http_exchange *ex)
{
    struct tc_link_http *link = ex->link;

    if (ex->flight.prev)
        ex->flight.prev->next = ex->flight.next;
    else
        link->flights = ex->flight.next;
    if (ex->flight.next)
        ex->flight.next->prev = ex->flight.prev;
    if (!link->flights)
        tc_event_set(&link->empty);
    if (!ex->flight.standing && --link->in_flight == 0)
        tc_event_set(&link->idle);
}

static enum tc_err fly(struct tc_cx *cx, struct tc_link_http_exchange *ex)
{
    int64_t ms = ex->request->timeout_ms;
    int64_t old = tc_task_deadline_set(cx, ms < 0 ? INT64_MAX : tc_clock_mono_us(cx->clock) + ms * 1000);
    enum tc_err code;

    take_off(ex);
    code = tc_link_http_exchange(cx, ex);
    touch_down(ex);
    tc_task_deadline_restore(cx, old);
    return code;
}

/* On failure nothing has been sent. */
static enum tc_err begin(struct tc_cx *cx, struct tc_link_http_exchange *ex, struct tc_buf *body)
{
    struct tc_link_http *link = ex->link;
    enum tc_err code = tc_answer_keep(cx, &ex->keeper);

    if (code != TC_OK)
        return code;
    if (link->over.set)
        return tc_fail(cx, TC_E_CLOSED, "%s", link->reason);
    if (link->in_flight >= IN_FLIGHT_MAX)
        return tc_fail(cx, TC_E_LIMIT, "More than %d requests to the server are under way.", IN_FLIGHT_MAX);
    ex->flight.id = ++link->last_id;
    return write_body(cx, ex, body);
}

enum tc_err tc_link_http_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                 struct tc_link_reply *ret_reply)
{
    struct tc_link_http *link = (struct tc_link_http *)self;
    struct tc_link_http_exchange ex = {
        .link = link,
        .request = request,
        .flight = {.use = request->use, .standing = request->standing},
        .retry_ms = -1,
    };
    struct tc_buf body;
    enum tc_err code;

    tc_link_http_ref(self);
    tc_buf_init(&body, BODY_MAX);
    tc_buf_init(&ex.last_id, LAST_ID_MAX);
    code = begin(cx, &ex, &body);
    if (code == TC_OK)
        code = fly(cx, &ex);
    code = conclude(cx, &ex, code, ret_reply);
    tc_buf_finish(&ex.last_id);
    tc_buf_finish(&body);
    tc_link_http_unref(self);
    return code;
}
