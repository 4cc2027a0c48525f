/*
 * One function a method, found in a table that says in which era it exists.
 */
#include "mcp/server/dialog.h"

#include "base/clock.h"
#include "mcp/server/methods.h"

enum { ERROR_MAX = 1024 * 1024, LEGACY_NOT_FOUND = -32002 };

const struct tc_mcp_revision *tc_dialog_revision(struct tc_str asked)
{
    const struct tc_mcp_revision *revision = tc_mcp_revision_find(asked);

    if (revision && tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return revision;
    return tc_mcp_revision_newest(TC_MCP_HANDSHAKE);
}

bool tc_dialog_is_metadata(const struct tc_dialog *d)
{
    return tc_mcp_revision_has(d->envelope.revision, TC_MCP_REQUEST_META);
}

struct tc_view_key tc_dialog_view_key(const struct tc_dialog *d)
{
    return (struct tc_view_key){.agent = d->agent, .client = true, .answers = tc_envelope_answers(&d->envelope)};
}

bool tc_dialog_core_tasks(const struct tc_dialog *d)
{
    return d->parking && tc_mcp_revision_has(d->envelope.revision, TC_MCP_CORE_TASKS);
}

enum tc_err tc_dialog_keep(struct tc_cx *cx, struct tc_arena *arena, const struct tc_dialog *d,
                           struct tc_principal *principal, struct tc_dialog *ret)
{
    *principal = *d->principal;
    principal->kind = tc_arena_dup(arena, d->principal->kind);
    principal->id = tc_arena_dup(arena, d->principal->id);
    principal->agent = tc_arena_dup(arena, d->principal->agent);
    *ret = *d;
    ret->principal = principal;
    ret->agent = tc_arena_dup(arena, d->agent);
    return principal->kind.p && principal->id.p && principal->agent.p && ret->agent.p ? TC_OK : tc_fail_memory(cx);
}

/* --- errors --- */

static void write_data(struct tc_buf *buf, const struct tc_error *err)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "code", tc_err_info(err->code)->name);
    tc_jsonw_kopt(&w, "hint", err->hint);
    tc_jsonw_kopt(&w, "field", err->field);
    if (err->details.n > 2) /* an object: its members are ours */
        tc_buf_printf(buf, ",%.*s", TC_STR_ARG(tc_str_n(err->details.p + 1, err->details.n - 2)));
    tc_jsonw_end(&w);
}

static int rpc_code(const struct tc_mcp_revision *revision, enum tc_err code)
{
    if (code == TC_E_MCP_RESOURCE_NOT_FOUND && revision && tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return LEGACY_NOT_FOUND;
    return tc_err_info(code)->rpc_code;
}

void tc_dialog_error(struct tc_cx *cx, const struct tc_mcp_revision *revision, struct tc_str id,
                     struct tc_buf *answer)
{
    struct tc_buf data, sentence;

    if (cx->err.code == TC_E_AGENT_NOT_FOUND) /* which others there are is not for clients */
        tc_fail(cx, TC_E_AGENT_NOT_FOUND, "The agent that this client belongs to was removed.");
    tc_buf_init(&data, ERROR_MAX);
    tc_buf_init(&sentence, ERROR_MAX);
    write_data(&data, &cx->err);
    tc_buf_str(&sentence, cx->err.message);
    if (cx->err.hint.n)
        tc_buf_char(&sentence, ' ');
    tc_buf_str(&sentence, cx->err.hint);
    if (!data.failed && !sentence.failed)
        tc_rpc_write_error(answer, id, rpc_code(revision, cx->err.code), tc_buf_get(&sentence), tc_buf_get(&data));
    if (answer->n == 0 || answer->failed) { /* an error without its words would be no answer */
        tc_fail_memory(cx);
        tc_buf_clear(answer);
        tc_rpc_write_error(answer, id, tc_err_info(TC_E_NO_MEMORY)->rpc_code, cx->err.message,
                           TC_STR("{\"code\":\"memory.exhausted\"}"));
    }
    tc_buf_finish(&sentence);
    tc_buf_finish(&data);
}

/* --- requests --- */

enum { HANDSHAKE = 1, METADATA = 2, BOTH = HANDSHAKE | METADATA };

static const struct method {
    const char *name;
    tc_method_fn *fn;
    int eras;
    int act; /* tc_client_act that it is, and one; 0: none */
} methods[] = {
    {"tools/call", tc_method_tools_call, BOTH, 1 + TC_CLIENT_CALLED},
    {"tools/list", tc_method_tools_list, BOTH, 1 + TC_CLIENT_LISTED},
    {"ping", tc_method_ping, HANDSHAKE, 0},
    {"initialize", tc_method_initialize, HANDSHAKE, 1 + TC_CLIENT_CAME},
    {"logging/setLevel", tc_method_set_level, HANDSHAKE, 0},
    {"server/discover", tc_method_discover, METADATA, 1 + TC_CLIENT_CAME},
    {"resources/list", tc_method_resources_list, BOTH, 0},
    {"resources/read", tc_method_resources_read, BOTH, 0},
    {"resources/templates/list", tc_method_templates_list, BOTH, 0},
    {"resources/subscribe", tc_method_subscribe, HANDSHAKE, 0},
    {"resources/unsubscribe", tc_method_unsubscribe, HANDSHAKE, 0},
    {"tasks/get", tc_method_tasks_get, BOTH, 0},
    {"tasks/cancel", tc_method_tasks_cancel, BOTH, 0},
    {"tasks/update", tc_method_tasks_update, METADATA, 0},
    {"tasks/result", tc_method_tasks_result, HANDSHAKE, 0},
    {"tasks/list", tc_method_tasks_list, HANDSHAKE, 0},
    {"prompts/list", tc_method_prompts_list, BOTH, 0},
    {"prompts/get", tc_method_prompts_get, BOTH, 0},
    {"completion/complete", tc_method_complete, BOTH, 0},
};

static const struct method *find(const struct tc_dialog *d, struct tc_str name)
{
    int era = tc_dialog_is_metadata(d) ? METADATA : HANDSHAKE;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (tc_str_is(name, methods[i].name))
            return methods[i].eras & era ? &methods[i] : NULL;
    return NULL;
}

/* For operators to see. What initialize agreed on is not in the envelope yet. */
static void note_client(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request, int act)
{
    static const char info_key[] = "io.modelcontextprotocol/clientInfo";
    const struct tc_json *params = request->params;
    const struct tc_json *info = tc_json_get_c(tc_dialog_is_metadata(d) ? tc_json_get_c(params, "_meta") : params,
                                               tc_dialog_is_metadata(d) ? info_key : "clientInfo");
    const struct tc_mcp_revision *revision =
        act == TC_CLIENT_CAME && !tc_dialog_is_metadata(d)
            ? tc_dialog_revision(tc_json_str(tc_json_get_c(params, "protocolVersion")))
            : d->envelope.revision;
    const struct tc_client_said said = {
        .principal = d->principal,
        .agent = d->agent,
        .protocol = tc_str_of(revision->name),
        .name = info ? tc_json_str(tc_json_get_c(info, "name")) : tc_str_n(NULL, 0),
        .version = tc_json_str(tc_json_get_c(info, "version")),
    };

    tc_clients_hear(&d->runtime->clients, &said, (enum tc_client_act)act, tc_clock_wall_ms(cx->clock));
}

/* While it runs the request can be cancelled by its id. */
static enum tc_err run(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request, tc_method_fn *fn,
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

/* In the handshake era an error is a message like any other. */
static int status_of(const struct tc_dialog *d, enum tc_err code)
{
    if (!tc_dialog_is_metadata(d))
        return 200;
    switch (code) {
    case TC_E_RPC_METHOD:
    case TC_E_MCP_HEADER:
    case TC_E_MCP_VERSION:
    case TC_E_MCP_CAPABILITY:
        return tc_err_info(code)->http_status;
    default:
        return 200;
    }
}

static enum tc_err write_result(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                struct tc_buf *answer)
{
    const struct method *method = find(d, request->method);
    struct tc_jsonw w;
    enum tc_err e;

    if (!method)
        return tc_fail(cx, TC_E_RPC_METHOD, "The method \"%.*s\" is not known here.", TC_STR_ARG(request->method));
    tc_rpc_open_result(&w, answer, request->id);
    e = run(cx, d, request, method->fn, &w);
    if (e)
        return e;
    if (method->act)
        note_client(cx, d, request, method->act - 1);
    tc_jsonw_end(&w);
    return answer->failed ? tc_fail_memory(cx) : TC_OK;
}

int tc_dialog_answer(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request, struct tc_buf *answer)
{
    enum tc_err e = write_result(cx, d, request, answer);

    if (!e)
        return 200;
    tc_buf_clear(answer);
    tc_dialog_error(cx, d->envelope.revision, request->id, answer);
    return status_of(d, e);
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
