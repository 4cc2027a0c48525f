/*
 * The roots of a caller have changed. A server that has asked for roots before hears
 * of it and asks anew. That question comes on its own; so that there is somebody to
 * put it to, the change counts as a use of that caller until it has been answered.
 */
#include "mcp/client/peer_state.h"

static bool is_to_hear(const struct tc_peer *peer, const struct tc_caller *caller)
{
    return peer->roots_asked && tc_peer_has(peer, TC_MCP_HANDSHAKE) && caller && caller->ops->ask &&
           caller->abilities & TC_ABILITY_ROOTS;
}

enum tc_err tc_peer_tell_roots(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request)
{
    struct tc_peer_use use = {.caller = request->caller, .roots = true};
    enum tc_err code;

    if (!is_to_hear(peer, request->caller))
        return TC_OK;
    code = tc_peer_enter(cx, peer, &use, request->timeout_ms);
    if (code != TC_OK)
        return code;
    code = peer->link->ops->notify(cx, peer->link, "notifications/roots/list_changed", tc_str_n("", 0));
    if (code == TC_OK && tc_peer_alive(peer))
        code = tc_task_wait(cx, &use.answered, request->timeout_ms);
    tc_peer_leave(cx, peer, &use);
    return code;
}
