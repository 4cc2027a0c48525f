/*
 * tools/list and tools/call.
 */
#include "mcp/server/content.h"
#include "mcp/server/methods.h"
#include "mcp/server/mirror.h"

enum { META_MAX = 1024 * 1024 };

enum tc_err tc_method_tools_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    struct tc_view_key key = {.agent = d->agent, .client = true, .answers = tc_envelope_answers(&d->envelope)};
    const struct tc_view *view;
    struct tc_str slice;
    size_t from;
    enum tc_err e = tc_view_borrow(cx, d->runtime->views, &key, &view);

    if (!e)
        e = tc_method_cursor(cx, request->params, view->n, &from);
    if (e)
        return e;
    slice = tc_view_slice(cx->arena, view, from, TC_METHOD_PAGE);
    if (!slice.p)
        return tc_fail_memory(cx);
    tc_method_open(w, d);
    tc_jsonw_key(w, "tools");
    tc_jsonw_raw(w, slice);
    tc_method_next(w, from, view->n);
    tc_method_cache(w, d, TC_METHOD_LIST_TTL_MS, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

/* --- calls --- */

/* Looked at only where some tool asks for such fields. */
enum tc_err tc_dialog_check_mirror(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_header_list headers)
{
    struct tc_view_key key = {.agent = d->agent, .client = true, .answers = tc_envelope_answers(&d->envelope)};
    const struct tc_view_tool *tool;
    const struct tc_view *view;
    enum tc_err e;

    if (!tc_registry_get(d->runtime->registry).catalog->mirrored || !tc_str_is(request->method, "tools/call"))
        return TC_OK;
    e = tc_view_borrow(cx, d->runtime->views, &key, &view);
    if (e)
        return e;
    tool = tc_view_find(view, tc_json_str(tc_json_get_c(request->params, "name")));
    if (!tool || !tool->tool->mirrored)
        return TC_OK;
    return tc_mirror_check_arguments(cx, headers, tool->tool->input_schema,
                                     tc_json_get_c(request->params, "arguments"));
}

static bool is_private(struct tc_str key)
{
    return tc_str_is(key, "progressToken") || tc_str_starts(key, TC_STR("io.modelcontextprotocol/"));
}

/* The caller's _meta without what is between it and us; NULL when nothing is left. */
enum tc_err tc_method_meta(struct tc_cx *cx, const struct tc_json *params, const struct tc_json **ret)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(params, "_meta"));
    const struct tc_json *value;
    struct tc_str key, text;
    struct tc_buf buf;
    struct tc_jsonw w;
    size_t n = 0;

    *ret = NULL;
    if (!it.object)
        return TC_OK;
    tc_buf_init(&buf, META_MAX);
    tc_jsonw_init(&w, &buf);
    while (tc_json_next(&it, &key, &value)) {
        if (is_private(key))
            continue;
        if (n++ == 0)
            tc_jsonw_object(&w);
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, value);
    }
    if (n == 0)
        return TC_OK;
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p ? tc_json_parse_root(cx, text, NULL, ret) : tc_fail_memory(cx);
}

/* A client that could have declared what was missing is told so as an error. */
static enum tc_err missing_capability(struct tc_cx *cx, const struct tc_call_result *result)
{
    const struct tc_json *root, *error;
    struct tc_str details;
    enum tc_err e = tc_json_parse_root(cx, result->structured, NULL, &root);

    if (e)
        return e;
    error = tc_json_get_c(root, "error");
    details = tc_json_text(cx->arena, tc_json_get_c(error, "details"));
    if (!details.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_MCP_CAPABILITY, "%.*s", TC_STR_ARG(tc_json_str(tc_json_get_c(error, "message"))));
    return tc_fail_details(cx, details);
}

static enum tc_err write_result(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                const struct tc_call_result *result)
{
    enum tc_err e;

    tc_method_open(w, d);
    tc_jsonw_key(w, "content");
    e = tc_mcp_content_write(cx, w, result->content, d->envelope.revision);
    if (result->structured.n) {
        tc_jsonw_key(w, "structuredContent");
        tc_jsonw_raw(w, result->structured);
    }
    if (result->is_error)
        tc_jsonw_kbool(w, "isError", true);
    return e ? e : tc_method_close(cx, w, d, result->meta);
}

enum tc_err tc_method_tools_call(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    const struct tc_json *name = tc_json_get_c(request->params, "name");
    struct tc_invocation invocation = {
        .surface = "mcp",
        .principal = *d->principal,
        .agent = d->agent,
        .answers = tc_envelope_answers(&d->envelope),
        .caller = d->caller,
    };
    struct tc_call_request call = {
        .name = tc_json_str(name),
        .arguments = tc_json_get_c(request->params, "arguments"),
    };
    struct tc_call_result result;
    enum tc_err e;

    if (!tc_json_is(name, TC_JSON_STRING) || call.name.n == 0)
        return tc_fail(cx, TC_E_RPC_PARAMS, "tools/call needs the name of a tool, a string.");
    e = tc_method_meta(cx, request->params, &call.meta);
    if (!e)
        e = tc_pipeline_call(cx, d->runtime, &invocation, &call, &result);
    if (e)
        return e;
    if (tc_dialog_is_metadata(d) && tc_str_is(result.error_code, "mcp.capability_missing"))
        return missing_capability(cx, &result);
    return write_result(cx, d, w, &result);
}
