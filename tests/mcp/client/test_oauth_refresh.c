/*
 * Grants: renewed once for all, kept while there is hope, handed to their own
 * server alone, stored sealed, revoked and forgotten.
 */
#include "support/oauth_world.h"

#include <stdio.h>

#include "ports/store_grants.h"

enum { CALLS = 50 };

struct caller {
    struct oauth_world *w;
    enum tc_err result;
    char token[32];
};

static void refused_task(struct tc_cx *cx, void *arg)
{
    struct caller *c = arg;

    c->result = oauth_refuse_as(c->w, cx, 401, "Bearer error=\"invalid_token\"", "access-1");
    oauth_keep(c->token, sizeof c->token, oauth_token(c->w, cx));
}

static void at_once(struct oauth_world *w, struct tc_cx *cx)
{
    struct caller callers[CALLS];
    struct tc_task_group group;

    oauth_log_in(w, cx);
    tc_task_group_init(&group, w->loop);
    for (int i = 0; i < CALLS; i++) {
        callers[i] = (struct caller){.w = w};
        expect_int(tc_task_spawn(cx, w->loop, &group, "call", refused_task, &callers[i]), TC_OK);
    }
    tc_task_join(cx, &group);
    for (int i = 0; i < CALLS; i++) {
        expect_int(callers[i].result, TC_OK);
        expect_text(tc_str_of(callers[i].token), "access-2");
    }
    expect_int(w->refreshes, 1);
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_OK); /* a late one */
    expect_int(w->refreshes, 1);
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-2"), TC_E_MCP_LOGIN_REQUIRED); /* renewing does not help */
    expect_int(w->refreshes, 1);
}

void test_oauth_refresh__fifty_refused_calls_renew_once(void **state)
{
    (void)state;
    in_oauth_world(at_once);
}

static void before_its_end(struct oauth_world *w, struct tc_cx *cx)
{
    w->expires_in = 20; /* within the time that a token must still be good for */
    oauth_log_in(w, cx);
    w->expires_in = 3600;
    expect_text(oauth_token(w, cx), "access-2");
    expect_text(oauth_token(w, cx), "access-2");
    expect_int(w->refreshes, 1);
    expect(oauth_form_has(w, "refresh_token=refresh-1") && oauth_form_has(w, "&resource=http"));
    oauth_reopen(w, cx);
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-2"), TC_OK); /* the rotated one was stored */
    expect(oauth_form_has(w, "refresh_token=refresh-2"));
}

void test_oauth_refresh__a_token_is_renewed_before_its_end_and_rotation_is_kept(void **state)
{
    (void)state;
    in_oauth_world(before_its_end);
}

static void away(struct oauth_world *w, struct tc_cx *cx)
{
    oauth_log_in(w, cx);
    w->token_status = 503;
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_E_HTTP_UPSTREAM);
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_E_HTTP_UPSTREAM);
    expect_int(w->refreshes, 1); /* not again at once */
    oauth_reopen(w, cx);
    w->token_status = 400;
    w->token_error = "temporarily_unavailable";
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_E_MCP_AUTHORIZATION);
    oauth_reopen(w, cx);
    w->token_status = 0;
    expect_text(oauth_token(w, cx), "access-1"); /* nothing was lost */
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_OK);
    expect_text(oauth_token(w, cx), "access-2");
}

void test_oauth_refresh__what_may_pass_does_not_cost_the_grant(void **state)
{
    (void)state;
    in_oauth_world(away);
}

static void ended(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_info *all;
    size_t n;

    oauth_log_in(w, cx);
    w->token_status = 400;
    w->token_error = "invalid_grant";
    expect_int(oauth_refuse_as(w, cx, 401, "Bearer scope=\"s\"", "access-1"), TC_E_MCP_LOGIN_REQUIRED);
    expect_text(cx->err.hint, "toolcrib mcp login crm");
    expect_text(oauth_token(w, cx), "");
    oauth_reopen(w, cx);
    expect_text(oauth_token(w, cx), "");
    expect_int(oauth_logins(w)->ops->all(cx, oauth_logins(w), TC_STR("crm"), &all, &n), TC_OK);
    expect_int(n, 1);
    expect_int(all[0].kind, TC_LOGIN_MISSING);
    expect_text(all[0].wanted, "s");
}

void test_oauth_refresh__invalid_grant_ends_the_grant(void **state)
{
    (void)state;
    in_oauth_world(ended);
}

static void canceled_task(struct tc_cx *cx, void *arg)
{
    struct caller *c = arg;

    c->result = oauth_refuse_as(c->w, cx, 401, "", "access-1");
}

static void canceled(struct oauth_world *w, struct tc_cx *cx)
{
    struct caller caller = {.w = w};
    struct tc_task_group group;

    oauth_log_in(w, cx);
    w->holding = true;
    tc_task_group_init(&group, w->loop);
    tc_task_spawn(cx, w->loop, &group, "call", canceled_task, &caller);
    while (w->refreshes == 0)
        tc_task_sleep(cx, 1);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect_int(caller.result, TC_E_CANCELED);
    w->holding = false;
    tc_event_set(&w->hold);
    oauth_reopen(w, cx); /* waits for the renewal */
    expect_text(oauth_token(w, cx), "access-2");
}

void test_oauth_refresh__a_cancelled_call_does_not_lose_the_new_token(void **state)
{
    (void)state;
    in_oauth_world(canceled);
}

static void store_fails(struct oauth_world *w, struct tc_cx *cx)
{
    oauth_log_in(w, cx);
    w->faulty.fail_at = w->faulty.count + 2; /* the client is read, the grant is not written */
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_E_STORE_FAILED);
    w->faulty.fail_at = 0;
    expect_text(oauth_token(w, cx), "access-2"); /* in memory all along, and stored now */
    oauth_reopen(w, cx);
    expect_text(oauth_token(w, cx), "access-2");
}

void test_oauth_refresh__a_token_that_could_not_be_stored_is_stored_later(void **state)
{
    (void)state;
    in_oauth_world(store_fails);
}

static void moved(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_str elsewhere = tc_arena_printf(cx->arena, "http://localhost:%d/mcp", w->port);

    oauth_log_in(w, cx);
    expect_int(tc_oauth_auth(cx, w->oauth, TC_STR("crm"), elsewhere, &w->auth), TC_OK);
    expect_text(oauth_token(w, cx), "");
    expect_int(tc_oauth_auth(cx, w->oauth, TC_STR("crm"), w->url, &w->auth), TC_OK);
    expect_text(oauth_token(w, cx), "access-1");
}

void test_oauth_refresh__a_token_goes_to_the_server_that_it_is_for_alone(void **state)
{
    (void)state;
    in_oauth_world(moved);
}

static void per_agent(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_request request = oauth_request_of(w);
    struct tc_login login;
    struct tc_str text;

    request.identity = TC_STR("clerk");
    expect_int(oauth_begin(w, cx, request, &login), TC_OK);
    expect_int(oauth_come_back(w, cx, &login, ""), TC_OK);
    expect_int(w->auth->ops->token(cx, w->auth, TC_STR("clerk"), &text), TC_OK);
    expect_text(text, "access-1");
    expect_int(w->auth->ops->token(cx, w->auth, TC_STR("other"), &text), TC_OK);
    expect_text(text, "");
    oauth_reopen(w, cx);
    expect_text(oauth_token(w, cx), ""); /* what one has is not for all */
    expect_int(w->auth->ops->token(cx, w->auth, TC_STR("clerk"), &text), TC_OK);
    expect_text(text, "access-1");
    oauth_log_in(w, cx);
    expect_text(oauth_token(w, cx), "access-2");
    expect_int(w->auth->ops->token(cx, w->auth, TC_STR("clerk"), &text), TC_OK);
    expect_text(text, "access-1");
}

void test_oauth_refresh__each_identity_has_its_own_grant(void **state)
{
    (void)state;
    in_oauth_world(per_agent);
}

static void log_out(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_request request = oauth_request_of(w);
    struct tc_login_info *all;
    bool revoked = false;
    size_t n;

    oauth_log_in(w, cx);
    expect_int(oauth_logins(w)->ops->forget(cx, oauth_logins(w), &request, false, &revoked), TC_OK);
    expect(revoked);
    expect_int(w->revocations, 1);
    expect(oauth_form_has(w, "token=refresh-1&token_type_hint=refresh_token"));
    expect_text(oauth_token(w, cx), "");
    expect_int(oauth_logins(w)->ops->all(cx, oauth_logins(w), TC_STR(""), &all, &n), TC_OK);
    expect_int(n, 0);
    expect_int(oauth_logins(w)->ops->forget(cx, oauth_logins(w), &request, false, &revoked), TC_E_STORE_NOT_FOUND);
    expect_int(oauth_logins(w)->ops->forget(cx, oauth_logins(w), &request, true, &revoked), TC_OK);
    oauth_log_in(w, cx);
    expect_int(w->registrations, 2); /* the client was forgotten with the last login */
}

void test_oauth_refresh__logging_out_revokes_and_forgets(void **state)
{
    (void)state;
    in_oauth_world(log_out);
}

static void in_clear(struct oauth_world *w, struct tc_cx *cx)
{
    static const char *const secret[] = {"access-1", "refresh-1", "shh"};
    struct tc_grant_client_row client;
    struct tc_grant_row *rows;
    size_t n;

    oauth_log_in(w, cx);
    expect_int(w->store->grants->all(cx, w->store, TC_STR("crm"), &rows, &n), TC_OK);
    expect_int(n, 1);
    expect_int(w->store->grants->client(cx, w->store, TC_STR("crm"), w->origin, &client), TC_OK);
    for (size_t i = 0; i < 3; i++) {
        expect_int(tc_str_find(rows[0].sealed, tc_str_of(secret[i])), SIZE_MAX);
        expect_int(tc_str_find(client.sealed, tc_str_of(secret[i])), SIZE_MAX);
    }
    expect(rows[0].sealed.n > 0 && client.sealed.n > 0);
}

void test_oauth_refresh__what_is_secret_is_stored_sealed(void **state)
{
    (void)state;
    in_oauth_world(in_clear);
}
