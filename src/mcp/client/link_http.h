/*
 * The link over Streamable HTTP: each message is a POST, answered by a JSON text or
 * by a stream of events that ends with the answer. In the era with a handshake
 * there is also a session, a standing stream for what the server sends unasked,
 * and streams that break are taken up again where they broke.
 *
 * A session that the server has forgotten ends the link; the request that found
 * that out was provably not acted on.
 */
#ifndef TC_MCP_CLIENT_LINK_HTTP_H
#define TC_MCP_CLIENT_LINK_HTTP_H

#include "mcp/client/link.h"
#include "mcp/client/remote.h"

struct tc_link_http_options {
    struct tc_loop *loop;
    const struct tc_remote *remote; /* copied; its client and auth outlive the link */
    size_t message_max;             /* bytes of one message of the server; 0: 64 MiB */
};

/* Sends nothing yet. One reference is the caller's. Its end: requests are settled,
 * a session is given back; at most about 15 s in all. */
enum tc_err tc_link_http_open(struct tc_cx *cx, const struct tc_link_http_options *options,
                              const struct tc_link_events *events, struct tc_link **ret_link);

#endif
