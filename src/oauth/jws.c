/*
 * ES256 signatures are two numbers of 32 bytes here and DER in OpenSSL.
 */
#include "oauth/jws.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include "base/base64.h"

enum { HALF = 32, DER_MAX = 80 };

static const struct {
    const char *name;
    enum tc_jwk_kind kind;
} algs[] = {
    [TC_JWS_RS256] = {"RS256", TC_JWK_RSA},
    [TC_JWS_PS256] = {"PS256", TC_JWK_RSA},
    [TC_JWS_ES256] = {"ES256", TC_JWK_P256},
    [TC_JWS_EDDSA] = {"EdDSA", TC_JWK_ED25519},
};
enum { ALGS = sizeof algs / sizeof *algs };

static enum tc_err refuse(struct tc_cx *cx, const char *why)
{
    return tc_fail(cx, TC_E_AUTH_INVALID, "The token %s.", why);
}

/* --- reading --- */

bool tc_jws_looks_like(struct tc_str token)
{
    size_t dots = 0;

    for (size_t i = 0; i < token.n; i++)
        dots += token.p[i] == '.';
    return dots == 2 && token.n <= TC_JWS_MAX;
}

static enum tc_err part(struct tc_cx *cx, struct tc_str text, struct tc_str *ret)
{
    if (tc_base64_decode(cx->arena, TC_BASE64_URL, text, ret))
        return TC_OK;
    return ret->p ? refuse(cx, "is malformed") : tc_fail_memory(cx);
}

static enum tc_err object(struct tc_cx *cx, struct tc_str text, const struct tc_json **ret)
{
    struct tc_str json;
    struct tc_json_doc *doc;
    enum tc_err e = part(cx, text, &json);

    if (e)
        return e;
    e = tc_json_parse(cx, json, NULL, &doc);
    if (e == TC_E_NO_MEMORY)
        return e;
    if (e) {
        tc_fail_clear(cx);
        return refuse(cx, "is malformed");
    }
    if (!tc_arena_defer(cx->arena, (void (*)(void *))tc_json_doc_unref, doc)) {
        tc_json_doc_unref(doc);
        return tc_fail_memory(cx);
    }
    /* Of two members with one name, two readers may each believe another. */
    if (!tc_json_is(tc_json_doc_root(doc), TC_JSON_OBJECT) || tc_json_doc_duplicate(doc).p)
        return refuse(cx, "is malformed");
    *ret = tc_json_doc_root(doc);
    return TC_OK;
}

static enum tc_err read_header(struct tc_cx *cx, const struct tc_json *header, struct tc_jws *jws)
{
    struct tc_str name = tc_json_str(tc_json_get_c(header, "alg"));
    unsigned alg = 0;

    while (alg < ALGS && !tc_str_is(name, algs[alg].name))
        alg++;
    if (alg == ALGS)
        return refuse(cx, "is signed in a way that is not taken here");
    if (tc_json_get_c(header, "crit") || tc_json_get_c(header, "b64"))
        return refuse(cx, "has extensions that are not known here");
    jws->alg = (enum tc_jws_alg)alg;
    jws->key_id = tc_json_str(tc_json_get_c(header, "kid"));
    jws->type = tc_json_str(tc_json_get_c(header, "typ"));
    return TC_OK;
}

enum tc_err tc_jws_parse(struct tc_cx *cx, struct tc_str token, struct tc_jws *ret_jws)
{
    struct tc_str rest = token, parts[3];
    const struct tc_json *header;
    struct tc_jws jws = {0};
    enum tc_err e;

    if (!tc_jws_looks_like(token))
        return refuse(cx, "is malformed");
    for (int i = 0; i < 3; i++)
        tc_str_split(&rest, '.', &parts[i]);
    e = object(cx, parts[0], &header);
    if (!e)
        e = read_header(cx, header, &jws);
    if (!e)
        e = object(cx, parts[1], &jws.claims);
    if (!e)
        e = part(cx, parts[2], &jws.signature);
    if (e)
        return e;
    jws.signed_part = tc_str_n(token.p, parts[0].n + 1 + parts[1].n);
    *ret_jws = jws;
    return TC_OK;
}

/* --- checking --- */

static bool set_padding(enum tc_jws_alg alg, EVP_PKEY_CTX *ctx)
{
    if (alg != TC_JWS_PS256)
        return true;
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) > 0 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) > 0;
}

static const EVP_MD *digest_of(enum tc_jws_alg alg)
{
    return alg == TC_JWS_EDDSA ? NULL : EVP_sha256();
}

/* r and s as DER; 0 when they are not 32 bytes each. */
static size_t to_der(struct tc_str raw, unsigned char der[DER_MAX])
{
    const unsigned char *bytes = (const unsigned char *)raw.p;
    ECDSA_SIG *sig = raw.n == 2 * HALF ? ECDSA_SIG_new() : NULL;
    BIGNUM *r = sig ? BN_bin2bn(bytes, HALF, NULL) : NULL, *s = sig ? BN_bin2bn(bytes + HALF, HALF, NULL) : NULL;
    unsigned char *to = der;
    int n = 0;

    if (r && s && ECDSA_SIG_set0(sig, r, s)) {
        r = s = NULL; /* the signature's now */
        n = i2d_ECDSA_SIG(sig, NULL) <= DER_MAX ? i2d_ECDSA_SIG(sig, &to) : 0;
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(sig);
    return n > 0 ? (size_t)n : 0;
}

bool tc_jws_verify(const struct tc_jws *jws, const struct tc_jwk *key)
{
    struct tc_str signature = jws->signature;
    unsigned char der[DER_MAX];
    EVP_PKEY_CTX *inner;
    EVP_MD_CTX *ctx;
    bool good;

    if (key->kind != algs[jws->alg].kind || (key->alg[0] && strcmp(key->alg, algs[jws->alg].name) != 0))
        return false;
    if (jws->alg == TC_JWS_ES256)
        signature = tc_str_n((char *)der, to_der(signature, der));
    ctx = EVP_MD_CTX_new();
    good = ctx && signature.n && EVP_DigestVerifyInit(ctx, &inner, digest_of(jws->alg), NULL, key->key) > 0 &&
           set_padding(jws->alg, inner) &&
           EVP_DigestVerify(ctx, (const unsigned char *)signature.p, signature.n,
                            (const unsigned char *)jws->signed_part.p, jws->signed_part.n) == 1;
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return good;
}

/* --- signing --- */

static bool to_raw(const unsigned char *der, size_t n, unsigned char raw[2 * HALF])
{
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)n);
    bool good = sig && BN_bn2binpad(ECDSA_SIG_get0_r(sig), raw, HALF) == HALF &&
                BN_bn2binpad(ECDSA_SIG_get0_s(sig), raw + HALF, HALF) == HALF;

    ECDSA_SIG_free(sig);
    return good;
}

static enum tc_err sign(struct tc_cx *cx, EVP_PKEY *key, enum tc_jws_alg alg, struct tc_str data,
                        struct tc_str *ret_signature)
{
    size_t n = (size_t)EVP_PKEY_get_size(key);
    unsigned char *to = tc_arena_alloc(cx->arena, n < 2 * HALF ? 2 * HALF : n), raw[2 * HALF];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = to && ctx && EVP_DigestSignInit(ctx, NULL, digest_of(alg), NULL, key) > 0 &&
                EVP_DigestSign(ctx, to, &n, (const unsigned char *)data.p, data.n) > 0;

    if (good && alg == TC_JWS_ES256) {
        good = to_raw(to, n, raw);
        memcpy(to, raw, sizeof raw);
        n = sizeof raw;
    }
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    if (!good)
        return tc_fail(cx, TC_E_INTERNAL, "An assertion could not be signed.");
    *ret_signature = tc_str_n((char *)to, n);
    return TC_OK;
}

enum tc_err tc_jws_sign(struct tc_cx *cx, struct tc_str pem, struct tc_str claims, struct tc_str *ret_token)
{
    static const enum tc_jws_alg alg_of[] = {
        [TC_JWK_RSA] = TC_JWS_RS256, [TC_JWK_P256] = TC_JWS_ES256, [TC_JWK_ED25519] = TC_JWS_EDDSA};
    struct tc_str header, payload, data, signature, tail;
    enum tc_jwk_kind kind;
    EVP_PKEY *key;
    enum tc_err e = tc_jwk_private(cx, pem, &kind, &key);

    if (e)
        return e;
    header = tc_arena_printf(cx->arena, "{\"alg\":\"%s\",\"typ\":\"JWT\"}", algs[alg_of[kind]].name);
    header = header.p ? tc_base64_encode(cx->arena, TC_BASE64_URL, header) : header;
    payload = tc_base64_encode(cx->arena, TC_BASE64_URL, claims);
    data = tc_arena_printf(cx->arena, "%.*s.%.*s", TC_STR_ARG(header), TC_STR_ARG(payload));
    e = header.p && payload.p && data.p ? sign(cx, key, alg_of[kind], data, &signature) : tc_fail_memory(cx);
    EVP_PKEY_free(key);
    if (e)
        return e;
    tail = tc_base64_encode(cx->arena, TC_BASE64_URL, signature);
    *ret_token = tc_arena_printf(cx->arena, "%.*s.%.*s", TC_STR_ARG(data), TC_STR_ARG(tail));
    return tail.p && ret_token->p ? TC_OK : tc_fail_memory(cx);
}
