/*
 * One connection to one MCP server over stdio, from its start to its end: the
 * handshake, requests side by side, and what the server sends unasked. It is not
 * started again: that is the source's business (source.h).
 *
 * Counted: the owner holds a reference, each request in flight another. Whatever
 * ends the connection (close, the server's exit, a broken pipe, shutdown), its
 * supervising task fails the requests, ends the server with all its processes
 * and sets the state to finished.
 */
#ifndef TC_MCP_CLIENT_CLIENT_H
#define TC_MCP_CLIENT_CLIENT_H

#include "mcp/client/guard.h"
#include "mcp/codec/revision.h"
#include "ports/tool_source.h"

struct tc_mcp_client;

/* Called on the loop, never inside a call of this header; must not park. None
 * comes after tc_mcp_client_close. */
struct tc_mcp_client_events {
    void (*list_changed)(void *arg, enum tc_source_kind kind); /* at most one of each kind in 200 ms */
    void (*ended)(void *arg); /* once, unasked; tc_mcp_client_status has the reason */
    void *arg;
};

struct tc_mcp_client_options {
    const struct tc_guard_launch *launch; /* used during open only */
    size_t line_max;                      /* bytes of one message of the server; 0: 64 MiB */
    int64_t start_ms;                     /* for the handshake; 0: 60 s */
    struct tc_mcp_client_events events;
};

/* Starts the server and shakes hands. TC_E_MCP_START_FAILED, TC_E_MCP_PROTOCOL,
 * TC_E_MCP_VERSION or TC_E_TIMEOUT with the last lines of its stderr; a
 * cancellation. */
PARKS enum tc_err tc_mcp_client_open(struct tc_cx *cx, struct tc_loop *loop, struct tc_guard *guard,
                                     const struct tc_mcp_client_options *options, struct tc_mcp_client **ret_client);
/* Begins the end: input closed, 1 s to exit, then as tc_guard_child_end does. */
void tc_mcp_client_close(struct tc_mcp_client *client);
/* Until nothing of the server is left; at most about 6 s after its end began. */
PARKS enum tc_err tc_mcp_client_join(struct tc_cx *cx, struct tc_mcp_client *client, int64_t timeout_ms);
void tc_mcp_client_ref(struct tc_mcp_client *client);
void tc_mcp_client_unref(struct tc_mcp_client *client); /* NULL is fine */

/* False once its end has begun. */
bool tc_mcp_client_alive(const struct tc_mcp_client *client);

/* --- requests; each fills *ret_reply when it returns TC_OK, see tool_source.h --- */

/* A request of any method; params is JSON text or empty. RESULT is any value. */
PARKS enum tc_err tc_mcp_client_request(struct tc_cx *cx, struct tc_mcp_client *client, const char *method,
                                        struct tc_str params, int64_t timeout_ms, struct tc_source_reply *ret_reply);
/* tools/call. RESULT is a CallToolResult. */
PARKS enum tc_err tc_mcp_client_call(struct tc_cx *cx, struct tc_mcp_client *client, const struct tc_source_call *call,
                                     struct tc_source_reply *ret_reply);
/* All pages of a list as one array in the arena. TC_E_MCP_PROTOCOL,
 * TC_E_TIMEOUT, TC_E_CLOSED when the connection ended. */
PARKS enum tc_err tc_mcp_client_list(struct tc_cx *cx, struct tc_mcp_client *client, enum tc_source_kind kind,
                                     int64_t timeout_ms, const struct tc_json **ret_entries);

/* --- for people --- */
struct tc_mcp_client_status {
    int pid;
    const struct tc_mcp_revision *revision; /* NULL before the handshake */
    const struct tc_json *server;           /* serverInfo as it came, cleaned, or NULL */
    const struct tc_json *instructions;     /* or NULL */
    struct tc_str reason;                   /* of its end; empty while it lives */
    struct tc_str output;                   /* the last 64 KiB of stderr, as they came */
    struct tc_str skipped_line;             /* the last one, cut; empty: none */
    size_t in_flight, skipped, late, too_long; /* requests; lines that were no message; answers nobody waited for */
};
/* Borrowed from the client. */
void tc_mcp_client_status(const struct tc_mcp_client *client, struct tc_mcp_client_status *ret_status);

#endif
