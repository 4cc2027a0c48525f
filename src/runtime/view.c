/*
 * Views by key: resolve, commit new names (and start over when the world moved
 * meanwhile), and keep the view until the registry moves on. Names being committed for
 * one agent are guarded by a busy flag per key so that two requests do not propose
 * against the same ledger.
 */
#include "runtime/view.h"

#include "base/map.h"
#include "base/mem.h"
#include "catalog/search.h"
#include "runtime/view_make.h"

enum { TRIES = 8 };

struct slot {
    struct tc_view *view; /* a reference, or NULL */
    bool busy;            /* a task is making it */
    struct tc_event done;
};

struct tc_views {
    struct tc_registry *registry;
    struct tc_agents *agents;
    struct tc_map slots; /* key text → struct slot */
    struct tc_tallies *tallies;
};

enum tc_err tc_views_create(struct tc_cx *cx, struct tc_registry *registry, struct tc_agents *agents,
                            struct tc_views **ret_views)
{
    struct tc_views *views = tc_mem_zalloc(1, sizeof *views);

    if (!views)
        return tc_fail_memory(cx);
    views->tallies = tc_tallies_create();
    if (!views->tallies) {
        tc_mem_free(views);
        return tc_fail_memory(cx);
    }
    views->registry = registry;
    views->agents = agents;
    *ret_views = views;
    return TC_OK;
}

void tc_views_destroy(struct tc_views *views)
{
    struct tc_str key;
    void *value;

    if (!views)
        return;
    for (size_t at = 0; tc_map_next(&views->slots, &at, &key, &value);) {
        tc_view_unref(((struct slot *)value)->view);
        tc_mem_free(value);
    }
    tc_map_finish(&views->slots);
    tc_tallies_destroy(views->tallies);
    tc_mem_free(views);
}

struct tc_catalog *tc_views_catalog(const struct tc_views *views)
{
    return tc_registry_get(views->registry).catalog;
}

struct tc_registry *tc_views_registry(const struct tc_views *views)
{
    return views->registry;
}

struct tc_agents *tc_views_agents(const struct tc_views *views)
{
    return views->agents;
}

struct tc_tallies *tc_views_tallies(struct tc_views *views)
{
    return views->tallies;
}

void tc_view_unref(struct tc_view *view)
{
    if (!view || --view->refs > 0)
        return;
    tc_search_destroy(view->search);
    tc_agent_unref(view->agent);
    tc_catalog_unref(view->catalog);
    tc_arena_finish(&view->arena);
    tc_mem_free(view);
}

static enum tc_style style_of(const struct tc_view_key *key, const struct tc_agent *agent)
{
    if (key->has_style)
        return key->style;
    return key->client ? agent->naming_client : agent->naming_run;
}

void tc_views_input(const struct tc_views *views, const struct tc_view_key *key, const struct tc_agent *agent,
                    const struct tc_names *names, struct tc_resolve_input *ret)
{
    struct tc_registry_view now = tc_registry_get(views->registry);
    unsigned flags = key->client ? TC_SCENE_PLAIN : (key->stage ? key->stage : agent->stage) | TC_SCENE_RUN;

    if (agent->memory)
        flags |= TC_SCENE_MEMORY;
    if (agent->has_skills)
        flags |= TC_SCENE_SKILLS;
    if (key->answers)
        flags |= TC_SCENE_ANSWERS;
    *ret = (struct tc_resolve_input){
        .catalog = now.catalog,
        .states = now.states,
        .composites = tc_agents_toolsets(views->agents),
        .agent = agent,
        .model = key->model ? *key->model : agent->client_model,
        .scene = {flags},
        .names = names,
        .style = style_of(key, agent),
        /* one ledger serves both when they share a style: its names must fit clients */
        .name_max = key->client || agent->naming_run == agent->naming_client ? TC_NAMES_MAX_CLIENT : TC_NAMES_MAX_RUN,
    };
}

/* An agent that is stored under its id has names already. */
static enum tc_err resolve_draft(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                 struct tc_resolution **ret)
{
    static const struct tc_names none = {0};
    struct tc_resolve_input *input = TC_ARENA_NEW(cx->arena, struct tc_resolve_input);
    struct tc_ledger_key ledger = {key->draft->id, style_of(key, key->draft), false};
    struct tc_names *names = NULL;
    enum tc_err e = input ? TC_OK : tc_fail_memory(cx);

    if (!e && tc_agents_has(views->agents, ledger.agent))
        e = tc_agents_names(cx, views->agents, &ledger, &names);
    if (e)
        return e;
    tc_views_input(views, key, key->draft, names ? names : &none, input);
    return tc_resolve(cx, input, ret);
}

/* Agent, ledger and resolution in step with each other: nothing parks between
 * the last two. */
static enum tc_err resolve_now(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                               struct tc_resolution **ret)
{
    struct tc_resolve_input *input = TC_ARENA_NEW(cx->arena, struct tc_resolve_input);
    struct tc_agent *agent;
    struct tc_names *names;
    enum tc_style style;
    enum tc_err e;

    if (!input)
        return tc_fail_memory(cx);
    do { /* the ledger may have to be read: then look again, the agent may have another style now */
        e = tc_agents_get(cx, views->agents, key->agent, &agent);
        if (e)
            return e;
        style = style_of(key, agent);
        e = tc_agents_names(cx, views->agents, &(struct tc_ledger_key){key->agent, style, false}, &names);
        if (!e)
            e = tc_agents_get(cx, views->agents, key->agent, &agent);
        if (e)
            return e;
    } while (style_of(key, agent) != style);
    tc_views_input(views, key, agent, names, input);
    return tc_resolve(cx, input, ret);
}

enum tc_err tc_view_explain(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                            struct tc_resolution **ret_resolution)
{
    return key->draft ? resolve_draft(cx, views, key, ret_resolution) : resolve_now(cx, views, key, ret_resolution);
}

/* --- the cache --- */

/* Views of agents that were removed go when one more slot is made. The slots stay:
 * somebody may wait at one. */
static void sweep(struct tc_views *views)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&views->slots, &at, &key, &value);) {
        struct slot *slot = value;
        if (slot->view && !slot->busy && !tc_agents_has(views->agents, slot->view->agent->id)) {
            tc_view_unref(slot->view);
            slot->view = NULL;
        }
    }
}

/* What the views of a run depend on besides; ids of agents hold no line feed. */
static struct tc_str run_part(struct tc_cx *cx, const struct tc_view_key *key)
{
    const struct tc_model *m = key->model;

    if (!m)
        return tc_arena_printf(cx->arena, "\n%u", key->stage);
    return tc_arena_printf(cx->arena, "\n%u %d %d %lld %lld %.*s", key->stage, (int)m->capability, (int)m->image_input,
                           (long long)m->context_window, (long long)m->max_tools, TC_STR_ARG(m->name));
}

struct tc_str tc_views_key_text(struct tc_cx *cx, const struct tc_view_key *key)
{
    struct tc_str rest = key->stage || key->model ? run_part(cx, key) : TC_STR("");
    char *text = rest.p ? tc_arena_alloc(cx->arena, 3 + key->agent.n + rest.n) : NULL;

    if (!text)
        return tc_str_n(NULL, 0);
    text[0] = key->client ? 'c' : 'r';
    text[1] = key->answers ? 'a' : '-';
    text[2] = key->has_style ? (char)('0' + key->style) : '-';
    if (key->agent.n)
        memcpy(text + 3, key->agent.p, key->agent.n);
    if (rest.n)
        memcpy(text + 3 + key->agent.n, rest.p, rest.n);
    return tc_str_n(text, 3 + key->agent.n + rest.n);
}

static struct slot *slot_of(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key)
{
    struct tc_str name = tc_views_key_text(cx, key);
    struct slot *slot = name.p ? tc_map_get(&views->slots, name) : NULL;

    if (slot || !name.p)
        return slot;
    sweep(views);
    slot = tc_mem_zalloc(1, sizeof *slot);
    if (slot && !tc_map_put(&views->slots, name, slot)) {
        tc_mem_free(slot);
        slot = NULL;
    }
    return slot;
}

/* The new names of a resolution. Their ids are the catalog's, which may change meanwhile. */
static enum tc_err commit_names(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                const struct tc_resolution *resolution)
{
    const struct tc_ledger_key ledger = {key->agent, resolution->input->style, false};
    struct tc_catalog *catalog = tc_catalog_ref((struct tc_catalog *)resolution->input->catalog);
    enum tc_err e = tc_agents_add_names(cx, views->agents, &ledger, resolution->new_names, resolution->new_names_n);

    tc_catalog_unref(catalog);
    return e;
}

static enum tc_err make(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct slot *slot)
{
    for (int i = 0; i < TRIES; i++) {
        struct tc_resolution *resolution;
        enum tc_err e = resolve_now(cx, views, key, &resolution);
        if (e)
            return e;
        if (resolution->new_names_n == 0) {
            struct tc_view *view;
            e = tc_view_make(cx, resolution, tc_registry_get(views->registry).version, &view);
            if (e)
                return e;
            tc_view_unref(slot->view);
            slot->view = view;
            return TC_OK;
        }
        e = commit_names(cx, views, key, resolution);
        if (e && e != TC_E_STORE_CONFLICT)
            return e;
        tc_fail_clear(cx);
    }
    return tc_fail(cx, TC_E_BUSY, "The tools changed too often while the list was made.");
}

enum tc_err tc_view_get(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                        struct tc_view **ret_view)
{
    struct tc_agent *agent;
    struct slot *slot;
    enum tc_err e = tc_agents_get(cx, views->agents, key->agent, &agent);

    if (e) /* before a slot is made: names that nobody has must not fill the table */
        return e;
    slot = slot_of(cx, views, key);
    if (!slot)
        return tc_fail_memory(cx);
    while (!slot->view || slot->view->version != tc_registry_get(views->registry).version) {
        if (slot->busy) {
            e = tc_task_wait(cx, &slot->done, -1);
        } else {
            slot->busy = true;
            tc_event_clear(&slot->done);
            e = make(cx, views, key, slot);
            slot->busy = false;
            tc_event_set(&slot->done);
        }
        if (e)
            return e;
    }
    slot->view->refs++;
    *ret_view = slot->view;
    return TC_OK;
}

static void unref_hook(void *view)
{
    tc_view_unref(view);
}

enum tc_err tc_view_borrow(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                           const struct tc_view **ret_view)
{
    struct tc_view *view;
    enum tc_err e = tc_view_get(cx, views, key, &view);

    if (e)
        return e;
    if (!tc_arena_defer(cx->arena, unref_hook, view)) {
        tc_view_unref(view);
        return tc_fail_memory(cx);
    }
    *ret_view = view;
    return TC_OK;
}

enum tc_err tc_view_draft(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                          const struct tc_view **ret_view)
{
    struct tc_resolution *resolution;
    struct tc_view *view;
    enum tc_err e = tc_view_explain(cx, views, key, &resolution);

    if (!e)
        e = tc_view_make(cx, resolution, tc_registry_get(views->registry).version, &view);
    if (e)
        return e;
    if (!tc_arena_defer(cx->arena, unref_hook, view)) {
        tc_view_unref(view);
        return tc_fail_memory(cx);
    }
    *ret_view = view;
    return TC_OK;
}

/* Where a tool begins in the list: past the comma, or the bracket. */
static size_t start_of(const struct tc_view *view, size_t i)
{
    return i ? view->ends[i - 1] + 1 : 1;
}

struct tc_str tc_view_text(const struct tc_view *view, size_t i)
{
    size_t start = start_of(view, i);

    return tc_str_n(view->list.p + start, view->ends[i] - start);
}

struct tc_str tc_view_slice(struct tc_arena *arena, const struct tc_view *view, size_t from, size_t count)
{
    size_t last = from + count > view->n ? view->n : from + count, start;

    if (from == 0 && last == view->n)
        return view->list;
    if (from >= last)
        return TC_STR("[]");
    start = start_of(view, from);
    return tc_arena_printf(arena, "[%.*s]", (int)(view->ends[last - 1] - start), view->list.p + start);
}

const struct tc_view_tool *tc_view_find(const struct tc_view *view, struct tc_str name)
{
    size_t low = 0, high = view->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct tc_view_tool *tool = &view->tools[view->by_name[middle]];
        int order = tc_str_cmp(name, tool->name);
        if (order == 0)
            return tool;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct tc_view_tool *tc_view_find_id(const struct tc_view *view, struct tc_str id)
{
    size_t low = 0, high = view->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tc_str_cmp(id, view->tools[middle].tool->id);
        if (order == 0)
            return &view->tools[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

enum tc_err tc_view_secrets(struct tc_cx *cx, const struct tc_view *view, const struct tc_view_tool *tool,
                            struct tc_redact_list *ret_names)
{
    struct tc_view_tool *noted = (struct tc_view_tool *)tool; /* a note, not content */
    struct tc_redaction marked = {0};
    struct tc_cx kept = {.arena = (struct tc_arena *)&view->arena, .clock = cx->clock};

    if (!noted->secrets_known && tc_redact_schema(&kept, &marked, tool->tool->input_schema))
        return tc_fail_memory(cx);
    if (!noted->secrets_known)
        noted->secrets = (struct tc_redact_list){marked.names.items, marked.names.n, marked.names.n};
    noted->secrets_known = true;
    *ret_names = noted->secrets;
    return TC_OK;
}

enum tc_err tc_view_standing(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct tc_str id,
                             struct tc_standing *ret)
{
    struct tc_resolution *resolution;
    size_t at;
    enum tc_err e = resolve_now(cx, views, key, &resolution);

    if (e)
        return e;
    *ret = (struct tc_standing){.permission = TC_PERMISSION_OFF};
    at = tc_catalog_find(resolution->input->catalog, id);
    if (at == SIZE_MAX) {
        ret->reasons = 1u << TC_REASON_UNAVAILABLE;
        ret->detail = TC_STR("The tool is no longer registered.");
        return TC_OK;
    }
    ret->reasons = tc_resolution_reasons(resolution, at);
    if (ret->reasons)
        ret->detail = tc_resolution_detail(cx, resolution, at, tc_reason_first(ret->reasons));
    else
        ret->permission = resolution->tools[tc_resolution_find_id(resolution, id)].permission;
    return TC_OK;
}

enum tc_err tc_view_owner(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct tc_str name,
                          struct tc_str *ret_id)
{
    struct tc_ledger_key ledger = {.agent = key->agent};
    struct tc_agent *agent;
    struct tc_names *names;
    enum tc_err e = tc_agents_get(cx, views->agents, key->agent, &agent);

    if (e)
        return e;
    ledger.style = style_of(key, agent);
    e = tc_agents_names(cx, views->agents, &ledger, &names);
    if (e)
        return e;
    *ret_id = tc_arena_dup(cx->arena, tc_names_owner(names, name));
    return ret_id->p ? TC_OK : tc_fail_memory(cx);
}
