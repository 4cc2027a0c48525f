/*
 * What the resolver's reasons are called, and one sentence on why one holds, for
 * an operator. Sentences are made when somebody asks, never during a resolve.
 */
#include "policy/resolver.h"

#include <assert.h>

static const char *const names[TC_REASON_COUNT] = {
    [TC_REASON_GLOBALLY_DISABLED] = "globally_disabled",
    [TC_REASON_TOOLSET_NOT_ENABLED] = "agent_toolset_not_enabled",
    [TC_REASON_TOOL_DISABLED] = "agent_tool_disabled",
    [TC_REASON_PERMISSION_OFF] = "permission_off",
    [TC_REASON_CAPABILITY_MISMATCH] = "capability_mismatch",
    [TC_REASON_NEEDS_IMAGE_INPUT] = "needs_image_input",
    [TC_REASON_SCENE_FILTERED] = "scene_filtered",
    [TC_REASON_UNAVAILABLE] = "unavailable",
    [TC_REASON_SERVER_PAUSED] = "server_paused",
    [TC_REASON_SERVER_DOWN] = "server_down",
    [TC_REASON_QUARANTINED] = "quarantined",
    [TC_REASON_OVER_PROVIDER_LIMIT] = "over_provider_limit",
};

static const struct {
    unsigned flag;
    const char *name, *sentence;
} conditions[] = {
    {TC_SCENE_MEMORY, "memory", "It needs memory, which is off here."},
    {TC_SCENE_SKILLS, "skills", "It needs skills, and there are none here."},
    {TC_SCENE_MASTER, "master", "It is for the master of a crew."},
    {TC_SCENE_ANSWERS, "answers", "It needs a caller that can answer questions."},
    {TC_SCENE_RUN, "run", "It is offered inside runs only."},
};

const char *tc_reason_name(enum tc_reason reason)
{
    assert((unsigned)reason < TC_REASON_COUNT);
    return names[reason];
}

static struct tc_str stages_text(struct tc_arena *arena, unsigned stages)
{
    struct tc_str text = TC_STR("");

    for (unsigned bit = 1; bit & TC_SCENE_STAGES; bit <<= 1)
        if (stages & bit)
            text = tc_arena_printf(arena, "%.*s%s%s", TC_STR_ARG(text), text.n ? ", " : "", tc_stage_name(bit));
    return text;
}

static unsigned wanted_by(const struct tc_trait *trait)
{
    return trait->scenes | (trait->internal ? TC_SCENE_RUN : 0u);
}

static struct tc_str scene_detail(struct tc_arena *arena, const struct tc_resolve_input *in, size_t index)
{
    const struct tc_trait *trait = &in->catalog->traits[index];
    unsigned wanted = wanted_by(trait), have = in->scene.flags;

    if ((wanted & TC_SCENE_STAGES) && !(wanted & have & TC_SCENE_STAGES)) {
        struct tc_str stages = stages_text(arena, wanted), here = stages_text(arena, have);
        return tc_arena_printf(arena, "It is for the stage %.*s; this one is %.*s.", TC_STR_ARG(stages),
                               TC_STR_ARG(here));
    }
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (wanted & ~have & conditions[i].flag)
            return tc_str_of(conditions[i].sentence);
    return trait->search ? TC_STR("No tool has to be searched for: all are offered at once.") : TC_STR("");
}

static bool is_disabled(const struct tc_agent *agent, struct tc_str id)
{
    for (size_t i = 0; i < agent->disabled_n; i++)
        if (tc_str_eq(agent->disabled[i], id))
            return true;
    return false;
}

static struct tc_str disabled_detail(struct tc_arena *arena, const struct tc_agent *agent, struct tc_str id)
{
    if (is_disabled(agent, id))
        return tc_arena_printf(arena, "The agent %.*s disables it.", TC_STR_ARG(agent->id));
    return tc_arena_printf(arena, "The agent %.*s has a list of allowed tools, and it is not in it.",
                           TC_STR_ARG(agent->id));
}

/* The agent's permission that is off for it; p NULL: none is. */
static struct tc_str off_pattern(const struct tc_agent *agent, struct tc_str id)
{
    for (size_t i = 0; i < agent->permissions_n; i++)
        if (agent->permissions[i].permission == TC_PERMISSION_OFF && tc_str_glob(agent->permissions[i].pattern, id))
            return agent->permissions[i].pattern;
    return tc_str_n(NULL, 0);
}

static struct tc_str permission_detail(struct tc_arena *arena, const struct tc_agent *agent,
                                       const struct tc_tool_state *state, const struct tc_descriptor *tool)
{
    struct tc_str pattern = off_pattern(agent, tool->id);

    if (state->excluded)
        return tc_arena_printf(arena, "The include and exclude lists of its server %.*s leave it out.",
                               TC_STR_ARG(tool->server));
    if (pattern.p)
        return tc_arena_printf(arena, "The agent %.*s has the permission off for \"%.*s\".", TC_STR_ARG(agent->id),
                               TC_STR_ARG(pattern));
    return TC_STR("Its own permission, or that of its server, is off.");
}

/* The sentence of the state: it belongs to the first reason that it can explain. p NULL: to none. */
static struct tc_str own_detail(const struct tc_resolution *resolution, size_t index, enum tc_reason reason)
{
    const struct tc_tool_state *state = &resolution->input->states[index];
    unsigned servers = 1u << TC_REASON_SERVER_PAUSED | 1u << TC_REASON_SERVER_DOWN;
    unsigned explained = 1u << TC_REASON_UNAVAILABLE | 1u << TC_REASON_QUARANTINED;
    uint16_t reasons = tc_resolution_reasons(resolution, index);

    if (state->health.n && (servers >> reason & 1))
        return state->health;
    if (!state->health.n)
        explained |= servers;
    if (state->detail.n && (reasons & explained) && (unsigned)__builtin_ctz(reasons & explained) == (unsigned)reason)
        return state->detail;
    return tc_str_n(NULL, 0);
}

static struct tc_str state_detail(struct tc_arena *arena, const struct tc_resolution *resolution, size_t index,
                                  enum tc_reason reason)
{
    const struct tc_descriptor *tool = resolution->input->catalog->tools[index];
    struct tc_str detail = own_detail(resolution, index, reason);

    if (reason == TC_REASON_QUARANTINED && tool->schema_fault.n)
        return tool->schema_fault;
    if (detail.p)
        return tc_arena_dup(arena, detail);
    switch (reason) {
    case TC_REASON_SERVER_PAUSED:
        return tc_arena_printf(arena, "Its server %.*s is paused.", TC_STR_ARG(tool->server));
    case TC_REASON_SERVER_DOWN:
        return tc_arena_printf(arena, "Its server %.*s cannot be started or reached.", TC_STR_ARG(tool->server));
    case TC_REASON_QUARANTINED:
        return TC_STR("Its definition has not been approved.");
    default:
        return TC_STR("Something that it needs is missing.");
    }
}

struct tc_str tc_resolution_detail(struct tc_cx *cx, const struct tc_resolution *resolution, size_t index,
                                   enum tc_reason reason)
{
    const struct tc_resolve_input *in = resolution->input;
    const struct tc_descriptor *tool = in->catalog->tools[index];
    struct tc_str agent = in->agent->id, model = in->model.name.n ? in->model.name : TC_STR("in use");

    switch (reason) {
    case TC_REASON_GLOBALLY_DISABLED:
        return TC_STR("The operator switched it off for every agent.");
    case TC_REASON_TOOLSET_NOT_ENABLED:
        return tc_arena_printf(cx->arena, "The agent %.*s does not have its toolset \"%.*s\".", TC_STR_ARG(agent),
                               TC_STR_ARG(tool->toolset));
    case TC_REASON_TOOL_DISABLED:
        return disabled_detail(cx->arena, in->agent, tool->id);
    case TC_REASON_PERMISSION_OFF:
        return permission_detail(cx->arena, in->agent, &in->states[index], tool);
    case TC_REASON_CAPABILITY_MISMATCH:
        return tc_arena_printf(cx->arena, "It is for %s models; the model %.*s is %s.",
                               tc_capability_name(tool->capability), TC_STR_ARG(model),
                               tc_capability_name(in->model.capability));
    case TC_REASON_NEEDS_IMAGE_INPUT:
        return tc_arena_printf(cx->arena, "It returns images, and the model %.*s takes none.", TC_STR_ARG(model));
    case TC_REASON_SCENE_FILTERED:
        return scene_detail(cx->arena, in, index);
    case TC_REASON_OVER_PROVIDER_LIMIT:
        return tc_arena_printf(cx->arena, "The model %.*s takes no more than %lld tools, and others come first.",
                               TC_STR_ARG(model), (long long)in->model.max_tools);
    default:
        return state_detail(cx->arena, resolution, index, reason);
    }
}

/* --- the same as facts --- */

static void scene_facts(const struct tc_resolve_input *in, size_t index, struct tc_reason_facts *f)
{
    unsigned wanted = wanted_by(&in->catalog->traits[index]), have = in->scene.flags;

    f->scenes = wanted & TC_SCENE_STAGES;
    f->stage = have & TC_SCENE_STAGES;
    f->condition = "search";
    if (f->scenes && !(f->scenes & have)) {
        f->condition = "stage";
        return;
    }
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (wanted & ~have & conditions[i].flag) {
            f->condition = conditions[i].name;
            return;
        }
}

static void permission_facts(const struct tc_resolve_input *in, size_t index, struct tc_reason_facts *f)
{
    const struct tc_descriptor *tool = in->catalog->tools[index];

    f->server = tool->server;
    f->scope = in->states[index].excluded ? "exclude" : "server";
    if (in->states[index].excluded || in->states[index].permission == TC_PERMISSION_OFF)
        return;
    f->scope = "agent";
    f->pattern = off_pattern(in->agent, tool->id);
}

static void state_facts(const struct tc_resolution *resolution, size_t index, enum tc_reason reason,
                        struct tc_reason_facts *f)
{
    const struct tc_resolve_input *in = resolution->input;
    const struct tc_descriptor *tool = in->catalog->tools[index];

    f->server = tool->server;
    f->cause = own_detail(resolution, index, reason);
    if (reason == TC_REASON_UNAVAILABLE)
        f->missing = in->states[index].missing;
    if (reason != TC_REASON_QUARANTINED)
        return;
    f->scope = tool->schema_fault.n ? "schema" : in->states[index].newcomer ? "new" : "changed";
    if (tool->schema_fault.n)
        f->cause = tool->schema_fault;
}

void tc_resolution_facts(const struct tc_resolution *resolution, size_t index, enum tc_reason reason,
                         struct tc_reason_facts *ret)
{
    const struct tc_resolve_input *in = resolution->input;
    const struct tc_descriptor *tool = in->catalog->tools[index];

    *ret = (struct tc_reason_facts){.model = in->model.name};
    switch (reason) {
    case TC_REASON_TOOLSET_NOT_ENABLED:
        ret->toolset = tool->toolset;
        return;
    case TC_REASON_TOOL_DISABLED:
        ret->scope = is_disabled(in->agent, tool->id) ? "disabled" : "allow";
        return;
    case TC_REASON_PERMISSION_OFF:
        permission_facts(in, index, ret);
        return;
    case TC_REASON_CAPABILITY_MISMATCH:
        ret->needed = tool->capability;
        ret->present = in->model.capability;
        return;
    case TC_REASON_SCENE_FILTERED:
        scene_facts(in, index, ret);
        return;
    case TC_REASON_OVER_PROVIDER_LIMIT:
        ret->limit = in->model.max_tools;
        return;
    case TC_REASON_UNAVAILABLE:
    case TC_REASON_SERVER_PAUSED:
    case TC_REASON_SERVER_DOWN:
    case TC_REASON_QUARANTINED:
        state_facts(resolution, index, reason, ret);
        return;
    default:
        return;
    }
}

enum tc_permission tc_resolution_permission(const struct tc_resolution *resolution, size_t index)
{
    const struct tc_resolve_input *in = resolution->input;
    enum tc_permission permission = in->states[index].permission;
    struct tc_str id = in->catalog->tools[index]->id;

    if (in->catalog->traits[index].runtime)
        return permission;
    for (size_t i = 0; i < in->agent->permissions_n; i++)
        if (in->agent->permissions[i].permission > permission && tc_str_glob(in->agent->permissions[i].pattern, id))
            permission = in->agent->permissions[i].permission;
    return permission;
}
