/*
 * Resources read and watched: stored results, and those of the servers that the agent
 * sees.
 */
#include "mcp/server/methods.h"
#include "ports/store_audit.h"

static const struct tc_str results_scheme = TC_STR_INIT("toolcrib://results/");

/* --- reading --- */

static enum tc_err not_found(struct tc_cx *cx, struct tc_str uri)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str details;

    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "uri", uri);
    tc_jsonw_end(&w);
    details = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!details.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_MCP_RESOURCE_NOT_FOUND, "There is no resource \"%.*s\" for you.", TC_STR_ARG(uri));
    return tc_fail_details(cx, details);
}

static enum tc_err read_result(struct tc_cx *cx, const struct tc_dialog *d, struct tc_str uri, struct tc_jsonw *w)
{
    struct tc_stored_result stored;
    enum tc_err e = tc_pipeline_stored(cx, d->runtime, d->principal, d->agent, tc_str_from(uri, results_scheme.n),
                                       &stored);

    if (e == TC_E_RESULT_NOT_FOUND)
        return not_found(cx, uri);
    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "contents");
    tc_jsonw_array(w);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "uri", uri);
    tc_jsonw_kcstr(w, "mimeType", stored.mime);
    tc_jsonw_kstr(w, "text", stored.text);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_method_cache(w, d, 0, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

/* One of the contents; its URI as this client names it. */
static enum tc_err write_content(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_json *content,
                                 const struct tc_offer_route *route, struct tc_str asked, const struct tc_offer *offer)
{
    struct tc_json_iter it = tc_json_iter(content);
    struct tc_str uri = tc_json_str(tc_json_get_c(content, "uri")), key;
    const struct tc_json *value;

    uri = tc_str_eq(uri, route->uri) ? asked : tc_offer_uri(cx, offer, route->uuid, uri);
    if (!uri.p)
        return tc_fail_memory(cx);
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        if (tc_str_is(key, "uri"))
            tc_jsonw_str(w, uri);
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_contents(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                  const struct tc_offer_route *route, struct tc_str asked,
                                  const struct tc_json *result)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(result, "contents"));
    const struct tc_json *content;
    struct tc_offer offer;
    int64_t ttl = 0;
    enum tc_err e = tc_offer_get(cx, d->runtime, d->agent, TC_SOURCE_RESOURCES, 0, &offer);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "contents");
    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &content))
        e = write_content(cx, w, content, route, asked, &offer);
    tc_jsonw_end(w);
    if (!tc_json_int(tc_json_get_c(result, "ttlMs"), &ttl) || ttl < 0)
        ttl = 0;
    tc_method_cache(w, d, ttl, "private");
    return e ? e : tc_method_close(cx, w, d, tc_method_meta_of(cx, result));
}

/* A server that does not have it says so with one of these. */
static bool is_absent(enum tc_err e, int code)
{
    return e == TC_E_RPC_PARAMS || (e == TC_E_MCP_SERVER_ERROR && (code == -32002 || code == -32601));
}

static enum tc_err read_routes(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                               struct tc_jsonw *w)
{
    struct tc_str uri = tc_json_str(tc_json_get_c(request->params, "uri"));
    struct tc_pass pass = {.method = "resources/read"};
    struct tc_offer_route routes[TC_OFFER_ROUTES];
    const struct tc_json *result;
    size_t n;
    int code;
    enum tc_err e = tc_offer_route(cx, d->runtime, d->agent, uri, routes, &n);

    if (!e)
        e = tc_method_meta(cx, request->params, &pass.meta);
    if (!e)
        e = tc_method_string(cx, "uri", uri, &pass.asked);
    for (size_t i = 0; i < n && !e; i++) {
        pass.uuid = routes[i].uuid;
        e = tc_method_string(cx, "uri", routes[i].uri, &pass.params);
        if (!e)
            e = tc_method_pass(cx, d, &pass, &result, &code);
        if (!e)
            return write_contents(cx, d, w, &routes[i], uri, result);
        if (!is_absent(e, code))
            return e;
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e ? e : not_found(cx, uri);
}

static enum tc_err check_uri(struct tc_cx *cx, const struct tc_rpc *request, struct tc_str *ret)
{
    const struct tc_json *uri = tc_json_get_c(request->params, "uri");

    if (!tc_json_is(uri, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "%.*s needs the uri of a resource, a string.",
                       TC_STR_ARG(request->method));
    *ret = tc_json_str(uri);
    return TC_OK;
}

enum tc_err tc_method_resources_read(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    struct tc_str uri;
    enum tc_err e = check_uri(cx, request, &uri);

    if (e)
        return e;
    return tc_str_starts(uri, results_scheme) ? read_result(cx, d, uri, w) : read_routes(cx, d, request, w);
}

/* --- subscriptions of a session --- */

enum tc_err tc_method_subscribe(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                struct tc_jsonw *w)
{
    struct tc_str uri;
    enum tc_err e = check_uri(cx, request, &uri);

    if (e)
        return e;
    if (!d->session)
        return tc_fail(cx, TC_E_RPC_INVALID, "Only a client with a session can subscribe.");
    if (!tc_str_starts(uri, results_scheme)) /* those never change */
        e = tc_subscriptions_add(cx, &d->session->subscriptions, d->runtime, d->agent, uri);
    return e ? e : tc_method_ping(cx, d, request, w);
}

enum tc_err tc_method_unsubscribe(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                  struct tc_jsonw *w)
{
    struct tc_str uri;
    enum tc_err e = check_uri(cx, request, &uri);

    if (e)
        return e;
    if (d->session)
        tc_subscriptions_remove(&d->session->subscriptions, d->runtime->servers, uri);
    return tc_method_ping(cx, d, request, w);
}
