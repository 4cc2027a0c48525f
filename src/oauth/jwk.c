/*
 * Keys are made by OpenSSL from their numbers, which checks them (a point lies on
 * its curve). Its error queue is emptied after each try: it is a global.
 */
#include "oauth/jwk.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include "base/base64.h"
#include "base/mem.h"
#include "toolcrib/json.h"

enum { RSA_MIN_BITS = 2048, RSA_MAX_BITS = 8192, POINT_SIZE = 65, HALF = 32 };

static bool number(struct tc_cx *cx, const struct tc_json *jwk, const char *name, struct tc_str *ret)
{
    return tc_base64_decode(cx->arena, TC_BASE64_URL, tc_json_str(tc_json_get_c(jwk, name)), ret) && ret->n > 0 &&
           ret->n <= RSA_MAX_BITS / 8 + 1;
}

static EVP_PKEY *from_params(const char *type, OSSL_PARAM_BLD *build)
{
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;

    if (!params || !ctx || EVP_PKEY_fromdata_init(ctx) <= 0 ||
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return key;
}

static EVP_PKEY *rsa(struct tc_cx *cx, const struct tc_json *jwk)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    struct tc_str n, e;
    BIGNUM *bn = NULL, *be = NULL;
    EVP_PKEY *key = NULL;

    if (number(cx, jwk, "n", &n) && number(cx, jwk, "e", &e)) {
        bn = BN_bin2bn((const unsigned char *)n.p, (int)n.n, NULL);
        be = BN_bin2bn((const unsigned char *)e.p, (int)e.n, NULL);
    }
    if (build && bn && be && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, bn) &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, be))
        key = from_params("RSA", build);
    BN_free(bn);
    BN_free(be);
    OSSL_PARAM_BLD_free(build);
    if (key && (EVP_PKEY_get_bits(key) < RSA_MIN_BITS || EVP_PKEY_get_bits(key) > RSA_MAX_BITS)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

static EVP_PKEY *p256(struct tc_cx *cx, const struct tc_json *jwk)
{
    unsigned char point[POINT_SIZE] = {POINT_CONVERSION_UNCOMPRESSED};
    OSSL_PARAM_BLD *build = NULL;
    struct tc_str x, y;
    EVP_PKEY *key = NULL;

    if (!number(cx, jwk, "x", &x) || !number(cx, jwk, "y", &y) || x.n != HALF || y.n != HALF)
        return NULL;
    memcpy(point + 1, x.p, HALF);
    memcpy(point + 1 + HALF, y.p, HALF);
    build = OSSL_PARAM_BLD_new();
    if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point))
        key = from_params("EC", build);
    OSSL_PARAM_BLD_free(build);
    return key;
}

static EVP_PKEY *ed25519(struct tc_cx *cx, const struct tc_json *jwk)
{
    struct tc_str x;

    if (!number(cx, jwk, "x", &x) || x.n != HALF)
        return NULL;
    return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)x.p, x.n);
}

static struct tc_str member(const struct tc_json *jwk, const char *name)
{
    return tc_json_str(tc_json_get_c(jwk, name));
}

static bool copy(char *to, size_t size, struct tc_str from)
{
    if (from.n >= size || tc_str_chr(from, '\0') != SIZE_MAX)
        return false;
    memset(to, 0, size);
    memcpy(to, from.n ? from.p : "", from.n);
    return true;
}

/* False for a key that is of no use here. */
static bool read_key(struct tc_cx *cx, const struct tc_json *jwk, struct tc_jwk *to)
{
    struct tc_str type = member(jwk, "kty"), curve = member(jwk, "crv"), use = member(jwk, "use");

    to->key = NULL;
    if ((use.n && !tc_str_is(use, "sig")) || !copy(to->id, sizeof to->id, member(jwk, "kid")) ||
        !copy(to->alg, sizeof to->alg, member(jwk, "alg")))
        return false;
    if (tc_str_is(type, "RSA")) {
        to->kind = TC_JWK_RSA;
        to->key = rsa(cx, jwk);
    } else if (tc_str_is(type, "EC") && tc_str_is(curve, "P-256")) {
        to->kind = TC_JWK_P256;
        to->key = p256(cx, jwk);
    } else if (tc_str_is(type, "OKP") && tc_str_is(curve, "Ed25519")) {
        to->kind = TC_JWK_ED25519;
        to->key = ed25519(cx, jwk);
    }
    ERR_clear_error();
    return to->key != NULL;
}

enum tc_err tc_jwks_read(struct tc_cx *cx, struct tc_str json, struct tc_jwks **ret_jwks)
{
    const struct tc_json *root = NULL, *keys, *key;
    struct tc_json_iter it;
    struct tc_jwks *jwks;
    enum tc_err e = tc_json_parse_root(cx, json, NULL, &root);

    if (e == TC_E_NO_MEMORY)
        return e;
    keys = e ? NULL : tc_json_get_c(root, "keys");
    if (!tc_json_is(keys, TC_JSON_ARRAY)) {
        tc_fail_clear(cx);
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The keys of the issuer are no JSON Web Key Set.");
    }
    jwks = tc_mem_zalloc(1, sizeof *jwks);
    if (!jwks)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(keys); jwks->n < TC_JWK_MAX && tc_json_next(&it, NULL, &key);)
        jwks->n += read_key(cx, key, &jwks->keys[jwks->n]);
    *ret_jwks = jwks;
    return TC_OK;
}

void tc_jwks_destroy(struct tc_jwks *jwks)
{
    if (!jwks)
        return;
    for (size_t i = 0; i < jwks->n; i++)
        EVP_PKEY_free(jwks->keys[i].key);
    tc_mem_free(jwks);
}

/* Nobody is asked for a password. */
static int no_password(char *to, int size, int writing, void *arg)
{
    (void)to, (void)size, (void)writing, (void)arg;
    return 0;
}

static bool kind_of(EVP_PKEY *key, enum tc_jwk_kind *ret_kind)
{
    char group[32] = "";

    switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
        *ret_kind = TC_JWK_RSA;
        return EVP_PKEY_get_bits(key) >= RSA_MIN_BITS;
    case EVP_PKEY_EC:
        *ret_kind = TC_JWK_P256;
        return EVP_PKEY_get_group_name(key, group, sizeof group, NULL) && strcmp(group, "prime256v1") == 0;
    case EVP_PKEY_ED25519:
        *ret_kind = TC_JWK_ED25519;
        return true;
    default:
        return false;
    }
}

enum tc_err tc_jwk_private(struct tc_cx *cx, struct tc_str pem, enum tc_jwk_kind *ret_kind, EVP_PKEY **ret_key)
{
    BIO *bio = pem.n && pem.n <= 64 * 1024 ? BIO_new_mem_buf(pem.p, (int)pem.n) : NULL;
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL) : NULL;

    BIO_free(bio);
    ERR_clear_error();
    if (!key || !kind_of(key, ret_kind)) {
        EVP_PKEY_free(key);
        tc_fail(cx, TC_E_CONFIG_INVALID, "This is no private key that can sign here.");
        return tc_fail_hint(cx, "It is a PEM text without password, of RSA with 2048 bits or more, P-256 or Ed25519.");
    }
    *ret_key = key;
    return TC_OK;
}
