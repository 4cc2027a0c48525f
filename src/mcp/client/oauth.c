/*
 * The links' side: a token for each request, and what to do when it is refused.
 */
#include "mcp/client/oauth_pending.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "oauth/scope.h"

enum {
    SKEW_MS = 30 * 1000, /* before its end a token counts as ended: a request takes time, clocks differ */
    RENEWED_MS = 5000    /* a renewed token that is refused so soon was no good from the start */
};

/* --- servers and slots --- */

static char *dup_text(struct tc_str text)
{
    char *copy = tc_mem_alloc(text.n + 1);

    if (copy)
        memcpy(copy, text.n ? text.p : "", text.n);
    return copy;
}

static void slot_destroy(struct tc_oauth_slot *slot)
{
    tc_oauth_slot_clear(slot);
    tc_mem_free((char *)slot->identity.p);
    tc_mem_free(slot->why);
    tc_mem_free(slot);
}

enum tc_err tc_oauth_slot_of(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str identity,
                             struct tc_oauth_slot **ret_slot)
{
    struct tc_oauth_slot *slot = tc_map_get(&server->slots, identity);

    if (!slot) {
        slot = tc_mem_zalloc(1, sizeof *slot);
        if (!slot)
            return tc_fail_memory(cx);
        slot->server = server;
        slot->identity = tc_str_n(dup_text(identity), identity.n);
        if (!slot->identity.p || !tc_map_put(&server->slots, identity, slot)) {
            slot_destroy(slot);
            return tc_fail_memory(cx);
        }
    }
    *ret_slot = slot;
    return TC_OK;
}

static void server_destroy(struct tc_oauth_server *server)
{
    struct tc_str key;
    void *slot;
    size_t at = 0;

    while (tc_map_next(&server->slots, &at, &key, &slot))
        slot_destroy(slot);
    tc_map_finish(&server->slots);
    tc_mem_free((char *)server->name.p);
    tc_mem_free((char *)server->url.p);
    tc_mem_free(server);
}

/* What was kept for another URL is read again, and found to be for another one. */
static enum tc_err move(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str url)
{
    struct tc_str key, copy = tc_str_n(dup_text(url), url.n);
    void *value;
    size_t at = 0;

    if (!copy.p)
        return tc_fail_memory(cx);
    tc_mem_free((char *)server->url.p);
    server->url = copy;
    while (tc_map_next(&server->slots, &at, &key, &value)) {
        struct tc_oauth_slot *slot = value;

        tc_oauth_slot_clear(slot);
        slot->loaded = false;
        slot->generation++;
    }
    return TC_OK;
}

static enum tc_err token(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity, struct tc_str *ret_token);
static enum tc_err refused(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity,
                           const struct tc_auth_refusal *refusal);

static const struct tc_auth_ops auth_ops = {token, refused};

enum tc_err tc_oauth_server_of(struct tc_cx *cx, struct tc_oauth *oauth, struct tc_str name, struct tc_str url,
                               struct tc_oauth_server **ret_server)
{
    struct tc_oauth_server *server = tc_map_get(&oauth->servers, name);

    if (!server) {
        server = tc_mem_zalloc(1, sizeof *server);
        if (!server)
            return tc_fail_memory(cx);
        server->auth.ops = &auth_ops;
        server->oauth = oauth;
        server->name = tc_str_n(dup_text(name), name.n);
        server->url = tc_str_n(dup_text(url), url.n);
        if (!server->name.p || !server->url.p || !tc_map_put(&oauth->servers, name, server)) {
            server_destroy(server);
            return tc_fail_memory(cx);
        }
    }
    *ret_server = server;
    return url.n == 0 || tc_str_eq(server->url, url) ? TC_OK : move(cx, server, url);
}

enum tc_err tc_oauth_auth(struct tc_cx *cx, struct tc_oauth *oauth, struct tc_str name, struct tc_str url,
                          struct tc_auth **ret_auth)
{
    struct tc_oauth_server *server;
    enum tc_err e = tc_oauth_server_of(cx, oauth, name, url, &server);

    if (!e)
        *ret_auth = &server->auth;
    return e;
}

enum tc_err tc_oauth_rules_of(struct tc_cx *cx, const struct tc_oauth_server *server, struct tc_str named,
                              struct tc_oauth_rules *ret_rules)
{
    struct tc_str url = tc_arena_dup(cx->arena, server->url), issuer = tc_arena_dup(cx->arena, named);
    struct tc_oauth_rules rules = {.client = server->oauth->options.client};

    if (!url.p || !issuer.p)
        return tc_fail_memory(cx);
    if (!tc_url_parse(url, &rules.entered[rules.n++]))
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The server has no usable address to log in for.");
    if (issuer.n && !tc_url_parse(issuer, &rules.entered[rules.n++]))
        return tc_fail(cx, TC_E_USAGE, "The authorization server %.*s is no usable address.", TC_STR_ARG(issuer));
    *ret_rules = rules;
    return TC_OK;
}

/* --- tokens for links --- */

static enum tc_err find_slot(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str identity,
                             struct tc_oauth_slot **ret_slot)
{
    struct tc_oauth_slot *slot;
    enum tc_err e = tc_oauth_slot_of(cx, server, identity, &slot);

    if (!e)
        e = tc_oauth_load(cx, slot);
    if (!e)
        *ret_slot = slot;
    return e;
}

static bool can_renew(const struct tc_oauth_slot *slot)
{
    return slot->grant.refresh.n > 0 || slot->grant.headless;
}

static int64_t left_ms(struct tc_cx *cx, const struct tc_oauth_slot *slot)
{
    return slot->grant.expires_at ? slot->grant.expires_at - tc_clock_wall_ms(cx->clock) : INT64_MAX;
}

static enum tc_err token(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity, struct tc_str *ret_token)
{
    struct tc_oauth_slot *slot;
    enum tc_err e = find_slot(cx, (struct tc_oauth_server *)self, identity, &slot);

    if (!e && slot->unsaved)
        e = tc_oauth_save(cx, slot);
    if (!e && slot->grant.access.n && can_renew(slot) && left_ms(cx, slot) < SKEW_MS) {
        e = tc_oauth_renew(cx, slot, &(struct tc_oauth_renewal){0});
        if (e == TC_E_MCP_LOGIN_REQUIRED || (e && left_ms(cx, slot) > 0 && tc_task_check(cx) == TC_OK)) {
            tc_fail_clear(cx); /* it is gone, which the server says better; or it is good for a while yet */
            e = TC_OK;
        }
    }
    if (e)
        return e;
    *ret_token = tc_arena_dup(cx->arena, slot->grant.access);
    return ret_token->p ? TC_OK : tc_fail_memory(cx);
}

/* --- refusals --- */

static enum tc_err hint_login(struct tc_cx *cx, const struct tc_oauth_slot *slot)
{
    return tc_fail_hint(cx, "toolcrib mcp login %.*s%s%.*s", TC_STR_ARG(slot->server->name),
                        slot->identity.n ? " --agent " : "", TC_STR_ARG(slot->identity));
}

static enum tc_err fail_login(struct tc_cx *cx, const struct tc_oauth_slot *slot, const char *why)
{
    tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "The server \"%.*s\" %s.", TC_STR_ARG(slot->server->name), why);
    return hint_login(cx, slot);
}

/* Remembers what the server asks for, so that a login can be begun with it. */
static enum tc_err note(struct tc_cx *cx, struct tc_oauth_slot *slot, struct tc_str challenge)
{
    struct tc_oauth_grant grant;
    enum tc_err e;

    if (tc_str_eq(challenge, slot->challenge))
        return TC_OK;
    e = tc_oauth_grant_dup(cx, &slot->grant, &grant);
    return e ? e : tc_oauth_keep(cx, slot, &grant, challenge);
}

/* The token was good once and is not any more. */
static enum tc_err replace(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_challenge *challenge)
{
    struct tc_oauth_renewal why = {.refused = true, .metadata = challenge->resource_metadata};
    char hex[TC_HASH_HEX_SIZE];
    enum tc_err e;

    tc_hash_sha256_hex(slot->grant.access, hex);
    if (!can_renew(slot))
        return fail_login(cx, slot, "does not take the login any more");
    if (strcmp(hex, slot->renewed) == 0 && tc_clock_mono_us(cx->clock) / 1000 - slot->renewed_at < RENEWED_MS)
        return fail_login(cx, slot, "does not take a token that was just renewed");
    e = tc_oauth_renew(cx, slot, &why);
    if (e == TC_E_MCP_LOGIN_REQUIRED)
        return hint_login(cx, slot);
    if (!e) {
        tc_hash_sha256_hex(slot->grant.access, slot->renewed);
        slot->renewed_at = tc_clock_mono_us(cx->clock) / 1000;
    }
    return e;
}

/* The token is good, and not for this. */
static enum tc_err widen(struct tc_cx *cx, struct tc_oauth_slot *slot, struct tc_str scope)
{
    if (tc_scope_covers(slot->grant.headless ? slot->grant.asked : slot->grant.scope, scope)) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION,
                scope.n ? "The server \"%.*s\" refuses for want of the scope %.*s, which the login covers."
                        : "The server \"%.*s\" refuses what the login covers.%.*s",
                TC_STR_ARG(slot->server->name), TC_STR_ARG(scope));
        return tc_fail_hint(cx, "Logging in again would not help; ask whoever runs the server.");
    }
    if (slot->grant.headless)
        return tc_oauth_renew(cx, slot, &(struct tc_oauth_renewal){.scope = scope});
    tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "The server \"%.*s\" wants a login with the scope %.*s as well.",
            TC_STR_ARG(slot->server->name), TC_STR_ARG(scope));
    return hint_login(cx, slot);
}

/* Another token than the refused one, or the first one, is there by now. */
static bool is_replaced(const struct tc_oauth_slot *slot, struct tc_str token)
{
    return slot->grant.access.n && !tc_str_eq(token, slot->grant.access);
}

static enum tc_err refused(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity,
                           const struct tc_auth_refusal *refusal)
{
    struct tc_challenge challenge;
    struct tc_oauth_slot *slot;
    bool scope;
    enum tc_err e = find_slot(cx, (struct tc_oauth_server *)self, identity, &slot);

    if (!e)
        e = tc_challenge_parse(cx, refusal->challenge, &challenge);
    if (e)
        return e;
    scope = tc_str_is(challenge.error, "insufficient_scope");
    if (refusal->status != 401 && !scope)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The server \"%.*s\" refuses this with status %d.",
                       TC_STR_ARG(slot->server->name), refusal->status);
    if (is_replaced(slot, refusal->token))
        return TC_OK;
    if (!scope || !tc_scope_covers(slot->grant.scope, challenge.scope))
        e = note(cx, slot, refusal->challenge);
    if (e)
        return e;
    if (slot->grant.access.n == 0)
        return fail_login(cx, slot, "wants a login");
    if (is_replaced(slot, refusal->token))
        return TC_OK;
    return scope ? widen(cx, slot, challenge.scope) : replace(cx, slot, &challenge);
}

/* --- the whole --- */

enum tc_err tc_oauth_create(struct tc_cx *cx, const struct tc_oauth_options *options, struct tc_oauth **ret_oauth)
{
    struct tc_oauth *oauth = tc_mem_zalloc(1, sizeof *oauth);

    if (!oauth)
        return tc_fail_memory(cx);
    oauth->logins.ops = &tc_oauth_logins_ops;
    oauth->options = *options;
    tc_task_group_init(&oauth->tasks, options->loop);
    *ret_oauth = oauth;
    return TC_OK;
}

void tc_oauth_destroy(struct tc_cx *cx, struct tc_oauth *oauth)
{
    struct tc_str key;
    void *server;
    size_t at = 0;

    if (!oauth)
        return;
    tc_task_shield(cx);
    tc_task_join(cx, &oauth->tasks); /* each request in there has a time limit */
    tc_task_unshield(cx);
    for (size_t i = 0; i < TC_OAUTH_LOGINS; i++)
        tc_oauth_pending_drop(oauth, i);
    while (tc_map_next(&oauth->servers, &at, &key, &server))
        server_destroy(server);
    tc_map_finish(&oauth->servers);
    tc_mem_free(oauth);
}

struct tc_logins *tc_oauth_logins(struct tc_oauth *oauth)
{
    return &oauth->logins;
}
