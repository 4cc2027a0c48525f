/*
 * Only what the descriptor, the resolver and the servers know.
 */
#include "api/tool_needs.h"

#include "api/changed.h"

#include "api/agent_draft.h"
#include "runtime/builtins.h"
#include "runtime/servers.h"

enum { AT_A_TIME = 16 };

struct need {
    const char *kind;
    struct tc_str name, detail, where;
    int met; /* -1: not known */
};

static void write_need(struct tc_jsonw *w, const struct need *need)
{
    struct tc_str none = tc_str_n(NULL, 0);

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "kind", need->kind);
    tc_jsonw_kstr(w, "name", need->name);
    tc_jsonw_key(w, "met");
    if (need->met < 0)
        tc_jsonw_null(w);
    else
        tc_jsonw_bool(w, need->met);
    tc_jsonw_kstr(w, "detail", need->detail.n ? need->detail : none);
    tc_jsonw_kstr(w, "where", need->where.n ? need->where : none);
    tc_jsonw_end(w);
}

/* --- models --- */

/* Whether some model that is set up can do this. */
static enum tc_err find_model(struct tc_cx *cx, struct tc_api_call *call, enum tc_capability needed, bool images,
                              int *ret_met)
{
    const struct tc_channel **channels;
    struct tc_channels_model found;
    size_t n;
    enum tc_err e = tc_channels_all(cx, call->runtime->channels, &channels, &n);

    *ret_met = 0;
    for (size_t i = 0; !e && i < n; i++)
        for (size_t k = 0; channels[i]->enabled && k < channels[i]->models_n; k++) {
            const struct tc_channels_ask ask = {.channel = channels[i]->id, .model = channels[i]->models[k].name};
            if (tc_channels_model(cx, call->runtime->channels, &ask, &found) == TC_OK &&
                tc_capability_fits(needed, found.model.capability) && (!images || found.model.image_input))
                *ret_met = 1;
            tc_fail_clear(cx);
        }
    return e;
}

static enum tc_err write_model_needs(struct tc_cx *cx, struct tc_api_call *call, const struct tc_descriptor *tool)
{
    struct need need = {.kind = "capability", .where = TC_STR("channel")};
    enum tc_err e = TC_OK;

    if (tool->capability != TC_CAPABILITY_TEXT) {
        need.name = tc_str_of(tc_capability_name(tool->capability));
        e = find_model(cx, call, tool->capability, false, &need.met);
        if (!need.met)
            need.detail = TC_STR("No model of a channel that is on has it.");
        write_need(call->out, &need);
    }
    if (!e && tool->flags & TC_TOOL_RETURNS_IMAGES) {
        need = (struct need){.kind = "imageInput", .name = TC_STR("imageInput"), .where = TC_STR("channel")};
        e = find_model(cx, call, TC_CAPABILITY_TEXT, true, &need.met);
        if (!need.met)
            need.detail = TC_STR("No model of a channel that is on takes images.");
        write_need(call->out, &need);
    }
    return e;
}

/* --- scenes --- */

static bool some_agent(struct tc_agent **agents, size_t n, unsigned flag)
{
    for (size_t i = 0; i < n; i++)
        if ((flag & TC_SCENE_STAGES ? agents[i]->stage & flag : 0) || (flag == TC_SCENE_MEMORY && agents[i]->memory) ||
            (flag == TC_SCENE_SKILLS && agents[i]->has_skills))
            return true;
    return false;
}

static struct tc_str stage_names(struct tc_arena *arena, unsigned stages)
{
    struct tc_str text = TC_STR("");

    for (unsigned bit = 1; bit & TC_SCENE_STAGES; bit <<= 1)
        if (stages & bit)
            text = tc_arena_printf(arena, "%.*s%s%s", TC_STR_ARG(text), text.n ? ", " : "", tc_stage_name(bit));
    return text;
}

static enum tc_err write_scene_needs(struct tc_cx *cx, struct tc_api_call *call, const struct tc_descriptor *tool)
{
    static const struct {
        unsigned flag;
        const char *name;
        bool callers; /* lies with who calls */
    } conditions[] = {
        {TC_SCENE_MEMORY, "memory", false},
        {TC_SCENE_SKILLS, "skills", false},
        {TC_SCENE_MASTER, "master", true},
        {TC_SCENE_ANSWERS, "answers", true},
        {TC_SCENE_RUN, "run", true},
    };
    unsigned wanted = tool->scenes | (tool->visibility == TC_VISIBILITY_INTERNAL ? TC_SCENE_RUN : 0u);
    struct need need = {.kind = "scene", .where = TC_STR("agent")};
    struct tc_agent **agents;
    size_t n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    if (e)
        return e;
    if (wanted & TC_SCENE_STAGES) {
        need.name = stage_names(cx->arena, wanted);
        need.met = some_agent(agents, n, wanted & TC_SCENE_STAGES);
        if (!need.met)
            need.detail = TC_STR("No agent is of such a stage; a run may ask for one.");
        write_need(call->out, &need);
    }
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        if (!(wanted & conditions[i].flag))
            continue;
        need = (struct need){.kind = "scene", .name = tc_str_of(conditions[i].name), .where = TC_STR("agent")};
        need.met = conditions[i].callers ? -1 : some_agent(agents, n, conditions[i].flag);
        if (conditions[i].callers)
            need.where = TC_STR("");
        write_need(call->out, &need);
    }
    return TC_OK;
}

/* --- machine and server --- */

static enum tc_err write_source_needs(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_picture *picture)
{
    const struct tc_descriptor *tool = picture->tool;
    struct need need = {0};

    if (tool->flags & TC_TOOL_NEEDS_SHELL) {
        need = (struct need){.kind = "helper", .name = TC_STR("toolcrib-worker-shell"), .where = TC_STR("system")};
        need.met = call->runtime->sandbox != NULL;
        if (!need.met)
            need.detail = call->runtime->sandbox_missing;
        write_need(call->out, &need);
    }
    if (tool->parts.provider != TC_PROVIDER_MCP)
        return TC_OK;
    need = (struct need){.kind = "server", .name = tool->server, .met = picture->state->server == TC_SERVER_UP};
    if (picture->state->server == TC_SERVER_PAUSED)
        need.detail = TC_STR("It is paused.");
    else if (!need.met)
        need.detail = picture->state->health;
    need.where = tc_arena_printf(cx->arena, "mcp:%.*s", TC_STR_ARG(tool->server));
    if (!need.where.p)
        return tc_fail_memory(cx);
    write_need(call->out, &need);
    return TC_OK;
}

/* --- what operators supply --- */

struct supplies {
    struct tc_supply *items;
    size_t n;
};

/* Parks. */
static enum tc_err find_supplies(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row,
                                 struct supplies *ret)
{
    const struct tc_descriptor *tool = tc_tool_picture(call, row).tool;

    *ret = (struct supplies){0};
    if (!tool || !tool->builtin)
        return TC_OK;
    return tc_builtins_supplies(cx, call->runtime, tool->builtin, &ret->items, &ret->n);
}

static enum tc_err write_supplies(struct tc_cx *cx, struct tc_api_call *call, const struct supplies *supplies)
{
    for (size_t i = 0; i < supplies->n; i++) {
        const struct tc_supply *supply = &supplies->items[i];
        struct need need = {
            .kind = supply->kind,
            .name = supply->name,
            .detail = tc_str_of(supply->description),
            .where = tc_arena_printf(cx->arena, "%s:%.*s", supply->kind, TC_STR_ARG(supply->name)),
            .met = supply->met,
        };
        if (!need.where.p)
            return tc_fail_memory(cx);
        write_need(call->out, &need);
    }
    return TC_OK;
}

/* --- agents --- */

/* Whose runs have it. */
static enum tc_err count_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id, int64_t *ret_with,
                                int64_t *ret_of)
{
    struct tc_agent **agents;
    struct tc_str *ids;
    size_t n, done = 0;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    *ret_with = *ret_of = 0;
    ids = e ? NULL : TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    if (!e && !ids)
        return tc_fail_memory(cx);
    for (size_t i = 0; !e && i < n; i++) { /* they may go while others have their turn */
        ids[i] = tc_arena_dup(cx->arena, agents[i]->id);
        if (!ids[i].p)
            return tc_fail_memory(cx);
    }
    for (size_t i = 0; !e && i < n; i++) {
        struct tc_agent_draft agent;
        bool offered;
        if (!tc_agents_has(call->runtime->agents, ids[i]))
            continue;
        e = tc_agent_draft_read(cx, call, NULL, ids[i], &agent);
        if (!e)
            e = tc_view_offers(cx, call->runtime->views, &agent.key, id, &offered);
        if (e)
            break;
        *ret_with += offered;
        ++*ret_of;
        if (++done % AT_A_TIME == 0)
            e = tc_task_yield(cx);
    }
    return e;
}

enum tc_err tc_tool_needs_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row)
{
    struct tc_jsonw *w = call->out;
    struct tc_tool_picture picture;
    struct tc_change_row *last;
    struct supplies supplies;
    int64_t with, of;
    enum tc_err e = count_agents(cx, call, row->name, &with, &of);

    if (!e)
        e = find_supplies(cx, call, row, &supplies);
    if (!e)
        e = tc_changed_latest(cx, call, "tool", &row->name, 1, &last);
    if (e)
        return e;
    picture = tc_tool_picture(call, row);
    tc_jsonw_object(w);
    e = tc_tool_picture_write(cx, w, &picture, true);
    tc_jsonw_key(w, "requires");
    tc_jsonw_array(w);
    if (!e && picture.tool)
        e = write_source_needs(cx, call, &picture);
    if (!e)
        e = write_supplies(cx, call, &supplies);
    if (!e && picture.tool)
        e = write_model_needs(cx, call, picture.tool);
    if (!e && picture.tool)
        e = write_scene_needs(cx, call, picture.tool);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "offeredTo");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "agents", with);
    tc_jsonw_kint(w, "of", of);
    tc_jsonw_end(w);
    tc_changed_by(call, last);
    tc_jsonw_end(w);
    return e;
}
