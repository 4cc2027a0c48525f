/*
 * Everything is encoded as application/x-www-form-urlencoded wants it; percent
 * encoding of all but unreserved characters is that, and fits URLs as well.
 */
#include "oauth/request.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/percent.h"
#include "base/rand.h"
#include "oauth/jws.h"

static const char assertion_type[] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

enum { ASSERTION_S = 120 };

/* 32 bytes as text. */
static void base64url(const void *bytes, char to[TC_OAUTH_NONCE_SIZE])
{
    tc_base64_put(TC_BASE64_URL, tc_str_n(bytes, TC_HASH_SIZE), to);
    to[TC_OAUTH_NONCE_SIZE - 1] = '\0';
}

void tc_oauth_nonce(char to[TC_OAUTH_NONCE_SIZE])
{
    uint8_t bytes[TC_HASH_SIZE];

    tc_rand_bytes(bytes, sizeof bytes);
    base64url(bytes, to);
}

void tc_oauth_pkce(struct tc_str verifier, char ret_challenge[TC_OAUTH_NONCE_SIZE])
{
    uint8_t hash[TC_HASH_SIZE];

    tc_hash_sha256(verifier, hash);
    base64url(hash, ret_challenge);
}

void tc_oauth_form(struct tc_buf *to, const char *name, struct tc_str value)
{
    if (value.n == 0)
        return;
    if (to->n)
        tc_buf_char(to, '&');
    tc_buf_cstr(to, name);
    tc_buf_char(to, '=');
    tc_percent_encode(to, value);
}

static enum tc_err take(struct tc_cx *cx, struct tc_buf *buf, struct tc_str *ret)
{
    struct tc_str text = tc_buf_dup(buf, cx->arena);

    tc_buf_finish(buf);
    if (!text.p)
        return tc_fail_memory(cx);
    *ret = text;
    return TC_OK;
}

enum tc_err tc_oauth_authorize_url(struct tc_cx *cx, const struct tc_oauth_authorize *what, struct tc_str *ret_url)
{
    char challenge[TC_OAUTH_NONCE_SIZE];
    struct tc_buf query, url;
    bool asked = tc_str_chr(what->endpoint, '?') != SIZE_MAX;

    tc_oauth_pkce(what->verifier, challenge);
    tc_buf_init(&query, TC_OAUTH_FORM_MAX);
    tc_buf_init(&url, TC_OAUTH_FORM_MAX);
    tc_oauth_form(&query, "response_type", TC_STR("code"));
    tc_oauth_form(&query, "client_id", what->client_id);
    tc_oauth_form(&query, "redirect_uri", what->redirect_uri);
    tc_oauth_form(&query, "state", what->state);
    tc_oauth_form(&query, "code_challenge", tc_str_of(challenge));
    tc_oauth_form(&query, "code_challenge_method", TC_STR("S256"));
    tc_oauth_form(&query, "scope", what->scope);
    tc_oauth_form(&query, "resource", what->resource);
    if (what->consent)
        tc_oauth_form(&query, "prompt", TC_STR("consent"));
    tc_buf_str(&url, what->endpoint);
    tc_buf_char(&url, asked ? '&' : '?');
    tc_buf_str(&url, tc_buf_get(&query));
    url.failed |= query.failed;
    tc_buf_finish(&query);
    return take(cx, &url, ret_url);
}

/* --- who the client is --- */

/* Both are form-encoded before they are joined (RFC 6749 section 2.3.1). */
static enum tc_err basic(struct tc_cx *cx, const struct tc_oauth_client *client, struct tc_str *ret_authorization)
{
    struct tc_buf pair, field;

    tc_buf_init(&pair, TC_OAUTH_FORM_MAX);
    tc_buf_init(&field, 2 * TC_OAUTH_FORM_MAX);
    tc_percent_encode(&pair, client->id);
    tc_buf_char(&pair, ':');
    tc_percent_encode(&pair, client->secret);
    tc_buf_cstr(&field, "Basic ");
    tc_base64_write(&field, TC_BASE64_STANDARD, tc_buf_get(&pair));
    field.failed |= pair.failed;
    tc_buf_finish(&pair);
    return take(cx, &field, ret_authorization);
}

static enum tc_err assertion(struct tc_cx *cx, const struct tc_oauth_client *client, struct tc_str audience,
                             struct tc_str *ret_token)
{
    int64_t now = tc_clock_wall_ms(cx->clock) / 1000;
    char id[TC_OAUTH_NONCE_SIZE];
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str claims;
    enum tc_err e;

    tc_oauth_nonce(id);
    tc_buf_init(&buf, TC_OAUTH_FORM_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "iss", client->id);
    tc_jsonw_kstr(&w, "sub", client->id);
    tc_jsonw_kstr(&w, "aud", audience);
    tc_jsonw_kcstr(&w, "jti", id);
    tc_jsonw_kint(&w, "iat", now);
    tc_jsonw_kint(&w, "exp", now + ASSERTION_S);
    tc_jsonw_end(&w);
    e = take(cx, &buf, &claims);
    return e ? e : tc_jws_sign(cx, client->key, claims, ret_token);
}

enum tc_err tc_oauth_authenticate(struct tc_cx *cx, const struct tc_oauth_client *client, struct tc_str audience,
                                  struct tc_buf *form, struct tc_str *ret_authorization)
{
    struct tc_str token = TC_STR("");
    enum tc_err e = TC_OK;

    *ret_authorization = TC_STR("");
    if (client->method == TC_OAUTH_BASIC)
        return basic(cx, client, ret_authorization);
    if (client->method == TC_OAUTH_JWT)
        e = assertion(cx, client, audience, &token);
    tc_oauth_form(form, "client_id", client->id);
    if (client->method == TC_OAUTH_POST)
        tc_oauth_form(form, "client_secret", client->secret);
    if (token.n) {
        tc_oauth_form(form, "client_assertion_type", tc_str_of(assertion_type));
        tc_oauth_form(form, "client_assertion", token);
    }
    return e;
}

enum tc_oauth_method tc_oauth_choose(unsigned offered, bool has_secret)
{
    if (!has_secret)
        return TC_OAUTH_NONE;
    if (offered == 0 || (offered & 1u << TC_OAUTH_BASIC))
        return TC_OAUTH_BASIC;
    if (offered & 1u << TC_OAUTH_POST)
        return TC_OAUTH_POST;
    return offered & 1u << TC_OAUTH_NONE ? TC_OAUTH_NONE : TC_OAUTH_BASIC;
}

/* --- registration --- */

void tc_oauth_client_write(struct tc_jsonw *w, const struct tc_oauth_registree *what)
{
    struct tc_url url;
    bool native = tc_url_parse(what->redirect_uri, &url) && tc_url_is_loopback(&url);

    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "client_id", what->client_id);
    tc_jsonw_kcstr(w, "client_name", "Toolcrib");
    tc_jsonw_key(w, "redirect_uris");
    tc_jsonw_array(w);
    tc_jsonw_str(w, what->redirect_uri);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "grant_types");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, "authorization_code");
    tc_jsonw_cstr(w, "refresh_token");
    tc_jsonw_end(w);
    tc_jsonw_key(w, "response_types");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, "code");
    tc_jsonw_end(w);
    tc_jsonw_kcstr(w, "application_type", native ? "native" : "web");
    tc_jsonw_kcstr(w, "token_endpoint_auth_method", tc_oauth_method_name(what->method));
    tc_jsonw_kopt(w, "scope", what->scope);
    tc_jsonw_end(w);
}
