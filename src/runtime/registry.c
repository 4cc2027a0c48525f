/*
 * Sources hold descriptors and their governance; rows hold the operator's
 * settings. A change of a source rebuilds the catalog, which shares all
 * descriptors; a change of a row or of a source's health touches only the states
 * concerned.
 */
#include "runtime/registry.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

enum { WATCHERS = 8 };

struct source_tool {
    struct tc_descriptor *descriptor; /* a reference */
    bool quarantined, unavailable, excluded, newcomer;
    enum tc_permission permission;
    struct tc_str detail, missing; /* in the source's arena */
};

struct source {
    struct tc_arena arena; /* tools and their details */
    struct tc_arena health_arena;
    struct tc_str name;
    struct source_tool *tools;
    size_t n;
    enum tc_server_state state;
    struct tc_str health; /* in health_arena */
};

struct row {
    struct tc_arena arena;
    struct tc_tool_row row;
};

struct tc_registry {
    struct tc_map sources; /* name → struct source */
    struct tc_map rows;    /* ToolId → struct row */
    struct tc_catalog *catalog;
    struct tc_tool_state *states;
    uint64_t version;
    struct tc_pulse *pulse; /* may be NULL */
    struct tc_registry_row *listed; /* all rows by id, as of that version; NULL: not asked for yet */
    uint64_t listed_version;
    struct {
        void (*fn)(void *);
        void *arg;
    } watchers[WATCHERS];
    size_t watchers_n;
};

static void source_destroy(struct source *source)
{
    if (!source)
        return;
    for (size_t i = 0; i < source->n; i++)
        tc_descriptor_unref(source->tools[i].descriptor);
    tc_arena_finish(&source->arena);
    tc_arena_finish(&source->health_arena);
    tc_mem_free(source);
}

static void row_destroy(struct row *row)
{
    if (!row)
        return;
    tc_arena_finish(&row->arena);
    tc_mem_free(row);
}

enum tc_err tc_registry_create(struct tc_cx *cx, struct tc_registry **ret_registry)
{
    struct tc_registry *registry = tc_mem_zalloc(1, sizeof *registry);
    enum tc_err e;

    if (!registry)
        return tc_fail_memory(cx);
    e = tc_catalog_create(cx, NULL, 0, &registry->catalog);
    if (e) {
        tc_mem_free(registry);
        return e;
    }
    registry->version = 1;
    *ret_registry = registry;
    return TC_OK;
}

void tc_registry_destroy(struct tc_registry *registry)
{
    struct tc_str key;
    void *value;

    if (!registry)
        return;
    for (size_t at = 0; tc_map_next(&registry->sources, &at, &key, &value);)
        source_destroy(value);
    for (size_t at = 0; tc_map_next(&registry->rows, &at, &key, &value);)
        row_destroy(value);
    tc_map_finish(&registry->sources);
    tc_map_finish(&registry->rows);
    tc_catalog_unref(registry->catalog);
    tc_mem_free(registry->states);
    tc_mem_free(registry->listed);
    tc_mem_free(registry);
}

struct tc_registry_view tc_registry_get(const struct tc_registry *registry)
{
    return (struct tc_registry_view){registry->catalog, registry->states, registry->version};
}

void tc_registry_tell(struct tc_registry *registry)
{
    for (size_t i = 0; i < registry->watchers_n; i++)
        registry->watchers[i].fn(registry->watchers[i].arg);
}

void tc_registry_touch(struct tc_registry *registry, enum tc_pulse_kind what)
{
    registry->version++;
    tc_pulse_beat(registry->pulse, what);
    tc_registry_tell(registry);
}

void tc_registry_set_pulse(struct tc_registry *registry, struct tc_pulse *pulse)
{
    registry->pulse = pulse;
}

void tc_registry_watch(struct tc_registry *registry, void (*fn)(void *arg), void *arg)
{
    assert(registry->watchers_n < WATCHERS);
    registry->watchers[registry->watchers_n].fn = fn;
    registry->watchers[registry->watchers_n++].arg = arg;
}

void tc_registry_unwatch(struct tc_registry *registry, const void *arg)
{
    size_t kept = 0;

    for (size_t i = 0; i < registry->watchers_n; i++)
        if (registry->watchers[i].arg != arg)
            registry->watchers[kept++] = registry->watchers[i];
    registry->watchers_n = kept;
}

static void state_from_row(const struct tc_registry *registry, struct tc_str id, struct tc_tool_state *state)
{
    const struct row *row = tc_map_get(&registry->rows, id);

    state->enabled = !row || row->row.status;
    state->prompt_hint = row ? row->row.prompt_hint : tc_str_n(NULL, 0);
}

static void state_from_source(const struct source *source, const struct source_tool *tool, struct tc_tool_state *state)
{
    state->quarantined = tool->quarantined;
    state->unavailable = tool->unavailable;
    state->missing = tool->missing;
    state->excluded = tool->excluded;
    state->newcomer = tool->newcomer;
    state->permission = tool->excluded ? TC_PERMISSION_OFF : tool->permission;
    state->server = source->state;
    state->health = source->health;
    state->detail = tool->detail.n ? tool->detail : source->health;
}

/* Fills the states of one source's tools in a catalog. */
static void fill(const struct tc_registry *registry, const struct source *source, const struct tc_catalog *catalog,
                 struct tc_tool_state *states)
{
    for (size_t i = 0; i < source->n; i++) {
        size_t at = tc_catalog_find(catalog, source->tools[i].descriptor->id);
        if (at == SIZE_MAX)
            continue;
        state_from_row(registry, source->tools[i].descriptor->id, &states[at]);
        state_from_source(source, &source->tools[i], &states[at]);
    }
}

static enum tc_err rebuild(struct tc_cx *cx, struct tc_registry *registry)
{
    struct tc_descriptor **all;
    struct tc_catalog *catalog;
    struct tc_tool_state *states;
    struct tc_str key;
    void *value;
    size_t n = 0, k = 0;
    enum tc_err e;

    for (size_t at = 0; tc_map_next(&registry->sources, &at, &key, &value);)
        n += ((struct source *)value)->n;
    all = TC_ARENA_NEW_N(cx->arena, struct tc_descriptor *, n + 1);
    if (!all)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_map_next(&registry->sources, &at, &key, &value);)
        for (size_t i = 0; i < ((struct source *)value)->n; i++)
            all[k++] = ((struct source *)value)->tools[i].descriptor;
    e = tc_catalog_create(cx, all, n, &catalog);
    if (e)
        return e;
    states = tc_mem_zalloc(n + 1, sizeof *states);
    if (!states) {
        tc_catalog_unref(catalog);
        return tc_fail_memory(cx);
    }
    for (size_t at = 0; tc_map_next(&registry->sources, &at, &key, &value);)
        fill(registry, value, catalog, states);
    tc_catalog_unref(registry->catalog);
    tc_mem_free(registry->states);
    registry->catalog = catalog;
    registry->states = states;
    return TC_OK;
}

static struct source *source_create(struct tc_str name, const struct tc_registry_tool *tools, size_t n)
{
    struct source *source = tc_mem_zalloc(1, sizeof *source);

    if (!source)
        return NULL;
    tc_arena_init(&source->arena, 0);
    tc_arena_init(&source->health_arena, 0);
    source->name = tc_arena_dup(&source->arena, name);
    source->tools = TC_ARENA_NEW_N(&source->arena, struct source_tool, n + 1);
    if (!source->name.p || !source->tools) {
        source_destroy(source);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        struct source_tool *to = &source->tools[i];
        to->detail = tc_arena_dup(&source->arena, tools[i].detail);
        to->missing = tc_arena_dup(&source->arena, tools[i].missing);
        if (!to->detail.p || !to->missing.p) {
            source_destroy(source);
            return NULL;
        }
        to->descriptor = tc_descriptor_ref(tools[i].descriptor);
        to->quarantined = tools[i].quarantined;
        to->unavailable = tools[i].unavailable;
        to->excluded = tools[i].excluded;
        to->newcomer = tools[i].newcomer;
        to->permission = tools[i].permission;
        source->n++;
    }
    return source;
}

enum tc_err tc_registry_set_source(struct tc_cx *cx, struct tc_registry *registry, struct tc_str name,
                                   const struct tc_registry_tool *tools, size_t n)
{
    struct source *former = tc_map_get(&registry->sources, name), *fresh = source_create(name, tools, n);
    enum tc_err e;

    if (!fresh)
        return tc_fail_memory(cx);
    if (former) {
        fresh->state = former->state;
        fresh->health = tc_arena_dup(&fresh->health_arena, former->health);
    }
    if (!tc_map_put(&registry->sources, name, fresh)) {
        source_destroy(fresh);
        return tc_fail_memory(cx);
    }
    e = rebuild(cx, registry);
    if (e) { /* as it was: the slot exists, so putting back cannot fail */
        if (former)
            tc_map_put(&registry->sources, name, former);
        else
            tc_map_remove(&registry->sources, name);
        source_destroy(fresh);
        return e;
    }
    if (n == 0)
        source_destroy(tc_map_remove(&registry->sources, name));
    source_destroy(former);
    tc_pulse_beat(registry->pulse, TC_PULSE_TOOLSETS);
    tc_registry_touch(registry, TC_PULSE_TOOLS);
    return TC_OK;
}

enum tc_err tc_registry_set_health(struct tc_cx *cx, struct tc_registry *registry, struct tc_str name,
                                   enum tc_server_state state, struct tc_str detail)
{
    struct source *source = tc_map_get(&registry->sources, name);
    struct tc_arena arena;
    struct tc_str copy;

    if (!source || (source->state == state && tc_str_eq(source->health, detail)))
        return TC_OK;
    tc_arena_init(&arena, 0);
    copy = tc_arena_dup(&arena, detail);
    if (!copy.p) {
        tc_arena_finish(&arena);
        return tc_fail_memory(cx);
    }
    tc_arena_finish(&source->health_arena);
    source->health_arena = arena;
    source->health = copy;
    source->state = state;
    fill(registry, source, registry->catalog, registry->states);
    tc_registry_touch(registry, TC_PULSE_TOOLS);
    return TC_OK;
}

static struct tc_str dup_or_null(struct tc_arena *arena, struct tc_str s, bool *ok)
{
    struct tc_str copy = s.p ? tc_arena_dup(arena, s) : s;

    *ok = *ok && (!s.p || copy.p);
    return copy;
}

static struct row *row_create(const struct tc_tool_row *from)
{
    struct row *row = tc_mem_zalloc(1, sizeof *row);
    bool ok = true;

    if (!row)
        return NULL;
    tc_arena_init(&row->arena, 0);
    row->row = *from;
    row->row.name = dup_or_null(&row->arena, from->name, &ok);
    row->row.label = dup_or_null(&row->arena, from->label, &ok);
    row->row.toolset = dup_or_null(&row->arena, from->toolset, &ok);
    row->row.description = dup_or_null(&row->arena, from->description, &ok);
    row->row.visibility = dup_or_null(&row->arena, from->visibility, &ok);
    row->row.capability = dup_or_null(&row->arena, from->capability, &ok);
    row->row.prompt_hint = dup_or_null(&row->arena, from->prompt_hint, &ok);
    row->row.extra = dup_or_null(&row->arena, from->extra, &ok);
    if (!ok) {
        row_destroy(row);
        return NULL;
    }
    return row;
}

enum tc_err tc_registry_set_row(struct tc_cx *cx, struct tc_registry *registry, const struct tc_tool_row *from)
{
    struct row *former = tc_map_get(&registry->rows, from->name), *row;
    size_t at;

    if (former && (former->row.version > from->version ||
                   (former->row.version == from->version && former->row.updated_at > from->updated_at)))
        return TC_OK; /* read before another task's change */
    row = row_create(from);
    if (!row || !tc_map_put(&registry->rows, row->row.name, row)) {
        row_destroy(row);
        return tc_fail_memory(cx);
    }
    at = tc_catalog_find(registry->catalog, row->row.name);
    if (at != SIZE_MAX)
        state_from_row(registry, row->row.name, &registry->states[at]);
    row_destroy(former);
    tc_registry_touch(registry, TC_PULSE_TOOLS);
    return TC_OK;
}

const struct tc_tool_row *tc_registry_row(const struct tc_registry *registry, struct tc_str id)
{
    const struct row *row = tc_map_get(&registry->rows, id);

    return row ? &row->row : NULL;
}

const struct tc_tool_row *tc_registry_next_row(const struct tc_registry *registry, size_t *at)
{
    struct tc_str key;
    void *value;

    return tc_map_next(&registry->rows, at, &key, &value) ? &((struct row *)value)->row : NULL;
}

static int by_id(const void *a, const void *b)
{
    return tc_str_cmp(((const struct tc_registry_row *)a)->row->name, ((const struct tc_registry_row *)b)->row->name);
}

/* Both are in the same order: one walk finds every place. */
static void find_places(const struct tc_catalog *catalog, struct tc_registry_row *rows, size_t n)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        int order = -1;
        while (at < catalog->n && (order = tc_str_cmp(catalog->tools[at]->id, rows[i].row->name)) < 0)
            at++;
        rows[i].index = at < catalog->n && order == 0 ? at : SIZE_MAX;
    }
}

enum tc_err tc_registry_rows(struct tc_cx *cx, struct tc_registry *registry, const struct tc_registry_row **ret_rows,
                             size_t *ret_n)
{
    size_t n = 0;

    if (!registry->listed || registry->listed_version != registry->version) {
        struct tc_registry_row *rows = tc_mem_zalloc(registry->rows.n + 1, sizeof *rows);
        if (!rows)
            return tc_fail_memory(cx);
        for (size_t at = 0; (rows[n].row = tc_registry_next_row(registry, &at)); n++) {
        }
        qsort(rows, n, sizeof *rows, by_id);
        find_places(registry->catalog, rows, n);
        tc_mem_free(registry->listed);
        registry->listed = rows;
        registry->listed_version = registry->version;
    }
    *ret_rows = registry->listed;
    *ret_n = registry->rows.n;
    return TC_OK;
}
