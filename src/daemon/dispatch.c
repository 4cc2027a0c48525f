/*
 * Refusals come before anything is done: host and page, then credentials, then the route.
 */
#include "daemon/dispatch.h"

#include <stdio.h>
#include <unistd.h>

#include "api/session.h"
#include "api/well_known.h"
#include "base/percent.h"
#include "daemon/origin.h"
#include "runtime/signins.h"

/* The other end of the socket in the data folder is its owner, or root. */
static enum tc_err socket_principal(struct tc_cx *cx, const struct tc_exchange_peer *peer, struct tc_principal *ret)
{
    if (peer->uid != 0 && peer->uid != geteuid())
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "User %u may not use this daemon's socket.", (unsigned)peer->uid);
    *ret = (struct tc_principal){
        .role = TC_ROLE_ADMIN,
        .kind = TC_STR("socket"),
        .id = tc_arena_printf(cx->arena, "uid-%u", (unsigned)peer->uid),
        .agent = TC_STR(""),
    };
    return ret->id.p ? TC_OK : tc_fail_memory(cx);
}

/* Two of them: somebody on the way could have looked at the other one. */
static bool is_ambiguous(struct tc_header_list headers, struct tc_str name)
{
    size_t n = 0;

    for (size_t i = 0; i < headers.n; i++)
        n += tc_str_eq_nocase(headers.items[i].name, name);
    return n > 1;
}

static bool changes_nothing(struct tc_str method)
{
    return tc_str_is(method, "GET") || tc_str_is(method, "HEAD") || tc_str_is(method, "OPTIONS");
}

/* The sign-in of a browser. What is open to anybody is so with an old cookie, too. */
static enum tc_err by_cookie(struct tc_cx *cx, struct tc_dispatch *d, const struct tc_exchange *exchange,
                             bool *ret_known, struct tc_principal *ret)
{
    const struct tc_request *request = tc_exchange_request(exchange);
    struct tc_signins *signins = d->runtime->signins;
    struct tc_str text = tc_session_text(cx, d->runtime, exchange);
    enum tc_err e;

    *ret_known = false;
    if (text.n == 0 || tc_api_open(cx, d->api, request->method, request->path))
        return TC_OK;
    e = tc_signins_check(cx, signins, text, ret);
    if (!e && !changes_nothing(request->method))
        e = tc_signins_guard_check(cx, signins, text, tc_exchange_header(exchange, TC_STR("X-CSRF-Token")));
    *ret_known = !e;
    return e;
}

/* *ret_known is false when no credentials came: fine for open routes. */
static enum tc_err who(struct tc_cx *cx, struct tc_dispatch *d, const struct tc_exchange *exchange,
                       const struct tc_exchange_peer *peer, bool *ret_known, struct tc_principal *ret)
{
    struct tc_str authorization = tc_exchange_header(exchange, TC_STR("Authorization"));

    *ret_known = true;
    if (is_ambiguous(tc_exchange_request(exchange)->headers, TC_STR("Authorization")))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The request has more than one Authorization.");
    if (!authorization.p && peer->is_unix)
        return socket_principal(cx, peer, ret);
    if (!authorization.p)
        return by_cookie(cx, d, exchange, ret_known, ret);
    if (authorization.n < 8 || !tc_str_eq_nocase(tc_str_n(authorization.p, 7), TC_STR("Bearer ")))
        return tc_fail(cx, TC_E_AUTH_INVALID, "Authorization must be: Bearer TOKEN.");
    return tc_access_check(cx, d->runtime->access, tc_str_trim(tc_str_from(authorization, 7)),
                           tc_exchange_client(exchange), ret);
}

static void refuse(struct tc_cx *cx, const struct tc_dispatch *d, struct tc_exchange *exchange)
{
    struct tc_header challenge = {TC_STR("WWW-Authenticate"), TC_STR("")};

    if (tc_err_info(cx->err.code)->http_status == 401 || cx->err.code == TC_E_AUTH_SCOPE)
        challenge.value = tc_api_challenge(cx, d->runtime, exchange);
    tc_exchange_fail_with(cx, exchange, (struct tc_header_list){&challenge, challenge.value.n ? 1 : 0});
}

static void require(struct tc_cx *cx, const struct tc_dispatch *d, struct tc_exchange *exchange)
{
    tc_fail(cx, TC_E_AUTH_REQUIRED, "This needs a token: Authorization: Bearer tcr_…");
    refuse(cx, d, exchange);
}

/* The path is that one, or has an agent's id behind it; "/mcp/" is "/mcp". */
static bool is_at(struct tc_cx *cx, struct tc_str path, const char *root, struct tc_str *ret_agent)
{
    struct tc_str prefix = tc_str_of(root);

    *ret_agent = TC_STR("");
    if (!tc_str_starts(path, prefix) || (path.n > prefix.n && path.p[prefix.n] != '/'))
        return false;
    path = tc_str_from(path, prefix.n + 1);
    if (path.n && path.p[path.n - 1] == '/')
        path.n--;
    if (path.n)
        *ret_agent = tc_percent_decode(cx->arena, path);
    return ret_agent->p != NULL;
}

void tc_dispatch_handle(struct tc_cx *cx, void *arg, struct tc_exchange *exchange)
{
    struct tc_dispatch *d = arg;
    const struct tc_request *request = tc_exchange_request(exchange);
    struct tc_principal principal;
    const struct tc_exchange_peer *peer = tc_exchange_peer(exchange);
    struct tc_str agent;
    bool known;
    enum tc_err e;

    e = peer->is_unix ? TC_OK : tc_origin_check(cx, d->config, d->listen_host, exchange);
    if (!e)
        e = who(cx, d, exchange, peer, &known, &principal);
    if (e) {
        refuse(cx, d, exchange);
    } else if (d->interface && tc_interface_serve(cx, d->interface, d->api, exchange)) {
        return; /* also below /mcp: browsers name text/html, clients of MCP never do */
    } else if (is_at(cx, request->path, "/mcp", &agent)) {
        if (known)
            tc_endpoint_serve(cx, d->endpoint, exchange, &principal, agent);
        else
            require(cx, d, exchange);
    } else if (is_at(cx, request->path, "/sse", &agent) || is_at(cx, request->path, "/messages", &agent)) {
        if (known)
            tc_endpoint_serve_sse(cx, d->endpoint, exchange, &principal, agent);
        else
            require(cx, d, exchange);
    } else if (!known && !tc_api_open(cx, d->api, request->method, request->path)) {
        require(cx, d, exchange);
    } else {
        tc_api_serve(cx, d->api, exchange, known ? &principal : NULL);
    }
}

void tc_dispatch_callback(struct tc_cx *cx, void *arg, struct tc_exchange *exchange)
{
    if (tc_str_is(tc_exchange_request(exchange)->path, "/oauth/callback")) {
        tc_dispatch_handle(cx, arg, exchange);
        return;
    }
    tc_fail(cx, TC_E_HTTP_NOT_FOUND, "Only logins end here.");
    tc_exchange_fail(cx, exchange);
}
