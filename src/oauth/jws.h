/*
 * Signed tokens (JSON Web Signature in its compact form, RFC 7515; algorithms of
 * RFC 7518 and RFC 8037). RS256, PS256, ES256 and EdDSA are spoken. There is no
 * "none", nothing with a shared key, and a token cannot choose another kind of
 * key than the one that it is checked with.
 */
#ifndef TC_OAUTH_JWS_H
#define TC_OAUTH_JWS_H

#include "oauth/jwk.h"
#include "toolcrib/json.h"

enum { TC_JWS_MAX = 16 * 1024 };

enum tc_jws_alg { TC_JWS_RS256, TC_JWS_PS256, TC_JWS_ES256, TC_JWS_EDDSA };

/* Taken apart, not believed. Strings are borrowed or in the arena. */
struct tc_jws {
    enum tc_jws_alg alg;
    struct tc_str key_id; /* kid; empty: none */
    struct tc_str type; /* typ; empty: none */
    struct tc_str signed_part, signature;
    const struct tc_json *claims; /* an object */
};

/* Three parts with dots between. Says nothing of its contents. */
bool tc_jws_looks_like(struct tc_str token);
/* TC_E_AUTH_INVALID for anything malformed, of another algorithm, or with
 * extensions that must be understood (crit). */
enum tc_err tc_jws_parse(struct tc_cx *cx, struct tc_str token, struct tc_jws *ret_jws);
/* Was it signed with that key? False also for a key that is for something else. */
bool tc_jws_verify(const struct tc_jws *jws, const struct tc_jwk *key);
/* Signs claims (JSON text) with a private key in PEM; the algorithm is that of the
 * key's kind, RS256 for RSA. The token is in the arena. */
enum tc_err tc_jws_sign(struct tc_cx *cx, struct tc_str pem, struct tc_str claims, struct tc_str *ret_token);

#endif
