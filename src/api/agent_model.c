/*
 * One question to the channels, asked in the two ways that its askers need.
 */
#include "api/agent_model.h"

enum tc_err tc_agent_model_find(struct tc_cx *cx, struct tc_api_call *call, struct tc_view_key *key,
                                struct tc_agent_model *ret)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, key->agent, &agent);

    *ret = (struct tc_agent_model){.found = false};
    return e ? e : tc_agent_model_of(cx, call, agent, NULL, key, ret);
}

enum tc_err tc_agent_model_of(struct tc_cx *cx, struct tc_api_call *call, const struct tc_agent *agent,
                              const struct tc_channels_ask *asked, struct tc_view_key *key, struct tc_agent_model *ret)
{
    struct tc_channels_ask ask = asked ? *asked : (struct tc_channels_ask){0};

    *ret = (struct tc_agent_model){.found = false};
    if (!call->runtime->models || (key->client && !agent->model_channel.n))
        return TC_OK;
    ask.agent = agent;
    ret->found = tc_channels_model(cx, call->runtime->channels, &ask, &ret->found_as) == TC_OK;
    if (!ret->found)
        ret->why = cx->err;
    tc_fail_clear(cx);
    if (ret->found && !key->client)
        key->model = &ret->found_as.model;
    return TC_OK;
}

void tc_agent_model_diagnose(struct tc_jsonw *w, const struct tc_agent_model *model)
{
    if (!model->why.code)
        return;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "code", tc_err_info(model->why.code)->name);
    tc_jsonw_key(w, "message");
    tc_jsonw_printf(w, "Its runs fail: %.*s%s%.*s", TC_STR_ARG(model->why.message), model->why.hint.n ? " " : "",
                    TC_STR_ARG(model->why.hint));
    tc_jsonw_kcstr(w, "toolId", "");
    tc_jsonw_end(w);
}

enum tc_err tc_agent_model_check(struct tc_cx *cx, struct tc_api_call *call, struct tc_str document,
                                 const struct tc_agent *stored)
{
    struct tc_channels_ask ask = {0};
    struct tc_channels_model found;
    const struct tc_json *json, *model;
    enum tc_err e = tc_json_parse_root(cx, document, NULL, &json);

    if (e)
        return e;
    model = tc_json_get_c(json, "model");
    ask.channel = tc_json_str(tc_json_get_c(model, "channel"));
    ask.model = tc_json_str(tc_json_get_c(model, "model"));
    if (!ask.channel.n || !call->runtime->models ||
        (stored && tc_str_eq(ask.channel, stored->model_channel) && tc_str_eq(ask.model, stored->model_name)))
        return TC_OK;
    return tc_channels_model(cx, call->runtime->channels, &ask, &found);
}
