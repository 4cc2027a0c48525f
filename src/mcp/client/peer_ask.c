/*
 * Requests of the peer's own, whose failure is an error: greetings, lists, what
 * goes with tasks and subscriptions.
 */
#include "base/utf8.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

struct own_request {
    const struct tc_peer *peer;
    const struct tc_peer_asking *asking;
};

static void write_own(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct own_request *own = arg;

    (void)id;
    tc_jsonw_object(w);
    if (own->asking->write)
        own->asking->write(w, own->asking->arg);
    tc_peer_write_meta(w, own->peer, own->asking->caller, NULL, 0);
    tc_jsonw_end(w);
}

/* What an outcome means for who needs the result. */
static enum tc_err read_outcome(struct tc_cx *cx, const struct tc_peer *peer, const char *method,
                                const struct tc_link_reply *reply)
{
    const struct tc_source_reply *base = &reply->base;

    switch (base->outcome) {
    case TC_OUTCOME_RESULT:
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered %s with error %d: %.*s", method, base->rpc_code,
                       TC_STR_ARG(tc_utf8_head(base->message, TC_PEER_SHOWN_CHARS)));
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "%.*s It was asked for %s.", TC_STR_ARG(base->message), method);
    default:
        if (reply->cause.code != TC_OK) {
            cx->err = reply->cause;
            return cx->err.code;
        }
        return tc_fail(cx, peer->link->ops->alive(peer->link) ? TC_E_TIMEOUT : TC_E_CLOSED, "%.*s It was asked for %s.",
                       TC_STR_ARG(base->message), method);
    }
}

enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const struct tc_peer_asking *asking,
                        struct tc_link_reply *ret_reply)
{
    struct own_request own = {peer, asking};
    struct tc_link_request request = {
        .method = asking->method,
        .write_params = write_own,
        .arg = &own,
        .use = asking->use,
        .identity = peer->identity,
        .timeout_ms = asking->timeout_ms,
        .untold = asking->untold,
    };
    enum tc_err code = tc_peer_headers(cx, peer, asking->method, asking->name, NULL, NULL, &request.headers);

    if (code == TC_OK)
        code = peer->link->ops->request(cx, peer->link, &request, ret_reply);
    if (code != TC_OK)
        return code;
    if (peer->memory)
        peer->memory->refusal = ret_reply->base.outcome == TC_OUTCOME_RESULT ? 0 : ret_reply->http_status;
    if (ret_reply->base.outcome != TC_OUTCOME_RESULT)
        code = tc_task_check(cx); /* whether it was this side that gave up */
    return code == TC_OK ? read_outcome(cx, peer, asking->method, ret_reply) : code;
}
