/*
 * /admin/mcp/login and its like: logins at MCP servers, and the open page to which
 * a browser comes back. A client secret goes in and never out; no token is shown.
 */
#include "api/mcp_login.h"

#include "api/mcp_changed.h"
#include "ports/logins.h"

enum { WAIT_S_MAX = 25, PAGE_MAX = 16 * 1024 };

/* --- the server that is meant --- */

static enum tc_err logins_of(struct tc_cx *cx, const struct tc_api_call *call, struct tc_logins **ret)
{
    *ret = call->runtime->logins;
    return *ret ? TC_OK : tc_fail(cx, TC_E_HTTP_NOT_FOUND, "There are no logins here.");
}

/* As the block has it, by any of its names. */
static struct tc_str written_url(const struct tc_json *config)
{
    static const char *const keys[] = {"url", "httpUrl", "serverUrl"};
    struct tc_str url = TC_STR("");

    for (size_t i = 0; i < sizeof keys / sizeof *keys && url.n == 0; i++)
        url = tc_json_str(tc_json_get_c(config, keys[i]));
    return url;
}

/* Name and URL of a server. A URL with variables in it is left out: what it means is
 * known where the server was tried. */
static enum tc_err find_server(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str id,
                               struct tc_login_request *request, bool *ret_is_command)
{
    struct tc_server_info info;
    const struct tc_json *config;
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, id, &info);

    if (!e)
        e = tc_json_parse_root(cx, info.row.config, NULL, &config);
    if (e)
        return e;
    request->server = info.row.name;
    request->url = written_url(config);
    *ret_is_command = request->url.n == 0;
    if (tc_str_find(request->url, TC_STR("${")) != SIZE_MAX)
        request->url = TC_STR("");
    return TC_OK;
}

/* Has the server tried, so that its URL is known; what comes of it is no matter. */
static enum tc_err try_server(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name)
{
    if (tc_servers_refresh(cx, call->runtime->servers, name) && tc_task_check(cx) == TC_OK)
        tc_fail_clear(cx);
    return tc_task_check(cx);
}

/* The server and the agent that the body names; both must be there. */
static enum tc_err name_server(struct tc_cx *cx, const struct tc_api_call *call, struct tc_login_request *request)
{
    struct tc_agent *agent;
    bool is_command;
    enum tc_err e = find_server(cx, call, tc_api_field(call, "id"), request, &is_command);

    if (e)
        return e;
    request->identity = tc_api_field(call, "agent");
    if (is_command)
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The server \"%.*s\" is a command: there is nothing to log in to.",
                       TC_STR_ARG(request->server));
    return request->identity.n ? tc_agents_get(cx, call->runtime->agents, request->identity, &agent) : TC_OK;
}

/* --- beginning and waiting --- */

static void write_login(struct tc_jsonw *w, const struct tc_login *login)
{
    static const char *const states[] = {"waiting", "done", "failed"};

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "login", login->id);
    tc_jsonw_kcstr(w, "state", states[login->state]);
    tc_jsonw_kstr(w, "server", login->server);
    tc_jsonw_kopt(w, "agent", login->identity);
    tc_jsonw_kopt(w, "scope", login->scope);
    tc_jsonw_kopt(w, "url", login->url);
    tc_jsonw_kopt(w, "redirectUri", login->redirect_uri);
    tc_jsonw_kopt(w, "message", login->message);
    tc_jsonw_kopt(w, "hint", login->hint);
    tc_api_time(w, "expiresAt", login->expires_at);
    tc_jsonw_end(w);
}

static enum tc_err begin(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_login_request request = {
        .scope = tc_api_field(call, "scope"),
        .client_id = tc_api_field(call, "clientId"),
        .client_secret = tc_api_field(call, "clientSecret"),
        .private_key = tc_api_field(call, "privateKey"),
        .issuer = tc_api_field(call, "issuer"),
        .headless = tc_json_bool(tc_json_get_c(call->body, "clientCredentials"), false),
    };
    struct tc_logins *logins;
    struct tc_login login;
    enum tc_err e = logins_of(cx, call, &logins);

    if (!e && !request.client_id.n && (request.client_secret.n || request.private_key.n))
        e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "A secret or key belongs to a clientId.");
    if (!e)
        e = name_server(cx, call, &request);
    if (!e && request.url.n == 0)
        e = try_server(cx, call, request.server);
    if (!e)
        e = logins->ops->begin(cx, logins, &request, &login);
    if (e)
        return e;
    if (login.state == TC_LOGIN_DONE)
        tc_servers_wake(call->runtime->servers, request.server);
    /* Now: it ends in a browser that is nobody here. */
    tc_mcp_changed_login(cx, call, "login", request.server, request.identity);
    write_login(call->out, &login);
    return TC_OK;
}

static enum tc_err wait(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_logins *logins;
    struct tc_login login;
    int64_t seconds = WAIT_S_MAX;
    enum tc_err e = logins_of(cx, call, &logins);

    tc_json_int(tc_json_get_c(call->body, "seconds"), &seconds);
    if (!e)
        e = logins->ops->wait(cx, logins, tc_api_field(call, "login"), seconds * 1000, &login);
    if (!e)
        write_login(call->out, &login);
    return e;
}

static enum tc_err end(struct tc_cx *cx, struct tc_api_call *call, struct tc_str query, struct tc_login *ret_login)
{
    struct tc_logins *logins;
    enum tc_err e = logins_of(cx, call, &logins);

    if (!e)
        e = logins->ops->finish(cx, logins, query, ret_login);
    if (!e)
        tc_servers_wake(call->runtime->servers, ret_login->server);
    return e;
}

/* The address at which the browser ended, brought by hand. */
static enum tc_err finish(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str url = tc_str_trim(tc_api_field(call, "url"));
    size_t at = tc_str_chr(url, '?'), hash = tc_str_chr(url, '#');
    struct tc_login login;
    enum tc_err e;

    if (at == SIZE_MAX || (hash != SIZE_MAX && hash < at)) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "This is not the address that a login ends at.");
        return tc_fail_hint(cx, "Copy the whole address from the browser, from http to its end.");
    }
    url = hash == SIZE_MAX ? url : tc_str_n(url.p, hash);
    e = end(cx, call, tc_str_from(url, at + 1), &login);
    if (!e)
        write_login(call->out, &login);
    return e;
}

/* --- ending and looking --- */

static enum tc_err log_out(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_login_request which = {0};
    struct tc_logins *logins;
    bool revoked = false;
    enum tc_err e = logins_of(cx, call, &logins);

    if (!e)
        e = name_server(cx, call, &which);
    if (!e)
        e = logins->ops->forget(cx, logins, &which, tc_json_bool(tc_json_get_c(call->body, "all"), false), &revoked);
    if (e)
        return e;
    tc_mcp_changed_login(cx, call, "logout", which.server, which.identity);
    tc_jsonw_object(call->out);
    tc_jsonw_kbool(call->out, "done", true);
    tc_jsonw_kbool(call->out, "revoked", revoked);
    tc_jsonw_end(call->out);
    return TC_OK;
}

enum tc_err tc_api_logins_forget(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_logins *logins = call->runtime->logins;
    struct tc_login_request which = {.identity = TC_STR("")};
    bool revoked, is_command;
    enum tc_err e = find_server(cx, call, id, &which, &is_command);

    if (e || !logins || is_command)
        return e;
    return logins->ops->forget(cx, logins, &which, true, &revoked);
}

/* The shared login has no agent. */
void tc_api_logins_write(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server)
{
    static const char *const kinds[] = {
        [TC_LOGIN_MISSING] = "missing", [TC_LOGIN_EXPIRED] = "expired", [TC_LOGIN_ACTIVE] = "active"};
    struct tc_logins *logins = call->runtime->logins;
    struct tc_login_info *all = NULL;
    struct tc_jsonw *w = call->out;
    size_t n = 0;

    if (logins && logins->ops->all(cx, logins, server, &all, &n)) {
        tc_fail_clear(cx);
        n = 0;
    }
    tc_jsonw_key(w, "logins");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "agent", all[i].identity.n ? all[i].identity : tc_str_n(NULL, 0));
        tc_jsonw_kcstr(w, "state", kinds[all[i].kind]);
        tc_jsonw_kopt(w, "issuer", all[i].issuer);
        tc_jsonw_kopt(w, "scope", all[i].scope);
        tc_jsonw_kopt(w, "wanted", all[i].wanted);
        tc_api_time(w, "expiresAt", all[i].expires_at);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* --- the browser --- */

static void escape(struct tc_buf *to, struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        switch (text.p[i]) {
        case '&':
            tc_buf_cstr(to, "&amp;");
            break;
        case '<':
            tc_buf_cstr(to, "&lt;");
            break;
        case '>':
            tc_buf_cstr(to, "&gt;");
            break;
        case '"':
            tc_buf_cstr(to, "&quot;");
            break;
        default:
            tc_buf_char(to, text.p[i]);
        }
    }
}

struct words {
    const char *lang, *done, *failed, *close, *again;
};

static const struct words english = {"en", "Logged in", "Not logged in", "You can close this page.",
                                     "Begin again where you began, or with toolcrib mcp login."};
static const struct words chinese = {"zh", "已登录", "未能登录", "可以关闭此页面。",
                                     "回到开始的页面重新登录，或用 toolcrib mcp login。"};

static void write_page(struct tc_buf *to, const struct words *words, const struct tc_login *login,
                       const struct tc_error *fault)
{
    tc_buf_printf(to, "<!doctype html>\n<html lang=\"%s\">\n<meta charset=\"utf-8\">\n", words->lang);
    tc_buf_cstr(to, "<meta name=\"viewport\" content=\"width=device-width\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n");
    tc_buf_printf(to, "<title>Toolcrib</title>\n<h1>%s", fault ? words->failed : words->done);
    if (login->server.n) {
        tc_buf_cstr(to, ": ");
        escape(to, login->server);
    }
    tc_buf_cstr(to, "</h1>\n<p>");
    if (fault) {
        escape(to, fault->message);
        tc_buf_cstr(to, "</p>\n<p>");
        if (fault->hint.n)
            escape(to, fault->hint);
        else
            tc_buf_cstr(to, words->again);
    } else {
        tc_buf_cstr(to, words->close);
    }
    tc_buf_cstr(to, "</p>\n</html>\n");
}

static enum tc_err reply_page(struct tc_cx *cx, struct tc_api_call *call, const struct tc_login *login,
                              const struct tc_error *fault)
{
    static const struct tc_header fields[] = {
        {TC_STR_INIT("Cache-Control"), TC_STR_INIT("no-store")},
        {TC_STR_INIT("Content-Security-Policy"), TC_STR_INIT("default-src 'none'; frame-ancestors 'none'")},
        {TC_STR_INIT("Referrer-Policy"), TC_STR_INIT("no-referrer")},
        {TC_STR_INIT("X-Content-Type-Options"), TC_STR_INIT("nosniff")},
    };
    struct tc_str language = tc_exchange_header(call->exchange, TC_STR("Accept-Language"));
    struct tc_exchange_reply reply = {
        .status = fault ? 400 : 200,
        .content_type = TC_STR("text/html; charset=utf-8"),
        .extra = {fields, sizeof fields / sizeof *fields},
    };
    struct tc_buf page;
    enum tc_err e;

    tc_buf_init(&page, PAGE_MAX);
    write_page(&page, tc_str_starts(language, TC_STR("zh")) ? &chinese : &english, login, fault);
    reply.body = tc_buf_get(&page);
    e = page.failed ? tc_fail_memory(cx) : tc_exchange_reply(cx, call->exchange, &reply);
    tc_buf_finish(&page);
    return e;
}

/* Whoever only looks (HEAD, as previews of links do) does not use up the login. */
static enum tc_err callback(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_request *request = tc_exchange_request(call->exchange);
    struct tc_login login = {.state = TC_LOGIN_FAILED};
    struct tc_error fault;
    enum tc_err e;

    if (!tc_str_is(request->method, "GET"))
        return tc_fail(cx, TC_E_HTTP_METHOD, "A login ends with GET.");
    e = end(cx, call, request->query, &login);
    fault = cx->err;
    if (e)
        tc_fail_clear(cx);
    return reply_page(cx, call, &login, e ? &fault : NULL);
}

/* What this daemon is as a client, for authorization servers that take the URL of
 * this document for a client id. */
static enum tc_err document(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_logins *logins;
    enum tc_err e = logins_of(cx, call, &logins);

    return e ? e : logins->ops->document(cx, logins, call->out);
}

static const char login_input[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{"
    "\"id\":{\"type\":\"string\",\"minLength\":1},\"agent\":{\"type\":\"string\"},"
    "\"scope\":{\"type\":\"string\",\"maxLength\":8192},\"clientId\":{\"type\":\"string\",\"maxLength\":2048},"
    "\"clientSecret\":{\"type\":\"string\",\"maxLength\":32768},\"privateKey\":{\"type\":\"string\",\"maxLength\":"
    "65536},"
    "\"issuer\":{\"type\":\"string\",\"maxLength\":2048},\"clientCredentials\":{\"type\":\"boolean\"}}}";
static const char wait_input[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"login\"],\"properties\":{"
    "\"login\":{\"type\":\"string\",\"minLength\":1},\"seconds\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":25}}}";
static const char finish_input[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"url\"],\"properties\":{"
    "\"url\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":65536}}}";
static const char logout_input[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{"
    "\"id\":{\"type\":\"string\",\"minLength\":1},\"agent\":{\"type\":\"string\"},\"all\":{\"type\":\"boolean\"}}}";

/* Authorization servers add what they like. */
static const struct tc_api_param any[] = {{.name = "*"}, {0}};

static const struct tc_api_component components[] = {
    {"Login",
     "{login string, state (waiting|done|failed), server string, agent? string, scope? string, url? string, "
     "redirectUri? string, message? string, hint? string, expiresAt time|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/mcp/login"},
     TC_API_OPERATOR,
     "Begin a login at a server; answers with the address to open",
     login_input,
     "Login",
     begin},
    {{"POST", "/admin/mcp/loginWait"},
     TC_API_OPERATOR,
     "Wait until a login has ended, for at most 25 seconds",
     wait_input,
     "Login",
     wait},
    {{"POST", "/admin/mcp/loginFinish"},
     TC_API_OPERATOR,
     "End a login with the address at which the browser ended",
     finish_input,
     "Login",
     finish},
    {{"POST", "/admin/mcp/logout"},
     TC_API_OPERATOR,
     "Revoke and forget a login",
     logout_input,
     "{done boolean, revoked boolean}",
     log_out},
    {{"GET", "/oauth/callback"}, TC_API_OPEN, "Where browsers come back to after a login", NULL, NULL, callback,
     .query = any, .types = "text/html"},
    {{"GET", "/oauth/client.json"},
     TC_API_OPEN,
     "What this daemon is as a client of authorization servers",
     NULL,
     "{client_id string, client_name string, redirect_uris [string], grant_types [string], response_types [string], "
     "application_type (native|web), token_endpoint_auth_method string, scope? string}",
     document},
};

const struct tc_api_resource tc_api_mcp_login = {"mcp login", "Logins at MCP servers", routes,
                                                 sizeof routes / sizeof *routes, components};
