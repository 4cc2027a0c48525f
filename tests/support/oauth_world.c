/*
 * See oauth_world.h.
 */
#include "support/oauth_world.h"

#include <stdio.h>

#include "base/percent.h"
#include "stores/memory.h"
#include "support/fake_secrets.h"

/* --- the servers --- */

static void reply_json(struct tc_cx *cx, struct tc_exchange *ex, int status, struct tc_str json)
{
    tc_exchange_json(cx, ex, status, json);
}

static void not_found(struct tc_cx *cx, struct tc_exchange *ex)
{
    reply_json(cx, ex, 404, TC_STR("{}"));
}

static const char *or_else(const char *given, const char *otherwise)
{
    return given ? given : otherwise;
}

static void serve_resource(struct oauth_world *w, struct tc_cx *cx, struct tc_exchange *ex)
{
    struct tc_str resource = w->resource ? tc_str_of(w->resource) : w->url;

    w->resources++;
    if (w->no_resource)
        not_found(cx, ex);
    else
        reply_json(cx, ex, 200,
                   tc_arena_printf(cx->arena, "{\"resource\":\"%.*s\",\"authorization_servers\":[\"%.*s\"]%s%s%s}",
                                   TC_STR_ARG(resource), TC_STR_ARG(w->origin),
                                   w->resource_scopes ? ",\"scopes_supported\":[\"" : "",
                                   or_else(w->resource_scopes, ""), w->resource_scopes ? "\"]" : ""));
}

static void serve_issuer(struct oauth_world *w, struct tc_cx *cx, struct tc_exchange *ex)
{
    struct tc_str o = w->origin, issuer = w->issuer ? tc_str_of(w->issuer) : o;

    w->issuers++;
    if (w->no_issuer) {
        not_found(cx, ex);
        return;
    }
    reply_json(
        cx, ex, 200,
        tc_arena_printf(cx->arena,
                        "{\"issuer\":\"%.*s\",\"authorization_endpoint\":\"%.*s/authorize\","
                        "\"token_endpoint\":\"%.*s/token\",\"revocation_endpoint\":\"%.*s/revoke\"%s%.*s%s,"
                        "\"code_challenge_methods_supported\":[%s],\"token_endpoint_auth_methods_supported\":[%s],"
                        "\"authorization_response_iss_parameter_supported\":%s,"
                        "\"scopes_supported\":[%s]}",
                        TC_STR_ARG(issuer), TC_STR_ARG(o), TC_STR_ARG(o), TC_STR_ARG(o),
                        w->no_registration ? "" : ",\"registration_endpoint\":\"",
                        TC_STR_ARG(w->no_registration ? TC_STR("") : o), w->no_registration ? "" : "/register\"",
                        or_else(w->pkce, "\"S256\""), or_else(w->methods, "\"none\""), w->iss ? "true" : "false",
                        or_else(w->scopes, "")));
}

void oauth_keep(char *to, size_t size, struct tc_str text)
{
    snprintf(to, size, "%.*s", TC_STR_ARG(text));
}

static void serve_token(struct oauth_world *w, struct tc_cx *cx, struct tc_exchange *ex)
{
    struct tc_str form = tc_exchange_body(ex), type = tc_percent_query(cx->arena, form, TC_STR("grant_type")),
                  given = tc_percent_query(cx->arena, form, TC_STR("refresh_token"));
    bool refresh = tc_str_is(type, "refresh_token");

    w->tokens++;
    w->refreshes += refresh;
    oauth_keep(w->last_form, sizeof w->last_form, form);
    oauth_keep(w->last_authorization, sizeof w->last_authorization, tc_exchange_header(ex, TC_STR("Authorization")));
    if (w->holding)
        tc_task_wait(cx, &w->hold, 5000);
    if (w->token_status) {
        reply_json(cx, ex, w->token_status,
                   tc_arena_printf(cx->arena, "{\"error\":\"%s\"}", or_else(w->token_error, "")));
        return;
    }
    if (refresh && !tc_str_is(given, w->refresh)) { /* each is good once */
        reply_json(cx, ex, 400, TC_STR("{\"error\":\"invalid_grant\"}"));
        return;
    }
    w->serial++;
    snprintf(w->refresh, sizeof w->refresh, "refresh-%d", w->serial);
    reply_json(
        cx, ex, 200,
        tc_arena_printf(cx->arena, "{\"access_token\":\"access-%d\",\"token_type\":\"Bearer\",\"expires_in\":%d%s%s%s}",
                        w->serial, w->expires_in ? w->expires_in : 3600, w->no_refresh ? "" : ",\"refresh_token\":\"",
                        w->no_refresh ? "" : w->refresh, w->no_refresh ? "" : "\""));
}

static void handler(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct oauth_world *w = arg;
    struct tc_str path = tc_exchange_request(ex)->path;

    if (tc_str_is(path, "/.well-known/oauth-protected-resource/mcp")) {
        serve_resource(w, cx, ex);
    } else if (tc_str_is(path, "/.well-known/oauth-authorization-server")) {
        serve_issuer(w, cx, ex);
    } else if (tc_str_is(path, "/register")) {
        w->registrations++;
        reply_json(cx, ex, 201, TC_STR("{\"client_id\":\"registered\",\"client_secret\":\"shh\"}"));
    } else if (tc_str_is(path, "/token")) {
        serve_token(w, cx, ex);
    } else if (tc_str_is(path, "/revoke")) {
        w->revocations++;
        oauth_keep(w->last_form, sizeof w->last_form, tc_exchange_body(ex));
        reply_json(cx, ex, 200, TC_STR("{}"));
    } else {
        not_found(cx, ex);
    }
}

/* --- the world --- */

static enum tc_err redirect(struct tc_cx *cx, void *arg, struct tc_str *ret_uri)
{
    (void)cx, (void)arg;
    *ret_uri = TC_STR("http://127.0.0.1:8420/oauth/callback");
    return TC_OK;
}

static void open_oauth(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_oauth_options options = {
        .loop = w->loop,
        .client = w->client,
        .store = &w->faulty.port,
        .secrets = &w->secrets,
        .public_url = TC_STR(""),
        .redirect = redirect,
    };

    expect_int(tc_oauth_create(cx, &options, &w->oauth), TC_OK);
    expect_int(tc_oauth_auth(cx, w->oauth, TC_STR("crm"), w->url, &w->auth), TC_OK);
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct oauth_world *w = arg;
    struct tc_server_options options = {.handler = handler, .arg = w};

    w->loop = tc_task_loop(cx);
    w->secrets.ops = &fake_secrets_ops;
    expect_int(tc_server_create(cx, w->loop, &options, &w->server), TC_OK);
    expect_int(tc_server_listen_tcp(cx, w->server, "127.0.0.1", 0, &w->port), TC_OK);
    expect_int(tc_client_create(cx, w->loop, &w->client), TC_OK);
    expect_int(tc_memory_open(cx, &w->store), TC_OK);
    faulty_store_init(&w->faulty, w->store);
    w->origin = tc_arena_printf(cx->arena, "http://127.0.0.1:%d", w->port);
    w->url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/mcp", w->port);
    open_oauth(w, cx);
    w->body(w, cx);
    tc_oauth_destroy(cx, w->oauth);
    faulty_store_finish(&w->faulty);
    w->store->close(cx, w->store);
    tc_client_destroy(w->client);
    tc_server_stop(cx, w->server, 0);
    tc_server_destroy(w->server);
}

void in_oauth_world(void (*body)(struct oauth_world *w, struct tc_cx *cx))
{
    struct oauth_world w = {.body = body};

    test_task_run(main_task, &w);
}

void oauth_reopen(struct oauth_world *w, struct tc_cx *cx)
{
    tc_oauth_destroy(cx, w->oauth);
    open_oauth(w, cx);
}

struct tc_logins *oauth_logins(struct oauth_world *w)
{
    return tc_oauth_logins(w->oauth);
}

struct tc_login_request oauth_request_of(struct oauth_world *w)
{
    return (struct tc_login_request){.server = TC_STR("crm"), .url = w->url};
}

enum tc_err oauth_begin(struct oauth_world *w, struct tc_cx *cx, struct tc_login_request request, struct tc_login *ret)
{
    return oauth_logins(w)->ops->begin(cx, oauth_logins(w), &request, ret);
}

struct tc_str oauth_url_param(struct tc_cx *cx, struct tc_str url, const char *name)
{
    return tc_percent_query(cx->arena, tc_str_from(url, tc_str_chr(url, '?') + 1), tc_str_of(name));
}

enum tc_err oauth_come_back(struct oauth_world *w, struct tc_cx *cx, const struct tc_login *login, const char *rest)
{
    struct tc_str state = oauth_url_param(cx, login->url, "state"),
                  query = tc_arena_printf(cx->arena, "code=abc&state=%.*s%s", TC_STR_ARG(state), rest);
    struct tc_login ended;

    return oauth_logins(w)->ops->finish(cx, oauth_logins(w), query, &ended);
}

struct tc_login oauth_log_in(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_login login = {.url = TC_STR("")};

    if (oauth_begin(w, cx, oauth_request_of(w), &login) || oauth_come_back(w, cx, &login, ""))
        expect_text(cx->err.message, "");
    return login;
}

struct tc_str oauth_token(struct oauth_world *w, struct tc_cx *cx)
{
    struct tc_str text = TC_STR("none");

    if (w->auth->ops->token(cx, w->auth, TC_STR(""), &text))
        return cx->err.message;
    return text;
}

enum tc_err oauth_refuse_as(struct oauth_world *w, struct tc_cx *cx, int status, const char *challenge,
                            const char *token_)
{
    struct tc_auth_refusal refusal = {status, tc_str_of(challenge), tc_str_of(token_)};

    return w->auth->ops->refused(cx, w->auth, TC_STR(""), &refusal);
}

bool oauth_says(const struct tc_cx *cx, const char *what)
{
    return tc_str_find(cx->err.message, tc_str_of(what)) != SIZE_MAX;
}

bool oauth_form_has(const struct oauth_world *w, const char *what)
{
    return strstr(w->last_form, what) != NULL;
}
