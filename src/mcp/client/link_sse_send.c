/*
 * What is posted to an HTTP+SSE server. The answer to a request comes on the
 * stream; that of the POST only says whether it was taken.
 */
#include <stdio.h>

#include "base/clock.h"
#include "mcp/client/cancel.h"
#include "mcp/client/link_sse_state.h"

enum {
    BODY_MAX = 64 << 20,
    NOTIFY_MS = 10 * 1000,
    ANSWER_MS = 30 * 1000,
    IN_FLIGHT_MAX = 256,
    HEADERS = 2
};

struct exchange {
    struct tc_link_sse *link;
    const struct tc_link_request *request;
    struct tc_link_sse_flight flight;
    struct tc_answer_keeper *keeper;
    struct tc_buf body;
    bool acted; /* false as long as the server provably did nothing with it */
    int status; /* of the answer to the POST, 0: none */
};

/* --- posting --- */

/* What is sent, and by whom it may be ended. */
struct letter {
    struct tc_str body, identity;
    struct tc_header_list own;
    struct tc_client_handle *handle; /* or NULL */
    int64_t timeout_ms;              /* negative: the task's deadline */
};

static struct tc_header_list set_headers(const struct tc_link_sse *link, struct tc_header to[HEADERS])
{
    size_t n = 0;

    to[n++] = (struct tc_header){TC_STR("Content-Type"), TC_STR("application/json")};
    if (link->revision && tc_mcp_revision_has(link->revision, TC_MCP_VERSION_HEADER))
        to[n++] = (struct tc_header){TC_STR("MCP-Protocol-Version"), tc_str_of(link->revision->name)};
    return (struct tc_header_list){to, n};
}

static enum tc_err post(struct tc_cx *cx, struct tc_link_sse *link, const struct letter *letter, bool *acted,
                        int *status)
{
    struct tc_header headers[HEADERS];
    struct tc_remote_request request = {
        .url = link->endpoint,
        .method = TC_STR("POST"),
        .headers = set_headers(link, headers),
        .own = letter->own,
        .body = letter->body,
        .identity = letter->identity,
        .handle = letter->handle,
        .timeout_ms = letter->timeout_ms,
    };
    struct tc_remote_answer answer;
    enum tc_err code = tc_remote_open(cx, &link->remote, &request, acted, &answer);

    if (code != TC_OK)
        return code;
    *status = answer.status;
    *acted = !tc_remote_turned_away(answer.status, answer.headers);
    if (letter->handle)
        tc_client_detach(letter->handle);
    if (answer.status < 200 || answer.status >= 300)
        code = tc_remote_fail(cx, &link->remote, answer.status);
    tc_remote_drop(cx, &link->group, answer.stream);
    if (answer.status == 404 || answer.status == 410) {
        link->forgotten = true;
        tc_link_sse_end(link, "The server does not know the stream any more.");
    }
    return code;
}

/* Its loss is no error, but the caller's own end is. */
static enum tc_err post_lossy(struct tc_cx *cx, struct tc_link_sse *link, const struct tc_buf *body,
                              int64_t timeout_ms)
{
    struct letter letter = {.body = tc_buf_get(body), .identity = link->identity, .timeout_ms = timeout_ms};
    enum tc_err code = TC_OK;
    bool acted;
    int status;

    if (body->failed)
        return tc_fail_memory(cx);
    tc_link_sse_ref(&link->base);
    if (!link->over.set && post(cx, link, &letter, &acted, &status) != TC_OK) {
        tc_fail_clear(cx);
        code = tc_task_check(cx);
    }
    tc_link_sse_unref(&link->base);
    return code;
}

enum tc_err tc_link_sse_notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params)
{
    struct tc_buf body;
    enum tc_err code;

    tc_buf_init(&body, BODY_MAX);
    tc_rpc_write_request(&body, tc_str_n("", 0), method, params);
    code = post_lossy(cx, (struct tc_link_sse *)self, &body, NOTIFY_MS);
    tc_buf_finish(&body);
    return code;
}

enum tc_err tc_link_sse_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message)
{
    struct tc_buf body;
    enum tc_err code;

    tc_buf_init(&body, BODY_MAX);
    tc_buf_str(&body, message);
    code = post_lossy(cx, (struct tc_link_sse *)self, &body, ANSWER_MS);
    tc_buf_finish(&body);
    return code;
}

/* --- requests --- */

/* On failure nothing has been sent. */
static enum tc_err begin(struct tc_cx *cx, struct exchange *ex)
{
    struct tc_link_sse *link = ex->link;
    enum tc_err code = tc_answer_keep(cx, &ex->keeper);
    struct tc_jsonw w;
    char id[24];

    if (code != TC_OK)
        return code;
    if (link->over.set)
        return tc_fail(cx, TC_E_CLOSED, "%s", link->reason);
    if (link->pendings.n >= IN_FLIGHT_MAX)
        return tc_fail(cx, TC_E_LIMIT, "More than %d requests to the server are under way.", IN_FLIGHT_MAX);
    if (!tc_pendings_add(&link->pendings, &ex->flight.pending))
        return tc_fail_memory(cx);
    snprintf(id, sizeof id, "%lld", (long long)ex->flight.pending.id);
    tc_rpc_open_request(&w, &ex->body, tc_str_of(id), ex->request->method);
    ex->request->write_params(&w, ex->flight.pending.id, ex->request->arg);
    tc_jsonw_end(&w);
    if (ex->body.failed)
        return tc_fail(cx, TC_E_LIMIT, "The message to the server is larger than %d MiB, or there is no memory for it.",
                       BODY_MAX >> 20);
    return TC_OK;
}

/* TC_OK: answered, or lost with the link. */
static enum tc_err send(struct tc_cx *cx, struct exchange *ex)
{
    struct tc_pending *pending = &ex->flight.pending;
    struct letter letter = {.body = tc_buf_get(&ex->body),
                            .identity = ex->request->identity,
                            .own = ex->request->headers,
                            .handle = &ex->flight.handle,
                            .timeout_ms = -1};
    enum tc_err code = post(cx, ex->link, &letter, &ex->acted, &ex->status);

    return code == TC_OK ? tc_task_wait(cx, &pending->done, -1) : code;
}

static void settle(struct tc_cx *cx, const struct exchange *ex, struct tc_link_reply *reply)
{
    tc_answer_none(&reply->base, ex->acted ? TC_OUTCOME_UNKNOWN : TC_OUTCOME_NOT_SENT, NULL);
    reply->base.message = cx->err.message;
    reply->base.code = cx->err.code;
    reply->base.hint = cx->err.hint;
    reply->cause = cx->err;
    tc_fail_clear(cx);
}

static void explain(struct tc_cx *cx, struct exchange *ex, enum tc_err code)
{
    if (ex->flight.pending.lost || code == TC_E_CLOSED) {
        tc_fail(cx, TC_E_CLOSED, "%s", ex->link->reason);
    } else if (code == TC_E_TIMEOUT) {
        tc_fail(cx, code, "The server did not answer within %lld ms.", (long long)ex->request->timeout_ms);
    } else if (code == TC_E_CANCELED || code == TC_E_SHUTDOWN) {
        tc_fail(cx, code, "The call was cancelled before the server answered.");
    }
}

/* TC_OK: *reply is filled. */
static enum tc_err conclude(struct tc_cx *cx, struct exchange *ex, enum tc_err code, struct tc_link_reply *reply)
{
    struct tc_pending *pending = &ex->flight.pending;
    bool ours = code == TC_E_NO_MEMORY || code == TC_E_SHUTDOWN || code == TC_E_INTERNAL;
    bool given_up = code == TC_E_TIMEOUT || code == TC_E_CANCELED || code == TC_E_SHUTDOWN;

    tc_pendings_remove(&ex->link->pendings, pending);
    *reply = (struct tc_link_reply){.http_status = ex->status};
    if (pending->answer.doc || pending->answer.trouble) {
        tc_answer_read(cx, ex->keeper, &pending->answer, &reply->base);
        return TC_OK;
    }
    if (ours && !ex->acted)
        return code;
    explain(cx, ex, code);
    if (given_up && !pending->lost && ex->acted && !ex->request->untold)
        tc_cancel_tell(cx, &ex->link->group, &ex->link->base, pending->id);
    settle(cx, ex, reply);
    return TC_OK;
}

enum tc_err tc_link_sse_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                struct tc_link_reply *ret_reply)
{
    struct exchange ex = {
        .link = (struct tc_link_sse *)self, .request = request, .flight.pending.use = request->use};
    int64_t ms = request->timeout_ms;
    int64_t old = tc_task_deadline_set(cx, ms < 0 ? INT64_MAX : tc_clock_mono_us(cx->clock) + ms * 1000);
    enum tc_err code;

    tc_link_sse_ref(self);
    tc_buf_init(&ex.body, BODY_MAX);
    code = begin(cx, &ex);
    if (code == TC_OK)
        code = send(cx, &ex);
    tc_task_deadline_restore(cx, old);
    code = conclude(cx, &ex, code, ret_reply);
    tc_buf_finish(&ex.body);
    tc_link_sse_unref(self);
    return code;
}
