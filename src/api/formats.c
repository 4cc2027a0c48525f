/*
 * Tools in the shapes of providers. The shapes themselves are the models' (the port);
 * here is what governs them: the view and its projected schemas.
 */
#include "api/formats.h"

enum tc_err tc_api_format_caps(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
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
    enum tc_err e = projected && projections ? tc_api_format_caps(cx, call, provider, &caps) : tc_fail_memory(cx);

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
