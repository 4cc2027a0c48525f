/*
 * Grants of MCP servers: what the operator logged in to, kept sealed, renewed before
 * it runs out, handed to links one request at a time (auth.h) and to nobody else.
 * The same object begins and ends logins (ports/logins.h).
 *
 * A grant belongs to one server, one identity, one authorization server, and to
 * the origin that it was made for: a server that moves starts without one. For each
 * grant at most one renewal is under way; it outlives the calls that wait for it.
 */
#ifndef TC_MCP_CLIENT_OAUTH_H
#define TC_MCP_CLIENT_OAUTH_H

#include "http/client.h"
#include "mcp/client/auth.h"
#include "ports/logins.h"
#include "ports/secrets.h"
#include "ports/store.h"

struct tc_oauth;

struct tc_oauth_options {
    struct tc_loop *loop;
    struct tc_client *client;
    struct tc_store *store;
    struct tc_secrets *secrets;
    struct tc_str public_url; /* of this daemon, https: then it is a client by document; or empty */
    /* Parks. The address to which browsers are sent back, in the arena; whoever gives
     * it also sees to it that it is served. */
    enum tc_err (*redirect)(struct tc_cx *cx, void *arg, struct tc_str *ret_uri);
    void *arg;
};

/* Strings and parts in the options are borrowed. */
enum tc_err tc_oauth_create(struct tc_cx *cx, const struct tc_oauth_options *options, struct tc_oauth **ret_oauth);
/* Every link must be closed. Lets renewals under way end: what they bring is used
 * up otherwise. NULL is fine. */
PARKS void tc_oauth_destroy(struct tc_cx *cx, struct tc_oauth *oauth);

/* The grants of one server at its present URL; they live as long as oauth. */
enum tc_err tc_oauth_auth(struct tc_cx *cx, struct tc_oauth *oauth, struct tc_str server, struct tc_str url,
                          struct tc_auth **ret_auth);
struct tc_logins *tc_oauth_logins(struct tc_oauth *oauth);

/* Below the public URL: the document that says what this client is, and where
 * browsers come back to. */
#define TC_OAUTH_DOCUMENT_PATH "/oauth/client.json"
#define TC_OAUTH_CALLBACK_PATH "/oauth/callback"

#endif
