/*
 * The inside of the endpoint. Private to endpoint.c, post.c, batch.c and streams.c.
 */
#ifndef TC_MCP_SERVER_ENDPOINT_STATE_H
#define TC_MCP_SERVER_ENDPOINT_STATE_H

#include "io/timer.h"
#include "mcp/server/dialog.h"
#include "mcp/server/endpoint.h"
#include "mcp/server/outlet.h"
#include "mcp/server/parked.h"

struct tc_watch { /* an open stream that tells of changes */
    struct tc_watch *next;
    struct tc_feed *feed;
    unsigned kinds;                                /* bits of the lists that it wants to hear of */
    bool changed;                                  /* something may be different */
    const struct tc_subscriptions *subscriptions;  /* of a stream without a session; NULL: none */
    struct tc_str tag;                             /* _meta of its notifications, JSON text */
};

struct tc_endpoint {
    struct tc_runtime *runtime;
    struct tc_sessions sessions;
    struct tc_outlets outlets;
    struct tc_parking parking;
    struct tc_task_group calls; /* of clients that are answered on another exchange than they asked on */
    struct tc_watch *watches;
    struct tc_timer timer; /* looks after outlets, while there are any */
    bool ending;           /* no stream stays open */
};

/* One POST on its way. */
struct tc_post {
    struct tc_endpoint *endpoint;
    struct tc_exchange *exchange;
    struct tc_dialog dialog;
    struct tc_json_doc *doc; /* of the message */
    struct tc_rpc rpc;
    struct tc_header_list headers;
};

PARKS void tc_post_serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                         const struct tc_dialog *dialog);
/* An array of messages; the session is settled. */
PARKS void tc_batch_serve(struct tc_cx *cx, struct tc_post *post, const struct tc_json *items);
/* The stream of a session. */
PARKS void tc_streams_get(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                          struct tc_dialog *dialog);

/* subscriptions/listen of the metadata era. */
PARKS void tc_streams_listen(struct tc_cx *cx, struct tc_post *post);

/* HTTP+SSE. */
PARKS void tc_sse_transport_open(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                                 struct tc_dialog *dialog, struct tc_str path_agent);
PARKS void tc_sse_transport_post(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                                 struct tc_dialog *dialog);

/* Writes the watch's feed, and what changes, until it is over. The answer is begun. */
PARKS enum tc_err tc_streams_attend(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                                    const struct tc_dialog *d, struct tc_watch *watch, unsigned reader);

/* Whether the request takes answers of that type. */
bool tc_endpoint_accepts(const struct tc_exchange *exchange, const char *type);
/* The failure in cx as a JSON-RPC error to that id (JSON text, or empty). */
PARKS void tc_endpoint_refuse(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_str id);
/* session: its id goes into the head; may be NULL. */
PARKS void tc_endpoint_reply(struct tc_cx *cx, struct tc_exchange *exchange, int status, struct tc_str body,
                             const struct tc_session *session);
enum { TC_ENDPOINT_TEND_MS = 1000 }; /* how often requests under way are looked after */
/* Has them looked after in so many milliseconds at the latest. */
void tc_endpoint_tend(struct tc_endpoint *endpoint, int within_ms);

#endif
