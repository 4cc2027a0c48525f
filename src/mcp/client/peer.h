/*
 * What is spoken with one MCP server over one link, in either era, from the
 * greeting to the end: revision, lists, calls with the questions that the server
 * has meanwhile, and what it sends unasked. A peer is not started again: that is
 * the connection's business (connection.h).
 *
 * Counted: the owner holds a reference, each request in flight and each task of
 * the peer's own another. Its end is its link's end, whatever caused that.
 */
#ifndef TC_MCP_CLIENT_PEER_H
#define TC_MCP_CLIENT_PEER_H

#include "mcp/client/link.h"

struct tc_peer;
struct tc_uri_set;

/* Called on the loop, never inside a call of this header; must not park. None
 * comes after tc_peer_close. */
struct tc_peer_events {
    void (*list_changed)(void *arg, enum tc_source_kind kind); /* at most one of each kind in 200 ms */
    void (*resource_updated)(void *arg, struct tc_str uri); /* one that was subscribed to; may be NULL */
    void (*said)(void *arg, struct tc_str line); /* on stderr, while it starts too; may be NULL */
    void (*ended)(void *arg); /* once, unasked; tc_peer_status has the reason */
    void *arg;
};

/* PARKS. Opens a link; one reference is the peer's. */
typedef enum tc_err tc_peer_dial(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                                 struct tc_link **ret_link);

/* What is worth knowing of a server at the next start; zeroed at first. */
struct tc_peer_memory {
    const struct tc_mcp_revision *revision; /* agreed on last; NULL: never */
    size_t dial; /* the one that worked last, for who has several */
    int refusal; /* HTTP status of the answer that the last greeting failed on; 0: none */
};

struct tc_peer_options {
    struct tc_loop *loop;
    tc_peer_dial *dial;
    void *dial_arg;
    struct tc_str identity; /* whose grant the peer's own requests use (link.h); outlives the peer */
    int64_t start_ms; /* for the greeting; 0: 60 s */
    struct tc_peer_memory *memory; /* outlives the peer; NULL: none */
    struct tc_uri_set *uris; /* what is subscribed to; outlives the peer; NULL: nothing is kept */
    struct tc_peer_events events;
};

/* Dials and greets. Fails as dial does, or with TC_E_MCP_START_FAILED,
 * TC_E_MCP_PROTOCOL, TC_E_MCP_VERSION or TC_E_TIMEOUT with the last lines of a
 * program's stderr; a cancellation. */
PARKS
enum tc_err tc_peer_open(struct tc_cx *cx, const struct tc_peer_options *options, struct tc_peer **ret_peer);
/* Begins the end. */
void tc_peer_close(struct tc_peer *peer);
/* Until nothing of its link and its tasks is left. */
PARKS
enum tc_err tc_peer_join(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms);
void tc_peer_ref(struct tc_peer *peer);
void tc_peer_unref(struct tc_peer *peer); /* NULL is fine */

/* False once its end has begun. */
bool tc_peer_alive(const struct tc_peer *peer);

/* As in ports/tool_source.h; each fills *ret_reply when it returns TC_OK. */
PARKS
enum tc_err tc_peer_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                            struct tc_source_reply *ret_reply);
PARKS
enum tc_err tc_peer_call(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_call *call,
                         struct tc_source_reply *ret_reply);
/* All pages of a list as one array in the arena. TC_E_MCP_PROTOCOL,
 * TC_E_TIMEOUT, TC_E_CLOSED when the link ended. */
PARKS
enum tc_err tc_peer_list(struct tc_cx *cx, struct tc_peer *peer, enum tc_source_kind kind, int64_t timeout_ms,
                         const struct tc_json **ret_entries);

/* --- for people --- */
struct tc_peer_status {
    struct tc_link_status link;
    const char *transport;
    const struct tc_mcp_revision *revision; /* NULL before the greeting */
    const struct tc_json *server; /* serverInfo as it came, cleaned, or NULL */
    const struct tc_json *capabilities; /* of the server, or NULL */
    const struct tc_json *instructions; /* or NULL */
    struct tc_str dropped; /* tools that cannot be called: [{tool, reason}] as JSON text, or empty */
    bool one_by_one; /* calls of those who can be asked are */
};
/* Borrowed from the peer. */
void tc_peer_status(const struct tc_peer *peer, struct tc_peer_status *ret_status);

#endif
