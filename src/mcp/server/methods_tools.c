/*
 * tools/list and tools/call.
 */
#include "json/edit.h"
#include "mcp/server/methods.h"
#include "mcp/server/mirror.h"
#include "mcp/server/pages.h"
#include "runtime/discovery.h"

/* What a client is offered: all of its view, or those at these positions. */
struct listing {
    const struct tc_view *view;
    size_t *positions; /* NULL: all */
    size_t n;
};

static enum tc_err list_tools(struct tc_cx *cx, const struct tc_dialog *d, struct listing *ret)
{
    struct tc_view_key key = tc_dialog_view_key(d);
    bool *offered = NULL;
    enum tc_err e = tc_view_borrow(cx, d->runtime->views, &key, &ret->view);

    if (!e)
        e = tc_discovery_client(cx, d->runtime->discovery, d->principal, ret->view, &offered);
    if (e)
        return e;
    ret->positions = NULL;
    ret->n = ret->view->n;
    return offered ? tc_discovery_positions(cx, ret->view, offered, &ret->positions, &ret->n) : TC_OK;
}

/* Any call may be run as a task; where the revision's core has them, each tool says so. */
static void write_each(struct tc_jsonw *w, const struct listing *list, size_t from, bool tasks)
{
    tc_jsonw_array(w);
    for (size_t i = from; i < list->n && i - from < TC_METHOD_PAGE; i++) {
        struct tc_str text = tc_view_text(list->view, list->positions ? list->positions[i] : i);
        tc_jsonw_raw(w, tc_str_n(text.p, text.n - tasks));
        if (tasks)
            tc_buf_str(w->buf, TC_STR(",\"execution\":{\"taskSupport\":\"optional\"}}"));
    }
    tc_jsonw_end(w);
}

static enum tc_err write_tools(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_view *view, size_t from)
{
    struct tc_str slice = tc_view_slice(cx->arena, view, from, TC_METHOD_PAGE);

    if (!slice.p)
        return tc_fail_memory(cx);
    tc_jsonw_raw(w, slice);
    return TC_OK;
}

enum tc_err tc_method_tools_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    struct listing list;
    size_t from;
    enum tc_err e = list_tools(cx, d, &list);

    if (!e)
        e = tc_method_cursor(cx, request->params, list.n, &from);
    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "tools");
    if (list.positions || tc_dialog_core_tasks(d))
        write_each(w, &list, from, tc_dialog_core_tasks(d));
    else if (write_tools(cx, w, list.view, from))
        return cx->err.code;
    tc_method_next(w, from, list.n);
    tc_method_cache(w, d, TC_METHOD_LIST_TTL_MS, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

/* --- calls --- */

/* Looked at only where some tool asks for such fields. */
enum tc_err tc_dialog_check_mirror(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_header_list headers)
{
    struct tc_view_key key = tc_dialog_view_key(d);
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

/* The error of a result as the failure in cx: the client is told so as by the server itself. */
static enum tc_err as_failure(struct tc_cx *cx, const struct tc_call_result *result)
{
    enum tc_err code = tc_err_find(result->error_code);
    const struct tc_json *root, *error;
    struct tc_str details;
    enum tc_err e = tc_json_parse_root(cx, result->structured, NULL, &root);

    if (e)
        return e;
    error = tc_json_get_c(root, "error");
    details = tc_json_text(cx->arena, tc_json_get_c(error, "details"));
    if (!details.p)
        return tc_fail_memory(cx);
    tc_fail(cx, code, "%.*s", TC_STR_ARG(tc_json_str(tc_json_get_c(error, "message"))));
    return tc_fail_details(cx, details);
}

/* The UUID of the tool's MCP server; empty for other tools. */
static struct tc_str server_of(struct tc_str tool_id)
{
    struct tc_str rest = tc_str_from(tool_id, 4), uuid;

    return tc_str_starts(tool_id, TC_STR("mcp/")) && tc_str_split(&rest, ':', &uuid) ? uuid : TC_STR("");
}

/* Clients hold structured content against the output schema, also that of errors. What
 * a tool puts into its own is the tool's affair; ours would not fit, and goes into _meta. */
static bool has_structured(const struct tc_dialog *d, const struct tc_call_result *result)
{
    const struct tc_catalog *catalog = tc_registry_get(d->runtime->registry).catalog;
    size_t at;

    if (!result->structured.n || !result->is_error || tc_str_is(result->error_code, "mcp.tool_error"))
        return result->structured.n > 0;
    at = tc_catalog_find(catalog, result->tool_id);
    return at == SIZE_MAX || !catalog->tools[at]->output_schema;
}

/* _meta with the error that has no other place. p is NULL without memory. */
static struct tc_str meta_with_error(struct tc_cx *cx, const struct tc_call_result *result)
{
    struct tc_str path[] = {TC_STR("toolcrib/error")};
    const struct tc_json *structured, *meta = NULL;

    if (tc_json_parse_root(cx, result->structured, NULL, &structured) ||
        (result->meta.n && tc_json_parse_root(cx, result->meta, NULL, &meta)))
        return tc_str_n(NULL, 0);
    return tc_json_edited(cx->arena, meta, path, 1,
                          tc_json_text(cx->arena, tc_json_get_c(structured, "error")));
}

static enum tc_err write_result(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                const struct tc_call_result *result)
{
    struct tc_content_rules rules = {.revision = d->envelope.revision};
    struct tc_str meta = result->meta;
    enum tc_err e = tc_method_links(cx, d, server_of(result->tool_id), &rules);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, "content");
    e = tc_mcp_content_write(cx, w, result->content, &rules);
    if (has_structured(d, result)) {
        tc_jsonw_key(w, "structuredContent");
        tc_jsonw_raw(w, result->structured);
    } else if (result->structured.n) {
        meta = meta_with_error(cx, result);
        if (!meta.p)
            return tc_fail_memory(cx);
    }
    if (result->is_error)
        tc_jsonw_kbool(w, "isError", true);
    return e ? e : tc_method_close(cx, w, d, meta);
}

/* What the error names is for clients that can do something about it. */
static enum tc_err hide_details(struct tc_cx *cx, struct tc_call_result *result)
{
    struct tc_str path[] = {TC_STR("error"), TC_STR("details")};
    const struct tc_json *structured;
    enum tc_err e = tc_json_parse_root(cx, result->structured, NULL, &structured);

    if (e)
        return e;
    result->structured = tc_json_edited(cx->arena, structured, path, 2, TC_STR(""));
    return result->structured.p ? TC_OK : tc_fail_memory(cx);
}

static bool concerns_client(const struct tc_dialog *d, const struct tc_call_result *result)
{
    return tc_str_is(result->error_code, "mcp.page_required") ||
           (tc_dialog_is_metadata(d) && tc_str_is(result->error_code, "mcp.capability_missing"));
}

/* Calls, and again each time when the client has opened pages for it. */
static enum tc_err call_tool(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_call_request *call,
                             struct tc_call_result *ret)
{
    struct tc_invocation invocation = tc_method_invocation(d);

    for (unsigned round = 0;; round++) {
        enum tc_err e = tc_pipeline_call(cx, d->runtime, &invocation, call, ret);
        if (e || !concerns_client(d, ret))
            return e;
        e = as_failure(cx, ret);
        if (e == TC_E_MCP_PAGE)
            e = tc_pages_open(cx, d, round);
        if (e == TC_E_MCP_SERVER_ERROR) { /* a result like others, then */
            tc_fail_clear(cx);
            return hide_details(cx, ret);
        }
        if (e)
            return e;
    }
}

enum tc_err tc_method_tools_call(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    const struct tc_json *name = tc_json_get_c(request->params, "name");
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
        e = call_tool(cx, d, &call, &result);
    return e ? e : write_result(cx, d, w, &result);
}
