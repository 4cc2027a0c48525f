/*
 * A table without order. Texts are kept as hashes, and each look-up compares with all
 * of them, so that its time says nothing. What a sign-in may do is not kept: its token
 * is asked each time.
 */
#include "runtime/signins.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rand.h"

enum { KEY_SIZE = 32 };

struct signin {
    uint8_t hash[TC_HASH_SIZE];
    int64_t used_at; /* monotonic, milliseconds */
    size_t token_n;
    char token[]; /* its id */
};

struct tc_signins {
    struct tc_access *access;
    uint8_t key[KEY_SIZE]; /* of the guards */
    struct signin *all[TC_SIGNINS_MAX];
    size_t n;
};

static int64_t now_ms(const struct tc_cx *cx)
{
    return tc_clock_mono_us(cx->clock) / 1000;
}

enum tc_err tc_signins_create(struct tc_cx *cx, struct tc_access *access, struct tc_signins **ret_signins)
{
    struct tc_signins *signins = tc_mem_zalloc(1, sizeof *signins);

    if (!signins)
        return tc_fail_memory(cx);
    signins->access = access;
    tc_rand_bytes(signins->key, sizeof signins->key);
    *ret_signins = signins;
    return TC_OK;
}

void tc_signins_destroy(struct tc_signins *signins)
{
    if (!signins)
        return;
    for (size_t i = 0; i < signins->n; i++)
        tc_mem_free(signins->all[i]);
    tc_mem_free(signins);
}

/* Its place; n when there is none. */
static size_t find(const struct tc_signins *signins, struct tc_str text)
{
    uint8_t hash[TC_HASH_SIZE];
    size_t found = signins->n;

    tc_hash_sha256(text, hash);
    for (size_t i = 0; i < signins->n; i++)
        if (tc_hash_same(hash, signins->all[i]->hash, sizeof hash))
            found = i;
    return found;
}

static void drop(struct tc_signins *signins, size_t at)
{
    tc_mem_free(signins->all[at]);
    signins->all[at] = signins->all[--signins->n];
}

static bool is_idle(const struct signin *signin, int64_t mono_ms)
{
    return mono_ms - signin->used_at >= TC_SIGNINS_IDLE_MS;
}

static bool is_of(const struct signin *signin, struct tc_str token)
{
    return tc_str_eq(tc_str_n(signin->token, signin->token_n), token);
}

/* The one that was idle longest goes: of the same token when it has its share, else of all. */
static void make_room(struct tc_signins *signins, struct tc_str token)
{
    size_t of_token = 0, oldest = SIZE_MAX;

    for (size_t i = 0; i < signins->n; i++)
        of_token += is_of(signins->all[i], token);
    if (of_token < TC_SIGNINS_OF_TOKEN_MAX && signins->n < TC_SIGNINS_MAX)
        return;
    for (size_t i = 0; i < signins->n; i++) {
        if (of_token >= TC_SIGNINS_OF_TOKEN_MAX && !is_of(signins->all[i], token))
            continue;
        if (oldest == SIZE_MAX || signins->all[i]->used_at < signins->all[oldest]->used_at)
            oldest = i;
    }
    drop(signins, oldest);
}

static enum tc_err refuse_agent(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_AUTH_FORBIDDEN, "A token of an agent does not open the web interface.");
    return tc_fail_hint(cx, "Use one of role viewer, operator or admin: toolcrib token create --role admin.");
}

enum tc_err tc_signins_open(struct tc_cx *cx, struct tc_signins *signins, struct tc_str token, struct tc_str peer,
                            struct tc_principal *ret_principal, char ret_text[TC_SIGNINS_TEXT_SIZE])
{
    struct tc_principal principal;
    struct signin *signin;
    uint8_t bits[TC_HASH_SIZE];
    enum tc_err e = tc_access_check(cx, signins->access, token, peer, &principal);

    if (e)
        return e;
    if (principal.role == TC_ROLE_AGENT)
        return refuse_agent(cx);
    signin = tc_mem_alloc(sizeof *signin + principal.id.n);
    if (!signin)
        return tc_fail_memory(cx);
    make_room(signins, principal.id);
    tc_rand_bytes(bits, sizeof bits);
    tc_hash_hex(bits, sizeof bits, ret_text);
    tc_hash_sha256(tc_str_of(ret_text), signin->hash);
    signin->used_at = now_ms(cx);
    signin->token_n = principal.id.n;
    memcpy(signin->token, principal.id.p, principal.id.n);
    signins->all[signins->n++] = signin;
    *ret_principal = principal;
    return TC_OK;
}

static enum tc_err ended(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_AUTH_SESSION, "This sign-in has ended.");
    return tc_fail_hint(cx, "Sign in again with a token that holds.");
}

enum tc_err tc_signins_check(struct tc_cx *cx, struct tc_signins *signins, struct tc_str text,
                             struct tc_principal *ret_principal)
{
    size_t at = find(signins, text);
    struct signin *signin;
    struct tc_str token;
    enum tc_err e;

    if (at == signins->n)
        return ended(cx);
    signin = signins->all[at];
    if (is_idle(signin, now_ms(cx))) {
        drop(signins, at);
        return ended(cx);
    }
    signin->used_at = now_ms(cx);
    token = tc_arena_dup(cx->arena, tc_str_n(signin->token, signin->token_n));
    if (!token.p)
        return tc_fail_memory(cx);
    e = tc_access_again(cx, signins->access, token, ret_principal);
    if (e != TC_E_AUTH_ENDED)
        return e;
    tc_signins_close(signins, text);
    return ended(cx);
}

bool tc_signins_holds(const struct tc_signins *signins, struct tc_str text, int64_t mono_ms)
{
    size_t at = find(signins, text);

    return at < signins->n && !is_idle(signins->all[at], mono_ms);
}

void tc_signins_close(struct tc_signins *signins, struct tc_str text)
{
    size_t at = find(signins, text);

    if (at < signins->n)
        drop(signins, at);
}

void tc_signins_guard(const struct tc_signins *signins, struct tc_str text, char ret_guard[TC_SIGNINS_TEXT_SIZE])
{
    uint8_t mac[TC_HASH_SIZE];

    tc_hash_hmac(tc_str_n((const char *)signins->key, sizeof signins->key), text, mac);
    tc_hash_hex(mac, sizeof mac, ret_guard);
}

enum tc_err tc_signins_guard_check(struct tc_cx *cx, const struct tc_signins *signins, struct tc_str text,
                                   struct tc_str said)
{
    char guard[TC_SIGNINS_TEXT_SIZE];

    tc_signins_guard(signins, text, guard);
    if (said.n == sizeof guard - 1 && tc_hash_same(said.p, guard, said.n))
        return TC_OK;
    tc_fail(cx, TC_E_AUTH_CSRF, "What changes anything with a sign-in needs its X-CSRF-Token.");
    return tc_fail_hint(cx, "GET /admin/session/info says it; with a bearer token none is needed.");
}
