/*
 * What gives the requests to an HTTP server their Authorization. One for each
 * server; implemented by the grants of mcp/client/oauth. A link asks for a token
 * before each request and tells of each refusal.
 */
#ifndef TC_MCP_CLIENT_AUTH_H
#define TC_MCP_CLIENT_AUTH_H

#include "io/task.h"
#include "toolcrib/cx.h"

struct tc_auth;

struct tc_auth_refusal {
    int status;              /* 401 or 403 */
    struct tc_str challenge; /* WWW-Authenticate, or empty */
    struct tc_str token;     /* the one that was refused; empty: none was sent */
};

struct tc_auth_ops {
    /* PARKS. The access token for an identity (empty: the shared grant), in the
     * arena, refreshed when it is about to expire; empty when there is none. */
    enum tc_err (*token)(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity, struct tc_str *ret_token);
    /* PARKS. TC_OK: there is another token, the request may be sent again. Else
     * TC_E_MCP_LOGIN_REQUIRED, whose hint says how a person grants it, or what kept
     * the authorization server from answering. */
    enum tc_err (*refused)(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity,
                           const struct tc_auth_refusal *refusal);
};

struct tc_auth {
    const struct tc_auth_ops *ops;
};

#endif
