/*
 * What is sent to a program: requests with their deadline and cancellation,
 * notifications, answers. Params are written into the outbox, without a copy in
 * between.
 */
#include <stdio.h>

#include "mcp/client/link_stdio_state.h"

/* --- one request --- */

struct exchange {
    struct tc_link_stdio *link;
    const struct tc_link_request *request;
    struct tc_pending pending;
    struct tc_answer_keeper *keeper;
};

/* The reason of the connection's end, kept by the arena: the link may go first. */
static void set_ended(struct tc_cx *cx, const struct tc_link_stdio *link, enum tc_outcome outcome,
                      struct tc_source_reply *reply)
{
    struct tc_str reason = tc_arena_dup(cx->arena, tc_str_of(link->reason));

    tc_answer_none(reply, outcome, reason.p ? reason.p : "The connection to the server ended.");
}

/* On failure nothing has been sent: with TC_E_CLOSED the link is over. */
static enum tc_err begin(struct tc_cx *cx, struct exchange *ex)
{
    struct tc_link_stdio *link = ex->link;
    int64_t timeout_ms = ex->request->timeout_ms;
    enum tc_err code = tc_answer_keep(cx, &ex->keeper);

    if (code == TC_OK)
        code = tc_task_wait(cx, &link->outbox.room, timeout_ms);
    if (code != TC_OK)
        return code;
    if (link->over.set || link->outbox.closed) {
        code = tc_task_wait(cx, &link->settled, timeout_ms); /* until it is known why */
        return code == TC_OK ? tc_fail(cx, TC_E_CLOSED, "%s", link->reason) : code;
    }
    return tc_pendings_add(&link->pendings, &ex->pending) ? TC_OK : tc_fail_memory(cx);
}

static bool write_message(struct exchange *ex)
{
    struct tc_buf *buf = &ex->link->outbox.next;
    struct tc_jsonw w;
    char id[24];

    snprintf(id, sizeof id, "%lld", (long long)ex->pending.id);
    tc_rpc_open_request(&w, buf, tc_str_of(id), ex->request->method);
    ex->request->write_params(&w, ex->pending.id, ex->request->arg);
    tc_jsonw_end(&w);
    return tc_outbox_commit(&ex->link->outbox, &ex->pending.start, &ex->pending.end);
}

static void tell_cancelled(struct tc_link_stdio *link, int64_t id)
{
    struct tc_jsonw w;
    uint64_t start, end;

    if (!tc_outbox_has_room(&link->outbox))
        return;
    tc_rpc_open_request(&w, &link->outbox.next, tc_str_n("", 0), "notifications/cancelled");
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "requestId", id);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!tc_outbox_commit(&link->outbox, &start, &end))
        tc_link_stdio_end(link, "There is no memory for messages to the server.");
}

/* The caller waits no longer, for whatever reason. */
static void abandon(struct tc_cx *cx, struct exchange *ex, enum tc_err why, struct tc_source_reply *reply)
{
    struct tc_link_stdio *link = ex->link;
    struct tc_pending *pending = &ex->pending;
    size_t n = (size_t)(pending->end - pending->start) + 1;
    struct tc_str message;

    tc_pendings_remove(&link->pendings, pending);
    if (tc_outbox_withdraw(&link->outbox, pending->start, pending->end)) {
        tc_pendings_shift(&link->pendings, pending->start, n);
        tc_answer_none(reply, TC_OUTCOME_NOT_SENT, "The server takes no input; the call was withdrawn.");
        return;
    }
    if (!ex->request->untold)
        tell_cancelled(link, pending->id);
    message =
        tc_arena_printf(cx->arena, "The server did not answer within %lld ms.", (long long)ex->request->timeout_ms);
    if (why == TC_E_TIMEOUT && message.p)
        tc_answer_none(reply, TC_OUTCOME_UNKNOWN, message.p);
    else
        tc_answer_none(reply, TC_OUTCOME_UNKNOWN, "The call was cancelled before the server answered.");
}

/* Sends, waits, reads. Always fills the reply. */
static void finish(struct tc_cx *cx, struct exchange *ex, struct tc_source_reply *reply)
{
    struct tc_link_stdio *link = ex->link;
    struct tc_pending *pending = &ex->pending;
    enum tc_err code;

    if (!write_message(ex)) {
        tc_pendings_remove(&link->pendings, pending);
        tc_link_stdio_end(link, "There is no memory for messages to the server.");
        tc_answer_none(reply, TC_OUTCOME_NOT_SENT, "There is no memory for the call.");
        return;
    }
    code = tc_task_wait(cx, &pending->done, ex->request->timeout_ms);
    if (pending->answer.doc || pending->answer.trouble)
        tc_answer_read(cx, ex->keeper, &pending->answer, reply); /* also when it came just as it was cancelled */
    else if (pending->lost)
        set_ended(cx, link, pending->end <= link->outbox.written ? TC_OUTCOME_UNKNOWN : TC_OUTCOME_NOT_SENT, reply);
    else
        abandon(cx, ex, code, reply);
}

/* What begin's failure means for the caller. */
static enum tc_err not_begun(struct tc_cx *cx, const struct tc_link_stdio *link, enum tc_err code,
                             struct tc_source_reply *reply)
{
    if (code == TC_E_CLOSED)
        set_ended(cx, link, TC_OUTCOME_NOT_SENT, reply);
    else if (code == TC_E_TIMEOUT)
        tc_answer_none(reply, TC_OUTCOME_NOT_SENT, "The server takes no input.");
    else
        return code;
    return TC_OK;
}

enum tc_err tc_link_stdio_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                  struct tc_link_reply *ret_reply)
{
    struct tc_link_stdio *link = (struct tc_link_stdio *)self;
    struct exchange ex = {
        .link = link, .request = request, .pending = {.use = request->use, .standing = request->standing}};
    enum tc_err code;

    link->refs++;
    *ret_reply = (struct tc_link_reply){0};
    code = begin(cx, &ex);
    if (code == TC_OK)
        finish(cx, &ex, &ret_reply->base);
    else
        code = not_begun(cx, link, code, &ret_reply->base);
    tc_link_stdio_unref(self);
    return code;
}

/* --- messages without answer --- */

/* When nothing is read there, what may be lost is. */
static bool has_room(const struct tc_link_stdio *link)
{
    return !link->over.set && tc_outbox_has_room(&link->outbox);
}

static enum tc_err commit(struct tc_cx *cx, struct tc_link_stdio *link)
{
    uint64_t start, end;

    if (tc_outbox_commit(&link->outbox, &start, &end))
        return TC_OK;
    tc_link_stdio_end(link, "There is no memory for messages to the server.");
    return tc_fail_memory(cx);
}

enum tc_err tc_link_stdio_notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params)
{
    struct tc_link_stdio *link = (struct tc_link_stdio *)self;

    if (!has_room(link))
        return TC_OK;
    tc_rpc_write_request(&link->outbox.next, tc_str_n("", 0), method, params);
    return commit(cx, link);
}

enum tc_err tc_link_stdio_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message)
{
    struct tc_link_stdio *link = (struct tc_link_stdio *)self;

    if (!has_room(link))
        return TC_OK;
    tc_buf_str(&link->outbox.next, message);
    return commit(cx, link);
}
