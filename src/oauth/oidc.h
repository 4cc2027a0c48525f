/*
 * Checks access tokens of one OpenID provider (RFC 9068 and what providers make of
 * it): signature by the provider's published keys, issuer and audience to the
 * letter, times with a little leeway, the claim that names the agent. It hands
 * tokens on to nobody.
 *
 * Keys are fetched when the first token comes, kept for an hour, and fetched anew
 * for a key id that is not known, at most twice a minute.
 */
#ifndef TC_OAUTH_OIDC_H
#define TC_OAUTH_OIDC_H

#include "http/client.h"
#include "ports/bearer.h"
#include "toolcrib/json.h"

struct tc_oidc;

struct tc_oidc_options {
    struct tc_client *client;
    struct tc_str issuer;   /* an address that the operator entered */
    struct tc_str audience;
    struct tc_str claim;    /* whose value is the agent's id */
    struct tc_str scope;    /* that a token must have; may be empty */
};

/* Strings and client are borrowed. TC_E_CONFIG_INVALID for an issuer that is no
 * usable address. */
enum tc_err tc_oidc_create(struct tc_cx *cx, const struct tc_oidc_options *options, struct tc_oidc **ret_oidc);
void tc_oidc_destroy(struct tc_oidc *oidc); /* nobody verifies; NULL is fine */
struct tc_bearer *tc_oidc_bearer(struct tc_oidc *oidc);

/* The claims of a token whose signature is good, at a time (Unix seconds). Pure;
 * errors as in ports/bearer.h. */
enum tc_err tc_oidc_check(struct tc_cx *cx, const struct tc_oidc_options *options, const struct tc_json *claims,
                          int64_t now_s, struct tc_bearer_claims *ret_claims);

#endif
