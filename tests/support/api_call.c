/*
 * See api_call.h.
 */
#include "support/api_call.h"

#include "api/openapi.h"
#include "api/stream.h"
#include "http/conn.h"

enum tc_err api_call_router(struct tc_cx *cx, struct tc_router *router)
{
    const struct tc_api_resource *resource;
    const struct tc_api_route *route;
    enum tc_err e = TC_OK;

    tc_router_init(router);
    for (size_t i = 0; !e && (route = tc_api_route_at(i, &resource)); i++)
        e = tc_router_add(cx, router, &route->route);
    return e;
}

/* What was compiled stays for the process: torture asks the same routes thousands of times. */
enum { COMPILED_MAX = 512 };
static struct {
    const char *text;
    struct tc_schema *schema;
} compiled[COMPILED_MAX];

static enum tc_err compile(struct tc_cx *cx, const char *text, struct tc_schema **ret_schema)
{
    size_t i = 0;
    enum tc_err e;

    while (i < COMPILED_MAX && compiled[i].text && compiled[i].text != text)
        i++;
    if (i == COMPILED_MAX)
        return tc_fail(cx, TC_E_INTERNAL, "COMPILED_MAX of tests/support/api_call.c is too small.");
    if (!compiled[i].text) {
        e = tc_openapi_compile(cx, text, &compiled[i].schema);
        if (e)
            return e;
        compiled[i].text = text;
    }
    *ret_schema = compiled[i].schema;
    return TC_OK;
}

static enum tc_err fits(struct tc_cx *cx, const char *schema_text, const struct tc_json *value, bool *ret_fits)
{
    struct tc_schema *schema;
    enum tc_err e = compile(cx, schema_text, &schema);

    return e ? e : tc_schema_validate(cx, schema, value, ret_fits);
}

static enum tc_err read_body(struct tc_cx *cx, const struct api_call *call, const struct tc_api_route *route,
                             const struct tc_json **ret_body)
{
    bool valid;
    enum tc_err e = tc_json_parse_root(cx, call->body.n ? call->body : TC_STR("{}"), NULL, ret_body);

    if (e || !route->input)
        return e;
    e = fits(cx, route->input, *ret_body, &valid);
    return e ? e : valid ? TC_OK : tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The body does not fit the route.");
}

enum tc_err api_call_make(struct tc_cx *cx, const struct api_call *call, struct tc_jsonw *out)
{
    struct tc_conn *conn = TC_ARENA_NEW(cx->arena, struct tc_conn);
    struct tc_api_streams streams = {NULL};
    struct tc_router_match match;
    struct tc_api_call handled = {
        .runtime = call->runtime,
        .principal = call->principal,
        .match = &match,
        .agent = call->agent,
        .streams = &streams,
        .out = out,
        .status = 200,
    };
    const struct tc_api_route *route;
    enum tc_err e;

    if (!conn)
        return tc_fail_memory(cx);
    conn->exchange.conn = conn;
    conn->parser.request = (struct tc_request){.method = call->method, .path = call->path, .query = call->query};
    handled.exchange = &conn->exchange;
    e = tc_router_match(cx, call->router, call->method, call->path, &match);
    if (e)
        return e;
    route = (const struct tc_api_route *)match.route;
    e = read_body(cx, call, route, &handled.body);
    return e ? e : route->handler(cx, &handled);
}

bool api_call_fits(struct tc_cx *cx, const struct api_call *call, const struct tc_json *answer)
{
    struct tc_router_match match;
    const char *schema;
    bool valid;

    if (tc_router_match(cx, call->router, call->method, call->path, &match))
        return true;
    schema = ((const struct tc_api_route *)match.route)->output;
    return !schema || (fits(cx, schema, answer, &valid) == TC_OK && valid);
}
