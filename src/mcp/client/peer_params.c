/*
 * What goes with each request: in the era of the handshake a progress token; in
 * the era without one also who asks, in which revision, and what can be asked in
 * return.
 */
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

#define SPEC "io.modelcontextprotocol/"

/* --- levels --- */

static const char *const levels[] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
enum { LEVELS = sizeof levels / sizeof levels[0] };

int tc_peer_level(struct tc_str name)
{
    for (int i = 0; i < LEVELS; i++) {
        if (tc_str_is(name, levels[i]))
            return i;
    }
    return -1;
}

/* --- capabilities --- */

static void write_empty(struct tc_jsonw *w, const char *key)
{
    tc_jsonw_key(w, key);
    tc_jsonw_object(w);
    tc_jsonw_end(w);
}

static void write_elicitation(struct tc_jsonw *w, unsigned abilities)
{
    if (!(abilities & (TC_ABILITY_FORM | TC_ABILITY_URL)))
        return;
    tc_jsonw_key(w, "elicitation");
    tc_jsonw_object(w);
    if (abilities & TC_ABILITY_FORM)
        write_empty(w, "form");
    if (abilities & TC_ABILITY_URL)
        write_empty(w, "url");
    tc_jsonw_end(w);
}

static void write_sampling(struct tc_jsonw *w, unsigned abilities)
{
    if (!(abilities & TC_ABILITY_SAMPLING))
        return;
    tc_jsonw_key(w, "sampling");
    tc_jsonw_object(w);
    if (abilities & TC_ABILITY_SAMPLING_CONTEXT)
        write_empty(w, "context");
    if (abilities & TC_ABILITY_SAMPLING_TOOLS)
        write_empty(w, "tools");
    tc_jsonw_end(w);
}

static void write_roots(struct tc_jsonw *w, const struct tc_mcp_revision *revision, unsigned abilities)
{
    if (!(abilities & TC_ABILITY_ROOTS))
        return;
    tc_jsonw_key(w, "roots");
    tc_jsonw_object(w);
    if (tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        tc_jsonw_kbool(w, "listChanged", true);
    tc_jsonw_end(w);
}

/* Tasks of the extension are waited for by the peer itself, whoever asks. */
void tc_peer_write_capabilities(struct tc_jsonw *w, const struct tc_mcp_revision *revision, unsigned abilities)
{
    tc_jsonw_object(w);
    write_elicitation(w, abilities);
    write_sampling(w, abilities);
    write_roots(w, revision, abilities);
    if (tc_mcp_revision_has(revision, TC_MCP_REQUEST_META)) {
        tc_jsonw_key(w, "extensions");
        tc_jsonw_object(w);
        write_empty(w, SPEC "tasks");
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

void tc_peer_write_info(struct tc_jsonw *w)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "name", "toolcrib");
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_end(w);
}

/* --- _meta --- */

/* The other side's own words on what this side says for itself. */
static bool is_ours(struct tc_str key)
{
    static const char *const ours[] = {"progressToken",           SPEC "protocolVersion", SPEC "clientInfo",
                                       SPEC "clientCapabilities", SPEC "logLevel",        SPEC "subscriptionId",
                                       SPEC "related-task"};

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (tc_str_is(key, ours[i]))
            return true;
    }
    return false;
}

static bool has_extra(const struct tc_json *extra)
{
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *v;

    for (it = tc_json_iter(extra); tc_json_next(&it, &key, &v);) {
        if (!is_ours(key))
            return true;
    }
    return false;
}

/* A caller that takes log messages and names no level gets the usual one: in this
 * era silence would mean none. */
static void write_declared(struct tc_jsonw *w, const struct tc_peer *peer, const struct tc_caller *caller)
{
    tc_jsonw_kcstr(w, SPEC "protocolVersion", peer->revision->name);
    tc_jsonw_key(w, SPEC "clientInfo");
    tc_peer_write_info(w);
    tc_jsonw_key(w, SPEC "clientCapabilities");
    tc_peer_write_capabilities(w, peer->revision, caller && caller->ops->ask ? caller->abilities : 0);
    if (caller && caller->ops->log)
        tc_jsonw_kcstr(w, SPEC "logLevel",
                       caller->log_level.n && tc_peer_level(caller->log_level) >= 0
                           ? levels[tc_peer_level(caller->log_level)]
                           : "info");
}

void tc_peer_write_meta(struct tc_jsonw *w, const struct tc_peer *peer, const struct tc_caller *caller,
                        const struct tc_json *extra, int64_t token)
{
    bool declares = tc_peer_has(peer, TC_MCP_REQUEST_META);
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    if (!declares && token == 0 && !has_extra(extra))
        return;
    tc_jsonw_key(w, "_meta");
    tc_jsonw_object(w);
    if (declares)
        write_declared(w, peer, caller);
    for (it = tc_json_iter(extra); tc_json_next(&it, &key, &v);) {
        if (is_ours(key))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, v);
    }
    if (token)
        tc_jsonw_kint(w, "progressToken", token);
    tc_jsonw_end(w);
}
