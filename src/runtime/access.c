/*
 * Tokens in a table by their hash, failures in a small ring by peer. A failed
 * check costs the peer: after 10 failures within a minute, further wrong tokens
 * are told to wait. A valid one passes all the same: behind one address (loopback,
 * a proxy) a client with an old token must not lock the others out, and 256 bits
 * are not found by trying.
 */
#include "runtime/access.h"

#include <assert.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rand.h"

enum {
    FAILURES_MAX = 10,
    FAILURES_WINDOW_MS = 60 * 1000,
    PEERS = 64,
    WATCHERS = 4,
    TOUCH_EVERY_MS = 60 * 1000,
    TOKEN_MAX = 512,
    BEARER_MAX = 16 * 1024 /* of others */
};

#define ENV_ID "TOOLCRIB_ADMIN_TOKEN"

struct token {
    struct tc_arena arena; /* owns the strings of row */
    struct tc_token_row row;
    char *label;           /* of row, where it was named anew; it may be so any number of times */
};

struct peer {
    uint64_t hash;
    int64_t since;
    unsigned failures;
};

struct tc_access {
    struct tc_store *store;
    struct tc_bearer *bearer; /* NULL: only our own tokens count */
    struct tc_pulse *pulse;   /* may be NULL */
    struct tc_map by_hash; /* hex hash → struct token */
    struct tc_map by_id;   /* the same */
    char env_hash[TC_HASH_HEX_SIZE]; /* "" when there is none */
    struct peer peers[PEERS];
    unsigned next_peer;
    struct {
        void (*fn)(void *arg);
        void *arg;
    } watchers[WATCHERS];
    size_t watchers_n;
};

static const char *const role_names[] = {"agent", "viewer", "operator", "admin"};

const char *tc_role_name(enum tc_role role)
{
    return role_names[role];
}

bool tc_role_of(struct tc_str name, enum tc_role *ret_role)
{
    for (unsigned i = 0; i < sizeof role_names / sizeof *role_names; i++) {
        if (tc_str_is(name, role_names[i])) {
            *ret_role = (enum tc_role)i;
            return true;
        }
    }
    return false;
}

static void token_destroy(struct token *token)
{
    if (!token)
        return;
    tc_arena_finish(&token->arena);
    tc_mem_free(token->label);
    tc_mem_free(token);
}

/* Keeps a copy of the row. */
static enum tc_err keep(struct tc_cx *cx, struct tc_access *access, const struct tc_token_row *row)
{
    struct token *token = tc_mem_zalloc(1, sizeof *token);
    struct tc_token_row *r;

    if (!token)
        return tc_fail_memory(cx);
    tc_arena_init(&token->arena, 0);
    r = &token->row;
    *r = *row;
    r->id = tc_arena_dup(&token->arena, row->id);
    r->hash = tc_arena_dup(&token->arena, row->hash);
    r->role = tc_arena_dup(&token->arena, row->role);
    r->agent = tc_arena_dup(&token->arena, row->agent);
    r->label = tc_arena_dup(&token->arena, row->label);
    if (!r->id.p || !r->hash.p || !r->role.p || !r->agent.p || !r->label.p ||
        !tc_map_put(&access->by_id, row->id, token)) {
        token_destroy(token);
        return tc_fail_memory(cx);
    }
    if (!tc_map_put(&access->by_hash, row->hash, token)) {
        tc_map_remove(&access->by_id, row->id);
        token_destroy(token);
        return tc_fail_memory(cx);
    }
    return TC_OK;
}

enum tc_err tc_access_create(struct tc_cx *cx, struct tc_store *store, struct tc_str env_token,
                             struct tc_access **ret_access)
{
    struct tc_access *access;
    struct tc_token_row *rows;
    size_t n;
    enum tc_err e;

    if (env_token.n && (env_token.n < 24 || env_token.n > 256))
        return tc_fail(cx, TC_E_CONFIG_INVALID, "TOOLCRIB_ADMIN_TOKEN must have 24 to 256 bytes; it has %zu.",
                       env_token.n);
    e = store->tokens->all(cx, store, &rows, &n);
    if (e)
        return e;
    access = tc_mem_zalloc(1, sizeof *access);
    if (!access)
        return tc_fail_memory(cx);
    access->store = store;
    if (env_token.n)
        tc_hash_sha256_hex(env_token, access->env_hash);
    for (size_t i = 0; i < n && !e; i++)
        e = keep(cx, access, &rows[i]);
    if (e) {
        tc_access_destroy(access);
        return e;
    }
    *ret_access = access;
    return TC_OK;
}

void tc_access_destroy(struct tc_access *access)
{
    struct tc_str key;
    void *value;
    size_t at = 0;

    if (!access)
        return;
    while (tc_map_next(&access->by_hash, &at, &key, &value))
        token_destroy(value);
    tc_map_finish(&access->by_hash);
    tc_map_finish(&access->by_id);
    tc_mem_free(access);
}

static struct peer *peer_of(struct tc_access *access, struct tc_str name)
{
    uint64_t hash = tc_hash_table(name);

    for (int i = 0; i < PEERS; i++)
        if (access->peers[i].hash == hash && access->peers[i].failures)
            return &access->peers[i];
    return NULL;
}

static enum tc_err refuse(struct tc_cx *cx, struct tc_access *access, struct tc_str name)
{
    int64_t now = tc_clock_mono_us(cx->clock) / 1000;
    struct peer *peer = peer_of(access, name);

    if (!peer) {
        peer = &access->peers[access->next_peer++ % PEERS];
        *peer = (struct peer){.hash = tc_hash_table(name), .since = now};
    }
    if (now - peer->since > FAILURES_WINDOW_MS)
        *peer = (struct peer){.hash = peer->hash, .since = now};
    if (peer->failures >= FAILURES_MAX) {
        tc_fail(cx, TC_E_AUTH_THROTTLED, "Too many refused tokens came from this address.");
        return tc_fail_hint(cx, "Wait a minute, then use a valid token.");
    }
    peer->failures++;
    tc_fail(cx, TC_E_AUTH_INVALID, "This token is not known, has expired or was revoked.");
    return tc_fail_hint(cx, "Make a new one on the machine: toolcrib token create --role admin.");
}

static enum tc_err principal_of(struct tc_cx *cx, const struct tc_token_row *row, struct tc_principal *ret)
{
    if (!tc_role_of(row->role, &ret->role))
        return tc_fail(cx, TC_E_STORE_FAILED, "A stored token has the unknown role \"%.*s\".", TC_STR_ARG(row->role));
    ret->kind = TC_STR("token");
    ret->expires_at = 0;
    ret->id = tc_arena_dup(cx->arena, row->id);
    ret->agent = tc_arena_dup(cx->arena, row->agent);
    return ret->id.p && ret->agent.p ? TC_OK : tc_fail_memory(cx);
}

/* Notes the use in the store now and then; a failure there refuses nobody. */
static void touch(struct tc_cx *cx, struct tc_access *access, struct token *token, int64_t now)
{
    struct tc_str id;

    if (now - token->row.used_at < TOUCH_EVERY_MS)
        return;
    token->row.used_at = now;
    id = tc_arena_dup(cx->arena, token->row.id);
    if (id.p && access->store->tokens->touch(cx, access->store, id, now))
        tc_fail_clear(cx);
}

void tc_access_set_pulse(struct tc_access *access, struct tc_pulse *pulse)
{
    access->pulse = pulse;
}

void tc_access_trust(struct tc_access *access, struct tc_bearer *bearer)
{
    access->bearer = bearer;
}

/* A wrong one counts as any wrong token does, and says what is wrong with it. */
static enum tc_err check_bearer(struct tc_cx *cx, struct tc_access *access, struct tc_str token, struct tc_str peer,
                                struct tc_principal *ret_principal)
{
    struct tc_bearer_claims claims;
    struct tc_error fault;
    enum tc_err e = access->bearer->ops->verify(cx, access->bearer, token, &claims);

    if (e == TC_E_AUTH_INVALID) {
        fault = cx->err;
        if (refuse(cx, access, peer) == TC_E_AUTH_INVALID)
            cx->err = fault;
        return cx->err.code;
    }
    if (e)
        return e;
    *ret_principal =
        (struct tc_principal){TC_ROLE_AGENT, TC_STR("oidc"), claims.subject, claims.agent, claims.expires_at};
    return TC_OK;
}

enum tc_err tc_access_check(struct tc_cx *cx, struct tc_access *access, struct tc_str text, struct tc_str peer_name,
                            struct tc_principal *ret_principal)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    char hex[TC_HASH_HEX_SIZE];
    struct token *token;
    enum tc_err e;

    if (text.n == 0 || text.n > (access->bearer ? BEARER_MAX : TOKEN_MAX))
        return refuse(cx, access, peer_name);
    tc_hash_sha256_hex(text, hex);
    if (access->env_hash[0] && tc_hash_same(hex, access->env_hash, sizeof hex)) {
        *ret_principal = (struct tc_principal){TC_ROLE_ADMIN, TC_STR("env"), TC_STR(ENV_ID), TC_STR(""), 0};
        return TC_OK;
    }
    token = tc_map_get(&access->by_hash, tc_str_of(hex));
    if (!token && access->bearer && access->bearer->ops->looks_like(access->bearer, text))
        return check_bearer(cx, access, text, peer_name, ret_principal);
    if (!token || token->row.revoked_at || (token->row.expires_at && token->row.expires_at <= now))
        return refuse(cx, access, peer_name);
    e = principal_of(cx, &token->row, ret_principal);
    if (e)
        return e;
    touch(cx, access, token, now);
    return TC_OK;
}

enum tc_err tc_access_again(struct tc_cx *cx, struct tc_access *access, struct tc_str id,
                            struct tc_principal *ret_principal)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    struct tc_principal principal = {TC_ROLE_ADMIN, TC_STR("env"), TC_STR(ENV_ID), TC_STR(""), 0};
    struct token *token = tc_map_get(&access->by_id, id);
    enum tc_err e;

    if (!token && access->env_hash[0] && tc_str_is(id, ENV_ID)) {
        *ret_principal = principal;
        return TC_OK;
    }
    principal.kind = TC_STR("token");
    principal.id = id;
    e = tc_access_require(cx, access, &principal);
    if (!e)
        e = principal_of(cx, &token->row, ret_principal);
    if (!e)
        touch(cx, access, token, now);
    return e;
}

static void make_token(char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t bits[43];

    tc_rand_bytes(bits, sizeof bits);
    memcpy(to, "tcr_", 4);
    for (size_t i = 0; i < sizeof bits; i++)
        to[4 + i] = digits[bits[i] & 63];
    to[4 + sizeof bits] = '\0';
}

enum tc_err tc_access_create_token(struct tc_cx *cx, struct tc_access *access, const struct tc_token_options *options,
                                   struct tc_token_row *ret_row, struct tc_str *ret_token)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    char text[48], hex[TC_HASH_HEX_SIZE], id[TC_RAND_ID_SIZE];
    struct tc_token_row row;
    struct tc_str token;
    enum tc_err e;

    make_token(text);
    tc_hash_sha256_hex(tc_str_of(text), hex);
    tc_rand_id(now, id);
    token = tc_arena_dup(cx->arena, tc_str_of(text));
    row = (struct tc_token_row){
        .id = tc_arena_dup(cx->arena, tc_str_of(id)),
        .hash = tc_arena_dup(cx->arena, tc_str_of(hex)),
        .role = tc_str_of(tc_role_name(options->role)),
        .agent = options->agent,
        .label = options->label,
        .created_at = now,
        .expires_at = options->expires_at,
    };
    if (!token.p || !row.id.p || !row.hash.p)
        return tc_fail_memory(cx);
    e = access->store->tokens->create(cx, access->store, &row);
    if (!e)
        e = keep(cx, access, &row);
    if (e)
        return e;
    tc_pulse_beat(access->pulse, TC_PULSE_TOKENS);
    *ret_row = row;
    *ret_token = token;
    return TC_OK;
}

enum tc_err tc_access_revoke(struct tc_cx *cx, struct tc_access *access, struct tc_str id)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    struct token *token = tc_map_get(&access->by_id, id);
    enum tc_err e;

    if (!token)
        return tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no token with the id \"%.*s\".", TC_STR_ARG(id));
    e = access->store->tokens->revoke(cx, access->store, id, now);
    token = tc_map_get(&access->by_id, id); /* the table may have changed while we waited */
    if (!e && token)
        token->row.revoked_at = now;
    if (!e)
        tc_pulse_beat(access->pulse, TC_PULSE_TOKENS);
    for (size_t i = 0; !e && i < access->watchers_n; i++)
        access->watchers[i].fn(access->watchers[i].arg);
    return e;
}

enum tc_err tc_access_label(struct tc_cx *cx, struct tc_access *access, struct tc_str id, struct tc_str label)
{
    struct token *token = tc_map_get(&access->by_id, id);
    char *copy;
    enum tc_err e;

    if (!token)
        return tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no token with the id \"%.*s\".", TC_STR_ARG(id));
    copy = tc_mem_alloc(label.n + 1);
    if (!copy)
        return tc_fail_memory(cx);
    if (label.n)
        memcpy(copy, label.p, label.n);
    e = access->store->tokens->label(cx, access->store, id, label);
    if (e) {
        tc_mem_free(copy);
        return e;
    }
    tc_mem_free(token->label); /* tokens stay: it is the same one as before the wait */
    token->label = copy;
    token->row.label = tc_str_n(copy, label.n);
    tc_pulse_beat(access->pulse, TC_PULSE_TOKENS);
    return TC_OK;
}

bool tc_access_holds(const struct tc_access *access, const struct tc_principal *principal, int64_t now)
{
    const struct token *token;

    if (!tc_str_is(principal->kind, "token"))
        return !principal->expires_at || principal->expires_at > now;
    token = tc_map_get(&access->by_id, principal->id);
    return token && !token->row.revoked_at && (!token->row.expires_at || token->row.expires_at > now);
}

enum tc_err tc_access_require(struct tc_cx *cx, const struct tc_access *access, const struct tc_principal *principal)
{
    const struct token *token;

    if (tc_access_holds(access, principal, tc_clock_wall_ms(cx->clock)))
        return TC_OK;
    token = tc_map_get(&access->by_id, principal->id);
    tc_fail(cx, TC_E_AUTH_ENDED, "The token that this was started with %s.",
            token && token->row.revoked_at ? "was revoked" : "has expired");
    return tc_fail_hint(cx, "Start it again with a token that holds.");
}

struct tc_str tc_access_holder(struct tc_arena *arena, const struct tc_principal *principal)
{
    char hex[TC_HASH_HEX_SIZE];
    struct tc_str text;

    if (tc_str_is(principal->kind, "token"))
        return principal->id;
    if (!tc_str_is(principal->kind, "oidc"))
        return TC_STR("");
    text = tc_arena_printf(arena, "%.*s\n%.*s", TC_STR_ARG(principal->agent), TC_STR_ARG(principal->id));
    if (!text.p)
        return text;
    tc_hash_sha256_hex(text, hex); /* a subject may hold anything */
    return tc_arena_printf(arena, "oidc-%.32s", hex);
}

void tc_access_watch(struct tc_access *access, void (*fn)(void *arg), void *arg)
{
    assert(access->watchers_n < WATCHERS);
    access->watchers[access->watchers_n].fn = fn;
    access->watchers[access->watchers_n++].arg = arg;
}

void tc_access_unwatch(struct tc_access *access, const void *arg)
{
    size_t kept = 0;

    for (size_t i = 0; i < access->watchers_n; i++)
        if (access->watchers[i].arg != arg)
            access->watchers[kept++] = access->watchers[i];
    access->watchers_n = kept;
}

const struct tc_token_row *tc_access_token(const struct tc_access *access, struct tc_str id)
{
    const struct token *token = tc_map_get(&access->by_id, id);

    return token ? &token->row : NULL;
}

size_t tc_access_count(const struct tc_access *access, int64_t now)
{
    struct tc_str key;
    void *value;
    size_t at = 0, n = 0;

    while (tc_map_next(&access->by_hash, &at, &key, &value)) {
        const struct tc_token_row *row = &((struct token *)value)->row;
        n += !row->revoked_at && (!row->expires_at || row->expires_at > now);
    }
    return n;
}
