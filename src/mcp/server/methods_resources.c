/*
 * Resources: for now, stored results.
 */
#include "mcp/server/methods.h"
#include "ports/store_audit.h"

static const struct tc_str results_scheme = TC_STR_INIT("toolcrib://results/");

enum tc_err tc_method_resources_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    size_t from;
    enum tc_err e = tc_method_cursor(cx, request->params, 0, &from);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "resources");
    tc_jsonw_array(w);
    tc_jsonw_end(w);
    tc_method_cache(w, d, TC_METHOD_LIST_TTL_MS, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

enum tc_err tc_method_templates_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    size_t from;
    enum tc_err e = tc_method_cursor(cx, request->params, 1, &from);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "resourceTemplates");
    tc_jsonw_array(w);
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "uriTemplate", "toolcrib://results/{id}");
    tc_jsonw_kcstr(w, "name", "Stored result");
    tc_jsonw_kcstr(w, "description", "The whole text of a result that was shortened.");
    tc_jsonw_kcstr(w, "mimeType", "text/plain");
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_method_cache(w, d, TC_METHOD_LIST_TTL_MS, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

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

enum tc_err tc_method_resources_read(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    const struct tc_json *uri = tc_json_get_c(request->params, "uri");

    if (!tc_json_is(uri, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "resources/read needs the uri of a resource, a string.");
    if (!tc_str_starts(tc_json_str(uri), results_scheme))
        return not_found(cx, tc_json_str(uri));
    return read_result(cx, d, tc_json_str(uri), w);
}
