/*
 * Logins begin here: what the server wants, who grants it, as whom, for what. Then
 * the browser has it (oauth_finish.c), or the client itself gets its token at once.
 */
#include "mcp/client/oauth_pending.h"

#include "base/clock.h"
#include "base/mem.h"
#include "oauth/scope.h"

static const char offline[] = "offline_access";

/* --- beginning --- */

/* What discovery and the operator's words came to. */
struct plan {
    struct tc_oauth_slot *slot;
    const struct tc_login_request *request;
    struct tc_challenge challenge;
    struct tc_oauth_grant old; /* of this identity, in the arena */
    struct tc_oauth_rules rules;
    struct tc_str named;
    struct tc_oauth_found found;
    struct tc_oauth_client client;
    struct tc_str redirect_uri, scope;
};

static enum tc_err look(struct tc_cx *cx, struct tc_oauth *oauth, struct plan *plan)
{
    const struct tc_login_request *request = plan->request;
    struct tc_oauth_server *server;
    struct tc_str challenge;
    enum tc_err e = tc_oauth_server_of(cx, oauth, request->server, request->url, &server);

    if (!e)
        e = tc_oauth_slot_of(cx, server, request->identity, &plan->slot);
    if (!e)
        e = tc_oauth_load(cx, plan->slot);
    if (e)
        return e;
    challenge = tc_arena_dup(cx->arena, plan->slot->challenge);
    e = challenge.p ? tc_challenge_parse(cx, challenge, &plan->challenge) : tc_fail_memory(cx);
    if (!e)
        e = tc_oauth_grant_dup(cx, &plan->slot->grant, &plan->old);
    plan->named = request->issuer.n ? request->issuer : plan->old.named;
    return e ? e : tc_oauth_rules_of(cx, server, plan->named, &plan->rules);
}

static enum tc_err discover(struct tc_cx *cx, struct plan *plan)
{
    struct tc_oauth_wish wish = {
        .server = plan->rules.entered[0],
        .metadata = plan->challenge.resource_metadata,
        .issuer = plan->request->issuer,
        .known = plan->old.issuer,
    };
    struct tc_url url;
    enum tc_err e = tc_oauth_discover(cx, &plan->rules, &wish, &plan->found);

    if (!e && !plan->request->headless)
        e = tc_oauth_check_pkce(cx, &plan->found);
    if (!e && !plan->request->headless)
        e = tc_oauth_may(cx, &plan->rules, plan->found.issuer.authorization, "authorization endpoint", &url);
    return e ? e : tc_oauth_may(cx, &plan->rules, plan->found.issuer.token, "token endpoint", &url);
}

/* Said by the operator, or by the refusal over what was granted before, or by the
 * resource; else left to the authorization server. */
static enum tc_err choose_scope(struct tc_cx *cx, struct plan *plan)
{
    const struct tc_oauth_issuer *issuer = &plan->found.issuer;
    bool same = tc_str_eq(plan->old.issuer, issuer->issuer);
    enum tc_err e;

    if (plan->request->scope.n)
        return tc_scope_join(cx, plan->request->scope, TC_STR(""), &plan->scope);
    if (plan->challenge.scope.n)
        e = tc_scope_join(cx, same ? plan->old.asked : TC_STR(""), plan->challenge.scope, &plan->scope);
    else
        e = tc_scope_join(cx, plan->found.scopes, TC_STR(""), &plan->scope);
    if (e || plan->request->headless || plan->scope.n == 0)
        return e;
    if (tc_scope_has(issuer->scopes, tc_str_of(offline)))
        return tc_scope_join(cx, plan->scope, tc_str_of(offline), &plan->scope);
    return issuer->scopes.n ? tc_scope_without(cx, plan->scope, tc_str_of(offline), &plan->scope) : TC_OK;
}

static enum tc_err choose_client(struct tc_cx *cx, struct tc_oauth *oauth, struct plan *plan)
{
    struct tc_oauth_choice choice = {&plan->rules, plan->request, &plan->found.issuer, TC_STR("")};
    enum tc_err e = TC_OK;

    plan->redirect_uri = TC_STR("");
    if (!plan->request->headless)
        e = oauth->options.redirect(cx, oauth->options.arg, &plan->redirect_uri);
    choice.redirect_uri = plan->redirect_uri;
    return e ? e : tc_oauth_client_choose(cx, plan->slot->server, &choice, &plan->client);
}

static bool keep_text(struct tc_arena *arena, struct tc_str *text)
{
    *text = tc_arena_dup(arena, *text);
    return text->p != NULL;
}

/* Copies what is needed at its end into the login's own memory. */
static bool fill_pending(struct tc_oauth_pending *p, const struct plan *plan)
{
    struct tc_arena *arena = &p->arena;
    char state[TC_OAUTH_NONCE_SIZE], verifier[TC_OAUTH_NONCE_SIZE], id[TC_OAUTH_NONCE_SIZE];

    tc_oauth_nonce(state);
    tc_oauth_nonce(verifier);
    tc_oauth_nonce(id);
    p->id = tc_str_of(id);
    p->state = tc_str_of(state);
    p->verifier = tc_str_of(verifier);
    p->redirect_uri = plan->redirect_uri;
    p->scope = plan->scope;
    p->resource = plan->found.resource;
    p->named = plan->named;
    p->issuer = plan->found.issuer;
    p->client = plan->client;
    return keep_text(arena, &p->id) && keep_text(arena, &p->state) && keep_text(arena, &p->verifier) &&
           keep_text(arena, &p->redirect_uri) && keep_text(arena, &p->scope) && keep_text(arena, &p->resource) &&
           keep_text(arena, &p->named) && keep_text(arena, &p->issuer.issuer) && keep_text(arena, &p->issuer.token) &&
           keep_text(arena, &p->issuer.revocation) && keep_text(arena, &p->client.id) &&
           keep_text(arena, &p->client.secret) && keep_text(arena, &p->client.key);
}

static enum tc_err put_pending(struct tc_cx *cx, struct tc_oauth *oauth, const struct plan *plan,
                               struct tc_oauth_pending **ret)
{
    struct tc_oauth_pending *p;
    size_t i;
    enum tc_err e = tc_oauth_pending_place(cx, oauth, &i);

    if (e)
        return e;
    p = tc_mem_zalloc(1, sizeof *p);
    if (!p)
        return tc_fail_memory(cx);
    tc_arena_init(&p->arena, 0);
    p->oauth = oauth;
    p->slot = plan->slot;
    p->expires_at = tc_clock_wall_ms(cx->clock) + TC_OAUTH_LOGIN_MS;
    if (!fill_pending(p, plan)) {
        p->gone = true;
        tc_oauth_pending_release(p);
        return tc_fail_memory(cx);
    }
    oauth->pending[i] = *ret = p;
    return TC_OK;
}

static enum tc_err begin_headless(struct tc_cx *cx, const struct plan *plan, struct tc_login *ret_login)
{
    struct tc_oauth_grant start = {
        .url = plan->rules.entered[0].text,
        .resource = plan->found.resource,
        .issuer = plan->found.issuer.issuer,
        .named = plan->named,
        .token_endpoint = plan->found.issuer.token,
        .revocation_endpoint = plan->found.issuer.revocation,
        .asked = plan->scope,
        .headless = true,
    };
    enum tc_err e = tc_oauth_login_headless(cx, plan->slot, &start, &plan->client);

    *ret_login = (struct tc_login){
        .id = TC_STR(""),
        .server = plan->request->server,
        .identity = plan->request->identity,
        .scope = tc_arena_dup(cx->arena, plan->slot->grant.scope),
        .state = TC_LOGIN_DONE,
    };
    return e || ret_login->scope.p ? e : tc_fail_memory(cx);
}

enum tc_err tc_oauth_begin(struct tc_cx *cx, struct tc_logins *self, const struct tc_login_request *request,
                           struct tc_login *ret_login)
{
    struct tc_oauth *oauth = (struct tc_oauth *)self;
    struct plan plan = {.request = request};
    struct tc_oauth_authorize what;
    struct tc_oauth_pending *p;
    struct tc_str url;
    enum tc_err e;

    if ((e = look(cx, oauth, &plan)) || (e = discover(cx, &plan)) || (e = choose_scope(cx, &plan)) ||
        (e = choose_client(cx, oauth, &plan)))
        return e;
    if (request->headless)
        return begin_headless(cx, &plan, ret_login);
    e = put_pending(cx, oauth, &plan, &p);
    if (e)
        return e;
    what = (struct tc_oauth_authorize){
        .endpoint = plan.found.issuer.authorization,
        .client_id = p->client.id,
        .redirect_uri = p->redirect_uri,
        .state = p->state,
        .verifier = p->verifier,
        .scope = p->scope,
        .resource = p->resource,
        .consent = tc_scope_has(p->scope, tc_str_of(offline)),
    };
    e = tc_oauth_authorize_url(cx, &what, &url);
    if (!e)
        e = tc_oauth_pending_describe(cx, p, ret_login);
    if (!e)
        ret_login->url = url;
    return e;
}
