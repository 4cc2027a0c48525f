/*
 * Answers of an authorization server: tokens, errors, registrations. Pure; strings
 * are borrowed from the document or lie in the arena.
 */
#ifndef TC_OAUTH_ANSWER_H
#define TC_OAUTH_ANSWER_H

#include "oauth/metadata.h"

struct tc_oauth_tokens {
    struct tc_str access, refresh, scope; /* refresh, scope: empty when not said */
    int64_t expires_in_s; /* -1: not said */
};

struct tc_oauth_refusal {
    struct tc_str code, description; /* code: "invalid_grant", …; empty when it said none */
};

struct tc_oauth_registration {
    struct tc_str client_id, client_secret;
    enum tc_oauth_method method; /* TC_OAUTH_METHODS: not said */
    int64_t secret_expires_at; /* Unix seconds; 0: never */
};

/* TC_E_MCP_AUTHORIZATION for anything but Bearer tokens. */
enum tc_err tc_oauth_tokens_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_tokens *ret);
/* Of any body at all: what is no OAuth error has an empty code. The texts are made
 * of printable ASCII and cut, fit to be shown. */
enum tc_err tc_oauth_refusal_read(struct tc_cx *cx, struct tc_str body, struct tc_oauth_refusal *ret);
/* TC_E_MCP_AUTHORIZATION without a client id. */
enum tc_err tc_oauth_registration_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_registration *ret);
/* Text of the other side, fit to be shown: printable ASCII, cut at 200. */
enum tc_err tc_oauth_shown(struct tc_cx *cx, struct tc_str text, struct tc_str *ret_shown);

#endif
