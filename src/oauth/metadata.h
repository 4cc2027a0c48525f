/*
 * What servers publish of themselves: protected resources (RFC 9728) and
 * authorization servers (RFC 8414, OpenID Connect Discovery). Where it lies, and
 * what it says. Pure; strings are borrowed from the document.
 */
#ifndef TC_OAUTH_METADATA_H
#define TC_OAUTH_METADATA_H

#include "http/url.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum { TC_OAUTH_PLACES = 3, TC_OAUTH_ISSUERS = 8 };

/* Where something may be published, in the order in which to look. */
struct tc_oauth_places {
    struct tc_str url[TC_OAUTH_PLACES];
    size_t n;
};

enum tc_err tc_oauth_resource_places(struct tc_cx *cx, const struct tc_url *server, struct tc_oauth_places *ret);
enum tc_err tc_oauth_issuer_places(struct tc_cx *cx, const struct tc_url *issuer, struct tc_oauth_places *ret);

struct tc_oauth_resource {
    struct tc_str resource; /* exactly as published */
    struct tc_str issuers[TC_OAUTH_ISSUERS]; /* its authorization servers; further ones are left out */
    size_t issuers_n;
    bool scopes_known;
    struct tc_str scopes;
};

/* How a client shows who it is at the token endpoint. */
enum tc_oauth_method { TC_OAUTH_NONE, TC_OAUTH_BASIC, TC_OAUTH_POST, TC_OAUTH_JWT, TC_OAUTH_METHODS };

struct tc_oauth_issuer {
    struct tc_str issuer, authorization, token, registration, revocation, jwks; /* endpoints; empty: none */
    bool pkce_known, s256;
    bool iss; /* its answers carry iss (RFC 9207) */
    bool documents; /* a client_id may be the URL of a document */
    unsigned methods; /* 1 << tc_oauth_method; 0: not said */
    struct tc_str scopes; /* empty: not said */
};

/* TC_E_MCP_AUTHORIZATION for documents that are no such thing, with the reason. */
enum tc_err tc_oauth_resource_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_resource *ret);
/* issuer: the identifier that the place was made of. Another one in the document,
 * however near, is refused. */
enum tc_err tc_oauth_issuer_read(struct tc_cx *cx, struct tc_str json, struct tc_str issuer,
                                 struct tc_oauth_issuer *ret);
/* Is `resource` the server itself, or a path above it on the same origin? */
bool tc_oauth_resource_is(struct tc_str resource, const struct tc_url *server);

const char *tc_oauth_method_name(enum tc_oauth_method method);
/* TC_OAUTH_METHODS when it is none of them. */
enum tc_oauth_method tc_oauth_method_of(struct tc_str name);

#endif
