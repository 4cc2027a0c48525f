/*
 * The same model, view, choice of tools and prompt that a run begins with.
 */
#include "api/agent_preview.h"

#include "api/agent_draft.h"
#include "api/changed.h"
#include "api/resolution.h"
#include "base/tokens.h"
#include "runtime/discovery.h"
#include "runtime/prompt.h"

struct hint {
    struct tc_str id, name, text;
    bool edited;
};

struct preview {
    struct tc_agent_draft draft; /* without a model there is still a preview, for what the agent states */
    const struct tc_view *view;
    struct tc_resolution *resolution;
    struct tc_discovery_turn turn;
    struct tc_prompt prompt;
    struct hint *hints;
    size_t hints_n;
};

/* What is tried out gives no names away; a stored agent as it stands has them, or will at its next run. Nothing parks
 * from here on: the resolution borrows from the registry. */
static enum tc_err find_tools(struct tc_cx *cx, struct tc_api_call *call, struct preview *p)
{
    static const struct tc_model_caps no_caps = {0};
    const struct tc_agent_model *model = &p->draft.model;
    bool tried = p->draft.key.draft || tc_json_get_c(call->body, "model");
    enum tc_err e = tried ? tc_view_draft(cx, call->runtime->views, &p->draft.key, &p->view)
                          : tc_view_borrow(cx, call->runtime->views, &p->draft.key, &p->view);

    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &p->draft.key, &p->resolution);
    if (!e)
        e = tc_discovery_turn(cx, p->view, model->found ? &model->found_as.caps : &no_caps, NULL, 0, &p->turn);
    return e;
}

static enum tc_err build_prompt(struct tc_cx *cx, struct tc_api_call *call, struct preview *p)
{
    const struct tc_prompt_input input = {
        .view = p->view,
        .offered = p->turn.offered,
        .stage = p->draft.key.stage ? p->draft.key.stage : p->view->agent->stage,
        .instructions = tc_api_field(call, "instructions"),
    };

    return p->draft.key.client ? TC_OK : tc_prompt_build(cx, &input, &p->prompt);
}

static bool is_offered(const struct preview *p, size_t i)
{
    return !p->turn.offered || p->turn.offered[i];
}

static void write_names(struct tc_jsonw *w, const struct preview *p, const char *key, bool offered)
{
    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    for (size_t i = 0; i < p->view->n; i++)
        if (is_offered(p, i) == offered)
            tc_jsonw_str(w, p->view->tools[i].name);
    tc_jsonw_end(w);
}

static void write_filtered(struct tc_cx *cx, struct tc_jsonw *w, const struct preview *p)
{
    const struct tc_resolution *r = p->resolution;

    tc_jsonw_key(w, "filtered");
    tc_jsonw_array(w);
    for (size_t i = 0; i < r->out_n; i++) {
        enum tc_reason reason = tc_reason_first(r->out[i].reasons);
        const struct tc_descriptor *tool = r->input->catalog->tools[r->out[i].index];
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "id", tool->id);
        tc_jsonw_kstr(w, "label", tool->title.n ? tool->title : tool->parts.native);
        tc_jsonw_kstr(w, "toolset", tool->toolset);
        tc_jsonw_kcstr(w, "reason", tc_reason_name(reason));
        tc_api_detail(cx, w, r, r->out[i].index, reason);
        tc_jsonw_key(w, "reasons");
        tc_api_reasons(cx, w, r, r->out[i].index, r->out[i].reasons);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* Copies: what they are of is borrowed, and who edited them is asked of the store. */
static enum tc_err find_hints(struct tc_cx *cx, struct preview *p)
{
    p->hints = TC_ARENA_NEW_N(cx->arena, struct hint, p->view->n + 1);
    if (!p->hints)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < p->view->n; i++) {
        const struct tc_view_tool *tool = &p->view->tools[i];
        if (tool->hint.n && is_offered(p, i))
            p->hints[p->hints_n++] = (struct hint){tc_arena_dup(cx->arena, tool->tool->id),
                                                   tc_arena_dup(cx->arena, tool->name),
                                                   tc_arena_dup(cx->arena, tool->hint), tool->hint_operator};
    }
    return TC_OK;
}

/* With who changed the tool last, where the words are an operator's. */
static enum tc_err write_hints(struct tc_cx *cx, struct tc_api_call *call, const struct preview *p)
{
    static const struct tc_change_row nobody;
    struct tc_str *ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, p->hints_n + 1);
    struct tc_jsonw *w = call->out;
    struct tc_change_row *rows;
    enum tc_err e;

    if (!ids)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < p->hints_n; i++)
        ids[i] = p->hints[i].id;
    e = tc_changed_latest(cx, call, "tool", ids, p->hints_n, &rows);
    if (e)
        return e;
    tc_jsonw_key(w, "hints");
    tc_jsonw_array(w);
    for (size_t i = 0; i < p->hints_n; i++) {
        const struct hint *hint = &p->hints[i];
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "toolId", hint->id);
        tc_jsonw_kstr(w, "name", hint->name);
        tc_jsonw_kcstr(w, "source", hint->edited ? "operator" : "code");
        tc_jsonw_kstr(w, "hint", hint->text);
        tc_jsonw_kint(w, "tokens", (int64_t)tc_tokens_estimate(hint->text));
        tc_changed_by(call, hint->edited ? &rows[i] : &nobody);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

static void write_prompt(struct tc_jsonw *w, const struct preview *p)
{
    const struct tc_prompt *prompt = &p->prompt;

    tc_jsonw_kstr(w, "prompt", prompt->text);
    tc_jsonw_key(w, "parts");
    tc_jsonw_array(w);
    for (size_t i = 0; i < prompt->n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "source", tc_prompt_source_name(prompt->parts[i].source));
        tc_jsonw_kopt(w, "toolId", prompt->parts[i].tool_id);
        tc_jsonw_kstr(w, "text", prompt->parts[i].text);
        tc_jsonw_kint(w, "tokens", (int64_t)tc_tokens_estimate(prompt->parts[i].text));
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_key(w, "tokens");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "prompt", prompt->tokens);
    tc_jsonw_kint(w, "tools", prompt->tool_tokens);
    tc_jsonw_end(w);
}

/* The tools as they are sent, with what each takes of the window. */
static void write_tools(struct tc_jsonw *w, const struct preview *p)
{
    tc_jsonw_key(w, "tools");
    tc_jsonw_array(w);
    for (size_t i = 0; i < p->view->n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "id", p->view->tools[i].tool->id);
        tc_jsonw_kstr(w, "name", p->view->tools[i].name);
        tc_jsonw_kbool(w, "deferred", !is_offered(p, i));
        tc_jsonw_kint(w, "tokens", (int64_t)tc_tokens_estimate(tc_view_text(p->view, i)));
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static enum tc_err read_question(struct tc_cx *cx, struct tc_api_call *call, struct tc_agent_draft *ret)
{
    const struct tc_json *document = tc_json_get_c(call->body, "document");
    struct tc_str id = tc_api_field(call, "id");

    if (!document && !id.n)
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Either the id of an agent or a document is needed.");
    return tc_agent_draft_read(cx, call, document, id, ret);
}

enum tc_err tc_agent_preview(struct tc_cx *cx, struct tc_api_call *call)
{
    struct preview p = {0};
    const struct tc_agent_model *model = &p.draft.model;
    struct tc_jsonw *w = call->out;
    enum tc_err e = read_question(cx, call, &p.draft);

    if (!e)
        e = find_tools(cx, call, &p);
    if (!e)
        e = build_prompt(cx, call, &p);
    if (!e)
        e = find_hints(cx, &p);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "agent", p.draft.key.agent);
    tc_jsonw_kcstr(w, "stage", tc_stage_name(p.resolution->input->scene.flags & TC_SCENE_STAGES));
    tc_jsonw_kstr(w, "model", model->found && !p.draft.key.client ? model->found_as.model.name : tc_str_n(NULL, 0));
    tc_jsonw_kcstr(w, "capability", tc_capability_name(p.resolution->input->model.capability));
    write_names(w, &p, "toolNames", true);
    write_names(w, &p, "deferred", false);
    write_tools(w, &p);
    write_filtered(cx, w, &p);
    if (!p.draft.key.client)
        write_prompt(w, &p);
    tc_jsonw_key(w, "diagnostics");
    tc_jsonw_array(w);
    tc_agent_model_diagnose(w, model);
    tc_jsonw_end(w);
    e = write_hints(cx, call, &p); /* parks: nothing borrowed is touched after it */
    tc_jsonw_end(w);
    return e;
}
