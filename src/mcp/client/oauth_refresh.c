/*
 * Renewal. It runs in a task of its own: a call that is cancelled meanwhile does
 * not take with it the answer to a refresh token that is used up by now. What was
 * got is stored first. Only invalid_grant ends a grant; everything else may pass.
 */
#include "mcp/client/oauth_state.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "oauth/scope.h"

enum { PAUSE_MS = 3000 }; /* after a failure: calls in this time hear of it without a new try */

static const struct tc_oauth_grant no_grant = {0};

/* --- token endpoint --- */

static enum tc_err refused(struct tc_cx *cx, const struct tc_oauth_token_request *request,
                           const struct tc_client_response *response)
{
    struct tc_oauth_refusal refusal;
    enum tc_err e = tc_oauth_refusal_read(cx, response->body, &refusal);

    if (e)
        return e;
    if (response->status >= 500 || response->status == 429)
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The authorization server %.*s does not answer now: status %d.",
                       TC_STR_ARG(request->issuer), response->status);
    e = tc_str_is(refusal.code, "invalid_grant") ? TC_E_MCP_LOGIN_REQUIRED : TC_E_MCP_AUTHORIZATION;
    if (refusal.code.n == 0)
        return tc_fail(cx, e, "The authorization server %.*s refused: status %d.", TC_STR_ARG(request->issuer),
                       response->status);
    tc_fail(cx, e, "The authorization server %.*s refused: %.*s%s%.*s.", TC_STR_ARG(request->issuer),
            TC_STR_ARG(refusal.code), refusal.description.n ? ", " : "", TC_STR_ARG(refusal.description));
    if (tc_str_is(refusal.code, "invalid_client"))
        tc_fail_hint(cx, "It does not know this client any more: log out and in again.");
    return e;
}

enum tc_err tc_oauth_ask_tokens(struct tc_cx *cx, const struct tc_oauth_token_request *request,
                                struct tc_oauth_tokens *ret_tokens)
{
    struct tc_oauth_post post = {
        .url = request->endpoint,
        .what = "token endpoint",
        .type = TC_STR("application/x-www-form-urlencoded"),
    };
    struct tc_client_response response;
    enum tc_err e = tc_oauth_authenticate(cx, request->client, request->issuer, request->form, &post.authorization);

    if (!e && request->form->failed)
        e = tc_fail_memory(cx);
    post.body = tc_buf_get(request->form);
    if (!e)
        e = tc_oauth_send(cx, request->rules, &post, &response);
    if (e)
        return e;
    if (response.status != 200 && response.status != 201)
        return refused(cx, request, &response);
    return tc_oauth_tokens_read(cx, response.body, ret_tokens);
}

static void write_form(struct tc_buf *form, const struct tc_oauth_grant *grant)
{
    if (grant->headless) {
        tc_oauth_form(form, "grant_type", TC_STR("client_credentials"));
        tc_oauth_form(form, "scope", grant->asked);
    } else {
        tc_oauth_form(form, "grant_type", TC_STR("refresh_token"));
        tc_oauth_form(form, "refresh_token", grant->refresh);
    }
    tc_oauth_form(form, "resource", grant->resource);
}

static enum tc_err ask(struct tc_cx *cx, const struct tc_oauth_server *server, const struct tc_oauth_client *client,
                       struct tc_oauth_grant *grant)
{
    struct tc_oauth_token_request request = {
        .client = client, .endpoint = grant->token_endpoint, .issuer = grant->issuer};
    struct tc_oauth_rules rules;
    struct tc_oauth_tokens tokens;
    struct tc_buf form;
    enum tc_err e = tc_oauth_rules_of(cx, server, grant->named, &rules);

    if (e)
        return e;
    tc_buf_init(&form, TC_OAUTH_FORM_MAX);
    write_form(&form, grant);
    request.rules = &rules;
    request.form = &form;
    e = tc_oauth_ask_tokens(cx, &request, &tokens);
    tc_buf_finish(&form);
    if (!e)
        tc_oauth_grant_take(cx, grant, &tokens);
    return e;
}

enum tc_err tc_oauth_login_headless(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *start,
                                    const struct tc_oauth_client *client)
{
    struct tc_oauth_grant grant = *start;
    enum tc_err e = ask(cx, slot->server, client, &grant);

    if (e == TC_E_MCP_LOGIN_REQUIRED) /* nobody can log in here: the credentials are wrong */
        cx->err.code = e = TC_E_MCP_AUTHORIZATION;
    if (e)
        return e;
    slot->generation++;
    return tc_oauth_keep(cx, slot, &grant, TC_STR(""));
}

/* --- the flight --- */

/* A server that has moved to another authorization server is no longer helped by
 * the old one, and the new one does not get to see its refresh token. */
static enum tc_err check_moved(struct tc_cx *cx, const struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant)
{
    struct tc_oauth_wish wish = {.metadata = slot->why->metadata};
    struct tc_oauth_resource resource;
    struct tc_oauth_rules rules;
    enum tc_err e = tc_oauth_rules_of(cx, slot->server, grant->named, &rules);

    if (e)
        return e;
    wish.server = rules.entered[0];
    e = tc_oauth_discover_resource(cx, &rules, &wish, &resource);
    if (e || resource.issuers_n == 0)
        return e;
    for (size_t i = 0; i < resource.issuers_n; i++)
        if (tc_str_eq(resource.issuers[i], grant->issuer))
            return TC_OK;
    return tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "The server \"%.*s\" has moved to the authorization server %.*s.",
                   TC_STR_ARG(slot->server->name), TC_STR_ARG(resource.issuers[0]));
}

static enum tc_err try(struct tc_cx *cx, struct tc_oauth_slot *slot, struct tc_oauth_grant *grant)
{
    struct tc_oauth_known known;
    enum tc_err e = slot->why->refused ? check_moved(cx, slot, grant) : TC_OK;

    if (!e && slot->why->scope.n)
        e = tc_scope_join(cx, grant->asked, slot->why->scope, &grant->asked);
    if (e)
        return e;
    e = tc_oauth_client_load(cx, slot->server, grant->issuer, &known);
    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The client that \"%.*s\" was logged in with is not known any more.",
                       TC_STR_ARG(slot->server->name));
    return e ? e : ask(cx, slot->server, &known.client, grant);
}

static enum tc_err renew(struct tc_cx *cx, struct tc_oauth_slot *slot)
{
    uint64_t generation = slot->generation;
    struct tc_oauth_grant grant;
    struct tc_str challenge = tc_arena_dup(cx->arena, slot->challenge);
    enum tc_err e = challenge.p ? tc_oauth_grant_dup(cx, &slot->grant, &grant) : tc_fail_memory(cx);

    if (!e)
        e = try(cx, slot, &grant);
    if (slot->generation != generation) /* somebody logged in or out meanwhile */
        return TC_OK;
    if (e == TC_E_MCP_LOGIN_REQUIRED && !grant.headless) {
        struct tc_error fault = cx->err;

        tc_oauth_keep(cx, slot, &no_grant, challenge);
        cx->err = fault;
        return e;
    }
    return e ? e : tc_oauth_keep(cx, slot, &grant, TC_STR(""));
}

static void fly(struct tc_cx *cx, void *arg)
{
    struct tc_oauth_slot *slot = arg;

    slot->flight = renew(cx, slot);
    slot->failed_at = slot->flight ? tc_clock_mono_us(cx->clock) / 1000 + 1 : 0;
    snprintf(slot->fault, sizeof slot->fault, "%.*s", TC_STR_ARG(slot->flight ? cx->err.message : TC_STR("")));
    tc_mem_free(slot->why);
    slot->why = NULL;
    slot->flying = false;
    tc_event_set(&slot->landed);
}

/* One piece of memory with its texts behind it. */
static struct tc_oauth_renewal *dup_why(const struct tc_oauth_renewal *why)
{
    struct tc_oauth_renewal *copy = tc_mem_alloc(sizeof *copy + why->metadata.n + why->scope.n);
    char *at = (char *)(copy + 1);

    if (!copy)
        return NULL;
    *copy = *why;
    if (why->metadata.n)
        memcpy(at, why->metadata.p, why->metadata.n);
    copy->metadata.p = at;
    at += why->metadata.n;
    if (why->scope.n)
        memcpy(at, why->scope.p, why->scope.n);
    copy->scope.p = at;
    return copy;
}

static enum tc_err start(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_renewal *why)
{
    struct tc_oauth *oauth = slot->server->oauth;
    enum tc_err e;

    slot->why = dup_why(why);
    if (!slot->why)
        return tc_fail_memory(cx);
    tc_event_clear(&slot->landed);
    e = tc_task_spawn(cx, oauth->options.loop, &oauth->tasks, "token", fly, slot);
    if (e) {
        tc_mem_free(slot->why);
        slot->why = NULL;
    }
    slot->flying = e == TC_OK;
    return e;
}

enum tc_err tc_oauth_renew(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_renewal *why)
{
    int64_t now = tc_clock_mono_us(cx->clock) / 1000;
    enum tc_err e = TC_OK;

    if (!slot->flying && slot->failed_at && now - slot->failed_at < PAUSE_MS)
        return tc_fail(cx, slot->flight, "%s", slot->fault);
    if (!slot->flying)
        e = start(cx, slot, why);
    if (!e)
        e = tc_task_wait(cx, &slot->landed, -1);
    if (!e && slot->flight)
        e = tc_fail(cx, slot->flight, "%s", slot->fault);
    return e;
}
