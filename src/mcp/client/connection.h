/*
 * A source's connection to its server under one identity: a peer that is opened
 * on first use and again on the next use after it ended.
 *
 * A start is shared by all who wait for it. After an end that nobody asked for,
 * starts are held back for 1 s, doubling up to 60 s; 60 s of health reset that.
 */
#ifndef TC_MCP_CLIENT_CONNECTION_H
#define TC_MCP_CLIENT_CONNECTION_H

#include "mcp/client/peer.h"

struct tc_connection;

/* Called on the loop; must not park. None comes after tc_connection_close began. */
struct tc_connection_events {
    void (*list_changed)(void *arg, enum tc_source_kind kind);
    void (*resource_updated)(void *arg, struct tc_str uri);
    void (*ended)(void *arg, struct tc_str reason);
    void (*said)(void *arg, struct tc_str line); /* as it came: not masked */
};

struct tc_connection_options {
    struct tc_loop *loop;
    /* Ways to reach the server, the next one when the one before is answered with
     * an HTTP status that says "not like this". */
    tc_peer_dial *const *dials;
    size_t dials_n;
    int64_t start_ms; /* for a start; 0: 60 s */
    struct tc_connection_events events;
    /* What may be shown of a text that the server or its start had a part in; in
     * the arena. */
    struct tc_str (*shown)(struct tc_cx *cx, const void *arg, struct tc_str text);
    struct tc_peer_memory *memory; /* shared by all connections to the server */
    void *arg; /* of dials, events, shown */
};

/* The options' pointers are borrowed; identity too, for as long as it lives. */
enum tc_err tc_connection_create(struct tc_cx *cx, const struct tc_connection_options *options, struct tc_str identity,
                                 struct tc_connection **ret_connection);
/* Ends the peer and a start under way; waits for their end, shielded. Uses get
 * TC_E_CLOSED from here on. */
PARKS
void tc_connection_close(struct tc_cx *cx, struct tc_connection *connection);
/* Closed, and nobody inside tc_connection_need any more. */
void tc_connection_destroy(struct tc_connection *connection);

/* A living peer, with a reference for the caller. TC_E_CLOSED, what kept it from
 * starting, TC_E_TIMEOUT, a cancellation. */
PARKS
enum tc_err tc_connection_need(struct tc_cx *cx, struct tc_connection *connection, int64_t timeout_ms,
                               struct tc_peer **ret_peer);

struct tc_connection_status {
    const char *state; /* stopped, starting, running, failed, closed */
    struct tc_str error; /* last failure of a start, or reason of an end */
    int failures; /* in a row */
    size_t starts;
    struct tc_peer *peer; /* borrowed, or NULL */
};
void tc_connection_status(const struct tc_connection *connection, struct tc_connection_status *ret_status);

#endif
