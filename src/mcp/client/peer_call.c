/*
 * What callers ask of a server: calls and requests.
 */
#include "base/utf8.h"
#include "mcp/client/peer_state.h"
#include "mcp/codec/tools.h"

/* --- uses --- */

static void begin_use(struct tc_peer *peer, struct tc_peer_use *use, struct tc_caller *caller)
{
    tc_peer_ref(peer);
    *use = (struct tc_peer_use){.caller = caller, .next = peer->uses};
    if (use->next)
        use->next->prev = use;
    peer->uses = use;
}

static void end_use(struct tc_peer *peer, struct tc_peer_use *use)
{
    if (use->prev)
        use->prev->next = use->next;
    else
        peer->uses = use->next;
    if (use->next)
        use->next->prev = use->prev;
    tc_peer_unref(peer);
}

/* --- params --- */

/* The caller's _meta without its progress token, which is another's: ours is the
 * request's id. */
static void write_meta(struct tc_jsonw *w, const struct tc_json *meta, const struct tc_caller *caller, int64_t id)
{
    bool progress = caller && caller->ops->progress;
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    if (!progress && tc_json_count(meta) == 0)
        return;
    tc_jsonw_key(w, "_meta");
    tc_jsonw_object(w);
    for (it = tc_json_iter(meta); tc_json_next(&it, &key, &v);) {
        if (tc_str_is(key, "progressToken"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, v);
    }
    if (progress)
        tc_jsonw_kint(w, "progressToken", id);
    tc_jsonw_end(w);
}

static void write_call(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct tc_source_call *call = arg;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", call->tool);
    tc_jsonw_kvalue(w, "arguments", call->arguments);
    write_meta(w, call->meta, call->caller, id);
    tc_jsonw_end(w);
}

static void write_request(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct tc_source_request *request = arg;
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    tc_jsonw_object(w);
    for (it = tc_json_iter(request->params); tc_json_next(&it, &key, &v);) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, v);
    }
    write_meta(w, request->meta, request->caller, id);
    tc_jsonw_end(w);
}

/* --- requests --- */

static enum tc_err use_link(struct tc_cx *cx, struct tc_peer *peer, struct tc_link_request *request,
                            struct tc_caller *caller, struct tc_source_reply *ret_reply)
{
    struct tc_peer_use use;
    struct tc_link_reply reply;
    enum tc_err code;

    begin_use(peer, &use, caller);
    request->use = &use;
    code = peer->link->ops->request(cx, peer->link, request, &reply);
    end_use(peer, &use);
    if (code == TC_OK)
        *ret_reply = reply.base;
    return code;
}

static void check_result(struct tc_cx *cx, const struct tc_peer *peer, struct tc_source_reply *reply)
{
    struct tc_mcp_result result;

    if (reply->outcome != TC_OUTCOME_RESULT ||
        tc_mcp_tools_result(cx, reply->result, peer->revision, &result) == TC_OK)
        return;
    reply->outcome = TC_OUTCOME_UNSUPPORTED;
    reply->message = cx->err.message;
    tc_fail_clear(cx);
}

enum tc_err tc_peer_call(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_call *call,
                         struct tc_source_reply *ret_reply)
{
    struct tc_source_call copy = *call;
    struct tc_link_request request = {.method = "tools/call",
                                      .write_params = write_call,
                                      .arg = &copy,
                                      .identity = call->identity,
                                      .timeout_ms = call->timeout_ms};
    enum tc_err code;

    tc_peer_ref(peer);
    code = use_link(cx, peer, &request, call->caller, ret_reply);
    if (code == TC_OK)
        check_result(cx, peer, ret_reply);
    tc_peer_unref(peer);
    return code;
}

enum tc_err tc_peer_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                            struct tc_source_reply *ret_reply)
{
    struct tc_source_request copy = *request;
    struct tc_link_request what = {.method = request->method,
                                   .write_params = write_request,
                                   .arg = &copy,
                                   .identity = request->identity,
                                   .timeout_ms = request->timeout_ms};

    return use_link(cx, peer, &what, request->caller, ret_reply);
}

/* --- requests whose failure is an error --- */

static void write_text(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct tc_str *params = arg;

    (void)id;
    tc_jsonw_raw(w, params->n ? *params : TC_STR("{}"));
}

/* What an outcome means for who needs the result. */
static enum tc_err read_outcome(struct tc_cx *cx, const struct tc_peer *peer, const char *method,
                                const struct tc_source_reply *reply)
{
    switch (reply->outcome) {
    case TC_OUTCOME_RESULT:
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered %s with error %d: %.*s", method, reply->rpc_code,
                       TC_STR_ARG(tc_utf8_head(reply->message, TC_PEER_SHOWN_CHARS)));
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "%.*s It was asked for %s.", TC_STR_ARG(reply->message), method);
    default:
        return tc_fail(cx, peer->link->ops->alive(peer->link) ? TC_E_TIMEOUT : TC_E_CLOSED, "%.*s It was asked for %s.",
                       TC_STR_ARG(reply->message), method);
    }
}

enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const char *method, struct tc_str params,
                        int64_t timeout_ms, struct tc_source_reply *ret_reply)
{
    struct tc_link_request request = {
        .method = method,
        .write_params = write_text,
        .arg = &params,
        .identity = peer->identity,
        .timeout_ms = timeout_ms,
    };
    struct tc_link_reply reply;
    enum tc_err code = peer->link->ops->request(cx, peer->link, &request, &reply);

    if (code != TC_OK)
        return code;
    *ret_reply = reply.base;
    if (peer->memory)
        peer->memory->refusal = reply.base.outcome == TC_OUTCOME_RESULT ? 0 : reply.http_status;
    if (reply.base.outcome != TC_OUTCOME_RESULT)
        code = tc_task_check(cx); /* whether it was this side that gave up */
    return code == TC_OK ? read_outcome(cx, peer, method, ret_reply) : code;
}
