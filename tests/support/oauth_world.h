/*
 * An MCP server and its authorization server in this process, as a test wants them
 * to behave, and the grants under test between them.
 */
#ifndef TESTS_SUPPORT_OAUTH_WORLD_H
#define TESTS_SUPPORT_OAUTH_WORLD_H

#include "http/client.h"
#include "http/server.h"
#include "mcp/client/oauth.h"
#include "support/faulty_store.h"
#include "support/task.h"

struct oauth_world {
    void (*body)(struct oauth_world *w, struct tc_cx *cx);
    struct tc_loop *loop;
    struct tc_server *server;
    struct tc_client *client;
    struct tc_store *store;
    struct faulty_store faulty;
    struct tc_secrets secrets;
    struct tc_oauth *oauth;
    struct tc_auth *auth;
    int port;
    struct tc_str origin, url;

    /* how the servers behave; NULL: well */
    const char *resource, *issuer, *pkce, *methods, *scopes, *resource_scopes, *token_error;
    bool no_resource, no_issuer, no_registration, iss, no_refresh;
    int token_status, expires_in;

    /* what was asked of them */
    int resources, issuers, registrations, tokens, refreshes, revocations, serial;
    char last_form[2048], last_authorization[512], refresh[64];
    struct tc_event hold; /* token requests wait for it while holding */
    bool holding;
};

void oauth_keep(char *to, size_t size, struct tc_str text);
/* Runs the body as a task among servers that behave well. */
void in_oauth_world(void (*body)(struct oauth_world *w, struct tc_cx *cx));
/* The process starts anew over the same store. */
void oauth_reopen(struct oauth_world *w, struct tc_cx *cx);
struct tc_logins *oauth_logins(struct oauth_world *w);
struct tc_login_request oauth_request_of(struct oauth_world *w);
enum tc_err oauth_begin(struct oauth_world *w, struct tc_cx *cx, struct tc_login_request request, struct tc_login *ret);
struct tc_str oauth_url_param(struct tc_cx *cx, struct tc_str url, const char *name);
/* The browser comes back; rest: further parameters. */
enum tc_err oauth_come_back(struct oauth_world *w, struct tc_cx *cx, const struct tc_login *login, const char *rest);
/* All of it. */
struct tc_login oauth_log_in(struct oauth_world *w, struct tc_cx *cx);
/* The token of the shared grant, or why there is none. */
struct tc_str oauth_token(struct oauth_world *w, struct tc_cx *cx);
enum tc_err oauth_refuse_as(struct oauth_world *w, struct tc_cx *cx, int status, const char *challenge,
                            const char *token_);
bool oauth_says(const struct tc_cx *cx, const char *what);
bool oauth_form_has(const struct oauth_world *w, const char *what);

#endif
