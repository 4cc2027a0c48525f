/*
 * The greeting: which revision both sides speak, and who the server is.
 */
#include "base/utf8.h"
#include "mcp/client/peer_state.h"

static enum tc_err read_hello(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *result)
{
    struct tc_str version = tc_json_str(tc_json_get_c(result, "protocolVersion"));

    if (!tc_json_is(result, TC_JSON_OBJECT) || version.n == 0)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered initialize without a protocolVersion.");
    peer->revision = tc_mcp_revision_find(version);
    if (!peer->revision)
        return tc_fail(cx, TC_E_MCP_VERSION, "The server speaks revision \"%.*s\" of the protocol, which is not known.",
                       TC_STR_ARG(tc_utf8_head(version, TC_PEER_SHOWN_CHARS)));
    peer->hello = result;
    return TC_OK;
}

static enum tc_err shake_hands(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    static const char params[] = "{\"protocolVersion\":\"%s\",\"capabilities\":{},"
                                 "\"clientInfo\":{\"name\":\"toolcrib\",\"version\":\"" TC_VERSION "\"}}";
    struct tc_str text = tc_arena_printf(cx->arena, params, tc_mcp_revision_newest(TC_MCP_HANDSHAKE)->name);
    struct tc_source_reply reply;
    enum tc_err code;

    if (!text.p)
        return tc_fail_memory(cx);
    code = tc_peer_ask(cx, peer, "initialize", text, timeout_ms, &reply);
    if (code == TC_OK)
        code = read_hello(cx, peer, reply.result);
    if (code != TC_OK)
        return code;
    peer->link->ops->agreed(peer->link, peer->revision);
    return peer->link->ops->notify(cx, peer->link, "notifications/initialized", tc_str_n("", 0));
}

enum tc_err tc_peer_greet(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    struct tc_cx kept = *cx; /* the answer stays as long as the peer */
    enum tc_err code;

    kept.arena = &peer->arena;
    code = shake_hands(&kept, peer, timeout_ms);
    if (code != TC_OK) /* in words that outlive the peer */
        return tc_fail(cx, code == TC_E_CLOSED ? TC_E_MCP_START_FAILED : code, "%.*s", TC_STR_ARG(kept.err.message));
    return TC_OK;
}
