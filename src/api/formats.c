/*
 * Tools and calls in the shapes of providers. The shapes themselves are the models' (the
 * port); here is what governs them: the view, its projected schemas, the pipeline.
 *
 * Once a call has run its result is never lost: what goes wrong behind it is told in the
 * place of a result.
 */
#include "api/formats.h"

#include "runtime/said.h"

enum { CALL_ID_MAX = 256 };

/* --- the list --- */

static enum tc_err find_caps(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                             struct tc_model_caps *ret_caps)
{
    struct tc_models *models = call->runtime->models;
    struct tc_model_target target = {.provider = provider};
    enum tc_err e;

    if (models)
        e = models->ops->caps(cx, models, &target, TC_STR(""), ret_caps);
    else
        e = tc_fail(cx, TC_E_CHANNEL_PROVIDER, "There are no providers here.");
    if (e != TC_E_CHANNEL_PROVIDER)
        return e;
    tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The format \"%.*s\" is not offered.", TC_STR_ARG(provider));
    return tc_fail_hint(cx, "Use mcp, openai, responses, anthropic or gemini, or the name of a provider.");
}

/* Each schema as the list has it: with the agent's own words. */
static enum tc_err project(struct tc_cx *cx, const struct tc_api_tools *tools, enum tc_schema_provider provider,
                           struct tc_model_tool *projected, struct tc_schema_projection *projections)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < tools->n && !e; i++) {
        const struct tc_view_tool *tool = &tools->view->tools[tools->positions[i]];
        const struct tc_json *listed;
        e = tc_json_parse_root(cx, tc_view_text(tools->view, tools->positions[i]), NULL, &listed);
        if (!e)
            e = tc_schema_project(cx, tc_json_get_c(listed, "inputSchema"), provider, &projections[i]);
        projected[i] = (struct tc_model_tool){
            .name = tool->name, .description = tool->description, .schema = projections[i].schema};
    }
    return e;
}

enum tc_err tc_api_format_tools(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                                const struct tc_api_tools *tools, struct tc_api_format *ret_format)
{
    struct tc_models *models = call->runtime->models;
    struct tc_model_tool *projected = TC_ARENA_NEW_N(cx->arena, struct tc_model_tool, tools->n + 1);
    struct tc_schema_projection *projections = TC_ARENA_NEW_N(cx->arena, struct tc_schema_projection, tools->n + 1);
    struct tc_model_caps caps;
    struct tc_str json;
    enum tc_err e = projected && projections ? find_caps(cx, call, provider, &caps) : tc_fail_memory(cx);

    if (!e)
        e = project(cx, tools, caps.schema, projected, projections);
    if (!e)
        e = models->ops->tools(cx, models, provider, projected, tools->n, &json);
    if (!e)
        *ret_format = (struct tc_api_format){json, projections, caps.tools_max};
    return e;
}

static void write_loss(struct tc_jsonw *w, const struct tc_schema_loss *loss, struct tc_str id)
{
    struct tc_str at = loss->pointer.n ? loss->pointer : TC_STR("/");

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "code", "schema.projected");
    tc_jsonw_key(w, "message");
    if (loss->keyword.n)
        tc_jsonw_printf(w, "%.*s at %.*s: %.*s.", TC_STR_ARG(loss->keyword), TC_STR_ARG(at), TC_STR_ARG(loss->action));
    else
        tc_jsonw_printf(w, "%.*s: %.*s.", TC_STR_ARG(at), TC_STR_ARG(loss->action));
    tc_jsonw_kstr(w, "toolId", id);
    tc_jsonw_end(w);
}

void tc_api_format_diagnostics(struct tc_jsonw *w, const struct tc_api_format *format,
                               const struct tc_api_tools *tools)
{
    if (format->tools_max > 0 && tools->n > (size_t)format->tools_max) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "code", "tools.over_provider_limit");
        tc_jsonw_key(w, "message");
        tc_jsonw_printf(w, "The provider takes %d tools a request, and there are %zu.", format->tools_max, tools->n);
        tc_jsonw_kcstr(w, "toolId", "");
        tc_jsonw_end(w);
    }
    for (size_t i = 0; i < tools->n; i++)
        for (size_t k = 0; k < format->projections[i].losses_n; k++)
            write_loss(w, &format->projections[i].losses[k], tools->view->tools[tools->positions[i]].tool->id);
}

/* --- calls --- */

struct answered {
    const struct tc_item *item;
    struct tc_str call_id, tool_id, error_code;
    struct tc_part part;  /* the result */
};

/* What stands in the place of a result, from the failure recorded last. */
static enum tc_err answer_failure(struct tc_cx *cx, struct answered *answered)
{
    struct tc_error failure = cx->err;

    answered->error_code = tc_str_of(tc_err_info(failure.code)->name);
    answered->part = (struct tc_part){.kind = TC_PART_RESULT, .is_error = true};
    answered->part.text = failure.hint.n ? tc_arena_printf(cx->arena, "%.*s\n%.*s", TC_STR_ARG(failure.message),
                                                           TC_STR_ARG(failure.hint))
                                         : failure.message;
    if (!answered->part.text.p)
        return tc_fail_memory(cx);
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err arguments_of(struct tc_cx *cx, const struct tc_view *view, const struct tc_model_caps *caps,
                                const struct tc_item *item, const struct tc_json **ret_arguments)
{
    const struct tc_view_tool *tool = tc_view_find(view, item->name);
    struct tc_schema_projection projection;
    enum tc_err e = tool ? tc_schema_project(cx, tool->tool->input_schema, caps->schema, &projection) : TC_OK;

    return e ? e : tc_said_arguments(cx, item, tool ? &projection : NULL, ret_arguments);
}

static enum tc_err run_call(struct tc_cx *cx, struct tc_api_call *call, const struct tc_model_caps *caps,
                            struct answered *answered)
{
    const struct tc_item *item = answered->item;
    struct tc_invocation invocation = {.surface = "rest", .principal = *call->principal, .agent = call->agent};
    struct tc_view_key key = {.agent = call->agent, .client = true};
    struct tc_call_request request = {.name = item->name, .snapshot = tc_api_query(cx, call, "snapshot")};
    struct tc_error cut;
    struct tc_call_result result;
    struct tc_view *view;
    enum tc_err e = tc_view_get(cx, call->runtime->views, &key, &view);

    if (e)
        return e;
    e = arguments_of(cx, view, caps, item, &request.arguments);
    tc_view_unref(view);
    if (e)
        return e;
    if (item->id.n <= CALL_ID_MAX)
        request.call_id = item->id;
    if (item->cut) {
        tc_fail(cx, TC_E_TOOL_OUTPUT_LIMIT, "The output limit cut this call short; nothing ran.");
        tc_fail_hint(cx, "Send it again in smaller pieces.");
        cut = cx->err;
        request.refusal = &cut;
        tc_fail_clear(cx);
    }
    e = tc_pipeline_call(cx, call->runtime, &invocation, &request, &result);
    if (e)
        return e;
    answered->call_id = result.call_id;
    answered->tool_id = result.tool_id;
    answered->error_code = result.error_code;
    return tc_said_result(cx, &result, &answered->part);
}

/* In the order of the calls. A fault of ours ends it: with nothing run it is the answer,
 * behind a call that ran it is told where a result would stand, for it and all that follow. */
static enum tc_err run_calls(struct tc_cx *cx, struct tc_api_call *call, const struct tc_model_caps *caps,
                             struct answered *calls, size_t n)
{
    struct tc_error fault = {0};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++) {
        if (fault.code) {
            cx->err = fault;
        } else {
            e = run_call(cx, call, caps, &calls[i]);
            if (!e)
                continue;
            if (e != TC_E_MODEL_UNKNOWN_TOOL_CALL && i == 0)
                return e;
            if (e != TC_E_MODEL_UNKNOWN_TOOL_CALL)
                fault = cx->err;
        }
        e = answer_failure(cx, &calls[i]);
    }
    return e;
}

static enum tc_err collect(struct tc_cx *cx, const struct tc_model_reply *reply, struct answered **ret_calls,
                           size_t *ret_n)
{
    struct answered *calls = TC_ARENA_NEW_N(cx->arena, struct answered, reply->n + 1);
    size_t n = 0;

    if (!calls)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < reply->n; i++)
        if (reply->items[i].kind == TC_ITEM_CALL)
            calls[n++].item = &reply->items[i];
    *ret_calls = calls;
    *ret_n = n;
    return TC_OK;
}

static enum tc_err write_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                                const struct tc_model_reply *reply, const struct answered *calls, size_t n)
{
    struct tc_models *models = call->runtime->models;
    struct tc_part *results = TC_ARENA_NEW_N(cx->arena, struct tc_part, n + 1);
    struct tc_str messages;
    enum tc_err e;

    if (!results)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        results[i] = calls[i].part;
    e = models->ops->answer(cx, models, provider, reply, results, &messages);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kstr(call->out, "format", provider);
    tc_jsonw_key(call->out, "messages");
    tc_jsonw_raw(call->out, messages);
    tc_jsonw_key(call->out, "calls");
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(call->out);
        tc_jsonw_kstr(call->out, "callId", calls[i].call_id.n ? calls[i].call_id : calls[i].item->id);
        tc_jsonw_kstr(call->out, "toolId", calls[i].tool_id.n ? calls[i].tool_id : TC_STR(""));
        tc_jsonw_kstr(call->out, "name", calls[i].item->name);
        tc_jsonw_kbool(call->out, "isError", calls[i].part.is_error);
        tc_jsonw_kopt(call->out, "errorCode", calls[i].error_code);
        tc_jsonw_end(call->out);
    }
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return TC_OK;
}

enum tc_err tc_api_format_calls(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_models *models = call->runtime->models;
    struct tc_str provider = tc_api_query(cx, call, "format");
    struct tc_model_reply reply;
    struct tc_model_caps caps;
    struct answered *calls;
    size_t n;
    enum tc_err e = provider.n || !models ? find_caps(cx, call, provider, &caps) : TC_OK;

    if (!e)
        e = models->ops->read(cx, models, provider, call->body, &provider, &reply);
    if (!e)
        e = find_caps(cx, call, provider, &caps);
    if (!e)
        e = collect(cx, &reply, &calls, &n);
    if (!e)
        e = run_calls(cx, call, &caps, calls, n);
    return e ? e : write_answer(cx, call, provider, &reply, calls, n);
}
