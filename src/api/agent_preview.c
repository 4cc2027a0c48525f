/*
 * The same model, view, choice of tools and prompt that a run begins with.
 */
#include "api/agent_preview.h"

#include "api/agent_model.h"
#include "runtime/discovery.h"
#include "runtime/prompt.h"

struct preview {
    struct tc_view_key key;
    struct tc_agent_model model; /* without one there is still a preview, for what the agent states */
    const struct tc_view *view;
    struct tc_resolution *resolution;
    struct tc_discovery_turn turn;
    struct tc_prompt prompt;
};

/* Nothing parks from here on: the resolution borrows from the registry. */
static enum tc_err find_tools(struct tc_cx *cx, struct tc_api_call *call, struct preview *p)
{
    static const struct tc_model_caps no_caps = {0};
    enum tc_err e = tc_view_borrow(cx, call->runtime->views, &p->key, &p->view);

    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &p->key, &p->resolution);
    if (!e)
        e = tc_discovery_turn(cx, p->view, p->model.found ? &p->model.found_as.caps : &no_caps, NULL, 0, &p->turn);
    return e;
}

static enum tc_err build_prompt(struct tc_cx *cx, struct tc_api_call *call, struct preview *p)
{
    const struct tc_prompt_input input = {
        .view = p->view,
        .offered = p->turn.offered,
        .stage = p->key.stage ? p->key.stage : p->view->agent->stage,
        .instructions = tc_api_field(call, "instructions"),
    };

    return p->key.client ? TC_OK : tc_prompt_build(cx, &input, &p->prompt);
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
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "id", r->input->catalog->tools[r->out[i].index]->id);
        tc_jsonw_kcstr(w, "reason", tc_reason_name(reason));
        tc_jsonw_kstr(w, "detail", tc_resolution_detail(cx, r, r->out[i].index, reason));
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static void write_hints(struct tc_jsonw *w, const struct preview *p)
{
    tc_jsonw_key(w, "hints");
    tc_jsonw_array(w);
    for (size_t i = 0; i < p->view->n; i++) {
        const struct tc_view_tool *tool = &p->view->tools[i];
        if (tool->hint.n == 0 || !is_offered(p, i))
            continue;
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "name", tool->name);
        tc_jsonw_kcstr(w, "source", tool->hint_operator ? "operator" : "code");
        tc_jsonw_kstr(w, "hint", tool->hint);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
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
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_key(w, "tokens");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "prompt", prompt->tokens);
    tc_jsonw_kint(w, "tools", prompt->tool_tokens);
    tc_jsonw_end(w);
}

enum tc_err tc_agent_preview(struct tc_cx *cx, struct tc_api_call *call)
{
    struct preview p = {.key = {.agent = tc_api_field(call, "id"),
                                .client = tc_str_is(tc_api_field(call, "for"), "client"),
                                .answers = tc_json_bool(tc_json_get_c(call->body, "answers"), false)}};
    struct tc_jsonw *w = call->out;
    enum tc_err e;

    tc_stage_of(tc_api_field(call, "stage"), &p.key.stage);
    e = tc_agent_model_find(cx, call, &p.key, &p.model);
    if (!e)
        e = find_tools(cx, call, &p);
    if (!e)
        e = build_prompt(cx, call, &p);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "agent", p.key.agent);
    tc_jsonw_kstr(w, "model", p.model.found && !p.key.client ? p.model.found_as.model.name : tc_str_n(NULL, 0));
    write_names(w, &p, "toolNames", true);
    write_names(w, &p, "deferred", false);
    write_filtered(cx, w, &p);
    write_hints(w, &p);
    if (!p.key.client)
        write_prompt(w, &p);
    tc_jsonw_key(w, "diagnostics");
    tc_jsonw_array(w);
    tc_agent_model_diagnose(w, &p.model);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}
