/*
 * The inside of a client, shared by the files that make it: client.c (life),
 * client_read.c (what comes), client_call.c (what is asked).
 */
#ifndef TC_MCP_CLIENT_CLIENT_STATE_H
#define TC_MCP_CLIENT_CLIENT_STATE_H

#include "mcp/client/client.h"
#include "mcp/client/outbox.h"
#include "mcp/client/pending.h"

enum {
    TC_MCP_CLIENT_REASON_MAX = 256,
    TC_MCP_CLIENT_LINE_MAX = 64 << 20,
    TC_MCP_CLIENT_SHOWN_MAX = 200 /* bytes kept of a line that was no message */
};

struct tc_mcp_client {
    unsigned refs;
    struct tc_loop *loop;
    struct tc_mcp_client_events events;
    size_t line_max;
    struct tc_guard_child child;
    struct tc_stream *in, *out, *err; /* NULL once closed */
    struct tc_task_group group;       /* reader, writer, stderr, delayed events */
    struct tc_outbox outbox;
    struct tc_pendings pendings;
    struct tc_arena arena;            /* what the handshake brought */
    const struct tc_mcp_revision *revision;
    const struct tc_json *hello;      /* the answer to initialize */
    struct tc_event over;             /* the end has begun; whatever set it, the supervisor does the rest */
    struct tc_event settled;          /* the reason is final, no request waits any more */
    struct tc_event drained;          /* the reader has seen the end of stdout */
    struct tc_event finished;         /* nothing of the server is left */
    bool closing;                     /* asked for by the owner: no events */
    unsigned changes_due;             /* a bit for each tc_source_kind that list_changed will be called for */
    char reason[TC_MCP_CLIENT_REASON_MAX];
    struct tc_buf stderr_tail;
    char skipped_line[TC_MCP_CLIENT_SHOWN_MAX];
    size_t skipped_line_n;
    size_t skipped, late, too_long;
};

/* Begins the end. The first reason stays. */
void tc_mcp_client_end(struct tc_mcp_client *client, const char *reason);

/* Tasks of a connection. */
PARKS void tc_mcp_client_read_stdout(struct tc_cx *cx, void *client);
PARKS void tc_mcp_client_read_stderr(struct tc_cx *cx, void *client);

/* The handshake; the connection is of use once it returned TC_OK. */
PARKS enum tc_err tc_mcp_client_greet(struct tc_cx *cx, struct tc_mcp_client *client, int64_t timeout_ms);

#endif
