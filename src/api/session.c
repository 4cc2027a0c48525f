/*
 * /admin/session: signing in and out of the web interface, and who one is. A bearer
 * token needs no sign-in; it hears who it is all the same.
 */
#include "api/session.h"

#include "base/clock.h"
#include "api/stream.h"
#include "http/cookie.h"
#include "runtime/signins.h"

#define COOKIE "toolcrib_session"

/* --- the cookie --- */

static bool is_secure(const struct tc_runtime *runtime, const struct tc_exchange *exchange)
{
    return tc_exchange_is_secure(exchange) || tc_str_starts(runtime->tokens.public_url, TC_STR("https://"));
}

/* The digits behind the host; empty where there are none. */
static struct tc_str port_of(struct tc_str host)
{
    size_t at = host.n;

    while (at > 0 && host.p[at - 1] >= '0' && host.p[at - 1] <= '9')
        at--;
    return at > 0 && host.p[at - 1] == ':' ? tc_str_from(host, at) : TC_STR("");
}

static struct tc_str cookie_name(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange)
{
    struct tc_str port = port_of(tc_exchange_request(exchange)->host);

    return tc_arena_printf(cx->arena, "%s" COOKIE "%s%.*s", is_secure(runtime, exchange) ? "__Host-" : "",
                           port.n ? "_" : "", TC_STR_ARG(port));
}

struct tc_str tc_session_text(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange)
{
    const struct tc_request *request = tc_exchange_request(exchange);
    struct tc_str name;

    if (tc_exchange_peer(exchange)->is_unix || tc_exchange_header(exchange, TC_STR("Authorization")).p ||
        !tc_exchange_header(exchange, TC_STR("Cookie")).p)
        return TC_STR("");
    if (!tc_str_starts(request->path, TC_STR("/admin/")) && !tc_str_is(request->path, "/metrics"))
        return TC_STR("");
    name = cookie_name(cx, runtime, exchange);
    return name.p ? tc_cookie_get(request->headers, name) : TC_STR("");
}

/* Without an age: the browser forgets it when it is closed, the daemon by its own rule. */
static enum tc_err set_cookie(struct tc_cx *cx, struct tc_api_call *call, const char *text)
{
    struct tc_str name = cookie_name(cx, call->runtime, call->exchange);
    struct tc_header *field = TC_ARENA_NEW(cx->arena, struct tc_header);

    if (!name.p || !field)
        return tc_fail_memory(cx);
    field->name = TC_STR("Set-Cookie");
    field->value = tc_arena_printf(cx->arena, "%.*s=%s; Path=/; HttpOnly; SameSite=Strict%s%s", TC_STR_ARG(name), text,
                                   is_secure(call->runtime, call->exchange) ? "; Secure" : "",
                                   *text ? "" : "; Max-Age=0");
    call->extra = (struct tc_header_list){field, 1};
    return field->value.p ? TC_OK : tc_fail_memory(cx);
}

/* --- handlers --- */

/* text empty: no sign-in, but a token or the socket. */
static void write_who(struct tc_cx *cx, struct tc_api_call *call, const struct tc_principal *who, struct tc_str text)
{
    const struct tc_token_row *row = tc_access_token(call->runtime->access, who->id);
    int64_t ends = text.n ? tc_clock_wall_ms(cx->clock) + TC_SIGNINS_IDLE_MS : 0;
    char guard[TC_SIGNINS_TEXT_SIZE];
    struct tc_jsonw *w = call->out;

    if (row && row->expires_at && (!ends || row->expires_at < ends))
        ends = row->expires_at;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", who->kind);
    tc_jsonw_kstr(w, "id", who->id);
    tc_jsonw_kcstr(w, "role", tc_role_name(who->role));
    tc_jsonw_kstr(w, "label", row ? row->label : TC_STR(""));
    if (text.n)
        tc_signins_guard(call->runtime->signins, text, guard);
    tc_jsonw_kstr(w, "csrf", text.n ? tc_str_of(guard) : tc_str_n(NULL, 0));
    tc_api_time(w, "expiresAt", ends);
    tc_jsonw_end(w);
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str client = tc_exchange_client(call->exchange),
                  before = tc_session_text(cx, call->runtime, call->exchange);
    struct tc_signins *signins = call->runtime->signins;
    char text[TC_SIGNINS_TEXT_SIZE];
    struct tc_principal who;
    enum tc_err e = tc_signins_open(cx, signins, tc_api_field(call, "token"), client, &who, text);

    if (e)
        return e;
    tc_signins_close(signins, before); /* its cookie is written over */
    tc_api_streams_sweep(call->streams); /* also of one that had to make room */
    e = set_cookie(cx, call, text);
    if (e)
        tc_signins_close(signins, tc_str_of(text));
    else
        write_who(cx, call, &who, tc_str_of(text));
    return e;
}

static enum tc_err info(struct tc_cx *cx, struct tc_api_call *call)
{
    write_who(cx, call, call->principal, tc_session_text(cx, call->runtime, call->exchange));
    return TC_OK;
}

static enum tc_err remove_it(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str text = tc_session_text(cx, call->runtime, call->exchange);
    enum tc_err e;

    if (!text.n) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "There is no sign-in to end: this came with a token.");
        return tc_fail_hint(cx, "POST /admin/token/remove ends a token.");
    }
    tc_signins_close(call->runtime->signins, text);
    tc_api_streams_sweep(call->streams);
    e = set_cookie(cx, call, "");
    if (!e)
        tc_api_done(call);
    return e;
}

#define SESSION(kinds, csrf, ends)                                                                                     \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"kind\",\"id\",\"role\",\"label\",\"csrf\","   \
    "\"expiresAt\"],\"properties\":{\"kind\":{\"enum\":[" kinds "]},\"id\":{\"type\":\"string\"},\"role\":{\"enum\":[" \
    "\"viewer\",\"operator\",\"admin\"]},\"label\":{\"type\":\"string\"},\"csrf\":{\"type\":" csrf                     \
    "},\"expiresAt\":{\"type\":" ends "}}}"

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/session/create"}, TC_API_OPEN, "Sign in with a token; the answer sets a cookie",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"token\"],\"properties\":{\"token\":{"
     "\"type\":\"string\",\"maxLength\":16384}}}",
     SESSION("\"token\",\"env\"", "\"string\"", "\"string\""), create},
    {{"GET", "/admin/session/info"}, TC_API_VIEWER, "Who this is, and when that ends if nothing comes", NULL,
     SESSION("\"token\",\"env\",\"socket\"", "[\"string\",\"null\"]", "[\"string\",\"null\"]"), info},
    {{"POST", "/admin/session/remove"}, TC_API_VIEWER, "Sign out", NULL, TC_API_DONE_OUTPUT, remove_it},
};

const struct tc_api_resource tc_api_session = {"session", "Signing in to the web interface", routes,
                                               sizeof routes / sizeof *routes};
