/*
 * The link over HTTP+SSE, the transport of the first revision: one stream of events
 * for all that the server sends, whose first event says where messages are posted.
 * The end of the stream is the end of the link.
 */
#ifndef TC_MCP_CLIENT_LINK_SSE_H
#define TC_MCP_CLIENT_LINK_SSE_H

#include "mcp/client/link.h"
#include "mcp/client/remote.h"

struct tc_link_sse_options {
    struct tc_loop *loop;
    const struct tc_remote *remote; /* copied; its client and auth outlive the link */
    struct tc_str identity;         /* whose grant opens the stream; empty: the server's */
    size_t message_max;             /* bytes of one message of the server; 0: 64 MiB */
    int *ret_status;                /* NULL, or: HTTP status of an answer that was no stream; else left alone */
};

/* Opens the stream and awaits the endpoint, at most 30 s. One reference is the
 * caller's. Errors: as tc_remote_open and tc_remote_fail; TC_E_MCP_PROTOCOL when the
 * answer is no stream of events, or its endpoint none of the same origin. */
PARKS enum tc_err tc_link_sse_open(struct tc_cx *cx, const struct tc_link_sse_options *options,
                                   const struct tc_link_events *events, struct tc_link **ret_link);

#endif
