/*
 * The same resolver as everywhere, on a document that a form is about to change again.
 */
#include "api/agent_resolve.h"

enum { AT_A_TIME = 16 }; /* agents, before others have their turn */

enum tc_err tc_agent_resolve(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent_draft draft;
    struct tc_resolution *resolution;
    struct tc_api_resolution what = {.brief = tc_json_bool(tc_json_get_c(call->body, "brief"), false)};
    enum tc_err e = tc_agent_draft_read(cx, call, tc_json_get_c(call->body, "agent"), TC_STR(""), &draft);

    draft.key.has_style = tc_style_of(tc_api_field(call, "style"), &draft.key.style);
    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &draft.key, &resolution);
    if (e)
        return e;
    what.resolution = resolution;
    what.model = &draft.model;
    return tc_api_resolution_write(cx, call, &what);
}

static void write_summary(struct tc_jsonw *w, const struct tc_agent_draft *agent, const struct tc_view_tally *tally)
{
    const struct tc_channels_model *found = &agent->model.found_as;
    bool runs = agent->key.model != NULL, named = runs && found->channel;
    const struct tc_model *model = runs ? agent->key.model : &agent->agent->client_model;
    struct tc_str none = tc_str_n(NULL, 0);

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", agent->agent->id);
    tc_jsonw_kint(w, "offered", tally->offered);
    tc_jsonw_kint(w, "deferred", tally->deferred);
    tc_jsonw_key(w, "out");
    tc_api_reason_counts(w, tally->out);
    tc_jsonw_kstr(w, "model", model->name.n ? model->name : none);
    tc_jsonw_kstr(w, "channel", named ? found->channel->id : none);
    tc_jsonw_kcstr(w, "capability", tc_capability_name(model->capability));
    tc_jsonw_kcstr(w, "stage", agent->key.client ? "plain" : tc_stage_name(agent->agent->stage));
    tc_jsonw_kstr(w, "fault", agent->model.why.code ? agent->model.why.message : none);
    tc_jsonw_end(w);
}

enum tc_err tc_agent_summary(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(call->body, "ids"));
    const struct tc_json *id;
    size_t done = 0;
    enum tc_err e = TC_OK;

    tc_jsonw_array(call->out);
    while (!e && tc_json_next(&it, NULL, &id)) {
        struct tc_view_tally tally;
        struct tc_agent_draft agent;
        if (!tc_agents_has(call->runtime->agents, tc_json_str(id)))
            continue;
        e = tc_agent_draft_read(cx, call, NULL, tc_json_str(id), &agent);
        if (!e)
            e = tc_view_tally(cx, call->runtime->views, &agent.key, &tally);
        if (e)
            break;
        write_summary(call->out, &agent, &tally);
        if (++done % AT_A_TIME == 0)
            e = tc_task_yield(cx);
    }
    tc_jsonw_end(call->out);
    return e;
}
