/*
 * Built-ins run in this task with the services of their workspace; a source runs
 * wherever it is. Both end as a raw CallToolResult.
 */
#include "runtime/execute.h"

#include "base/utf8.h"
#include "runtime/asking.h"
#include "runtime/builtins.h"
#include "runtime/call.h"
#include "runtime/output.h"
#include "runtime/plan.h"
#include "runtime/reply.h"
#include "runtime/result.h"
#include "runtime/sandbox.h"
#include "runtime/servers.h"
#include "runtime/workspaces.h"
#include "toolcrib/jsonw.h"
#include "toolcrib/run.h"

bool tc_execute_recoverable(enum tc_err code)
{
    switch (code) {
    case TC_E_INTERNAL:
    case TC_E_NO_MEMORY:
    case TC_E_IO:
    case TC_E_STORE_FAILED:
    case TC_E_STORE_BROKEN:
    case TC_E_STORE_LOCKED:
    case TC_E_STORE_CONFLICT:
    case TC_E_STORE_EXISTS:
    case TC_E_STORE_NOT_FOUND:
    case TC_E_SHUTDOWN:
    case TC_E_CANCELED:
    case TC_E_BUSY:
    case TC_E_AUTH_ENDED:
        return false;
    default:
        return true;
    }
}

enum tc_err tc_execute_failed(struct tc_cx *cx, struct tc_execution *ret)
{
    struct tc_error fault = cx->err;
    struct tc_str text = fault.message, structured;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    if (fault.hint.n)
        text = tc_arena_printf(cx->arena, "%.*s\n%.*s", TC_STR_ARG(fault.message), TC_STR_ARG(fault.hint));
    tc_buf_init(&buf, 16 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "code", tc_err_info(fault.code)->name);
    tc_jsonw_kstr(&w, "message", fault.message);
    tc_jsonw_kopt(&w, "hint", fault.hint);
    tc_jsonw_kopt(&w, "field", fault.field);
    if (fault.details.n) {
        tc_jsonw_key(&w, "details");
        tc_jsonw_raw(&w, fault.details);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    structured = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!text.p || !structured.p)
        return tc_fail_memory(cx);
    e = tc_result_of_text(cx, text, structured, true, &ret->raw);
    if (e)
        return e;
    ret->is_error = true;
    ret->code = fault.code;
    ret->unknown = fault.code == TC_E_MCP_OUTCOME_UNKNOWN;
    tc_fail_clear(cx);
    return TC_OK;
}

/* --- built-in --- */

static struct tc_str name_of(void *arg, struct tc_str tool_id)
{
    const struct tc_view_tool *tool = tc_view_find_id(arg, tool_id);

    return tool ? tool->name : TC_STR("");
}

struct secret_arg {
    struct tc_runtime *runtime;
    const struct tc_tool *tool;
};

static enum tc_err read_secret(struct tc_cx *cx, void *arg, const char *name, struct tc_str *ret)
{
    const struct secret_arg *of = arg;

    return tc_builtins_secret(cx, of->runtime, of->tool, name, ret);
}

static void put_change(struct tc_jsonw *w, const struct tc_file_change *change)
{
    tc_jsonw_kstr(w, "path", change->path);
    tc_jsonw_kopt(w, "sha256", change->sha256);
    if (change->removed)
        tc_jsonw_kbool(w, "removed", true);
}

static void put_changes(struct tc_jsonw *w, const struct tc_call *call)
{
    tc_jsonw_key(w, "files");
    tc_jsonw_array(w);
    for (size_t i = 0; i < call->changes_n; i++) {
        tc_jsonw_object(w);
        put_change(w, &call->changes[i]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    if (call->more_changes)
        tc_jsonw_kbool(w, "more", true);
}

static enum tc_err effect_text(struct tc_cx *cx, const struct tc_call *call, struct tc_str *ret)
{
    static const char *const kinds[] = {"none",         "file_written", "file_patched",  "plan_updated",
                                        "tools_loaded", "committed",    "run_finished",  "task_returned",
                                        "files_changed"};
    struct tc_buf buf;
    struct tc_jsonw w;

    *ret = TC_STR("");
    if (call->effect == TC_EFFECT_NONE)
        return TC_OK;
    tc_buf_init(&buf, 16 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "kind", kinds[call->effect]);
    tc_jsonw_kopt(&w, "path", call->subject);
    if (call->effect == TC_EFFECT_FILES_CHANGED)
        put_changes(&w, call);
    else if (call->changes_n)
        put_change(&w, &call->changes[0]);
    tc_jsonw_end(&w);
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err run_builtin(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                               struct tc_discovery_service *tools, const struct tc_descriptor *tool,
                               const struct tc_json *arguments, struct tc_execution *ret)
{
    const struct tc_view *view = tools->view;
    struct tc_asking_service asking;
    struct tc_sandbox_service sandbox = {runtime->sandbox, NULL};
    struct secret_arg secrets = {runtime, tool->builtin};
    struct tc_plan_service plan;
    struct tc_call call;
    struct tc_str text;
    enum tc_err e;

    tc_call_init(&call, cx->arena, arguments);
    call.secret = read_secret;
    call.secret_arg = &secrets;
    call.name_of = name_of;
    call.name_arg = (void *)view;
    call.run = invocation->service;
    if (tc_asking_service_init(&asking, invocation->service, invocation->caller, invocation->answers))
        call.asking = &asking;
    call.discovery = tools;
    e = tc_workspaces_open(cx, runtime->workspaces, invocation, view->agent, &call.workspace);
    if (e == TC_E_NO_MEMORY || tc_task_check(cx)) {
        tc_call_finish(&call);
        return cx->err.code;
    }
    if (e) { /* a tool that needs none runs all the same */
        call.workspace = NULL;
        call.workspace_fault = cx->err.message;
        tc_fail_clear(cx);
    } else {
        tc_plan_service_init(&plan, call.workspace->workspace);
        call.plan = &plan;
        sandbox.workspace = call.workspace->workspace;
        call.sandbox = runtime->sandbox ? &sandbox : NULL;
    }
    if (invocation->service) {
        tc_plan_service_init(&plan, NULL);
        call.plan = &plan;
    }
    e = tc_tool_config_read(cx, runtime->settings, tool->builtin, &call.config);
    if (!e)
        e = tool->builtin->run(cx, &call);
    if (!e) {
        text = tc_utf8_cleaned(cx->arena, tc_buf_get(&call.text));
        e = text.p && !call.text.failed ? tc_result_of_text(cx, text, call.structured, call.error != TC_OK, &ret->raw)
                                        : tc_fail_memory(cx);
    }
    if (!e)
        e = effect_text(cx, &call, &ret->effect);
    if (!e) {
        ret->kind = call.effect;
        ret->body_changed = tc_call_has_changed(&call, TC_STR(TC_RUN_BODY));
        ret->code = call.error;
        ret->is_error = call.error != TC_OK;
    }
    ret->resources = call.resources;
    ret->resources_n = call.resources_n;
    tc_call_finish(&call);
    return e;
}

/* --- sources --- */

static enum tc_err from_reply(struct tc_cx *cx, const struct tc_descriptor *tool, const struct tc_source_reply *reply,
                              struct tc_execution *ret)
{
    switch (reply->outcome) {
    case TC_OUTCOME_RESULT:
        ret->raw = reply->result;
        ret->is_error = tc_json_bool(tc_json_get_c(reply->result, "isError"), false);
        if (!ret->is_error)
            return tc_output_check(cx, tool, reply->result, &ret->raw, &ret->code);
        ret->code = TC_E_MCP_TOOL_ERROR;
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        if (tc_reply_needs(cx, reply))
            return cx->err.code;
        tc_fail(cx, TC_E_MCP_SERVER_ERROR, "The server answered with error %d: %.*s", reply->rpc_code,
                TC_STR_ARG(reply->message));
        if (reply->data)
            tc_fail_hint(cx, "Details: %.*s", TC_STR_ARG(tc_json_text(cx->arena, reply->data)));
        return TC_E_MCP_SERVER_ERROR;
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The tool ran, but its answer is not a result: %.*s",
                       TC_STR_ARG(reply->message));
    case TC_OUTCOME_NOT_SENT:
        if (reply->code == TC_E_MCP_LOGIN_REQUIRED || reply->code == TC_E_MCP_AUTHORIZATION) {
            tc_fail(cx, reply->code, "Nothing ran: %.*s", TC_STR_ARG(reply->message));
            return reply->hint.n ? tc_fail_hint(cx, "%.*s", TC_STR_ARG(reply->hint)) : reply->code;
        }
        tc_fail(cx, TC_E_MCP_NOT_SENT, "The call was not sent, so nothing ran: %.*s", TC_STR_ARG(reply->message));
        return tc_fail_hint(cx, "It may be tried again later.");
    case TC_OUTCOME_UNKNOWN:
        break;
    }
    tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN, "It is not known whether this call took effect: %.*s",
            TC_STR_ARG(reply->message));
    return tc_fail_hint(cx, "Check the state before repeating it.");
}

static enum tc_err run_source(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                              const struct tc_call_request *request, const struct tc_descriptor *tool,
                              const struct tc_json *arguments, struct tc_execution *ret)
{
    struct tc_source_call call = {
        .tool = tool->parts.native,
        .arguments = arguments,
        .meta = request->meta,
        .caller = invocation->caller,
        .identity = invocation->agent,
        .timeout_ms = request->timeout_ms,
    };
    struct tc_source_reply reply;
    enum tc_err e = tc_servers_call(cx, runtime->servers, tool->parts.subject, &call, &reply);

    return e ? e : from_reply(cx, tool, &reply, ret);
}

enum tc_err tc_execute(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                       const struct tc_call_request *request, struct tc_discovery_service *tools,
                       const struct tc_descriptor *tool, const struct tc_json *arguments, struct tc_execution *ret)
{
    *ret = (struct tc_execution){.effect = TC_STR("")};
    if (tool->builtin)
        return run_builtin(cx, runtime, invocation, tools, tool, arguments, ret);
    if (tool->parts.provider == TC_PROVIDER_MCP)
        return run_source(cx, runtime, invocation, request, tool, arguments, ret);
    return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "Nothing here can run this tool.");
}
