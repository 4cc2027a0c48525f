/*
 * Making a view: resolve, commit new names (and start over when the world moved
 * meanwhile), apply descriptions, write the list and the snapshot once. Names
 * being committed for one agent are guarded by a busy flag per key so that two
 * requests do not propose against the same ledger.
 */
#include "runtime/view.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "catalog/search.h"
#include "runtime/discovery.h"
#include "runtime/text.h"
#include "toolcrib/jsonw.h"

enum { TRIES = 8, LIST_MAX = 64 * 1024 * 1024 };

struct slot {
    struct tc_view *view; /* a reference, or NULL */
    bool busy;            /* a task is making it */
    struct tc_event done;
};

struct tc_views {
    struct tc_registry *registry;
    struct tc_agents *agents;
    struct tc_map slots; /* key text → struct slot */
};

enum tc_err tc_views_create(struct tc_cx *cx, struct tc_registry *registry, struct tc_agents *agents,
                            struct tc_views **ret_views)
{
    struct tc_views *views = tc_mem_zalloc(1, sizeof *views);

    if (!views)
        return tc_fail_memory(cx);
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
    tc_mem_free(views);
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

/* The input of a resolution as things are now. */
static void prepare(struct tc_views *views, const struct tc_view_key *key, const struct tc_agent *agent,
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
    prepare(views, key, agent, names, input);
    return tc_resolve(cx, input, ret);
}

enum tc_err tc_view_explain(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                            struct tc_resolution **ret_resolution)
{
    return resolve_now(cx, views, key, ret_resolution);
}

/* --- the parts of a view --- */

static const struct tc_json *overrides_of(const struct tc_agent *agent, struct tc_str id)
{
    return tc_json_get(agent->descriptions, id);
}

static enum tc_err describe(struct tc_cx *cx, struct tc_view *view, struct tc_view_tool *tool)
{
    struct tc_str over = tc_json_str(tc_json_get_c(overrides_of(view->agent, tool->tool->id), "description"));
    struct tc_str text = over.n ? over : tool->tool->description;

    if (tool->tool->parts.provider == TC_PROVIDER_MCP && !over.n)
        tool->description = text; /* passes as it is */
    else
        tool->description = tc_text_tools(&view->arena, text, view);
    return tool->description.p || text.n == 0 ? TC_OK : tc_fail_memory(cx);
}

/* What there is to be found is said where the search is offered. */
static enum tc_err describe_search(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_view_tool *search = (struct tc_view_tool *)tc_view_find_id(view, TC_STR(TC_TOOL_SEARCH_ID));
    struct tc_discovery_service service = {.view = view};
    struct tc_str scope;

    if (!search)
        return TC_OK;
    scope = tc_discovery_scope(cx, &service);
    if (!scope.p)
        return tc_fail_memory(cx);
    search->description = tc_arena_printf(&view->arena, "%.*s There are %.*s.", TC_STR_ARG(search->description),
                                          TC_STR_ARG(scope));
    return search->description.p ? TC_OK : tc_fail_memory(cx);
}

/* The input schema, with the agent's descriptions of single properties put in. */
static void write_schema(struct tc_jsonw *w, const struct tc_json *schema, const struct tc_json *properties)
{
    struct tc_json_iter it, inner, deep;
    const struct tc_json *value, *property, *field;
    struct tc_str key, name, what;

    if (!tc_json_is(properties, TC_JSON_OBJECT)) {
        tc_jsonw_value(w, schema);
        return;
    }
    tc_jsonw_object(w);
    for (it = tc_json_iter(schema); tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(w, key);
        if (!tc_str_is(key, "properties") || !tc_json_is(value, TC_JSON_OBJECT)) {
            tc_jsonw_value(w, value);
            continue;
        }
        tc_jsonw_object(w);
        for (inner = tc_json_iter(value); tc_json_next(&inner, &name, &property);) {
            const struct tc_json *text = tc_json_get(properties, name);
            tc_jsonw_key_str(w, name);
            if (!tc_json_is(text, TC_JSON_STRING) || !tc_json_is(property, TC_JSON_OBJECT)) {
                tc_jsonw_value(w, property);
                continue;
            }
            tc_jsonw_object(w);
            for (deep = tc_json_iter(property); tc_json_next(&deep, &what, &field);)
                if (!tc_str_is(what, "description")) {
                    tc_jsonw_key_str(w, what);
                    tc_jsonw_value(w, field);
                }
            tc_jsonw_kvalue(w, "description", text);
            tc_jsonw_end(w);
        }
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static void write_tool(struct tc_jsonw *w, const struct tc_view *view, const struct tc_view_tool *tool)
{
    const struct tc_descriptor *d = tool->tool;
    struct tc_json_iter it = tc_json_iter(d->extra);
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", tool->name);
    tc_jsonw_kopt(w, "title", d->title);
    tc_jsonw_kopt(w, "description", tool->description);
    tc_jsonw_key(w, "inputSchema");
    write_schema(w, d->input_schema, tc_json_get_c(overrides_of(view->agent, d->id), "properties"));
    if (d->output_schema)
        tc_jsonw_kvalue(w, "outputSchema", d->output_schema);
    if (d->annotations)
        tc_jsonw_kvalue(w, "annotations", d->annotations);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}

static enum tc_err write_list(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, LIST_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 0; i < view->n; i++) {
        write_tool(&w, view, &view->tools[i]);
        view->ends[i] = buf.n;
    }
    tc_jsonw_end(&w);
    view->list = tc_buf_dup(&buf, &view->arena);
    tc_buf_finish(&buf);
    return view->list.p ? TC_OK : tc_fail_memory(cx);
}

/* All that the checks of a call depend on, so that a replay can do them again. */
static enum tc_err write_snapshot(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, LIST_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "agent", view->agent->id);
    tc_jsonw_kcstr(&w, "style", tc_style_name(view->style));
    tc_jsonw_kbool(&w, "repair", view->agent->repair);
    tc_jsonw_kint(&w, "inlineChars", view->agent->inline_chars);
    tc_jsonw_kint(&w, "maxChars", view->agent->max_chars);
    tc_jsonw_key(&w, "tools");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < view->n; i++) {
        const struct tc_descriptor *d = view->tools[i].tool;
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "id", d->id);
        tc_jsonw_kstr(&w, "name", view->tools[i].name);
        tc_jsonw_kstr(&w, "description", view->tools[i].description);
        tc_jsonw_kcstr(&w, "permission", tc_permission_name(view->tools[i].permission));
        tc_jsonw_kvalue(&w, "inputSchema", d->input_schema);
        tc_jsonw_kopt(&w, "renamed", d->renamed);
        tc_jsonw_kbool(&w, "selfBounded", d->flags & TC_TOOL_SELF_BOUNDED);
        tc_jsonw_kint(&w, "maxResultChars", d->max_result_chars);
        if (view->tools[i].deferred)
            tc_jsonw_kbool(&w, "deferred", true);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    view->snapshot_json = tc_buf_dup(&buf, &view->arena);
    tc_buf_finish(&buf);
    if (!view->snapshot_json.p)
        return tc_fail_memory(cx);
    tc_hash_sha256_hex(view->snapshot_json, view->snapshot);
    return TC_OK;
}

static int by_name(const void *a, const void *b, void *arg)
{
    const struct tc_view *view = arg;

    return tc_str_cmp(view->tools[*(const uint32_t *)a].name, view->tools[*(const uint32_t *)b].name);
}

static enum tc_err fill(struct tc_cx *cx, struct tc_view *view, const struct tc_resolution *resolution)
{
    view->n = resolution->tools_n;
    view->deferred_n = resolution->deferred_n;
    view->tools = TC_ARENA_NEW_N(&view->arena, struct tc_view_tool, view->n + 1);
    view->by_name = TC_ARENA_NEW_N(&view->arena, uint32_t, view->n + 1);
    view->ends = TC_ARENA_NEW_N(&view->arena, size_t, view->n + 1);
    if (!view->tools || !view->by_name || !view->ends)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < view->n; i++) {
        const struct tc_resolved *from = &resolution->tools[i];
        view->tools[i] = (struct tc_view_tool){
            .index = from->index,
            .tool = view->catalog->tools[from->index],
            .name = tc_arena_dup(&view->arena, from->name),
            .hint = tc_arena_dup(&view->arena, from->hint),
            .hint_operator = from->hint_operator,
            .permission = from->permission,
            .deferred = from->deferred,
        };
        if (!view->tools[i].name.p || !view->tools[i].hint.p)
            return tc_fail_memory(cx);
        view->by_name[i] = (uint32_t)i;
    }
    qsort_r(view->by_name, view->n, sizeof *view->by_name, by_name, view);
    for (size_t i = 0; i < view->n; i++) /* needs all names */
        if (describe(cx, view, &view->tools[i]))
            return cx->err.code;
    return describe_search(cx, view);
}

static enum tc_err view_create(struct tc_cx *cx, const struct tc_resolution *resolution, uint64_t version,
                               struct tc_view **ret)
{
    const struct tc_resolve_input *input = resolution->input;
    struct tc_view *view = tc_mem_zalloc(1, sizeof *view);
    enum tc_err e;

    if (!view)
        return tc_fail_memory(cx);
    tc_arena_init(&view->arena, 2 * (size_t)LIST_MAX);
    view->refs = 1;
    view->agent = tc_agent_ref((struct tc_agent *)input->agent);
    view->catalog = tc_catalog_ref((struct tc_catalog *)input->catalog);
    view->version = version;
    view->style = input->style;
    view->model = input->model;
    view->model.name = tc_arena_dup(&view->arena, view->model.name);
    if (!view->model.name.p) {
        tc_view_unref(view);
        return tc_fail_memory(cx);
    }
    e = fill(cx, view, resolution);
    if (!e)
        e = write_list(cx, view);
    if (!e)
        e = write_snapshot(cx, view);
    if (e) {
        tc_view_unref(view);
        return e;
    }
    *ret = view;
    return TC_OK;
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

static struct slot *slot_of(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key)
{
    struct tc_str rest = key->stage || key->model ? run_part(cx, key) : TC_STR(""), name;
    char *text = rest.p ? tc_arena_alloc(cx->arena, 3 + key->agent.n + rest.n) : NULL;
    struct slot *slot;

    if (!text)
        return NULL;
    text[0] = key->client ? 'c' : 'r';
    text[1] = key->answers ? 'a' : '-';
    text[2] = key->has_style ? (char)('0' + key->style) : '-';
    if (key->agent.n)
        memcpy(text + 3, key->agent.p, key->agent.n);
    if (rest.n)
        memcpy(text + 3 + key->agent.n, rest.p, rest.n);
    name = tc_str_n(text, 3 + key->agent.n + rest.n);
    slot = tc_map_get(&views->slots, name);
    if (slot)
        return slot;
    sweep(views);
    slot = tc_mem_zalloc(1, sizeof *slot);
    if (slot && !tc_map_put(&views->slots, name, slot)) {
        tc_mem_free(slot);
        slot = NULL;
    }
    return slot;
}

static enum tc_err make(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct slot *slot)
{
    for (int i = 0; i < TRIES; i++) {
        struct tc_resolution *resolution;
        struct tc_ledger_key ledger;
        enum tc_err e = resolve_now(cx, views, key, &resolution);
        if (e)
            return e;
        if (resolution->new_names_n == 0) {
            struct tc_view *view;
            e = view_create(cx, resolution, tc_registry_get(views->registry).version, &view);
            if (e)
                return e;
            tc_view_unref(slot->view);
            slot->view = view;
            return TC_OK;
        }
        ledger = (struct tc_ledger_key){key->agent, resolution->input->style, false};
        e = tc_agents_add_names(cx, views->agents, &ledger, resolution->new_names, resolution->new_names_n);
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
