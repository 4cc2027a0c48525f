/*
 * What is known of logins, and how they are forgotten.
 */
#include "mcp/client/oauth_state.h"

#include "base/clock.h"
#include "oauth/scope.h"

static enum tc_err info_of(struct tc_cx *cx, const struct tc_grant_row *row, struct tc_login_info *ret)
{
    struct tc_challenge challenge;
    bool over = row->expires_at && row->expires_at <= tc_clock_wall_ms(cx->clock);
    enum tc_err e = tc_challenge_parse(cx, row->challenge, &challenge);

    if (e)
        return e;
    *ret = (struct tc_login_info){
        .server = row->server,
        .identity = row->identity,
        .kind = row->sealed.n == 0 ? TC_LOGIN_MISSING
                : over             ? TC_LOGIN_EXPIRED
                                   : TC_LOGIN_ACTIVE,
        .issuer = row->issuer,
        .scope = row->scope,
        .wanted = tc_scope_covers(row->scope, challenge.scope) ? TC_STR("") : challenge.scope,
        .expires_at = row->expires_at,
    };
    return TC_OK;
}

static enum tc_err all(struct tc_cx *cx, struct tc_logins *self, struct tc_str server, struct tc_login_info **ret_all,
                       size_t *ret_n)
{
    struct tc_store *store = ((struct tc_oauth *)self)->options.store;
    struct tc_login_info *infos = NULL;
    struct tc_grant_row *rows;
    size_t n;
    enum tc_err e = store->grants->all(cx, store, server, &rows, &n);

    if (!e && !(infos = TC_ARENA_NEW_N(cx->arena, struct tc_login_info, n + 1)))
        e = tc_fail_memory(cx);
    for (size_t i = 0; i < n && !e; i++)
        e = info_of(cx, &rows[i], &infos[i]);
    if (e)
        return e;
    *ret_all = infos;
    *ret_n = n;
    return TC_OK;
}

/* True when the authorization server says that it is done; whatever else happens
 * does not keep anybody here. */
static bool revoke(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant)
{
    struct tc_oauth_post post = {
        .url = grant->revocation_endpoint,
        .what = "revocation endpoint",
        .type = TC_STR("application/x-www-form-urlencoded"),
    };
    struct tc_client_response response = {.status = 0};
    struct tc_oauth_known known;
    struct tc_oauth_rules rules;
    struct tc_buf form;
    enum tc_err e;

    if (grant->revocation_endpoint.n == 0 || grant->access.n == 0)
        return false;
    tc_buf_init(&form, TC_OAUTH_FORM_MAX);
    tc_oauth_form(&form, "token", grant->refresh.n ? grant->refresh : grant->access);
    tc_oauth_form(&form, "token_type_hint", grant->refresh.n ? TC_STR("refresh_token") : TC_STR("access_token"));
    e = tc_oauth_rules_of(cx, slot->server, grant->named, &rules);
    if (!e)
        e = tc_oauth_client_load(cx, slot->server, grant->issuer, &known);
    if (!e)
        e = tc_oauth_authenticate(cx, &known.client, grant->issuer, &form, &post.authorization);
    post.body = tc_buf_get(&form);
    if (!e && !form.failed)
        e = tc_oauth_send(cx, &rules, &post, &response);
    tc_buf_finish(&form);
    tc_fail_clear(cx);
    return !e && response.status == 200;
}

static enum tc_err forget_slot(struct tc_cx *cx, struct tc_oauth_slot *slot, bool *ret_revoked)
{
    struct tc_store *store = slot->server->oauth->options.store;
    struct tc_oauth_grant grant;
    enum tc_err e = tc_oauth_load(cx, slot);

    if (!e)
        e = tc_oauth_grant_dup(cx, &slot->grant, &grant);
    if (e)
        return e;
    slot->generation++;
    *ret_revoked |= revoke(cx, slot, &grant);
    tc_oauth_slot_clear(slot);
    slot->loaded = true;
    return store->grants->remove(cx, store, slot->server->name, slot->identity);
}

static enum tc_err forget(struct tc_cx *cx, struct tc_logins *self, const struct tc_login_request *which, bool every,
                          bool *ret_revoked)
{
    struct tc_oauth *oauth = (struct tc_oauth *)self;
    struct tc_store *store = oauth->options.store;
    struct tc_oauth_server *server;
    struct tc_oauth_slot *slot;
    struct tc_grant_row *rows;
    bool revoked = false;
    size_t n = 0, found = 0, left = 0;
    enum tc_err e = tc_oauth_server_of(cx, oauth, which->server, which->url, &server);

    if (!e)
        e = store->grants->all(cx, store, which->server, &rows, &n);
    for (size_t i = 0; i < n && !e; i++) {
        if (!every && !tc_str_eq(rows[i].identity, which->identity)) {
            left++;
            continue;
        }
        found += rows[i].sealed.n > 0;
        e = tc_oauth_slot_of(cx, server, rows[i].identity, &slot);
        if (!e)
            e = forget_slot(cx, slot, &revoked);
    }
    if (!e && left == 0)
        e = store->grants->forget(cx, store, which->server);
    if (!e && found == 0 && !every)
        e = tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no such login at the server \"%.*s\".",
                    TC_STR_ARG(which->server));
    if (!e)
        *ret_revoked = revoked;
    return e;
}

const struct tc_logins_ops tc_oauth_logins_ops = {
    .begin = tc_oauth_begin,
    .wait = tc_oauth_wait,
    .finish = tc_oauth_finish,
    .all = all,
    .forget = forget,
    .document = tc_oauth_document,
};
