/*
 * A login that is under way, or was a while ago. Private to oauth*.c.
 */
#ifndef TC_MCP_CLIENT_OAUTH_PENDING_H
#define TC_MCP_CLIENT_OAUTH_PENDING_H

#include "mcp/client/oauth_state.h"

enum { TC_OAUTH_LOGIN_MS = 10 * 60 * 1000 };

/* What the browser was sent to. No token lies here. */
struct tc_oauth_pending {
    struct tc_oauth *oauth;
    struct tc_oauth_slot *slot;
    struct tc_arena arena;
    struct tc_str id, state, verifier, redirect_uri, scope, resource, named; /* state empty: used up */
    struct tc_oauth_issuer issuer;
    struct tc_oauth_client client;
    enum tc_login_state outcome;
    enum tc_err code;
    char message[TC_OAUTH_FAULT], hint[TC_OAUTH_FAULT];
    int64_t expires_at;
    struct tc_event ended;
    struct tc_str answer;  /* the code on its way to the token endpoint */
    size_t users;          /* tasks that look at it */
    bool gone;             /* to be freed by the last of them */
};

/* A free place in the table. TC_E_BUSY. */
enum tc_err tc_oauth_pending_place(struct tc_cx *cx, struct tc_oauth *oauth, size_t *ret_i);
void tc_oauth_pending_drop(struct tc_oauth *oauth, size_t i);
void tc_oauth_pending_release(struct tc_oauth_pending *pending); /* frees it when it is gone and nobody looks at it */
void tc_oauth_pending_leave(struct tc_oauth_pending *pending);   /* one task fewer does */
/* In time that does not depend on how near the state is. NULL: none. */
struct tc_oauth_pending *tc_oauth_pending_by_state(struct tc_oauth *oauth, struct tc_str state);
enum tc_err tc_oauth_pending_describe(struct tc_cx *cx, const struct tc_oauth_pending *pending, struct tc_login *ret);
/* code and what cx says of it. */
void tc_oauth_pending_end(struct tc_oauth_pending *pending, const struct tc_cx *cx, enum tc_err code);

#endif
