/*
 * The inside of a link over Streamable HTTP, shared by the files that make it:
 * link_http.c (life), link_http_request.c (requests), link_http_exchange.c (their
 * answers), link_http_listen.c (the standing stream), link_http_post.c (all other
 * messages).
 */
#ifndef TC_MCP_CLIENT_LINK_HTTP_STATE_H
#define TC_MCP_CLIENT_LINK_HTTP_STATE_H

#include "mcp/client/answer.h"
#include "mcp/client/inbox.h"
#include "mcp/client/link_http.h"

enum {
    TC_LINK_HTTP_HEADERS_MAX = 8, /* that a link sets itself */
    TC_LINK_HTTP_RETRY_MS = 1000, /* before a stream is taken up again, where the server has no wish */
    TC_LINK_HTTP_RETRY_MAX_MS = 60 * 1000
};

/* One request in flight, in the memory of the task that waits. */
struct tc_link_http_flight {
    int64_t id;
    void *use;                      /* of the request (link.h) */
    bool standing;                  /* nobody waits for its answer */
    struct tc_client_handle handle; /* ends what it waits for */
    struct tc_link_http_flight *prev, *next;
};

struct tc_link_http;

/* One request and its answer. */
struct tc_link_http_exchange {
    struct tc_link_http *link;
    const struct tc_link_request *request;
    struct tc_link_http_flight flight;
    struct tc_answer_keeper *keeper;
    struct tc_str body;
    bool acted;
    bool answered;
    struct tc_answer answer;
    int status;          /* of the last answer to this request, 0: none */
    bool whole;          /* it is one JSON text: whatever answer it holds is this request's */
    struct tc_buf last_id;
    int64_t retry_ms;
    bool fresh;          /* the last stream brought something */
};

struct tc_link_http {
    struct tc_link base;
    unsigned refs;                  /* the owner's, the supervisor's, one for each request */
    struct tc_loop *loop;
    struct tc_link_events events;
    struct tc_arena arena;          /* URL and configured headers */
    struct tc_remote remote;
    size_t message_max;
    const struct tc_mcp_revision *revision; /* NULL: not agreed on */
    struct tc_buf session;          /* Mcp-Session-Id; empty: none */
    int64_t last_id;
    struct tc_link_http_flight *flights;
    size_t in_flight;               /* but for standing ones */
    struct tc_event idle;           /* none of these is in flight */
    struct tc_event empty;          /* nor a standing one */
    struct tc_task_group group;     /* the standing stream, and short work that nobody waits for */
    bool listening;
    struct tc_event over;           /* the end has begun; the supervisor does the rest */
    struct tc_event finished;       /* nothing of it is left */
    bool closing;                   /* asked for by the owner: no events */
    bool forgotten;                 /* the session is no more */
    char reason[256];
    size_t heard, messages, skipped, late, too_long;
    char skipped_line[TC_INBOX_SHOWN_MAX];
    size_t skipped_line_n;
};

/* --- link_http.c --- */

/* Begins the end. The first reason stays. */
void tc_link_http_end(struct tc_link_http *link, const char *reason);
/* The same, for a session that the server does not know any more. */
void tc_link_http_forgotten(struct tc_link_http *link);
void tc_link_http_ref(struct tc_link *self);
void tc_link_http_unref(struct tc_link *self);
/* Hands over what is no answer. flight: on whose stream it came, or NULL. */
void tc_link_http_hear(struct tc_cx *cx, struct tc_link_http *link, const struct tc_link_http_flight *flight,
                       const struct tc_inbox_message *message);
/* Takes over the counts of what was read. */
void tc_link_http_count(struct tc_link_http *link, const struct tc_inbox *inbox);

/* --- link_http_post.c --- */

/* What goes with every request of the link: session, revision, Accept, and
 * Content-Type for a POST. last_id: to go on from, or empty. */
struct tc_header_list tc_link_http_headers(const struct tc_link_http *link, bool post, struct tc_str last_id,
                                           struct tc_header to[TC_LINK_HTTP_HEADERS_MAX]);
bool tc_link_http_is_stream(struct tc_header_list headers);
/* A task: gives the session back. */
PARKS void tc_link_http_say_goodbye(struct tc_cx *cx, void *link);

/* --- link_http_exchange.c --- */

/* Sends and takes the answer. TC_OK: it is in the exchange; it may also be there
 * when something failed after. */
PARKS enum tc_err tc_link_http_exchange(struct tc_cx *cx, struct tc_link_http_exchange *ex);

/* --- link_http_listen.c --- */

/* Begins the standing stream, unless there is one. */
void tc_link_http_listen(struct tc_cx *cx, struct tc_link_http *link);

/* Members of its ops; see link.h. */
PARKS enum tc_err tc_link_http_request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                                       struct tc_link_reply *ret_reply);
PARKS enum tc_err tc_link_http_notify(struct tc_cx *cx, struct tc_link *self, const char *method,
                                      struct tc_str params);
PARKS enum tc_err tc_link_http_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message);

#endif
