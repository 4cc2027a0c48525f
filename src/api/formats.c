/*
 * Tools in the shapes of providers. The shapes themselves are the models' (the port);
 * here is what governs them: the view and its projected schemas, which are kept as long as
 * the list is the same.
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

/* A part of the tools: what this client is offered of them. */
static enum tc_err pick(struct tc_cx *cx, struct tc_models *models, struct tc_str provider,
                        const struct tc_run_offer *offer, const struct tc_api_tools *tools, struct tc_str *ret_json)
{
    struct tc_model_tool *picked = TC_ARENA_NEW_N(cx->arena, struct tc_model_tool, tools->n + 1);

    if (!picked)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < tools->n; i++)
        picked[i] = offer->tools[tools->positions[i]];
    return models->ops->tools(cx, models, provider, picked, tools->n, ret_json);
}

enum tc_err tc_api_format_tools(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                                const struct tc_api_tools *tools, struct tc_api_format *ret_format)
{
    struct tc_models *models = call->runtime->models;
    struct tc_run_offer *offer;
    struct tc_model_caps caps;
    struct tc_str json;
    enum tc_err e = tc_api_format_caps(cx, call, provider, &caps);

    if (!e)
        e = tc_run_offers_borrow(cx, call->runtime->offers, tools->view, caps.schema, &offer);
    if (!e)
        e = tools->n == offer->n ? tc_run_offer_list(cx, offer, models, provider, &json)
                                 : pick(cx, models, provider, offer, tools, &json);
    if (!e)
        *ret_format = (struct tc_api_format){json, offer, caps.tools_max};
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
    for (size_t i = 0; i < tools->n; i++) {
        const struct tc_schema_projection *projection = &format->offer->projections[tools->positions[i]];
        for (size_t k = 0; k < projection->losses_n; k++)
            write_loss(w, &projection->losses[k], tools->view->tools[tools->positions[i]].tool->id);
    }
}
