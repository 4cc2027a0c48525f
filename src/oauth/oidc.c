/*
 * A set of keys is replaced as a whole; whoever checks with one does not park
 * meanwhile.
 */
#include "oauth/oidc.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/lock.h"
#include "oauth/discover.h"
#include "oauth/jws.h"
#include "oauth/scope.h"

enum {
    LEEWAY_S = 30,
    KEEP_MS = 60 * 60 * 1000,
    AGAIN_MS = 30 * 1000,  /* between two tries */
    AGAIN_EMPTY_MS = 2000, /* the same while there are no keys at all */
    AGENT_MAX = 64,
    SUBJECT_MAX = 255
};

struct tc_oidc {
    struct tc_bearer base; /* first */
    struct tc_oidc_options options;
    struct tc_oauth_rules rules;
    struct tc_jwks *keys;
    int64_t read_at, tried_at; /* monotonic ms; 0: never */
    struct tc_lock lock; /* one fetches, the others wait for what it brings */
};

static enum tc_err refuse(struct tc_cx *cx, const char *why)
{
    return tc_fail(cx, TC_E_AUTH_INVALID, "The token %s.", why);
}

/* --- claims --- */

static bool names(const struct tc_json *audience, struct tc_str wanted)
{
    struct tc_json_iter it;
    const struct tc_json *item;

    if (tc_json_is(audience, TC_JSON_STRING))
        return tc_str_eq(tc_json_str(audience), wanted);
    if (!tc_json_is(audience, TC_JSON_ARRAY))
        return false;
    for (it = tc_json_iter(audience); tc_json_next(&it, NULL, &item);)
        if (tc_json_is(item, TC_JSON_STRING) && tc_str_eq(tc_json_str(item), wanted))
            return true;
    return false;
}

/* Seconds, perhaps with a fraction. */
static bool when(const struct tc_json *v, int64_t *ret)
{
    double d;

    if (!tc_json_double(v, &d) || d < 0 || d > 1e12)
        return false;
    *ret = (int64_t)d;
    return true;
}

static bool is_agent(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!((id.p[i] >= 'a' && id.p[i] <= 'z') || (id.p[i] >= '0' && id.p[i] <= '9') || id.p[i] == '_' ||
              id.p[i] == '-'))
            return false;
    return id.n > 0 && id.n <= AGENT_MAX;
}

/* A string of words, or an array of them. */
static enum tc_err check_scope(struct tc_cx *cx, struct tc_str wanted, const struct tc_json *claims)
{
    const struct tc_json *scope = tc_json_get_c(claims, "scope");
    struct tc_str granted = TC_STR("");
    enum tc_err e = TC_OK;

    if (!scope)
        scope = tc_json_get_c(claims, "scp");
    if (tc_json_is(scope, TC_JSON_ARRAY))
        e = tc_scope_of(cx, scope, &granted);
    else if (tc_json_is(scope, TC_JSON_STRING))
        granted = tc_json_str(scope);
    if (e || tc_scope_covers(granted, wanted))
        return e;
    return tc_fail(cx, TC_E_AUTH_SCOPE, "The token does not have the scope that is needed here: %.*s.",
                   TC_STR_ARG(wanted));
}

static enum tc_err check_times(struct tc_cx *cx, const struct tc_json *claims, int64_t now, int64_t *ret_expires)
{
    const struct tc_json *not_before = tc_json_get_c(claims, "nbf");
    int64_t from;

    if (!when(tc_json_get_c(claims, "exp"), ret_expires))
        return refuse(cx, "does not say when it ends");
    if (now >= *ret_expires + LEEWAY_S)
        return refuse(cx, "has expired");
    if (not_before && (!when(not_before, &from) || now < from - LEEWAY_S))
        return refuse(cx, "is not good yet");
    return TC_OK;
}

enum tc_err tc_oidc_check(struct tc_cx *cx, const struct tc_oidc_options *options, const struct tc_json *claims,
                          int64_t now_s, struct tc_bearer_claims *ret_claims)
{
    struct tc_str agent = tc_json_str(tc_json_get(claims, options->claim)),
                  subject = tc_json_str(tc_json_get_c(claims, "sub"));
    int64_t expires;
    enum tc_err e;

    if (!tc_json_is(tc_json_get_c(claims, "iss"), TC_JSON_STRING) ||
        !tc_str_eq(tc_json_str(tc_json_get_c(claims, "iss")), options->issuer))
        return refuse(cx, "is of another issuer");
    if (!names(tc_json_get_c(claims, "aud"), options->audience))
        return refuse(cx, "is for another audience");
    if (subject.n > SUBJECT_MAX)
        return refuse(cx, "has a subject that is too long");
    e = check_times(cx, claims, now_s, &expires);
    if (e)
        return e;
    if (!tc_json_is(tc_json_get(claims, options->claim), TC_JSON_STRING) || !is_agent(agent))
        return refuse(cx, "names no agent");
    if (options->scope.n && (e = check_scope(cx, options->scope, claims)))
        return e;
    ret_claims->agent = tc_arena_dup(cx->arena, agent);
    ret_claims->subject = tc_arena_dup(cx->arena, subject.n ? subject : agent);
    ret_claims->expires_at = expires * 1000;
    return ret_claims->agent.p && ret_claims->subject.p ? TC_OK : tc_fail_memory(cx);
}

/* --- keys --- */

static int64_t now_ms(struct tc_cx *cx)
{
    return tc_clock_mono_us(cx->clock) / 1000 + 1; /* never 0 */
}

static enum tc_err fetch_keys(struct tc_cx *cx, struct tc_oidc *oidc)
{
    struct tc_client_response response;
    struct tc_oauth_issuer issuer;
    struct tc_jwks *keys;
    enum tc_err e = tc_oauth_discover_issuer(cx, &oidc->rules, oidc->options.issuer, &issuer);

    if (!e)
        e = tc_oauth_get(cx, &oidc->rules, issuer.jwks, &response);
    if (!e && response.status != 200)
        e = tc_fail(cx, TC_E_HTTP_UPSTREAM, "Its keys are answered with status %d.", response.status);
    if (!e)
        e = tc_jwks_read(cx, response.body, &keys);
    if (e)
        return e;
    tc_jwks_destroy(oidc->keys);
    oidc->keys = keys;
    oidc->read_at = now_ms(cx);
    return TC_OK;
}

/* Reads the keys unless they are fresh, or were tried a moment ago. Old ones are
 * better than none. */
static enum tc_err refresh(struct tc_cx *cx, struct tc_oidc *oidc, int64_t seen)
{
    int64_t pause = oidc->keys ? AGAIN_MS : AGAIN_EMPTY_MS;
    enum tc_err e = tc_lock_take(cx, &oidc->lock, -1);

    if (e)
        return e;
    if (oidc->read_at == seen && (!oidc->tried_at || now_ms(cx) - oidc->tried_at >= pause)) {
        oidc->tried_at = now_ms(cx);
        e = fetch_keys(cx, oidc);
        if (e && tc_task_check(cx) != TC_OK)
            oidc->tried_at = 0; /* given up by this caller alone */
    }
    tc_lock_give(&oidc->lock);
    if (oidc->keys) {
        tc_fail_clear(cx);
        return tc_task_check(cx);
    }
    if (e)
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "Tokens of %.*s cannot be checked now: %.*s",
                       TC_STR_ARG(oidc->options.issuer), TC_STR_ARG(cx->err.message));
    return tc_fail(cx, TC_E_HTTP_UPSTREAM, "Tokens of %.*s cannot be checked now.", TC_STR_ARG(oidc->options.issuer));
}

/* *ret_known: a key of that id is there, whether or not it fits. */
static bool signed_by(const struct tc_oidc *oidc, const struct tc_jws *jws, bool *ret_known)
{
    *ret_known = false;
    for (size_t i = 0; oidc->keys && i < oidc->keys->n; i++) {
        const struct tc_jwk *key = &oidc->keys->keys[i];

        if (jws->key_id.n && !tc_str_is(jws->key_id, key->id))
            continue;
        *ret_known = true;
        if (tc_jws_verify(jws, key))
            return true;
    }
    return false;
}

static enum tc_err check_signature(struct tc_cx *cx, struct tc_oidc *oidc, const struct tc_jws *jws)
{
    int64_t seen = oidc->read_at;
    bool known, good;
    enum tc_err e = TC_OK;

    if (!oidc->keys || now_ms(cx) - oidc->read_at >= KEEP_MS)
        e = refresh(cx, oidc, seen);
    if (e)
        return e;
    good = signed_by(oidc, jws, &known);
    if (!good && !known) {
        e = refresh(cx, oidc, oidc->read_at);
        good = !e && signed_by(oidc, jws, &known);
    }
    if (e || good)
        return e;
    return refuse(cx, known ? "has a signature that is not right" : "is signed with a key that is not known");
}

/* --- the port --- */

static bool looks_like(const struct tc_bearer *self, struct tc_str token)
{
    (void)self;
    return tc_jws_looks_like(token);
}

/* Other kinds of signed statements are no access tokens, whoever signed them. */
static bool is_access_token(struct tc_str type)
{
    return type.n == 0 || tc_str_eq_nocase(type, TC_STR("JWT")) || tc_str_eq_nocase(type, TC_STR("at+jwt")) ||
           tc_str_eq_nocase(type, TC_STR("application/at+jwt"));
}

static enum tc_err verify(struct tc_cx *cx, struct tc_bearer *self, struct tc_str token,
                          struct tc_bearer_claims *ret_claims)
{
    struct tc_oidc *oidc = (struct tc_oidc *)self;
    struct tc_jws jws;
    enum tc_err e = tc_jws_parse(cx, token, &jws);

    if (!e && !is_access_token(jws.type))
        e = refuse(cx, "is no access token");
    if (!e)
        e = check_signature(cx, oidc, &jws);
    return e ? e : tc_oidc_check(cx, &oidc->options, jws.claims, tc_clock_wall_ms(cx->clock) / 1000, ret_claims);
}

static const struct tc_bearer_ops ops = {looks_like, verify};

enum tc_err tc_oidc_create(struct tc_cx *cx, const struct tc_oidc_options *options, struct tc_oidc **ret_oidc)
{
    struct tc_oauth_rules rules = {.client = options->client, .n = 1};
    struct tc_oidc *oidc;
    struct tc_url url;

    if (!tc_url_parse(options->issuer, &rules.entered[0]) ||
        tc_oauth_may(cx, &rules, options->issuer, "issuer of the configuration", &url)) {
        tc_fail_clear(cx);
        tc_fail(cx, TC_E_CONFIG_INVALID, "auth.oidc.issuer is no https address.");
        return tc_fail_field(cx, TC_STR("auth.oidc.issuer"));
    }
    oidc = tc_mem_zalloc(1, sizeof *oidc);
    if (!oidc)
        return tc_fail_memory(cx);
    oidc->base.ops = &ops;
    oidc->options = *options;
    oidc->rules = rules;
    *ret_oidc = oidc;
    return TC_OK;
}

void tc_oidc_destroy(struct tc_oidc *oidc)
{
    if (!oidc)
        return;
    tc_jwks_destroy(oidc->keys);
    tc_mem_free(oidc);
}

struct tc_bearer *tc_oidc_bearer(struct tc_oidc *oidc)
{
    return &oidc->base;
}
