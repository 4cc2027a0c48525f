/*
 * Logins end here: the browser comes back with a code, which is checked and turned
 * into tokens. The state in that answer is random, good for one login, once, for
 * ten minutes. The exchange has a task of its own, since a code can be used once:
 * a browser that goes away does not spoil it.
 */
#include "mcp/client/oauth_pending.h"

#include "base/clock.h"
#include "base/percent.h"

static enum tc_err exchange(struct tc_cx *cx, struct tc_oauth_pending *p)
{
    struct tc_oauth_token_request request = {
        .client = &p->client, .endpoint = p->issuer.token, .issuer = p->issuer.issuer};
    struct tc_oauth_grant grant = {
        .url = tc_arena_dup(cx->arena, p->slot->server->url),
        .resource = p->resource,
        .issuer = p->issuer.issuer,
        .named = p->named,
        .token_endpoint = p->issuer.token,
        .revocation_endpoint = p->issuer.revocation,
        .asked = p->scope,
    };
    struct tc_oauth_rules rules;
    struct tc_oauth_tokens tokens;
    struct tc_buf form;
    enum tc_err e = grant.url.p ? tc_oauth_rules_of(cx, p->slot->server, p->named, &rules) : tc_fail_memory(cx);

    if (e)
        return e;
    tc_buf_init(&form, TC_OAUTH_FORM_MAX);
    tc_oauth_form(&form, "grant_type", TC_STR("authorization_code"));
    tc_oauth_form(&form, "code", p->answer);
    tc_oauth_form(&form, "redirect_uri", p->redirect_uri);
    tc_oauth_form(&form, "code_verifier", p->verifier);
    tc_oauth_form(&form, "resource", p->resource);
    request.rules = &rules;
    request.form = &form;
    e = tc_oauth_ask_tokens(cx, &request, &tokens);
    tc_buf_finish(&form);
    if (e == TC_E_MCP_LOGIN_REQUIRED) /* the code is not taken: this login has failed */
        cx->err.code = e = TC_E_MCP_AUTHORIZATION;
    if (e)
        return e;
    tc_oauth_grant_take(cx, &grant, &tokens);
    p->slot->generation++;
    p->slot->renewed[0] = '\0';
    p->slot->failed_at = 0;
    return tc_oauth_keep(cx, p->slot, &grant, TC_STR(""));
}

static void exchange_task(struct tc_cx *cx, void *arg)
{
    struct tc_oauth_pending *p = arg;
    enum tc_err e = exchange(cx, p);

    tc_oauth_pending_end(p, cx, e);
    tc_oauth_pending_leave(p);
}

/* RFC 9207: who answers must be who was asked, to the letter. */
static enum tc_err check_issuer(struct tc_cx *cx, const struct tc_oauth_pending *p, struct tc_str iss)
{
    struct tc_str shown;
    enum tc_err e;

    if (!iss.p && !p->issuer.iss)
        return TC_OK;
    if (!iss.p)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The answer does not say which authorization server it is from.");
    if (tc_str_eq(iss, p->issuer.issuer))
        return TC_OK;
    e = tc_oauth_shown(cx, iss, &shown);
    return e ? e
             : tc_fail(cx, TC_E_MCP_AUTHORIZATION,
                       "The answer is from the authorization server \"%.*s\", where \"%.*s\" was asked.",
                       TC_STR_ARG(shown), TC_STR_ARG(p->issuer.issuer));
}

static enum tc_err check_error(struct tc_cx *cx, struct tc_str error, struct tc_str description)
{
    struct tc_str code, text;
    enum tc_err e;

    if (!error.p)
        return TC_OK;
    if ((e = tc_oauth_shown(cx, error, &code)) || (e = tc_oauth_shown(cx, description, &text)))
        return e;
    return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server said no: %.*s%s%.*s.", TC_STR_ARG(code),
                   text.n ? ", " : "", TC_STR_ARG(text));
}

static enum tc_err take_answer(struct tc_cx *cx, struct tc_oauth_pending *p, struct tc_str query)
{
    struct tc_arena *arena = cx->arena;
    struct tc_str code = tc_percent_query(arena, query, TC_STR("code"));
    enum tc_err e;

    if (tc_clock_wall_ms(cx->clock) > p->expires_at)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "This login took too long: it was good for ten minutes.");
    if ((e = check_issuer(cx, p, tc_percent_query(arena, query, TC_STR("iss")))) ||
        (e = check_error(cx, tc_percent_query(arena, query, TC_STR("error")),
                         tc_percent_query(arena, query, TC_STR("error_description")))))
        return e;
    if (code.n == 0)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server answered without a code.");
    p->answer = tc_arena_dup(&p->arena, code);
    return p->answer.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err start_exchange(struct tc_cx *cx, struct tc_oauth_pending *p, struct tc_str query)
{
    struct tc_oauth *oauth = p->oauth;
    enum tc_err e = take_answer(cx, p, query);

    p->users++; /* the task's */
    if (!e)
        e = tc_task_spawn(cx, oauth->options.loop, &oauth->tasks, "login", exchange_task, p);
    if (e) {
        p->users--;
        tc_oauth_pending_end(p, cx, e);
    }
    return e;
}

enum tc_err tc_oauth_finish(struct tc_cx *cx, struct tc_logins *self, struct tc_str query, struct tc_login *ret_login)
{
    struct tc_oauth *oauth = (struct tc_oauth *)self;
    struct tc_oauth_pending *p = tc_oauth_pending_by_state(oauth, tc_percent_query(cx->arena, query, TC_STR("state")));
    struct tc_error fault;
    enum tc_err e;

    *ret_login = (struct tc_login){.state = TC_LOGIN_FAILED};
    if (!p) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION,
                "This answer belongs to no login that was begun here, or to one that is over.");
        return tc_fail_hint(cx, "Begin again: toolcrib mcp login NAME");
    }
    p->state = TC_STR("");
    p->users++;
    e = start_exchange(cx, p, query);
    if (!e)
        e = tc_task_wait(cx, &p->ended, -1);
    if (!e && p->code) {
        tc_fail(cx, p->code, "%s", p->message);
        e = p->hint[0] ? tc_fail_hint(cx, "%s", p->hint) : p->code;
    }
    fault = cx->err;
    if (tc_oauth_pending_describe(cx, p, ret_login) && !e)
        e = TC_E_NO_MEMORY;
    else
        cx->err = fault;
    tc_oauth_pending_leave(p);
    return e;
}
