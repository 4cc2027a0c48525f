/*
 * The inside of a link over HTTP+SSE, shared by the files that make it: link_sse.c
 * (life, and what comes), link_sse_send.c (what goes).
 */
#ifndef TC_MCP_CLIENT_LINK_SSE_STATE_H
#define TC_MCP_CLIENT_LINK_SSE_STATE_H

#include "mcp/client/inbox.h"
#include "mcp/client/link_sse.h"
#include "mcp/client/pending.h"

/* One request in flight, in the memory of the task that waits. */
struct tc_link_sse_flight {
    struct tc_pending pending; /* first */
    struct tc_client_handle handle;
};

struct tc_link_sse {
    struct tc_link base;
    unsigned refs;               /* the owner's, the supervisor's, one for each request */
    struct tc_loop *loop;
    struct tc_link_events events;
    struct tc_arena arena;       /* URL, configured headers, endpoint */
    struct tc_remote remote;
    struct tc_str identity;
    size_t message_max;
    const struct tc_mcp_revision *revision; /* NULL: not agreed on */
    struct tc_str endpoint;      /* where messages go; empty: not known yet */
    struct tc_pendings pendings;
    struct tc_task_group group;  /* the reader, and short work that nobody waits for */
    struct tc_event ready;       /* the endpoint is known, or will never be */
    enum tc_err start_code;      /* with error: why there is none */
    struct tc_error start_error; /* in the arena */
    int start_status;
    struct tc_event over;        /* the end has begun; the supervisor does the rest */
    struct tc_event finished;    /* nothing of it is left */
    bool handed_out;             /* it has been opened; else there is nobody to tell */
    bool closing;                /* asked for by the owner: no events */
    bool forgotten;              /* the server does not know the stream any more */
    char reason[256];
    size_t heard, messages, skipped, late, too_long;
    char skipped_line[TC_INBOX_SHOWN_MAX];
    size_t skipped_line_n;
};

/* Begins the end. The first reason stays. */
void tc_link_sse_end(struct tc_link_sse *link, const char *reason);
void tc_link_sse_ref(struct tc_link *self);
void tc_link_sse_unref(struct tc_link *self);

/* Members of its ops; see link.h. */
PARKS enum tc_err tc_link_sse_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                      struct tc_link_reply *ret_reply);
PARKS enum tc_err tc_link_sse_notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params);
PARKS enum tc_err tc_link_sse_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message);

#endif
