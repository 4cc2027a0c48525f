/*
 * What goes with each request of a peer (peer_params.c), what must be known of tools
 * for that (peer_tools.c), and the requests that a peer makes by itself
 * (peer_ask.c).
 */
#ifndef TC_MCP_CLIENT_PEER_ASK_H
#define TC_MCP_CLIENT_PEER_ASK_H

#include "mcp/client/peer_state.h"
#include "mcp/codec/param_header.h"

/* --- what goes with each request --- */

/* The member _meta, when there is something to say in it. extra: the caller's, or
 * NULL; what is said by this side in its place is left out. token: of progress, or
 * 0. */
void tc_peer_write_meta(struct tc_jsonw *w, const struct tc_peer *peer, const struct tc_caller *caller,
                        const struct tc_json *extra, int64_t token);
/* An object of capabilities, as the value. */
void tc_peer_write_capabilities(struct tc_jsonw *w, const struct tc_mcp_revision *revision, unsigned abilities);
void tc_peer_write_info(struct tc_jsonw *w); /* the member clientInfo's value */
/* Severity of a level, 0 (debug) to 7 (emergency); -1 for one that is none. */
int tc_peer_level(struct tc_str name);

/* --- requests of the peer's own --- */

struct tc_peer_asking {
    const char *method;
    void (*write)(struct tc_jsonw *w, const void *arg); /* members of params; NULL: none */
    const void *arg;
    struct tc_str name; /* for Mcp-Name; empty: none */
    struct tc_caller *caller; /* in whose name; may be NULL */
    struct tc_peer_use *use; /* during which; may be NULL */
    int64_t timeout_ms;
    bool untold; /* as in tc_link_request */
};
/* One request whose failure is an error: TC_E_MCP_PROTOCOL (also for an error of
 * the server: reply has its code), TC_E_TIMEOUT, TC_E_CLOSED, a cancellation. */
PARKS
enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const struct tc_peer_asking *asking,
                        struct tc_link_reply *ret_reply);

/* --- tools --- */

/* What must be known of a tool in order to call it. */
struct tc_peer_tool {
    bool as_task; /* it can be called as a task only */
    struct tc_mcp_param_headers headers;
};
/* Notes that of each entry of tools/list. Entries that cannot be called are left
 * out of *ret_entries, and named in the status. */
enum tc_err tc_peer_note_tools(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *entries,
                               const struct tc_json **ret_entries);
/* NULL when there is nothing to know. Borrowed until the next listing. */
const struct tc_peer_tool *tc_peer_tool(const struct tc_peer *peer, struct tc_str name);
/* Whether a call cannot be made well before tools were listed once. */
bool tc_peer_wants_tools(const struct tc_peer *peer);
void tc_peer_tools_destroy(struct tc_peer_tools *tools);
/* [{tool, reason}] as JSON text, borrowed; empty when all can be called. */
struct tc_str tc_peer_tools_dropped(const struct tc_peer_tools *tools);

/* The header fields of a request, in the arena; none where they are of no use. name:
 * of the tool, prompt, resource or task, or empty. tool, arguments: of a call, else
 * NULL. */
enum tc_err tc_peer_headers(struct tc_cx *cx, const struct tc_peer *peer, const char *method, struct tc_str name,
                            const struct tc_peer_tool *tool, const struct tc_json *arguments,
                            struct tc_header_list *ret_headers);

#endif
