/*
 * Every tool of the catalog stands in one of two lists with the same members, so that what
 * shows them needs no second question. Sentences are for who reads JSON; params are for who
 * says it in another language.
 */
#include "api/resolution.h"

#include "api/toolset_info.h"
#include "runtime/description.h"
#include "runtime/servers.h"

enum { WINDOW_SHARE = 10 };

struct writing {
    struct tc_cx *cx;
    struct tc_api_call *call;
    const struct tc_api_resolution *what;
    const struct tc_resolution *r;
    const struct tc_resolve_input *in;
    struct tc_str *names;      /* by index in the catalog, of those that are out */
    uint32_t *total, *offered; /* tools by toolset of the catalog */
};

/* --- reasons --- */

static void write_stages(struct tc_jsonw *w, unsigned stages)
{
    tc_jsonw_key(w, "scenes");
    tc_jsonw_array(w);
    for (unsigned bit = 1; bit & TC_SCENE_STAGES; bit <<= 1)
        if (stages & bit)
            tc_jsonw_cstr(w, tc_stage_name(bit));
    tc_jsonw_end(w);
}

static void write_optional(struct tc_jsonw *w, const char *key, struct tc_str text)
{
    tc_jsonw_kstr(w, key, text.n ? text : tc_str_n(NULL, 0));
}

static void write_state_params(struct tc_jsonw *w, enum tc_reason reason, const struct tc_reason_facts *f)
{
    write_optional(w, "server", f->server);
    write_optional(w, "cause", f->cause);
    if (reason == TC_REASON_UNAVAILABLE)
        write_optional(w, "missing", f->missing);
    if (reason != TC_REASON_QUARANTINED)
        return;
    tc_jsonw_kcstr(w, "scope", f->scope);
    tc_jsonw_kbool(w, "newTool", strcmp(f->scope, "new") == 0);
}

static void write_params(struct tc_jsonw *w, enum tc_reason reason, const struct tc_reason_facts *f)
{
    tc_jsonw_key(w, "params");
    tc_jsonw_object(w);
    switch (reason) {
    case TC_REASON_TOOLSET_NOT_ENABLED:
        tc_jsonw_kstr(w, "toolset", f->toolset);
        break;
    case TC_REASON_TOOL_DISABLED:
        tc_jsonw_kcstr(w, "scope", f->scope);
        break;
    case TC_REASON_PERMISSION_OFF:
        tc_jsonw_kcstr(w, "scope", f->scope);
        write_optional(w, "pattern", f->pattern);
        write_optional(w, "server", f->server);
        break;
    case TC_REASON_CAPABILITY_MISMATCH:
        write_optional(w, "model", f->model);
        tc_jsonw_kcstr(w, "needed", tc_capability_name(f->needed));
        tc_jsonw_kcstr(w, "present", tc_capability_name(f->present));
        break;
    case TC_REASON_NEEDS_IMAGE_INPUT:
        write_optional(w, "model", f->model);
        break;
    case TC_REASON_SCENE_FILTERED:
        write_stages(w, f->scenes);
        tc_jsonw_kcstr(w, "stage", tc_stage_name(f->stage));
        tc_jsonw_kcstr(w, "condition", f->condition);
        break;
    case TC_REASON_OVER_PROVIDER_LIMIT:
        write_optional(w, "model", f->model);
        tc_jsonw_kint(w, "limit", f->limit);
        break;
    case TC_REASON_UNAVAILABLE:
    case TC_REASON_SERVER_PAUSED:
    case TC_REASON_SERVER_DOWN:
    case TC_REASON_QUARANTINED:
        write_state_params(w, reason, f);
        break;
    default:
        break;
    }
    tc_jsonw_end(w);
}

/* Without memory for the words there is none for the answer. */
void tc_api_detail(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *resolution, size_t index,
                   enum tc_reason reason)
{
    struct tc_str detail = tc_resolution_detail(cx, resolution, index, reason);

    if (!detail.p)
        w->buf->failed = true;
    tc_jsonw_kstr(w, "detail", detail);
}

void tc_api_reasons(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *resolution, size_t index,
                    uint16_t reasons)
{
    struct tc_reason_facts facts;

    tc_jsonw_array(w);
    for (int i = 0; i < TC_REASON_COUNT; i++) {
        enum tc_reason reason = (enum tc_reason)i;
        if (!(reasons >> i & 1))
            continue;
        tc_resolution_facts(resolution, index, reason, &facts);
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "reason", tc_reason_name(reason));
        tc_api_detail(cx, w, resolution, index, reason);
        write_params(w, reason, &facts);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

void tc_api_reason_counts(struct tc_jsonw *w, const uint32_t counts[TC_REASON_COUNT])
{
    unsigned done = 0;

    tc_jsonw_array(w);
    for (int round = 0; round < TC_REASON_COUNT; round++) {
        int most = -1;
        for (int i = 0; i < TC_REASON_COUNT; i++)
            if (!(done >> i & 1) && counts[i] && (most < 0 || counts[i] > counts[most]))
                most = i;
        if (most < 0)
            break;
        done |= 1u << most;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "reason", tc_reason_name((enum tc_reason)most));
        tc_jsonw_kint(w, "count", counts[most]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* --- tools --- */

void tc_api_tool_source(struct tc_jsonw *w, const struct tc_descriptor *tool)
{
    switch (tool->parts.provider) {
    case TC_PROVIDER_MCP:
        tc_jsonw_printf(w, "mcp:%.*s", TC_STR_ARG(tool->server));
        return;
    case TC_PROVIDER_EXTENSION:
        tc_jsonw_printf(w, "ext:%.*s", TC_STR_ARG(tool->parts.subject));
        return;
    default:
        tc_jsonw_str(w, tool->parts.provider_text);
    }
}

static struct tc_str description_of(const struct writing *x, const struct tc_descriptor *tool)
{
    struct tc_str text = tc_description_written(x->cx, x->r, tool);
    size_t end = x->what->brief ? tc_str_find(text, TC_STR("\n\n")) : SIZE_MAX;

    return end == SIZE_MAX ? text : tc_str_n(text.p, end);
}

static const char *hint_source(const struct writing *x, size_t index)
{
    const struct tc_descriptor *tool = x->in->catalog->tools[index];

    if (!(tool->flags & TC_TOOL_PROMPT_HINT))
        return NULL;
    return x->in->states[index].prompt_hint.n ? "operator" : tool->prompt_hint.n ? "code" : NULL;
}

static enum tc_err give_name(const struct writing *x, struct tc_names_round *round, size_t index)
{
    const struct tc_descriptor *tool = x->in->catalog->tools[index];

    x->names[index] = tc_names_get(x->in->names, tool->id);
    return x->names[index].n ? TC_OK : tc_names_give(x->cx, round, tool, &x->names[index]);
}

/* What is out has the name that it would be given now, after those that are offered. */
static enum tc_err name_all(struct writing *x)
{
    struct tc_names_round round;
    enum tc_err e;

    x->names = TC_ARENA_NEW_N(x->cx->arena, struct tc_str, x->in->catalog->n + 1);
    if (!x->names)
        return tc_fail_memory(x->cx);
    if (!x->in->names)
        return TC_OK;
    tc_names_round_init(&round, x->in->names, x->in->style, x->in->name_max);
    e = tc_names_reserve(x->cx, &round, x->in->catalog);
    for (size_t i = 0; !e && i < x->r->tools_n; i++)
        e = give_name(x, &round, x->r->tools[i].index);
    for (size_t i = 0; !e && i < x->r->out_n; i++)
        e = give_name(x, &round, x->r->out[i].index);
    tc_names_round_finish(&round);
    return e;
}

/* The members that both lists have. resolved NULL: it is out. */
static void write_tool(const struct writing *x, size_t index, const struct tc_resolved *resolved)
{
    const struct tc_descriptor *tool = x->in->catalog->tools[index];
    const struct tc_tool_row *row = tc_registry_row(x->call->runtime->registry, tool->id);
    struct tc_jsonw *w = x->call->out;
    struct tc_str label = tool->title.n ? tool->title : tool->parts.native;

    tc_jsonw_kstr(w, "id", tool->id);
    write_optional(w, "name", resolved ? resolved->name : x->names[index]);
    tc_jsonw_kstr(w, "label", row ? row->label : label);
    tc_jsonw_kstr(w, "description", description_of(x, tool));
    tc_jsonw_kstr(w, "toolset", tool->toolset);
    tc_jsonw_key(w, "source");
    tc_api_tool_source(w, tool);
    tc_jsonw_kcstr(w, "capability", tc_capability_name(tool->capability));
    tc_jsonw_kbool(w, "isCore", tool->flags & TC_TOOL_CORE);
    tc_jsonw_kbool(w, "canDisable", !(tool->flags & TC_TOOL_CANNOT_DISABLE));
    tc_jsonw_kcstr(w, "permission", tc_permission_name(resolved ? resolved->permission
                                                                : tc_resolution_permission(x->r, index)));
    tc_jsonw_kbool(w, "deferred", resolved && resolved->deferred);
    tc_jsonw_kcstr(w, "hintSource", hint_source(x, index));
    tc_jsonw_kbool(w, "newTool", x->in->states[index].newcomer);
    tc_jsonw_kint(w, "tokens", x->in->catalog->traits[index].tokens);
}

static void write_tools(const struct writing *x)
{
    struct tc_jsonw *w = x->call->out;

    tc_jsonw_key(w, "tools");
    tc_jsonw_array(w);
    for (size_t i = 0; i < x->r->tools_n; i++) {
        tc_jsonw_object(w);
        write_tool(x, x->r->tools[i].index, &x->r->tools[i]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_key(w, "out");
    tc_jsonw_array(w);
    for (size_t i = 0; i < x->r->out_n; i++) {
        const struct tc_left_out *out = &x->r->out[i];
        tc_jsonw_object(w);
        write_tool(x, out->index, NULL);
        tc_jsonw_kcstr(w, "reason", tc_reason_name(tc_reason_first(out->reasons)));
        tc_jsonw_key(w, "reasons");
        tc_api_reasons(x->cx, w, x->r, out->index, out->reasons);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* --- figures --- */

/* Those that the runtime adds are nobody's choice and do not count. */
static void write_summary(const struct writing *x)
{
    struct tc_jsonw *w = x->call->out;
    const struct tc_trait *traits = x->in->catalog->traits;
    uint32_t counts[TC_REASON_COUNT] = {0};
    int64_t offered = 0;

    for (size_t i = 0; i < x->r->tools_n; i++)
        offered += !traits[x->r->tools[i].index].runtime;
    for (size_t i = 0; i < x->r->out_n; i++)
        counts[tc_reason_first(x->r->out[i].reasons)] += !traits[x->r->out[i].index].runtime;
    tc_jsonw_key(w, "summary");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "offered", offered);
    tc_jsonw_key(w, "out");
    tc_api_reason_counts(w, counts);
    tc_jsonw_end(w);
}

static void write_discovery(const struct writing *x)
{
    static const char *const modes[] = {"auto", "on", "off"};
    struct tc_jsonw *w = x->call->out;
    int64_t schemas = 0, offered = 0;

    for (size_t i = 0; i < x->r->tools_n; i++) {
        const struct tc_trait *trait = &x->in->catalog->traits[x->r->tools[i].index];
        if (trait->deferrable)
            schemas += trait->tokens;
        if (!x->r->tools[i].deferred)
            offered += trait->tokens;
    }
    tc_jsonw_key(w, "discovery");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "mode", modes[x->in->agent->discovery]);
    tc_jsonw_kint(w, "schemaTokens", schemas);
    tc_jsonw_key(w, "budget");
    if (x->in->scene.flags & TC_SCENE_RUN)
        tc_jsonw_int(w, x->in->model.context_window / WINDOW_SHARE);
    else
        tc_jsonw_null(w);
    tc_jsonw_kint(w, "deferred", (int64_t)x->r->deferred_n);
    tc_jsonw_kint(w, "offeredTokens", offered);
    tc_jsonw_end(w);
}

/* --- toolsets --- */

static enum tc_err count_toolsets(struct writing *x)
{
    const struct tc_catalog *catalog = x->in->catalog;

    x->total = TC_ARENA_NEW_N(x->cx->arena, uint32_t, catalog->toolsets_n + 1);
    x->offered = TC_ARENA_NEW_N(x->cx->arena, uint32_t, catalog->toolsets_n + 1);
    if (!x->total || !x->offered)
        return tc_fail_memory(x->cx);
    for (size_t i = 0; i < catalog->n; i++)
        x->total[catalog->toolset_of[i]] += !catalog->traits[i].runtime;
    for (size_t i = 0; i < x->r->tools_n; i++)
        x->offered[catalog->toolset_of[x->r->tools[i].index]] += !catalog->traits[x->r->tools[i].index].runtime;
    return TC_OK;
}

static enum tc_err write_toolset(const struct writing *x, struct tc_str name, bool enabled)
{
    const struct tc_toolset_facts facts = tc_toolset_look(x->call, name);
    struct tc_jsonw *w = x->call->out;
    const uint16_t *reached;
    int64_t total = 0, offered = 0;
    enum tc_err e = tc_toolset_reached(x->cx, x->call, &facts, &reached);

    for (size_t i = 0; !e && i < x->in->catalog->toolsets_n; i++)
        if (reached[i]) {
            total += x->total[i];
            offered += x->offered[i];
        }
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", name);
    tc_jsonw_kstr(w, "label", facts.label);
    tc_jsonw_kcstr(w, "source", facts.source);
    tc_jsonw_kint(w, "offered", offered);
    tc_jsonw_kint(w, "total", total);
    tc_jsonw_kbool(w, "enabled", enabled);
    tc_jsonw_end(w);
    return e;
}

static bool lists(const struct tc_agent *agent, struct tc_str name)
{
    for (size_t i = 0; i < agent->toolsets_n; i++)
        if (tc_str_eq(agent->toolsets[i], name))
            return true;
    return false;
}

/* Those that the agent names, in its order, then all the others: some of them are on all the same, through one that it
 * names. */
static enum tc_err write_toolsets(struct writing *x)
{
    const struct tc_agent *agent = x->in->agent;
    struct tc_jsonw *w = x->call->out;
    struct tc_str *names = NULL;
    size_t n = 0;
    enum tc_err e = count_toolsets(x);

    if (!e)
        e = tc_toolset_names(x->cx, x->call, &names, &n);
    tc_jsonw_key(w, "toolsets");
    tc_jsonw_array(w);
    for (size_t i = 0; !e && i < agent->toolsets_n; i++)
        e = write_toolset(x, agent->toolsets[i], true);
    for (size_t i = 0; !e && i < n; i++) {
        bool enabled;
        if (lists(agent, names[i]))
            continue;
        e = tc_toolset_reaches(x->cx, x->in->composites, agent->toolsets, agent->toolsets_n, names[i], &enabled);
        if (!e)
            e = write_toolset(x, names[i], enabled);
    }
    tc_jsonw_end(w);
    return e;
}

/* --- the whole --- */

static void write_scene(struct tc_jsonw *w, unsigned flags)
{
    tc_jsonw_key(w, "scene");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "stage", tc_stage_name(flags & TC_SCENE_STAGES));
    tc_jsonw_kbool(w, "memory", flags & TC_SCENE_MEMORY);
    tc_jsonw_kbool(w, "skills", flags & TC_SCENE_SKILLS);
    tc_jsonw_kcstr(w, "crewRole", flags & TC_SCENE_MASTER ? "master" : NULL);
    tc_jsonw_kbool(w, "answers", flags & TC_SCENE_ANSWERS);
    tc_jsonw_kbool(w, "run", flags & TC_SCENE_RUN);
    tc_jsonw_end(w);
}

void tc_api_model(struct tc_jsonw *w, const struct tc_model *model, struct tc_str channel)
{
    tc_jsonw_object(w);
    write_optional(w, "name", model->name);
    write_optional(w, "channel", channel);
    tc_jsonw_kcstr(w, "capability", tc_capability_name(model->capability));
    tc_jsonw_kbool(w, "imageInput", model->image_input);
    tc_jsonw_kint(w, "contextWindow", model->context_window);
    tc_jsonw_key(w, "maxTools");
    if (model->max_tools)
        tc_jsonw_int(w, model->max_tools);
    else
        tc_jsonw_null(w);
    tc_jsonw_end(w);
}

static void write_diagnostics(const struct writing *x)
{
    struct tc_jsonw *w = x->call->out;

    tc_jsonw_key(w, "diagnostics");
    tc_jsonw_array(w);
    for (size_t i = 0; i < x->r->diagnostics_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "code", x->r->diagnostics[i].code);
        tc_jsonw_kstr(w, "message", x->r->diagnostics[i].message);
        tc_jsonw_kstr(w, "toolId", x->r->diagnostics[i].tool_id);
        tc_jsonw_end(w);
    }
    tc_agent_model_diagnose(w, x->what->model);
    tc_jsonw_end(w);
}

static struct tc_str channel_of(const struct writing *x)
{
    const struct tc_agent_model *model = x->what->model;
    bool used = model->found && (x->in->scene.flags & TC_SCENE_RUN) && model->found_as.channel;

    return used ? model->found_as.channel->id : TC_STR("");
}

enum tc_err tc_api_resolution_write(struct tc_cx *cx, struct tc_api_call *call,
                                    const struct tc_api_resolution *resolution)
{
    struct writing x = {cx, call, resolution, resolution->resolution, resolution->resolution->input, NULL, NULL, NULL};
    struct tc_jsonw *w = call->out;
    enum tc_err e = name_all(&x);

    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "agent", x.in->agent->id);
    tc_jsonw_kcstr(w, "style", tc_style_name(x.in->style));
    write_scene(w, x.in->scene.flags);
    tc_jsonw_key(w, "model");
    tc_api_model(w, &x.in->model, channel_of(&x));
    write_tools(&x);
    write_summary(&x);
    e = write_toolsets(&x);
    write_discovery(&x);
    write_diagnostics(&x);
    tc_jsonw_end(w);
    return e;
}
