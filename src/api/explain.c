/*
 * A resolution with all its reasons, as people ask for it.
 */
#include "api/explain.h"

#include "api/agent_model.h"

static void write_effective(struct tc_jsonw *w, const struct tc_descriptor *tool, const struct tc_resolved *resolved)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", tool->id);
    tc_jsonw_kstr(w, "name", resolved->name);
    tc_jsonw_kstr(w, "toolset", tool->toolset);
    tc_jsonw_kcstr(w, "permission", tc_permission_name(resolved->permission));
    tc_jsonw_kbool(w, "deferred", resolved->deferred);
    tc_jsonw_end(w);
}

static void write_out(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *r,
                      const struct tc_left_out *out)
{
    const struct tc_descriptor *tool = r->input->catalog->tools[out->index];
    struct tc_str name = tc_names_get(r->input->names, tool->id);

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", tool->id);
    tc_jsonw_kstr(w, "name", name.n ? name : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "toolset", tool->toolset);
    tc_jsonw_kcstr(w, "reason", tc_reason_name(tc_reason_first(out->reasons)));
    tc_jsonw_key(w, "reasons");
    tc_jsonw_array(w);
    for (int i = 0; i < TC_REASON_COUNT; i++) {
        if (!(out->reasons >> i & 1))
            continue;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "reason", tc_reason_name((enum tc_reason)i));
        tc_jsonw_kstr(w, "detail", tc_resolution_detail(cx, r, out->index, (enum tc_reason)i));
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_scene(struct tc_jsonw *w, unsigned flags)
{
    tc_jsonw_key(w, "scene");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "stage", tc_stage_name(flags & TC_SCENE_STAGES));
    tc_jsonw_kbool(w, "memory", flags & TC_SCENE_MEMORY);
    tc_jsonw_kbool(w, "skills", flags & TC_SCENE_SKILLS);
    tc_jsonw_kcstr(w, "crewRole", flags & TC_SCENE_MASTER ? "master" : NULL);
    tc_jsonw_kbool(w, "answers", flags & TC_SCENE_ANSWERS);
    tc_jsonw_end(w);
}

static void write_model(struct tc_jsonw *w, const struct tc_model *model)
{
    tc_jsonw_key(w, "model");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "name", model->name);
    tc_jsonw_kcstr(w, "capability", tc_capability_name(model->capability));
    tc_jsonw_kbool(w, "imageInput", model->image_input);
    tc_jsonw_kint(w, "contextWindow", model->context_window);
    tc_jsonw_end(w);
}

static void write_resolution(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *r,
                             const struct tc_agent_model *model)
{
    const struct tc_resolve_input *in = r->input;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "agent", in->agent->id);
    tc_jsonw_kcstr(w, "style", tc_style_name(in->style));
    write_scene(w, in->scene.flags);
    write_model(w, &in->model);
    tc_jsonw_key(w, "tools");
    tc_jsonw_array(w);
    for (size_t i = 0; i < r->tools_n; i++)
        write_effective(w, in->catalog->tools[r->tools[i].index], &r->tools[i]);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "out");
    tc_jsonw_array(w);
    for (size_t i = 0; i < r->out_n; i++)
        write_out(cx, w, r, &r->out[i]);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "diagnostics");
    tc_jsonw_array(w);
    for (size_t i = 0; i < r->diagnostics_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "code", r->diagnostics[i].code);
        tc_jsonw_kstr(w, "message", r->diagnostics[i].message);
        tc_jsonw_kstr(w, "toolId", r->diagnostics[i].tool_id);
        tc_jsonw_end(w);
    }
    tc_agent_model_diagnose(w, model);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err view_key(struct tc_cx *cx, struct tc_api_call *call, struct tc_view_key *ret)
{
    struct tc_str style = tc_api_query(cx, call, "style");
    enum tc_err e = tc_api_need(cx, call, "agent", &ret->agent);

    if (e)
        return e;
    ret->client = !tc_str_is(tc_api_query(cx, call, "for"), "run");
    ret->answers = tc_str_is(tc_api_query(cx, call, "answers"), "true");
    ret->has_style = style.n > 0;
    if (style.n && !tc_style_of(style, &ret->style))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "A style is mcp, server, dmr or bare, not \"%.*s\".",
                       TC_STR_ARG(style));
    return TC_OK;
}

enum tc_err tc_api_explain(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_view_key key = {0};
    struct tc_resolution *resolution;
    struct tc_agent_model model;
    const struct tc_view *view;
    enum tc_err e = view_key(cx, call, &key);

    if (!e)
        e = tc_agent_model_find(cx, call, &key, &model);
    if (!e) /* commits the names that the answer shows */
        e = tc_view_borrow(cx, call->runtime->views, &key, &view);
    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &key, &resolution);
    if (!e)
        write_resolution(cx, call->out, resolution, &model);
    return e;
}
