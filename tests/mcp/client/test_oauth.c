/*
 * Logins: what a server asks for, who grants it, and every answer that is not to be
 * believed.
 */
#include "support/oauth_world.h"

#include "base/percent.h"
#include "oauth/request.h"

static void the_whole_way(struct oauth_world *w, struct tc_cx *cx)
{
    char challenge[TC_OAUTH_NONCE_SIZE];
    struct tc_login login, seen;
    struct tc_str verifier;

    expect_text(oauth_token(w, cx), "");
    expect_int(oauth_refuse_as(w, cx, 401, "Bearer scope=\"read\"", ""), TC_E_MCP_LOGIN_REQUIRED);
    expect_text(cx->err.hint, "toolcrib mcp login crm");
    expect_int(oauth_begin(w, cx, oauth_request_of(w), &login), TC_OK);
    expect(tc_str_starts(login.url, tc_arena_printf(cx->arena, "%.*s/authorize?", TC_STR_ARG(w->origin))));
    expect_text(oauth_url_param(cx, login.url, "client_id"), "registered");
    expect_text(oauth_url_param(cx, login.url, "redirect_uri"), "http://127.0.0.1:8420/oauth/callback");
    expect_text(oauth_url_param(cx, login.url, "code_challenge_method"), "S256");
    expect_text(oauth_url_param(cx, login.url, "scope"), "read");
    expect(tc_str_eq(oauth_url_param(cx, login.url, "resource"), w->url));
    expect_int(oauth_logins(w)->ops->wait(cx, oauth_logins(w), login.id, 0, &seen), TC_OK);
    expect_int(seen.state, TC_LOGIN_WAITING);
    expect_int(oauth_come_back(w, cx, &login, ""), TC_OK);
    expect_int(oauth_logins(w)->ops->wait(cx, oauth_logins(w), login.id, 0, &seen), TC_OK);
    expect_int(seen.state, TC_LOGIN_DONE);
    expect_text(oauth_token(w, cx), "access-1");
    verifier = tc_percent_query(cx->arena, tc_str_of(w->last_form), TC_STR("code_verifier"));
    tc_oauth_pkce(verifier, challenge);
    expect(tc_str_is(oauth_url_param(cx, login.url, "code_challenge"), challenge));
    expect(oauth_form_has(w, "grant_type=authorization_code&code=abc&redirect_uri="));
    expect(oauth_form_has(w, "&resource=http") && oauth_form_has(w, "&client_id=registered"));
    expect_text(tc_str_of(w->last_authorization), ""); /* only "none" is offered */
    oauth_reopen(w, cx);
    expect_text(oauth_token(w, cx), "access-1");
}

void test_oauth__a_login_goes_from_the_refusal_to_the_token(void **state)
{
    (void)state;
    in_oauth_world(the_whole_way);
}

static void once(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login login = oauth_log_in(w, cx), ended;

    expect_int(oauth_come_back(w, cx, &login, ""), TC_E_MCP_AUTHORIZATION);
    expect(oauth_says(cx, "belongs to no login"));
    expect_int(oauth_logins(w)->ops->finish(cx, oauth_logins(w), TC_STR("code=abc&state=foreign"), &ended),
               TC_E_MCP_AUTHORIZATION);
    expect_int(oauth_logins(w)->ops->finish(cx, oauth_logins(w), TC_STR("code=abc"), &ended), TC_E_MCP_AUTHORIZATION);
    expect_int(oauth_logins(w)->ops->finish(cx, oauth_logins(w), TC_STR("code=abc&state="), &ended),
               TC_E_MCP_AUTHORIZATION);
    expect_int(w->tokens, 1);
    expect_int(oauth_logins(w)->ops->wait(cx, oauth_logins(w), TC_STR("unknown"), 0, &ended), TC_E_STORE_NOT_FOUND);
}

void test_oauth__a_state_is_good_for_its_login_once(void **state)
{
    (void)state;
    in_oauth_world(once);
}

/* What comes back, and whether the code may go to the token endpoint. */
static void comes_back(struct oauth_world *w, struct tc_cx *cx, bool advertised, const char *rest, enum tc_err expected)
{
    struct tc_login login;
    int before = w->tokens;

    w->iss = advertised;
    expect_int(oauth_begin(w, cx, oauth_request_of(w), &login), TC_OK);
    expect_int(oauth_come_back(w, cx, &login, rest), expected);
    expect_int(w->tokens - before, expected ? 0 : 1);
    if (expected) { /* and the state is used up all the same */
        expect_int(oauth_come_back(w, cx, &login, ""), TC_E_MCP_AUTHORIZATION);
        expect_int(w->tokens, before);
    }
}

static void issuers(struct oauth_world *w, struct tc_cx *cx)
{
    const char *right = tc_arena_printf(cx->arena, "&iss=%.*s", TC_STR_ARG(w->origin)).p;
    const char *slash = tc_arena_printf(cx->arena, "&iss=%.*s/", TC_STR_ARG(w->origin)).p;

    comes_back(w, cx, true, right, TC_OK);
    comes_back(w, cx, true, "", TC_E_MCP_AUTHORIZATION);
    comes_back(w, cx, true, slash, TC_E_MCP_AUTHORIZATION);
    comes_back(w, cx, true, "&iss=https://evil.example", TC_E_MCP_AUTHORIZATION);
    comes_back(w, cx, false, "", TC_OK);
    comes_back(w, cx, false, right, TC_OK);
    comes_back(w, cx, false, "&iss=https://evil.example", TC_E_MCP_AUTHORIZATION);
    comes_back(w, cx, false, "&iss=", TC_E_MCP_AUTHORIZATION);
    comes_back(w, cx, false, "&error=access_denied&error_description=no%0Away", TC_E_MCP_AUTHORIZATION);
}

void test_oauth__an_answer_of_another_issuer_is_not_used(void **state)
{
    (void)state;
    in_oauth_world(issuers);
}

static void refuses_to_begin(struct oauth_world *w, struct tc_cx *cx, const char *why)
{
    struct tc_login login;
    enum tc_err e = oauth_begin(w, cx, oauth_request_of(w), &login);

    expect(e == TC_E_MCP_AUTHORIZATION || e == TC_E_HTTP_ADDRESS);
    if (!oauth_says(cx, why))
        expect_text(cx->err.message, why);
    expect_int(w->tokens, 0);
}

static void bad_metadata(struct oauth_world *w, struct tc_cx *cx)
{
    w->resource = "https://evil.example/mcp";
    refuses_to_begin(w, cx, "another resource");
    w->resource = NULL;
    w->issuer = "https://evil.example";
    refuses_to_begin(w, cx, "that of another one");
    w->issuer = tc_arena_printf(cx->arena, "%.*s/", TC_STR_ARG(w->origin)).p;
    refuses_to_begin(w, cx, "that of another one");
    w->issuer = NULL;
    w->pkce = "";
    refuses_to_begin(w, cx, "PKCE");
    w->pkce = "\"plain\"";
    refuses_to_begin(w, cx, "PKCE");
    w->pkce = NULL;
    w->no_issuer = true;
    refuses_to_begin(w, cx, "publishes no metadata");
    w->no_issuer = false;
    w->no_registration = true;
    refuses_to_begin(w, cx, "registers no clients");
    expect_int(w->registrations, 0);
}

void test_oauth__metadata_that_cannot_be_trusted_ends_the_login(void **state)
{
    (void)state;
    in_oauth_world(bad_metadata);
}

static void addresses(struct oauth_world *w, struct tc_cx *cx)
{
    static const char *const places[] = {"http://127.0.0.2:1/x",      "https://127.0.0.2:1/x", "https://10.0.0.1/x",
                                         "https://169.254.169.254/x", "https://[::1]:1/x",     "file:///etc/passwd"};
    struct tc_login login;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *challenge = tc_arena_printf(cx->arena, "Bearer resource_metadata=\"%s\"", places[i]).p;

        expect_int(oauth_refuse_as(w, cx, 401, challenge, ""), TC_E_MCP_LOGIN_REQUIRED);
        expect_int(oauth_begin(w, cx, oauth_request_of(w), &login), TC_E_HTTP_ADDRESS);
    }
}

void test_oauth__metadata_at_private_addresses_is_not_fetched(void **state)
{
    (void)state;
    in_oauth_world(addresses);
}

static void legacy(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login login;

    w->no_resource = true;
    w->pkce = "";
    refuses_to_begin(w, cx, "PKCE"); /* it says what it knows, and that is not it */
    w->no_issuer = true;
    w->pkce = NULL;
    expect_int(oauth_begin(w, cx, oauth_request_of(w), &login), TC_OK);
    expect(tc_str_starts(login.url, tc_arena_printf(cx->arena, "%.*s/authorize?", TC_STR_ARG(w->origin))));
    expect_int(oauth_come_back(w, cx, &login, ""), TC_OK);
    expect_text(oauth_token(w, cx), "access-1");
    expect(tc_str_starts(tc_str_of(w->last_authorization), TC_STR("Basic "))); /* what holds where nothing is said */
}

void test_oauth__a_server_without_metadata_is_met_at_the_fixed_places(void **state)
{
    (void)state;
    in_oauth_world(legacy);
}

static struct tc_str scope_of(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login login;
    struct tc_str scope;

    if (oauth_begin(w, cx, oauth_request_of(w), &login))
        return cx->err.message;
    scope = oauth_url_param(cx, login.url, "scope");
    return scope.p ? scope : TC_STR("(none)");
}

static void scopes(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_request request = oauth_request_of(w);
    struct tc_login login;

    expect_text(scope_of(w, cx), "(none)");
    w->resource_scopes = "a\",\"b";
    expect_text(scope_of(w, cx), "a b");
    w->scopes = "\"a\",\"offline_access\"";
    expect_text(scope_of(w, cx), "a b offline_access");
    oauth_refuse_as(w, cx, 401, "Bearer scope=\"c offline_access\"", "");
    w->scopes = "\"a\"";
    expect_text(scope_of(w, cx), "c");
    request.scope = TC_STR("mine offline_access");
    expect_int(oauth_begin(w, cx, request, &login), TC_OK);
    expect_text(oauth_url_param(cx, login.url, "scope"), "mine offline_access");
    expect_text(oauth_url_param(cx, login.url, "prompt"), "consent");
    expect_int(w->registrations, 1); /* the first one is used again */
}

void test_oauth__scopes_come_from_the_operator_the_refusal_or_the_resource(void **state)
{
    (void)state;
    in_oauth_world(scopes);
}

static void step_up(struct oauth_world *w, struct tc_cx *cx)
{
    oauth_refuse_as(w, cx, 401, "Bearer scope=\"read\"", "");
    oauth_log_in(w, cx);
    expect_int(oauth_refuse_as(w, cx, 403, "Bearer error=\"insufficient_scope\", scope=\"write\"", "access-1"),
               TC_E_MCP_LOGIN_REQUIRED);
    expect(oauth_says(cx, "write"));
    expect_text(oauth_token(w, cx), "access-1"); /* still good for the rest */
    oauth_reopen(w, cx);
    expect_text(scope_of(w, cx), "read write");
    oauth_log_in(w, cx);
    expect_int(oauth_refuse_as(w, cx, 403, "Bearer error=\"insufficient_scope\", scope=\"write\"", "access-2"),
               TC_E_MCP_AUTHORIZATION);
    expect_int(oauth_refuse_as(w, cx, 403, "Bearer error=\"insufficient_scope\"", "access-2"), TC_E_MCP_AUTHORIZATION);
    expect_int(oauth_refuse_as(w, cx, 403, "", "access-2"), TC_E_MCP_AUTHORIZATION);
    expect_int(w->refreshes, 0);
}

void test_oauth__a_wider_scope_is_asked_for_once(void **state)
{
    (void)state;
    in_oauth_world(step_up);
}

static void given_client(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_request request = oauth_request_of(w);
    struct tc_login login;

    w->no_registration = true;
    w->methods = "\"client_secret_basic\"";
    request.client_id = TC_STR("mine");
    request.client_secret = TC_STR("hush");
    expect_int(oauth_begin(w, cx, request, &login), TC_OK);
    expect_text(oauth_url_param(cx, login.url, "client_id"), "mine");
    expect_int(oauth_come_back(w, cx, &login, ""), TC_OK);
    expect_text(tc_str_of(w->last_authorization), "Basic bWluZTpodXNo");
    expect(!oauth_form_has(w, "hush"));
    oauth_reopen(w, cx);
    expect_int(oauth_refuse_as(w, cx, 401, "", "access-1"), TC_OK); /* renewed with the same client */
    expect_text(tc_str_of(w->last_authorization), "Basic bWluZTpodXNo");
    expect_int(oauth_begin(w, cx, oauth_request_of(w), &login), TC_OK);
    expect_text(oauth_url_param(cx, login.url, "client_id"), "mine");
}

void test_oauth__a_client_that_the_operator_names_is_kept(void **state)
{
    (void)state;
    in_oauth_world(given_client);
}

static void headless(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login_request request = oauth_request_of(w);
    struct tc_login login;

    w->methods = "\"client_secret_post\"";
    w->no_refresh = true;
    request.headless = true;
    expect_int(oauth_begin(w, cx, request, &login), TC_E_USAGE);
    request.client_id = TC_STR("mine");
    request.client_secret = TC_STR("hush");
    expect_int(oauth_begin(w, cx, request, &login), TC_OK);
    expect_int(login.state, TC_LOGIN_DONE);
    expect(oauth_form_has(w, "grant_type=client_credentials") &&
           oauth_form_has(w, "client_id=mine&client_secret=hush"));
    expect_text(oauth_token(w, cx), "access-1");
    oauth_reopen(w, cx);
    expect_int(oauth_refuse_as(w, cx, 401, "Bearer error=\"invalid_token\"", "access-1"), TC_OK);
    expect_text(oauth_token(w, cx), "access-2");
    expect_int(oauth_refuse_as(w, cx, 403, "Bearer error=\"insufficient_scope\", scope=\"more\"", "access-2"), TC_OK);
    expect(oauth_form_has(w, "&scope=more"));
    expect_int(oauth_refuse_as(w, cx, 403, "Bearer error=\"insufficient_scope\", scope=\"more\"", "access-3"),
               TC_E_MCP_AUTHORIZATION);
    w->token_status = 401;
    w->token_error = "invalid_client";
    expect_int(oauth_begin(w, cx, request, &login), TC_E_MCP_AUTHORIZATION);
    expect(oauth_says(cx, "invalid_client"));
}

void test_oauth__client_credentials_need_nobody(void **state)
{
    (void)state;
    in_oauth_world(headless);
}
