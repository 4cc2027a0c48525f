/*
 * The inside of a stdio link, shared by the files that make it: link_stdio.c
 * (life), link_stdio_read.c (what comes), link_stdio_send.c (what goes).
 */
#ifndef TC_MCP_CLIENT_LINK_STDIO_STATE_H
#define TC_MCP_CLIENT_LINK_STDIO_STATE_H

#include "mcp/client/link_stdio.h"
#include "mcp/client/outbox.h"
#include "mcp/client/pending.h"

enum {
    TC_LINK_STDIO_REASON_MAX = 256,
    TC_LINK_STDIO_LINE_MAX = 64 << 20,
    TC_LINK_STDIO_SHOWN_MAX = 200 /* bytes kept of a line that was no message */
};

struct tc_link_stdio {
    struct tc_link base;
    unsigned refs; /* the owner's, the supervisor's, one for each request */
    struct tc_loop *loop;
    struct tc_link_events events;
    size_t line_max;
    struct tc_guard_child child;
    struct tc_stream *in, *out, *err; /* NULL once closed */
    struct tc_task_group group; /* reader, writer, stderr */
    struct tc_outbox outbox;
    struct tc_pendings pendings;
    struct tc_event over; /* the end has begun; whatever set it, the supervisor does the rest */
    struct tc_event settled; /* the reason is final, no request waits any more */
    struct tc_event drained; /* the reader has seen the end of stdout */
    struct tc_event finished; /* nothing of the server is left */
    bool closing; /* asked for by the owner: no events */
    char reason[TC_LINK_STDIO_REASON_MAX];
    struct tc_buf stderr_tail;
    char skipped_line[TC_LINK_STDIO_SHOWN_MAX];
    size_t skipped_line_n;
    size_t heard, messages, skipped, late, too_long;
};

/* Begins the end. The first reason stays. */
void tc_link_stdio_end(struct tc_link_stdio *link, const char *reason);
void tc_link_stdio_ref(struct tc_link *self);
void tc_link_stdio_unref(struct tc_link *self);

/* Tasks of a link. */
PARKS
void tc_link_stdio_read_stdout(struct tc_cx *cx, void *link);
PARKS
void tc_link_stdio_read_stderr(struct tc_cx *cx, void *link);

/* Members of its ops; see link.h. */
PARKS
enum tc_err tc_link_stdio_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                  struct tc_link_reply *ret_reply);
enum tc_err tc_link_stdio_notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params);
enum tc_err tc_link_stdio_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message);

#endif
