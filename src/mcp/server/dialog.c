/*
 * One function a method, found in a table.
 */
#include "mcp/server/dialog.h"

#include "mcp/server/content.h"
#include "ports/store_audit.h"
#include "toolcrib/jsonw.h"

enum { PAGE = 1000 };

typedef enum tc_err method_fn(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                              struct tc_jsonw *w);

const struct tc_mcp_revision *tc_dialog_revision(struct tc_str asked)
{
    const struct tc_mcp_revision *revision = tc_mcp_revision_find(asked);

    if (revision && tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return revision;
    return tc_mcp_revision_newest(TC_MCP_HANDSHAKE);
}

bool tc_dialog_answers(const struct tc_json *params)
{
    return tc_json_is(tc_json_get_c(tc_json_get_c(params, "capabilities"), "elicitation"), TC_JSON_OBJECT);
}

void tc_dialog_error(struct tc_cx *cx, struct tc_str id, struct tc_buf *answer)
{
    const struct tc_err_info *info = tc_err_info(cx->err.code);
    struct tc_buf buf, sentence;
    struct tc_jsonw w;

    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "code", info->name);
    tc_jsonw_kopt(&w, "hint", cx->err.hint);
    tc_jsonw_kopt(&w, "field", cx->err.field);
    tc_jsonw_end(&w);
    tc_buf_init(&sentence, 1024 * 1024);
    tc_buf_str(&sentence, cx->err.message);
    if (cx->err.hint.n)
        tc_buf_char(&sentence, ' ');
    tc_buf_str(&sentence, cx->err.hint);
    if (!buf.failed && !sentence.failed)
        tc_rpc_write_error(answer, id, info->rpc_code, tc_buf_get(&sentence), tc_buf_get(&buf));
    else if (tc_fail_memory(cx)) /* an error without its words would be no answer */
        tc_rpc_write_error(answer, id, tc_err_info(TC_E_NO_MEMORY)->rpc_code, cx->err.message,
                           TC_STR("{\"code\":\"memory.exhausted\"}"));
    tc_buf_finish(&sentence);
    tc_buf_finish(&buf);
}

/* --- methods --- */

static enum tc_err do_initialize(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    const struct tc_mcp_revision *revision =
        tc_dialog_revision(tc_json_str(tc_json_get_c(request->params, "protocolVersion")));

    (void)cx, (void)d;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "protocolVersion", revision->name);
    tc_jsonw_key(w, "capabilities");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "tools");
    tc_jsonw_object(w);
    tc_jsonw_kbool(w, "listChanged", true);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "resources");
    tc_jsonw_object(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "serverInfo");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "name", "toolcrib");
    if (tc_mcp_revision_has(revision, TC_MCP_TITLES))
        tc_jsonw_kcstr(w, "title", "Toolcrib");
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err do_ping(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                           struct tc_jsonw *w)
{
    (void)cx, (void)d, (void)request;
    tc_jsonw_object(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static bool answers(const struct tc_dialog *d)
{
    return d->session && d->session->answers;
}

/* A cursor is where the page begins; one that is not ours is refused. */
static enum tc_err read_cursor(struct tc_cx *cx, const struct tc_json *params, size_t n, size_t *ret_from)
{
    const struct tc_json *cursor = tc_json_get_c(params, "cursor");
    int64_t from;

    *ret_from = 0;
    if (!cursor)
        return TC_OK;
    if (!tc_json_is(cursor, TC_JSON_STRING) || !tc_str_int(tc_json_str(cursor), &from) || from < 1 ||
        (uint64_t)from >= n)
        return tc_fail(cx, TC_E_RPC_PARAMS, "This cursor is not one that was given out.");
    *ret_from = (size_t)from;
    return TC_OK;
}

static enum tc_err do_tools_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    struct tc_view_key key = {.agent = d->agent, .client = true, .answers = answers(d)};
    const struct tc_view *view;
    struct tc_str slice;
    size_t from;
    enum tc_err e = tc_view_borrow(cx, d->runtime->views, &key, &view);

    if (!e)
        e = read_cursor(cx, request->params, view->n, &from);
    if (e)
        return e;
    slice = tc_view_slice(cx->arena, view, from, PAGE);
    if (!slice.p)
        return tc_fail_memory(cx);
    tc_jsonw_object(w);
    tc_jsonw_key(w, "tools");
    tc_jsonw_raw(w, slice);
    if (from + PAGE < view->n) {
        tc_jsonw_key(w, "nextCursor");
        tc_jsonw_printf(w, "%zu", from + PAGE);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_result(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                const struct tc_call_result *result)
{
    enum tc_err e;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "content");
    e = tc_mcp_content_write(cx, w, result->content, d->session ? d->session->revision : NULL);
    if (result->structured.n) {
        tc_jsonw_key(w, "structuredContent");
        tc_jsonw_raw(w, result->structured);
    }
    if (result->is_error)
        tc_jsonw_kbool(w, "isError", true);
    if (result->meta.n) {
        tc_jsonw_key(w, "_meta");
        tc_jsonw_raw(w, result->meta);
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err do_tools_call(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    const struct tc_json *name = tc_json_get_c(request->params, "name");
    struct tc_invocation invocation = {
        .surface = "mcp",
        .principal = *d->principal,
        .agent = d->agent,
        .answers = answers(d),
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
    e = tc_pipeline_call(cx, d->runtime, &invocation, &call, &result);
    return e ? e : write_result(cx, d, w, &result);
}

static enum tc_err do_resources_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    (void)cx, (void)d;
    tc_jsonw_object(w);
    tc_jsonw_key(w, tc_str_is(request->method, "resources/list") ? "resources" : "resourceTemplates");
    tc_jsonw_array(w);
    if (tc_str_is(request->method, "resources/templates/list")) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "uriTemplate", "toolcrib://results/{id}");
        tc_jsonw_kcstr(w, "name", "Stored result");
        tc_jsonw_kcstr(w, "description", "The whole text of a result that was shortened.");
        tc_jsonw_kcstr(w, "mimeType", "text/plain");
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err do_resources_read(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    static const struct tc_str scheme = TC_STR_INIT("toolcrib://results/");
    struct tc_str uri = tc_json_str(tc_json_get_c(request->params, "uri"));
    struct tc_stored_result stored;
    enum tc_err e;

    if (!tc_str_starts(uri, scheme))
        e = tc_fail(cx, TC_E_RESULT_NOT_FOUND, "There is no resource \"%.*s\".", TC_STR_ARG(uri));
    else
        e = tc_pipeline_stored(cx, d->runtime, d->principal, d->agent, tc_str_from(uri, scheme.n), &stored);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_key(w, "contents");
    tc_jsonw_array(w);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "uri", uri);
    tc_jsonw_kcstr(w, "mimeType", stored.mime);
    tc_jsonw_kstr(w, "text", stored.text);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static const struct {
    const char *name;
    method_fn *fn;
} methods[] = {
    {"initialize", do_initialize},
    {"ping", do_ping},
    {"tools/call", do_tools_call},
    {"tools/list", do_tools_list},
    {"resources/list", do_resources_list},
    {"resources/read", do_resources_read},
    {"resources/templates/list", do_resources_list},
};

static method_fn *find(struct tc_str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (tc_str_is(name, methods[i].name))
            return methods[i].fn;
    return NULL;
}

/* While it runs the request can be cancelled by its id. */
static enum tc_err run(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request, method_fn *fn,
                       struct tc_jsonw *w)
{
    struct tc_map *requests = d->session ? &d->session->requests : NULL;
    enum tc_err e;

    if (requests && tc_map_get(requests, request->id))
        return tc_fail(cx, TC_E_RPC_INVALID, "A request with this id is under way already.");
    if (requests && !tc_map_put(requests, request->id, cx->task))
        return tc_fail_memory(cx);
    e = fn(cx, d, request, w);
    if (requests)
        tc_map_remove(requests, request->id);
    return e;
}

enum tc_err tc_dialog_answer(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                             struct tc_buf *answer)
{
    method_fn *fn = find(request->method);
    struct tc_jsonw w;
    enum tc_err e;

    tc_rpc_open_result(&w, answer, request->id);
    if (!fn)
        e = tc_fail(cx, TC_E_RPC_METHOD, "The method \"%.*s\" is not known here.", TC_STR_ARG(request->method));
    else
        e = run(cx, d, request, fn, &w);
    if (e) {
        tc_buf_clear(answer);
        tc_dialog_error(cx, request->id, answer);
    } else {
        tc_jsonw_end(&w);
    }
    return answer->failed ? tc_fail_memory(cx) : TC_OK;
}

void tc_dialog_notice(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *notification)
{
    const struct tc_json *id = tc_json_get_c(notification->params, "requestId");
    struct tc_str text;
    struct tc_task *task;

    if (!d->session || !id || !tc_str_is(notification->method, "notifications/cancelled"))
        return;
    text = tc_json_text(cx->arena, id);
    task = text.p ? tc_map_get(&d->session->requests, text) : NULL;
    if (task)
        tc_task_cancel(task, TC_E_CANCELED);
}
