/*
 * Public keys of others (JSON Web Key Sets, RFC 7517) and the one that a client
 * signs with. A set is immutable once read.
 */
#ifndef TC_OAUTH_JWK_H
#define TC_OAUTH_JWK_H

#include <openssl/evp.h>

#include "toolcrib/cx.h"

enum { TC_JWK_MAX = 64, TC_JWK_ID_MAX = 256 };

enum tc_jwk_kind { TC_JWK_RSA, TC_JWK_P256, TC_JWK_ED25519 };

struct tc_jwk {
    char id[TC_JWK_ID_MAX]; /* kid; "" when it has none */
    char alg[16]; /* the only one that it is for; "": any of its kind */
    enum tc_jwk_kind kind;
    EVP_PKEY *key;
};

struct tc_jwks {
    size_t n;
    struct tc_jwk keys[TC_JWK_MAX];
};

/* Keys of other kinds, for encryption, symmetric, or short of 2048 bits are left
 * out, and what is over TC_JWK_MAX. TC_E_MCP_AUTHORIZATION when it is no key set. */
enum tc_err tc_jwks_read(struct tc_cx *cx, struct tc_str json, struct tc_jwks **ret_jwks);
void tc_jwks_destroy(struct tc_jwks *jwks); /* NULL is fine */
/* The private key of a PEM text without password: RSA, P-256 or Ed25519. The
 * caller frees it. TC_E_CONFIG_INVALID. */
enum tc_err tc_jwk_private(struct tc_cx *cx, struct tc_str pem, enum tc_jwk_kind *ret_kind, EVP_PKEY **ret_key);

#endif
