/*
 * Routing, access, bodies and errors for all resources. Input schemas are
 * compiled once at start; a body that does not fit is refused with the same
 * sentences that a model gets for its arguments.
 */
#include "api/openapi.h"
#include "api/query.h"

#include "api/session.h"
#include "api/stream.h"
#include "api/well_known.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/percent.h"

extern const struct tc_api_resource *const tc_api_table[];

enum { ANSWER_MAX = 512 * 1024 * 1024, DOCUMENT_MAX = 4 * 1024 * 1024, PAGE_LAST = 1000000000 };

struct row { /* what the router finds */
    struct tc_route route; /* first */
    const struct tc_api_route *source;
    struct tc_schema *input; /* NULL: no body */
    struct tc_schema *query;
};

struct tc_api {
    struct tc_runtime *runtime;
    struct tc_router router;
    struct tc_arena arena;
    struct row *rows;
    size_t n;
    struct tc_open_rounds rounds;
    struct tc_api_streams streams;
};

const struct tc_api_route *tc_api_route_at(size_t i, const struct tc_api_resource **ret_resource)
{
    for (const struct tc_api_resource *const *at = tc_api_table; *at; at++) {
        if (i < (*at)->n) {
            *ret_resource = *at;
            return &(*at)->routes[i];
        }
        i -= (*at)->n;
    }
    return NULL;
}

static enum tc_err take_row(struct tc_cx *cx, struct tc_api *api, const struct tc_api_route *route, struct row *row)
{
    enum tc_err e = tc_api_query_compile(cx, route, &row->query);

    row->route = route->route;
    row->source = route;
    if (!e && route->input)
        e = tc_openapi_compile(cx, route->input, &row->input);
    return e ? e : tc_router_add(cx, &api->router, &row->route);
}

static void on_revoked(void *arg)
{
    struct tc_api *api = arg;

    tc_api_streams_sweep(&api->streams);
}

enum tc_err tc_api_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_api **ret_api)
{
    const struct tc_api_resource *resource;
    struct tc_api *api = tc_mem_zalloc(1, sizeof *api);
    size_t n = 0;
    enum tc_err e = TC_OK;

    if (!api)
        return tc_fail_memory(cx);
    api->runtime = runtime;
    tc_arena_init(&api->arena, 0);
    tc_router_init(&api->router);
    while (tc_api_route_at(n, &resource))
        n++;
    api->rows = TC_ARENA_NEW_N(&api->arena, struct row, n + 1);
    if (!api->rows)
        e = tc_fail_memory(cx);
    for (; !e && api->n < n; api->n++)
        e = take_row(cx, api, tc_api_route_at(api->n, &resource), &api->rows[api->n]);
    if (e) {
        tc_api_destroy(api);
        return e;
    }
    tc_access_watch(runtime->access, on_revoked, api);
    *ret_api = api;
    return TC_OK;
}

void tc_api_destroy(struct tc_api *api)
{
    if (!api)
        return;
    tc_access_unwatch(api->runtime->access, api);
    for (size_t i = 0; i < api->n; i++) {
        tc_schema_unref(api->rows[i].input);
        tc_schema_unref(api->rows[i].query);
    }
    tc_router_finish(&api->router);
    tc_arena_finish(&api->arena);
    tc_mem_free(api);
}

bool tc_api_open(struct tc_cx *cx, const struct tc_api *api, struct tc_str method, struct tc_str path)
{
    struct tc_router_match match;
    bool open = tc_router_match(cx, &api->router, method, path, &match) == TC_OK &&
                ((const struct row *)match.route)->source->access == TC_API_OPEN;

    tc_fail_clear(cx);
    return open;
}

bool tc_api_knows(struct tc_cx *cx, const struct tc_api *api, struct tc_str path)
{
    struct tc_router_match match;
    bool known = tc_router_match(cx, &api->router, TC_STR("GET"), path, &match) != TC_E_HTTP_NOT_FOUND;

    tc_fail_clear(cx);
    return known;
}

/* --- access --- */

static enum tc_err check_access(struct tc_cx *cx, const struct tc_api_route *route, struct tc_api_call *call)
{
    static const enum tc_role least[] = {
        [TC_API_VIEWER] = TC_ROLE_VIEWER, [TC_API_OPERATOR] = TC_ROLE_OPERATOR, [TC_API_ADMIN] = TC_ROLE_ADMIN};
    const struct tc_principal *who = call->principal;

    if (route->access == TC_API_OPEN)
        return TC_OK;
    if (!who)
        return tc_fail(cx, TC_E_AUTH_REQUIRED, "This needs a token: Authorization: Bearer tcr_…");
    if (route->access != TC_API_AGENT) {
        if (who->role >= least[route->access])
            return TC_OK;
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "The role %s may not do this; it needs %s.", tc_role_name(who->role),
                       tc_role_name(least[route->access]));
    }
    if (who->role == TC_ROLE_AGENT) {
        call->agent = who->agent;
        return TC_OK;
    }
    call->agent = tc_api_query(cx, call, "agent");
    if (who->role == TC_ROLE_ADMIN && call->agent.n)
        return TC_OK;
    tc_fail(cx, TC_E_AUTH_AGENT_REQUIRED, "This needs a token that is bound to an agent.");
    return tc_fail_hint(cx, "Make one with toolcrib token create --agent NAME; an admin may add ?agent=NAME.");
}

/* --- bodies --- */

static enum tc_err read_body(struct tc_cx *cx, const struct row *row, struct tc_api_call *call)
{
    struct tc_str text = tc_exchange_body(call->exchange), type;
    enum tc_err e;

    if (!row->input)
        return TC_OK;
    type = tc_exchange_header(call->exchange, TC_STR("Content-Type"));
    if (text.n && type.p && !tc_header_has(type, TC_STR("application/json")))
        return tc_fail(cx, TC_E_HTTP_MEDIA_TYPE, "The body must be application/json.");
    e = tc_json_parse_root(cx, text.n ? text : TC_STR("{}"), NULL, &call->body);
    return e ? e : tc_api_unfit(cx, row->input, call->body, "The body");
}

/* --- one request --- */

/* A browser neither keeps what its person alone may see, nor takes it for a page or lets
 * another page show it. */
static enum tc_err guard_fields(struct tc_cx *cx, struct tc_api_call *call)
{
    static const struct tc_header fixed[] = {
        {TC_STR_INIT("Cache-Control"), TC_STR_INIT("no-store")},
        {TC_STR_INIT("X-Content-Type-Options"), TC_STR_INIT("nosniff")},
        {TC_STR_INIT("Content-Security-Policy"), TC_STR_INIT("default-src 'none'; frame-ancestors 'none'; sandbox")},
        {TC_STR_INIT("Cross-Origin-Resource-Policy"), TC_STR_INIT("same-origin")},
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    struct tc_header *fields;

    if (!call->sign_in.n && !call->type) /* JSON for a program */
        return TC_OK;
    fields = TC_ARENA_NEW_N(cx->arena, struct tc_header, FIXED + call->extra.n);
    if (!fields)
        return tc_fail_memory(cx);
    memcpy(fields, fixed, sizeof fixed);
    for (size_t i = 0; i < call->extra.n; i++)
        fields[FIXED + i] = call->extra.items[i];
    call->extra = (struct tc_header_list){fields, FIXED + call->extra.n};
    return TC_OK;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str body)
{
    struct tc_exchange_reply reply = {
        .status = call->status,
        .content_type = tc_str_of(call->type ? call->type : "application/json"),
        .body = body,
    };
    enum tc_err e = guard_fields(cx, call);

    if (e)
        return e;
    reply.extra = call->extra;
    tc_exchange_reply(cx, call->exchange, &reply); /* a client that has left is no failure */
    return TC_OK;
}

static enum tc_err run(struct tc_cx *cx, const struct row *row, struct tc_api_call *call)
{
    struct tc_buf json, raw;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&json, ANSWER_MAX);
    tc_buf_init(&raw, ANSWER_MAX);
    tc_jsonw_init(&w, &json);
    call->out = &w;
    call->raw = &raw;
    e = row->source->handler(cx, call);
    if (!e && (json.failed || raw.failed))
        e = tc_fail_memory(cx);
    if (!e && !tc_exchange_replied(call->exchange))
        e = answer(cx, call, call->type ? tc_buf_get(&raw) : tc_buf_get(&json));
    tc_buf_finish(&json);
    tc_buf_finish(&raw);
    return e;
}

static void refuse(struct tc_cx *cx, const struct tc_api *api, struct tc_exchange *exchange, struct tc_str allow)
{
    const struct tc_err_info *info = tc_err_info(cx->err.code);
    struct tc_header field = {TC_STR("Allow"), allow};

    if (info->http_status >= 500)
        tc_log(TC_LOG_ERROR, info->name, "%.*s", TC_STR_ARG(cx->err.message));
    if (info->http_status == 401)
        field = (struct tc_header){TC_STR("WWW-Authenticate"), tc_api_challenge(cx, api->runtime, exchange)};
    if (!tc_exchange_replied(exchange))
        tc_exchange_fail_with(cx, exchange, (struct tc_header_list){&field, field.value.n ? 1 : 0});
}

/* Of other agents its holder hears nothing. */
static void say_removed(struct tc_cx *cx, const struct tc_api *api, const struct tc_principal *principal)
{
    struct tc_error fault = cx->err;
    struct tc_agent *agent;

    if (tc_agents_get(cx, api->runtime->agents, principal->agent, &agent))
        tc_fail(cx, fault.code, "The agent that this token belongs to was removed.");
    else
        cx->err = fault;
}

void tc_api_serve(struct tc_cx *cx, struct tc_api *api, struct tc_exchange *exchange,
                  const struct tc_principal *principal)
{
    const struct tc_request *request = tc_exchange_request(exchange);
    struct tc_router_match match = {.allow = TC_STR("")};
    struct tc_api_call call = {
        .runtime = api->runtime,
        .principal = principal,
        .exchange = exchange,
        .rounds = &api->rounds,
        .streams = &api->streams,
        .match = &match,
        .status = 200,
    };
    const struct row *row;
    enum tc_err e = tc_router_match(cx, &api->router, request->method, request->path, &match);

    if (principal)
        call.sign_in = tc_session_text(cx, api->runtime, exchange);
    if (!e) {
        row = (const struct row *)match.route;
        e = check_access(cx, row->source, &call);
        if (!e)
            e = tc_api_query_check(cx, row->source, row->query, request->query);
        if (!e)
            e = read_body(cx, row, &call);
        if (!e)
            e = run(cx, row, &call);
    }
    if (e == TC_E_AGENT_NOT_FOUND && principal && principal->role == TC_ROLE_AGENT)
        say_removed(cx, api, principal);
    if (e)
        refuse(cx, api, exchange, e == TC_E_HTTP_METHOD ? match.allow : TC_STR(""));
}

/* --- for handlers --- */

struct tc_str tc_api_query(struct tc_cx *cx, const struct tc_api_call *call, const char *name)
{
    struct tc_str query = tc_exchange_request(call->exchange)->query, value;

    value = tc_percent_query(cx->arena, query, tc_str_of(name));
    return value.p ? value : TC_STR("");
}

enum tc_err tc_api_need(struct tc_cx *cx, const struct tc_api_call *call, const char *name, struct tc_str *ret_value)
{
    *ret_value = tc_api_query(cx, call, name);
    if (ret_value->n)
        return TC_OK;
    return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The parameter ?%s= is missing.", name);
}

struct tc_str tc_api_field(const struct tc_api_call *call, const char *name)
{
    const struct tc_json *value = tc_json_get_c(call->body, name);

    return tc_json_is(value, TC_JSON_STRING) ? tc_json_str(value) : TC_STR("");
}

static bool is_among(struct tc_str key, const char *const *names)
{
    while (*names && !tc_str_is(key, *names))
        names++;
    return *names != NULL;
}

enum tc_err tc_api_document(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_json *base,
                            const char *const *apart, struct tc_str *ret_json)
{
    struct tc_json_iter it = tc_json_iter(base);
    const struct tc_json *value;
    struct tc_str key;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, DOCUMENT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    while (tc_json_next(&it, &key, &value))
        if (!tc_json_get(call->body, key) && !is_among(key, apart)) {
            tc_jsonw_key_str(&w, key);
            tc_jsonw_value(&w, value);
        }
    for (it = tc_json_iter(call->body); tc_json_next(&it, &key, &value);)
        if (!is_among(key, apart) && (!base || !tc_json_is(value, TC_JSON_NULL))) {
            tc_jsonw_key_str(&w, key);
            tc_jsonw_value(&w, value);
        }
    tc_jsonw_end(&w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_json->p ? TC_OK : tc_fail_memory(cx);
}

struct tc_store_page tc_api_page(const struct tc_api_call *call, bool newest_first)
{
    struct tc_str order = tc_api_field(call, "order");
    struct tc_store_page page = {
        .page = 1,
        .size = 20,
        .search = tc_api_field(call, "search"),
        .sort = tc_api_field(call, "sort"),
        .descending = order.n ? tc_str_is(order, "desc") : newest_first,
    };

    tc_json_int(tc_json_get_c(call->body, "page"), &page.page);
    tc_json_int(tc_json_get_c(call->body, "size"), &page.size);
    return page;
}

enum tc_err tc_api_query_page(struct tc_cx *cx, const struct tc_api_call *call, struct tc_store_page *ret_page)
{
    struct tc_str asked = tc_api_query(cx, call, "page");

    *ret_page = (struct tc_store_page){.page = 1, .size = 50, .descending = true};
    if (asked.n == 0 || (tc_str_int(asked, &ret_page->page) && ret_page->page >= 1 && ret_page->page <= PAGE_LAST))
        return TC_OK;
    return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "page is the number of a page, from 1 on.");
}

struct tc_api_part tc_api_page_part(const struct tc_store_page *page, size_t total)
{
    size_t size = (size_t)page->size, from = (size_t)(page->page - 1) * size;

    if (from > total)
        from = total;
    return (struct tc_api_part){from, total - from < size ? total - from : size};
}

void tc_api_page_open(struct tc_api_call *call)
{
    tc_jsonw_object(call->out);
    tc_jsonw_key(call->out, "list");
    tc_jsonw_array(call->out);
}

void tc_api_page_close(struct tc_api_call *call, const struct tc_store_page *page, int64_t total)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_end(w);
    tc_jsonw_key(w, "pagination");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "page", page->page);
    tc_jsonw_kint(w, "size", page->size);
    tc_jsonw_kint(w, "total", total);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

bool tc_api_sees_bodies(const struct tc_api_call *call)
{
    return call->principal->role >= TC_ROLE_OPERATOR;
}

void tc_api_done(struct tc_api_call *call)
{
    tc_jsonw_object(call->out);
    tc_jsonw_kbool(call->out, "done", true);
    tc_jsonw_end(call->out);
}

void tc_api_fault(struct tc_jsonw *w, const char *key, const struct tc_error *fault)
{
    tc_jsonw_key(w, key);
    if (!fault->code) {
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "code", tc_err_info(fault->code)->name);
    tc_jsonw_kstr(w, "message", fault->message);
    tc_jsonw_kopt(w, "hint", fault->hint);
    tc_jsonw_kopt(w, "field", fault->field);
    tc_jsonw_end(w);
}

void tc_api_time(struct tc_jsonw *w, const char *key, int64_t wall_ms)
{
    char iso[TC_CLOCK_ISO_SIZE];

    tc_jsonw_key(w, key);
    if (wall_ms == 0) {
        tc_jsonw_null(w);
        return;
    }
    tc_clock_iso(wall_ms, iso);
    tc_jsonw_cstr(w, iso);
}

void tc_api_result(struct tc_jsonw *w, const struct tc_call_result *result)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "callId", result->call_id);
    tc_jsonw_kstr(w, "toolId", result->tool_id);
    tc_jsonw_key(w, "content");
    tc_jsonw_raw(w, result->content);
    tc_jsonw_key(w, "structuredContent");
    tc_jsonw_raw(w, result->structured.n ? result->structured : TC_STR("null"));
    tc_jsonw_kbool(w, "isError", result->is_error);
    tc_jsonw_kstr(w, "errorCode", result->error_code.n ? result->error_code : tc_str_n(NULL, 0));
    tc_jsonw_key(w, "resources");
    tc_jsonw_array(w);
    for (size_t i = 0; i < result->resources_n; i++)
        tc_jsonw_str(w, result->resources[i]);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "images");
    tc_jsonw_array(w);
    for (size_t i = 0; i < result->images_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "path", result->images[i]);
        tc_jsonw_kstr(w, "mimeType", result->image_mimes[i]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_kstr(w, "auditId", result->audit_id);
    tc_jsonw_kstr(w, "resultId", result->result_id);
    tc_jsonw_end(w);
}
