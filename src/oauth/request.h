/*
 * What a client sends to an authorization server: the address for the browser,
 * the forms of the token endpoint, the registration. Pure but for random bytes.
 */
#ifndef TC_OAUTH_REQUEST_H
#define TC_OAUTH_REQUEST_H

#include "oauth/metadata.h"
#include "toolcrib/jsonw.h"

enum { TC_OAUTH_NONCE_SIZE = 44, TC_OAUTH_FORM_MAX = 64 * 1024 };

/* 256 random bits in base64url with a NUL: a state, or the verifier of PKCE. */
void tc_oauth_nonce(char to[TC_OAUTH_NONCE_SIZE]);
/* S256 of a verifier. */
void tc_oauth_pkce(struct tc_str verifier, char ret_challenge[TC_OAUTH_NONCE_SIZE]);

struct tc_oauth_client {
    struct tc_str id, secret; /* secret: empty when it has none */
    enum tc_oauth_method method;
    struct tc_str key; /* private_key_jwt: PEM */
};

struct tc_oauth_authorize {
    struct tc_str endpoint, client_id, redirect_uri, state, verifier, scope, resource;
    bool consent; /* ask even who has agreed before: offline_access wants that */
};
/* The address in the arena; an empty scope is left out. */
enum tc_err tc_oauth_authorize_url(struct tc_cx *cx, const struct tc_oauth_authorize *what, struct tc_str *ret_url);

/* One more pair of a form; an empty value leaves it out. */
void tc_oauth_form(struct tc_buf *to, const char *name, struct tc_str value);

/* How the client shows who it is: adds to the form, or gives the value of
 * Authorization, which is empty otherwise. audience: the issuer, for a signed
 * assertion. */
enum tc_err tc_oauth_authenticate(struct tc_cx *cx, const struct tc_oauth_client *client, struct tc_str audience,
                                  struct tc_buf *form, struct tc_str *ret_authorization);

/* What a client says of itself: the body of a dynamic registration (RFC 7591), or
 * the document behind a client id that is a URL. */
struct tc_oauth_registree {
    struct tc_str client_id; /* of a document; empty in a registration */
    struct tc_str redirect_uri, scope;
    enum tc_oauth_method method;
};
void tc_oauth_client_write(struct tc_jsonw *w, const struct tc_oauth_registree *what);
/* Basic when it is offered or nothing is said, then post, then none. */
enum tc_oauth_method tc_oauth_choose(unsigned offered, bool has_secret);

#endif
