/*
 * Grants at rest: one JSON object, sealed under the server's name and the
 * identity. In memory they lie in an arena of their own, wiped when it goes.
 */
#include "mcp/client/oauth_state.h"

#include "base/clock.h"
#include "base/mem.h"

enum { GRANT_MAX = 256 * 1024, CHALLENGE_MAX = TC_CHALLENGE_MAX };

static const struct {
    const char *key;
    size_t at;
} texts[] = {
    {"url", offsetof(struct tc_oauth_grant, url)},
    {"resource", offsetof(struct tc_oauth_grant, resource)},
    {"issuer", offsetof(struct tc_oauth_grant, issuer)},
    {"named", offsetof(struct tc_oauth_grant, named)},
    {"tokenEndpoint", offsetof(struct tc_oauth_grant, token_endpoint)},
    {"revocationEndpoint", offsetof(struct tc_oauth_grant, revocation_endpoint)},
    {"access", offsetof(struct tc_oauth_grant, access)},
    {"refresh", offsetof(struct tc_oauth_grant, refresh)},
    {"scope", offsetof(struct tc_oauth_grant, scope)},
    {"asked", offsetof(struct tc_oauth_grant, asked)},
};
enum { TEXTS = sizeof texts / sizeof *texts };

static struct tc_str *text_at(const struct tc_oauth_grant *grant, size_t i)
{
    return (struct tc_str *)((char *)grant + texts[i].at);
}

/* --- memory --- */

struct secret {
    size_t n;
    char bytes[];
};

static void wipe(void *arg)
{
    struct secret *secret = arg;

    explicit_bzero(secret->bytes, secret->n);
}

/* A copy that is wiped with its arena; p is NULL without memory. */
static struct tc_str dup_secret(struct tc_arena *arena, struct tc_str from)
{
    struct secret *to = tc_arena_alloc(arena, sizeof *to + from.n + 1);

    if (!to)
        return tc_str_n(NULL, 0);
    to->n = from.n;
    memcpy(to->bytes, from.n ? from.p : "", from.n);
    to->bytes[from.n] = '\0';
    return tc_arena_defer(arena, wipe, to) ? tc_str_n(to->bytes, from.n) : tc_str_n(NULL, 0);
}

static bool dup_grant(struct tc_arena *arena, const struct tc_oauth_grant *from, struct tc_oauth_grant *ret)
{
    struct tc_oauth_grant copy = *from;

    for (size_t i = 0; i < TEXTS; i++) {
        *text_at(&copy, i) = dup_secret(arena, *text_at(from, i));
        if (!text_at(&copy, i)->p)
            return false;
    }
    *ret = copy;
    return true;
}

enum tc_err tc_oauth_grant_dup(struct tc_cx *cx, const struct tc_oauth_grant *from, struct tc_oauth_grant *ret)
{
    return dup_grant(cx->arena, from, ret) ? TC_OK : tc_fail_memory(cx);
}

void tc_oauth_slot_clear(struct tc_oauth_slot *slot)
{
    if (slot->arena) {
        tc_arena_finish(slot->arena);
        tc_mem_free(slot->arena);
    }
    slot->arena = NULL;
    slot->grant = (struct tc_oauth_grant){0};
    slot->challenge = TC_STR("");
}

/* In place of what the slot had; on failure nothing changed. */
static enum tc_err swap(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                        struct tc_str challenge)
{
    struct tc_arena *arena = tc_mem_zalloc(1, sizeof *arena);
    struct tc_oauth_grant copy;
    struct tc_str kept;

    if (!arena)
        return tc_fail_memory(cx);
    tc_arena_init(arena, 0);
    kept = tc_arena_dup(arena, challenge);
    if (!kept.p || !dup_grant(arena, grant, &copy)) {
        tc_arena_finish(arena);
        tc_mem_free(arena);
        return tc_fail_memory(cx);
    }
    tc_oauth_slot_clear(slot);
    slot->arena = arena;
    slot->grant = copy;
    slot->challenge = kept;
    return TC_OK;
}

void tc_oauth_grant_take(struct tc_cx *cx, struct tc_oauth_grant *grant, const struct tc_oauth_tokens *tokens)
{
    grant->access = tokens->access;
    if (tokens->refresh.n)
        grant->refresh = tokens->refresh; /* rotated; else the old one stays good */
    grant->scope = tokens->scope.n ? tokens->scope : grant->asked.n ? grant->asked : grant->scope;
    grant->expires_at = tokens->expires_in_s < 0 ? 0 : tc_clock_wall_ms(cx->clock) + tokens->expires_in_s * 1000;
}

/* --- the store --- */

static struct tc_str seal_name(struct tc_cx *cx, const struct tc_oauth_slot *slot)
{
    return tc_arena_printf(cx->arena, "mcp-grant:%.*s:%.*s", TC_STR_ARG(slot->server->name),
                           TC_STR_ARG(slot->identity));
}

static enum tc_err seal(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                        struct tc_str *ret_sealed)
{
    struct tc_secrets *secrets = slot->server->oauth->options.secrets;
    struct tc_str name = seal_name(cx, slot), plain;
    struct tc_buf buf;
    struct tc_jsonw w;

    *ret_sealed = TC_STR("");
    if (grant->access.n == 0 && grant->refresh.n == 0)
        return TC_OK;
    tc_buf_init(&buf, GRANT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (size_t i = 0; i < TEXTS; i++)
        tc_jsonw_kopt(&w, texts[i].key, *text_at(grant, i));
    tc_jsonw_kint(&w, "expiresAt", grant->expires_at);
    tc_jsonw_kbool(&w, "headless", grant->headless);
    tc_jsonw_end(&w);
    plain = buf.failed ? tc_str_n(NULL, 0) : dup_secret(cx->arena, tc_buf_get(&buf));
    if (!buf.failed)
        explicit_bzero(buf.p, buf.n);
    tc_buf_finish(&buf);
    return plain.p && name.p ? secrets->ops->seal(cx, secrets, name, plain, ret_sealed) : tc_fail_memory(cx);
}

static enum tc_err put(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                       struct tc_str challenge)
{
    struct tc_store *store = slot->server->oauth->options.store;
    struct tc_grant_row row = {
        .server = slot->server->name,
        .identity = slot->identity,
        .issuer = grant->issuer,
        .scope = grant->scope,
        .challenge = challenge,
        .expires_at = grant->refresh.n || grant->headless ? 0 : grant->expires_at,
    };
    enum tc_err e = seal(cx, slot, grant, &row.sealed);

    return e ? e : store->grants->put(cx, store, &row, tc_clock_wall_ms(cx->clock));
}

static enum tc_err keep_locked(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                               struct tc_str challenge)
{
    enum tc_err stored = put(cx, slot, grant, challenge), e;
    struct tc_error fault = cx->err;

    e = swap(cx, slot, grant, challenge);
    slot->loaded = true;
    slot->unsaved = stored != TC_OK;
    if (!stored)
        return e;
    cx->err = fault;
    return stored;
}

enum tc_err tc_oauth_keep(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                          struct tc_str challenge)
{
    enum tc_err e;

    if (challenge.n > CHALLENGE_MAX)
        challenge = TC_STR("");
    tc_task_shield(cx); /* what came of a used-up code or token must not be lost */
    e = tc_lock_take(cx, &slot->lock, -1);
    if (!e) {
        e = keep_locked(cx, slot, grant, challenge);
        tc_lock_give(&slot->lock);
    }
    tc_task_unshield(cx);
    return e;
}

enum tc_err tc_oauth_save(struct tc_cx *cx, struct tc_oauth_slot *slot)
{
    struct tc_oauth_grant grant;
    struct tc_str challenge;
    enum tc_err e = tc_lock_take(cx, &slot->lock, -1);

    if (e)
        return e;
    challenge = tc_arena_dup(cx->arena, slot->challenge);
    e = challenge.p ? tc_oauth_grant_dup(cx, &slot->grant, &grant) : tc_fail_memory(cx);
    if (!e && slot->unsaved)
        e = put(cx, slot, &grant, challenge);
    slot->unsaved = e != TC_OK;
    tc_lock_give(&slot->lock);
    return e;
}

/* --- reading --- */

static enum tc_err unseal(struct tc_cx *cx, struct tc_oauth_slot *slot, struct tc_str sealed,
                          struct tc_oauth_grant *ret_grant)
{
    struct tc_secrets *secrets = slot->server->oauth->options.secrets;
    struct tc_oauth_grant grant = {0};
    struct tc_str name = seal_name(cx, slot), plain;
    const struct tc_json *root;
    enum tc_err e = name.p ? secrets->ops->unseal(cx, secrets, name, sealed, &plain) : tc_fail_memory(cx);

    if (!e)
        e = tc_json_parse_root(cx, plain, NULL, &root);
    if (e)
        return e;
    for (size_t i = 0; i < TEXTS; i++)
        *text_at(&grant, i) = tc_json_str(tc_json_get_c(root, texts[i].key));
    if (!tc_json_int(tc_json_get_c(root, "expiresAt"), &grant.expires_at))
        grant.expires_at = 0;
    grant.headless = tc_json_bool(tc_json_get_c(root, "headless"), false);
    *ret_grant = grant;
    return TC_OK;
}

static bool same_place(struct tc_str a, struct tc_str b)
{
    struct tc_url x, y;

    return tc_url_parse(a, &x) && tc_url_parse(b, &y) && tc_url_same_origin(&x, &y) && tc_str_eq(x.path, y.path);
}

static enum tc_err load_locked(struct tc_cx *cx, struct tc_oauth_slot *slot)
{
    struct tc_store *store = slot->server->oauth->options.store;
    struct tc_oauth_grant grant = {0};
    struct tc_str challenge = TC_STR("");
    struct tc_grant_row *rows;
    size_t n;
    enum tc_err e = slot->loaded ? TC_OK : store->grants->all(cx, store, slot->server->name, &rows, &n);

    if (e || slot->loaded)
        return e;
    for (size_t i = 0; i < n && !e; i++) {
        if (!tc_str_eq(rows[i].identity, slot->identity))
            continue;
        challenge = rows[i].challenge;
        if (rows[i].sealed.n)
            e = unseal(cx, slot, rows[i].sealed, &grant);
        if (e == TC_E_SECRET_SEALED) { /* with another key: lost, and a new login takes its place */
            tc_fail_clear(cx);
            e = TC_OK;
        }
    }
    if (!e && !same_place(grant.url, slot->server->url))
        grant = (struct tc_oauth_grant){0};
    if (!e)
        e = swap(cx, slot, &grant, challenge);
    slot->loaded = e == TC_OK;
    return e;
}

enum tc_err tc_oauth_load(struct tc_cx *cx, struct tc_oauth_slot *slot)
{
    enum tc_err e = TC_OK;

    if (slot->loaded)
        return TC_OK;
    e = tc_lock_take(cx, &slot->lock, -1);
    if (e)
        return e;
    e = load_locked(cx, slot);
    tc_lock_give(&slot->lock);
    return e;
}
