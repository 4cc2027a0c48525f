/*
 * One pass decides each tool from dense arrays (catalog traits, states, marks of
 * the agent), a second writes the effective ones and walks the ledger beside
 * them. All reasons of a tool are computed, so that "what must I change" has a
 * whole answer. What an agent lists is marked on the tools beforehand: the loop
 * over all tools compares no strings.
 */
#include "policy/resolver.h"

/* What the agent says of one tool. */
enum { WINDOW_SHARE = 10 };
enum mark { MARK_DISABLED = 1 << 0, MARK_ALLOWED = 1 << 1, MARK_ASK = 1 << 2, MARK_OFF = 1 << 3 };

struct work {
    struct tc_cx *cx;
    const struct tc_resolve_input *in;
    struct tc_resolution *out;
    uint8_t *marks;    /* by tool */
    uint16_t *ranks;   /* by toolset: 1 + place in the agent's list, 0 not enabled */
    uint16_t *reasons; /* by tool */
    struct tc_str *absent; /* toolsets that nobody knows */
    size_t absent_n;
    size_t effective;
    size_t deferred;   /* of the effective ones */
};

bool tc_capability_fits(enum tc_capability tool, enum tc_capability model)
{
    return tool <= model;
}

/* --- the agent's lists, as marks --- */

static bool is_wild(char c)
{
    return c == '*' || c == '?';
}

/* A glob marks the tools of its literal prefix that match; ids are in order. */
static void mark_pattern(struct work *w, struct tc_str pattern, uint8_t mark)
{
    const struct tc_catalog *catalog = w->in->catalog;
    struct tc_str prefix = pattern, rest;
    bool whole;

    for (prefix.n = 0; prefix.n < pattern.n && !is_wild(pattern.p[prefix.n]); prefix.n++) {
    }
    rest = tc_str_from(pattern, prefix.n);
    whole = tc_str_is(rest, "*");
    for (size_t i = tc_catalog_lower_bound(catalog, prefix); i < catalog->n; i++) {
        struct tc_str id = catalog->tools[i]->id;
        if (!tc_str_starts(id, prefix))
            break;
        if (whole || tc_str_glob(rest, tc_str_from(id, prefix.n)))
            w->marks[i] |= mark;
    }
}

static void mark_list(struct work *w, const struct tc_str *ids, size_t n, uint8_t mark)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = tc_catalog_find(w->in->catalog, ids[i]);
        if (at != SIZE_MAX)
            w->marks[at] |= mark;
    }
}

static void mark_tools(struct work *w)
{
    const struct tc_agent *agent = w->in->agent;

    mark_list(w, agent->disabled, agent->disabled_n, MARK_DISABLED);
    mark_list(w, agent->allow, agent->allow_n, MARK_ALLOWED);
    for (size_t i = 0; i < agent->permissions_n; i++) {
        enum tc_permission permission = agent->permissions[i].permission;
        if (permission != TC_PERMISSION_ALLOW)
            mark_pattern(w, agent->permissions[i].pattern, permission == TC_PERMISSION_OFF ? MARK_OFF : MARK_ASK);
    }
}

/* --- reasons --- */

static bool is_scene_wrong(unsigned wanted, unsigned have)
{
    unsigned stages = wanted & TC_SCENE_STAGES, conditions = wanted & ~(unsigned)TC_SCENE_STAGES;

    return (stages != 0 && (stages & have) == 0) || (conditions & ~have) != 0;
}

static enum tc_permission permission_of(const struct work *w, size_t i)
{
    enum tc_permission own = w->in->states[i].permission, agents = TC_PERMISSION_ALLOW;

    if (w->in->catalog->traits[i].runtime)
        return own;
    if (w->marks[i] & MARK_OFF)
        agents = TC_PERMISSION_OFF;
    else if (w->marks[i] & MARK_ASK)
        agents = TC_PERMISSION_ASK;
    return own > agents ? own : agents;
}

#define REASON(holds, reason) ((unsigned)(holds) << TC_REASON_##reason)

static unsigned judge(const struct work *w, size_t i)
{
    const struct tc_resolve_input *in = w->in;
    const struct tc_tool_state *state = &in->states[i];
    const struct tc_trait *trait = &in->catalog->traits[i];
    unsigned have = in->scene.flags, reasons;
    uint8_t mark = w->marks[i];

    reasons = REASON(!state->enabled, GLOBALLY_DISABLED) |
              REASON(permission_of(w, i) == TC_PERMISSION_OFF, PERMISSION_OFF) |
              REASON(!tc_capability_fits((enum tc_capability)trait->capability, in->model.capability),
                     CAPABILITY_MISMATCH) |
              REASON((trait->flags & TC_TOOL_RETURNS_IMAGES) && !in->model.image_input, NEEDS_IMAGE_INPUT) |
              REASON(is_scene_wrong(trait->scenes, have) || (trait->internal && !(have & TC_SCENE_RUN)),
                     SCENE_FILTERED) |
              REASON(state->unavailable, UNAVAILABLE) |
              REASON(state->server == TC_SERVER_PAUSED, SERVER_PAUSED) |
              REASON(state->server == TC_SERVER_DOWN, SERVER_DOWN) |
              REASON(state->quarantined || trait->faulty, QUARANTINED);
    if (trait->runtime)
        return reasons;
    return reasons | REASON(w->ranks[in->catalog->toolset_of[i]] == 0, TOOLSET_NOT_ENABLED) |
           REASON((mark & MARK_DISABLED) || (in->agent->has_allow && !(mark & MARK_ALLOWED)), TOOL_DISABLED);
}

static void judge_all(struct work *w)
{
    for (size_t i = 0; i < w->in->catalog->n; i++) {
        unsigned reasons = judge(w, i);
        w->reasons[i] = (uint16_t)reasons;
        w->effective += reasons == 0;
    }
}

/* --- tools on demand (spec 9) --- */

/* In runs, unless the agent says: when their definitions are over a tenth of the
 * window, or the model does not take all tools at once. */
static bool defers(const struct work *w, uint64_t tokens)
{
    const struct tc_resolve_input *in = w->in;
    enum tc_discovery mode = in->agent->discovery;

    if (mode != TC_DISCOVERY_AUTO || !(in->scene.flags & TC_SCENE_RUN))
        return mode == TC_DISCOVERY_ON;
    return tokens > (uint64_t)in->model.context_window / WINDOW_SHARE ||
           (in->model.max_tools > 0 && (uint64_t)in->model.max_tools < w->effective - 1); /* without the search */
}

/* Whether anything is deferred; if not, there is nothing to search for either. */
static void settle_discovery(struct work *w)
{
    const struct tc_catalog *catalog = w->in->catalog;
    uint64_t tokens = 0;
    size_t n = 0, search = SIZE_MAX;

    for (size_t i = 0; i < catalog->n; i++) {
        if (w->reasons[i] == 0 && catalog->traits[i].deferrable) {
            tokens += catalog->traits[i].tokens;
            n++;
        }
        if (catalog->traits[i].search)
            search = i;
    }
    if (search == SIZE_MAX || w->reasons[search] != 0)
        return;
    if (n > 0 && defers(w, tokens)) {
        w->deferred = n;
    } else {
        w->reasons[search] = 1u << TC_REASON_SCENE_FILTERED;
        w->effective--;
    }
}

static bool is_deferred(const struct work *w, size_t i)
{
    return w->deferred > 0 && w->in->catalog->traits[i].deferrable;
}

/* --- a model that takes only so many tools --- */

/* What is kept first has the smaller class: always-load, isCore, then the place
 * of its toolset in the agent's list. Inside a class the id decides. */
static size_t class_of(const struct work *w, size_t i, size_t places)
{
    const struct tc_trait *trait = &w->in->catalog->traits[i];
    bool always = trait->runtime || (trait->flags & TC_TOOL_ALWAYS_LOAD);
    size_t kind = (always ? 0u : 2u) + (trait->flags & TC_TOOL_CORE ? 0u : 1u);
    size_t rank = trait->runtime ? 0 : w->ranks[w->in->catalog->toolset_of[i]];

    return kind * places + rank;
}

/* Of those that are offered without being asked for. */
static enum tc_err keep_within(struct work *w, size_t limit)
{
    size_t places = w->in->agent->toolsets_n + 1, left = limit;
    size_t *room = TC_ARENA_NEW_N(w->cx->arena, size_t, 4 * places);

    if (!room)
        return tc_fail_memory(w->cx);
    for (size_t i = 0; i < w->in->catalog->n; i++)
        if (w->reasons[i] == 0 && !is_deferred(w, i))
            room[class_of(w, i, places)]++;
    for (size_t class = 0; class < 4 * places; class++) {
        room[class] = room[class] < left ? room[class] : left;
        left -= room[class];
    }
    for (size_t i = 0; i < w->in->catalog->n; i++) {
        size_t *seats;
        if (w->reasons[i] != 0 || is_deferred(w, i))
            continue;
        seats = &room[class_of(w, i, places)];
        if (*seats > 0)
            --*seats;
        else
            w->reasons[i] = 1u << TC_REASON_OVER_PROVIDER_LIMIT;
    }
    w->effective = limit + w->deferred;
    return TC_OK;
}

/* --- names --- */

static bool is_pair(const struct tc_names *ledger, size_t at, struct tc_str id)
{
    return at < ledger->n && tc_str_eq(ledger->by_id[at]->id, id);
}

/* Looks each effective tool up in the ledger; both are in id order. Returns how
 * many have no name there. */
static size_t look_up_names(struct work *w)
{
    const struct tc_names *ledger = w->in->names;
    size_t at = 0, missing = 0;

    for (size_t i = 0; i < w->out->tools_n; i++) {
        struct tc_resolved *tool = &w->out->tools[i];
        struct tc_str id = w->in->catalog->tools[tool->index]->id;
        bool found = is_pair(ledger, at, id); /* mostly the next pair is the right one */
        if (!found) {
            at = tc_names_seek(ledger, at, id);
            found = is_pair(ledger, at, id);
        }
        tool->name = found ? ledger->by_id[at++]->name : TC_STR("");
        missing += !found;
    }
    return missing;
}

static enum tc_err give_names(struct work *w, struct tc_names_round *round)
{
    enum tc_err err = tc_names_reserve(w->cx, round, w->in->catalog);

    for (size_t i = 0; !err && i < w->out->tools_n; i++) {
        struct tc_resolved *tool = &w->out->tools[i];
        const struct tc_descriptor *descriptor = w->in->catalog->tools[tool->index];
        if (tool->name.n > 0)
            continue;
        err = tc_names_give(w->cx, round, descriptor, &tool->name);
        if (!err)
            w->out->new_names[w->out->new_names_n++] = (struct tc_name){descriptor->id, tool->name};
    }
    return err;
}

/* The ledger may change or go while the result is in use: names are copied, all
 * into one block. */
static enum tc_err copy_names(struct work *w)
{
    size_t total = 0;
    char *to;

    for (size_t i = 0; i < w->out->tools_n; i++)
        total += w->out->tools[i].name.n;
    to = tc_arena_alloc(w->cx->arena, total);
    if (!to)
        return tc_fail_memory(w->cx);
    for (size_t i = 0; i < w->out->tools_n; i++) {
        struct tc_str *name = &w->out->tools[i].name;
        memcpy(to, name->p, name->n);
        name->p = to;
        to += name->n;
    }
    return TC_OK;
}

static enum tc_err name_tools(struct work *w)
{
    struct tc_names_round round;
    size_t missing;
    enum tc_err err;

    if (!w->in->names)
        return TC_OK;
    missing = look_up_names(w);
    if (missing > 0) {
        w->out->new_names = TC_ARENA_NEW_N(w->cx->arena, struct tc_name, missing);
        if (!w->out->new_names)
            return tc_fail_memory(w->cx);
        tc_names_round_init(&round, w->in->names, w->in->style, w->in->name_max);
        err = give_names(w, &round);
        tc_names_round_finish(&round);
        if (err)
            return err;
    }
    return copy_names(w);
}

static enum tc_err list_builtins(struct work *w)
{
    struct tc_resolution *out = w->out;
    size_t n = 0;

    for (size_t i = 0; i < out->tools_n; i++)
        n += w->in->catalog->traits[out->tools[i].index].builtin;
    out->builtin_names = TC_ARENA_NEW_N(w->cx->arena, struct tc_str, n);
    if (!out->builtin_names)
        return tc_fail_memory(w->cx);
    for (size_t i = 0; i < out->tools_n; i++)
        if (w->in->catalog->traits[out->tools[i].index].builtin)
            out->builtin_names[out->builtin_names_n++] = out->tools[i].name;
    return TC_OK;
}

/* --- the result --- */

static enum tc_err write_hint(struct work *w, struct tc_resolved *tool)
{
    const struct tc_resolve_input *in = w->in;
    struct tc_str operators = in->states[tool->index].prompt_hint;

    tool->hint = TC_STR("");
    tool->hint_operator = false;
    if (!(in->catalog->traits[tool->index].flags & TC_TOOL_PROMPT_HINT))
        return TC_OK;
    if (operators.n == 0) {
        tool->hint = in->catalog->tools[tool->index]->prompt_hint;
        return TC_OK;
    }
    tool->hint = tc_arena_dup(w->cx->arena, operators);
    tool->hint_operator = true;
    return tool->hint.p ? TC_OK : tc_fail_memory(w->cx);
}

static enum tc_err write_lists(struct work *w)
{
    struct tc_resolution *out = w->out;
    size_t n = w->in->catalog->n;

    out->tools = tc_arena_alloc(w->cx->arena, w->effective * sizeof *out->tools);
    out->out = tc_arena_alloc(w->cx->arena, (n - w->effective) * sizeof *out->out);
    if (!out->tools || !out->out)
        return tc_fail_memory(w->cx);
    for (size_t i = 0; i < n; i++) {
        struct tc_resolved *tool;
        if (w->reasons[i] != 0) {
            out->out[out->out_n++] = (struct tc_left_out){(uint32_t)i, w->reasons[i]};
            continue;
        }
        tool = &out->tools[out->tools_n++];
        tool->index = (uint32_t)i;
        tool->deferred = is_deferred(w, i);
        tool->permission = permission_of(w, i);
        tool->name = TC_STR("");
        if (write_hint(w, tool))
            return w->cx->err.code;
    }
    return TC_OK;
}

static enum tc_err diagnose(struct work *w, const char *code, struct tc_str tool_id, struct tc_str message)
{
    if (!message.p)
        return tc_fail_memory(w->cx);
    w->out->diagnostics[w->out->diagnostics_n++] = (struct tc_diagnostic){tc_str_of(code), message, tool_id};
    return TC_OK;
}

/* What the agent selects and is not there: it stays selected and blocks nothing. */
static enum tc_err write_diagnostics(struct work *w)
{
    const struct tc_agent *agent = w->in->agent;
    size_t most = w->absent_n + agent->allow_n;
    enum tc_err err = TC_OK;

    w->out->diagnostics = TC_ARENA_NEW_N(w->cx->arena, struct tc_diagnostic, most);
    if (!w->out->diagnostics)
        return tc_fail_memory(w->cx);
    for (size_t i = 0; !err && i < w->absent_n; i++)
        err = diagnose(w, "toolset.absent", TC_STR(""),
                       tc_arena_printf(w->cx->arena, "The agent enables the toolset \"%.*s\", which is not here now.",
                                       TC_STR_ARG(w->absent[i])));
    for (size_t i = 0; !err && i < agent->allow_n; i++)
        if (tc_catalog_find(w->in->catalog, agent->allow[i]) == SIZE_MAX)
            err = diagnose(w, "tool.absent", agent->allow[i],
                           tc_arena_printf(w->cx->arena, "The agent selects the tool %.*s, which is not here now.",
                                           TC_STR_ARG(agent->allow[i])));
    return err;
}

static enum tc_err prepare(struct work *w)
{
    const struct tc_catalog *catalog = w->in->catalog;
    const struct tc_agent *agent = w->in->agent;

    w->marks = TC_ARENA_NEW_N(w->cx->arena, uint8_t, catalog->n + 1);
    w->ranks = TC_ARENA_NEW_N(w->cx->arena, uint16_t, catalog->toolsets_n + 1);
    w->reasons = tc_arena_alloc(w->cx->arena, (catalog->n + 1) * sizeof *w->reasons);
    if (!w->marks || !w->ranks || !w->reasons)
        return tc_fail_memory(w->cx);
    mark_tools(w);
    return tc_toolset_expand(w->cx, catalog, w->in->composites, agent->toolsets, agent->toolsets_n, w->ranks,
                             &w->absent, &w->absent_n);
}

enum tc_err tc_resolve(struct tc_cx *cx, const struct tc_resolve_input *input, struct tc_resolution **ret_resolution)
{
    struct work w = {.cx = cx, .in = input, .out = TC_ARENA_NEW(cx->arena, struct tc_resolution)};
    enum tc_err err;

    if (!w.out)
        return tc_fail_memory(cx);
    w.out->input = input;
    err = prepare(&w);
    if (err)
        return err;
    judge_all(&w);
    settle_discovery(&w);
    w.out->deferred_n = w.deferred;
    if (input->model.max_tools > 0 && (uint64_t)input->model.max_tools < w.effective - w.deferred)
        err = keep_within(&w, (size_t)input->model.max_tools);
    if (!err)
        err = write_lists(&w);
    if (!err)
        err = name_tools(&w);
    if (!err)
        err = list_builtins(&w);
    if (!err)
        err = write_diagnostics(&w);
    if (err)
        return err;
    *ret_resolution = w.out;
    return TC_OK;
}

size_t tc_resolution_find_name(const struct tc_resolution *resolution, struct tc_str name)
{
    for (size_t i = 0; i < resolution->tools_n; i++)
        if (tc_str_eq(resolution->tools[i].name, name))
            return i;
    return SIZE_MAX;
}

size_t tc_resolution_find_id(const struct tc_resolution *resolution, struct tc_str id)
{
    size_t index = tc_catalog_find(resolution->input->catalog, id), low = 0, high = resolution->tools_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (resolution->tools[middle].index == index)
            return middle;
        if (resolution->tools[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

uint16_t tc_resolution_reasons(const struct tc_resolution *resolution, size_t index)
{
    size_t low = 0, high = resolution->out_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (resolution->out[middle].index == index)
            return resolution->out[middle].reasons;
        if (resolution->out[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
