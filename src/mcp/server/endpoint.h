/*
 * The Streamable HTTP endpoint: POST carries one message, GET opens the stream of
 * notifications, DELETE ends a session. Who calls is settled before.
 */
#ifndef TC_MCP_SERVER_ENDPOINT_H
#define TC_MCP_SERVER_ENDPOINT_H

#include "http/exchange.h"
#include "runtime/runtime.h"

struct tc_endpoint;

/* Watches the runtime's registry for list changes. */
enum tc_err tc_endpoint_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_endpoint **ret_endpoint);
/* Before a stop: open streams end now, and calls that wait for their client; others
 * that are under way go on. NULL is fine. */
void tc_endpoint_end_streams(struct tc_endpoint *endpoint);
/* Nothing is being served any more. NULL is fine. */
PARKS void tc_endpoint_destroy(struct tc_cx *cx, struct tc_endpoint *endpoint);

/* Answers the exchange. agent: that of the path /mcp/<agent>, or empty. */
PARKS void tc_endpoint_serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                             const struct tc_principal *principal, struct tc_str agent);
/* The transport of the first revision: GET /sse is the stream on which everything
 * comes, POST /messages carries what the client says. agent as before. */
PARKS void tc_endpoint_serve_sse(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                                 const struct tc_principal *principal, struct tc_str agent);

#endif
