/*
 * Maps of decoded agents, composites and ledgers. A save validates, writes the
 * store first, then swaps the decoded form in: what is in memory was stored.
 */
#include "runtime/agents.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "io/lock.h"
#include "toolcrib/jsonw.h"

struct composite {
    struct tc_arena arena;
    struct tc_toolset toolset;
    int64_t version;
};

struct ledger {
    struct tc_names names;
};

struct tc_agents {
    struct tc_store *store;
    struct tc_registry *registry;
    struct tc_lock saving;    /* store and memory change in the same order */
    struct tc_map by_id;      /* agent id → struct tc_agent */
    struct tc_map composites; /* name → struct composite */
    struct tc_map ledgers;    /* "agent/style" → struct ledger */
    struct tc_toolsets view;  /* of composites, rebuilt on change */
};

static void composite_destroy(struct composite *composite)
{
    if (!composite)
        return;
    tc_arena_finish(&composite->arena);
    tc_mem_free(composite);
}

static void ledger_destroy(struct ledger *ledger)
{
    if (!ledger)
        return;
    tc_names_finish(&ledger->names);
    tc_mem_free(ledger);
}

/* --- composites --- */

static enum tc_err rebuild_view(struct tc_cx *cx, struct tc_agents *agents)
{
    struct tc_toolset *items = tc_mem_zalloc(agents->composites.n + 1, sizeof *items);
    struct tc_str key;
    void *value;
    size_t n = 0;

    if (!items)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_map_next(&agents->composites, &at, &key, &value);)
        items[n++] = ((struct composite *)value)->toolset;
    tc_mem_free((void *)agents->view.items);
    agents->view = (struct tc_toolsets){items, n};
    return TC_OK;
}

static bool builtin_toolset(struct tc_str name)
{
    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        if (tc_str_is(name, tc_toolset_builtin[i].name))
            return true;
    return tc_str_starts(name, TC_STR("mcp-")) || tc_str_starts(name, TC_STR("ext-")) || tc_str_is(name, "all");
}

static enum tc_err check_composite_keys(struct tc_cx *cx, const struct tc_json *root)
{
    struct tc_json_iter it = tc_json_iter(root);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        if (!tc_str_is(key, "name") && !tc_str_is(key, "title") && !tc_str_is(key, "description") &&
            !tc_str_is(key, "includes")) {
            tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset has no key \"%.*s\".", TC_STR_ARG(key));
            tc_fail_hint(cx, "Its keys are name, title, description and includes.");
            return tc_fail_field(cx, key);
        }
    }
    return TC_OK;
}

static enum tc_err decode_includes(struct tc_cx *cx, const struct tc_json *includes, struct composite *composite)
{
    struct tc_toolset *t = &composite->toolset;
    struct tc_json_iter it = tc_json_iter(includes);
    const struct tc_json *value;
    struct tc_str key;

    if (includes && !tc_json_is(includes, TC_JSON_ARRAY)) {
        tc_fail(cx, TC_E_TOOLSET_INVALID, "\"includes\" must be a list of toolset names.");
        return tc_fail_field(cx, TC_STR("/includes"));
    }
    if (tc_json_count(includes) > 200)
        return tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset includes at most 200 others.");
    t->includes = TC_ARENA_NEW_N(&composite->arena, struct tc_str, tc_json_count(includes) + 1);
    if (!t->includes)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, &key, &value)) {
        struct tc_str name = tc_json_str(value);
        if (!tc_json_is(value, TC_JSON_STRING) || !tc_toolset_name_ok(name))
            return tc_fail(cx, TC_E_TOOLSET_INVALID, "\"%.*s\" is not the name of a toolset.", TC_STR_ARG(name));
        t->includes[t->includes_n] = tc_arena_dup(&composite->arena, name);
        if (!t->includes[t->includes_n++].p)
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

static enum tc_err decode_composite(struct tc_cx *cx, struct tc_str json, struct composite **ret)
{
    const struct tc_json *root;
    struct composite *composite;
    enum tc_err e = tc_json_parse_root(cx, json, NULL, &root);

    if (e)
        return e;
    if (!tc_json_is(root, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset is an object.");
    if ((e = check_composite_keys(cx, root)))
        return e;
    if (!tc_toolset_name_ok(tc_json_str(tc_json_get_c(root, "name")))) {
        tc_fail(cx, TC_E_TOOLSET_INVALID, "A toolset needs a name of lower-case letters, digits, - and _, at most 64.");
        return tc_fail_field(cx, TC_STR("/name"));
    }
    composite = tc_mem_zalloc(1, sizeof *composite);
    if (!composite)
        return tc_fail_memory(cx);
    tc_arena_init(&composite->arena, 0);
    composite->toolset.name = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "name")));
    composite->toolset.title = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "title")));
    composite->toolset.description = tc_arena_dup(&composite->arena, tc_json_str(tc_json_get_c(root, "description")));
    if (!composite->toolset.name.p || !composite->toolset.title.p || !composite->toolset.description.p)
        e = tc_fail_memory(cx);
    if (!e)
        e = decode_includes(cx, tc_json_get_c(root, "includes"), composite);
    if (e) {
        composite_destroy(composite);
        return e;
    }
    *ret = composite;
    return TC_OK;
}

static enum tc_err keep_composite(struct tc_cx *cx, struct tc_agents *agents, struct composite *composite)
{
    struct composite *former = tc_map_get(&agents->composites, composite->toolset.name);
    enum tc_err e;

    if (!tc_map_put(&agents->composites, composite->toolset.name, composite)) {
        composite_destroy(composite);
        return tc_fail_memory(cx);
    }
    e = rebuild_view(cx, agents);
    if (!e) {
        composite_destroy(former);
        return TC_OK;
    }
    /* the view still shows the former one */
    if (former)
        tc_map_put(&agents->composites, former->toolset.name, former);
    else
        tc_map_remove(&agents->composites, composite->toolset.name);
    composite_destroy(composite);
    return e;
}

const struct tc_toolsets *tc_agents_toolsets(const struct tc_agents *agents)
{
    return &agents->view;
}

int64_t tc_agents_toolset_version(const struct tc_agents *agents, struct tc_str name)
{
    const struct composite *composite = tc_map_get(&agents->composites, name);

    return composite ? composite->version : 0;
}

/* Under the lock. */
static enum tc_err store_composite(struct tc_cx *cx, struct tc_agents *agents, struct composite *composite,
                                   struct tc_str json, int64_t version, bool create)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    struct tc_str name = composite->toolset.name;
    enum tc_err e;

    composite->version = create ? 1 : tc_agents_toolset_version(agents, name) + 1;
    if (create)
        e = agents->store->toolsets->create(cx, agents->store, name, json, now);
    else
        e = agents->store->toolsets->update(cx, agents->store, name, json, version, now);
    if (e) {
        composite_destroy(composite);
        return e;
    }
    e = keep_composite(cx, agents, composite);
    tc_registry_touch(agents->registry);
    return e;
}

enum tc_err tc_agents_save_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str json, bool create,
                                   int64_t version)
{
    struct composite *composite;
    enum tc_err e = decode_composite(cx, json, &composite);

    if (e)
        return e;
    if (builtin_toolset(composite->toolset.name)) {
        tc_fail(cx, TC_E_TOOLSET_BUILT_IN, "The toolset \"%.*s\" comes with the code or a server.",
                TC_STR_ARG(composite->toolset.name));
        composite_destroy(composite);
        return tc_fail_hint(cx, "Choose another name for your own toolset.");
    }
    e = tc_lock_take(cx, &agents->saving, -1);
    if (e) {
        composite_destroy(composite);
        return e;
    }
    e = store_composite(cx, agents, composite, json, version, create);
    tc_lock_give(&agents->saving);
    return e;
}

/* Under the lock. The composite is freed only when the view shows it no more. */
static enum tc_err drop_composite(struct tc_cx *cx, struct tc_agents *agents, struct tc_str name)
{
    struct composite *composite = tc_map_get(&agents->composites, name);
    enum tc_err e;

    if (!composite)
        return tc_fail(cx, TC_E_TOOLSET_NOT_FOUND, "There is no toolset \"%.*s\".", TC_STR_ARG(name));
    e = agents->store->toolsets->remove(cx, agents->store, name);
    if (e)
        return e;
    tc_map_remove(&agents->composites, name);
    e = rebuild_view(cx, agents);
    if (e)
        tc_map_put(&agents->composites, name, composite); /* its slot is there: cannot fail */
    else
        composite_destroy(composite);
    tc_registry_touch(agents->registry);
    return e;
}

enum tc_err tc_agents_remove_toolset(struct tc_cx *cx, struct tc_agents *agents, struct tc_str name)
{
    enum tc_err e;

    if (builtin_toolset(name))
        return tc_fail(cx, TC_E_TOOLSET_BUILT_IN, "The toolset \"%.*s\" comes with the code or a server.",
                       TC_STR_ARG(name));
    e = tc_lock_take(cx, &agents->saving, -1);
    if (e)
        return e;
    e = drop_composite(cx, agents, name);
    tc_lock_give(&agents->saving);
    return e;
}

/* --- agents --- */

static enum tc_err keep_agent(struct tc_cx *cx, struct tc_agents *agents, struct tc_agent *agent)
{
    struct tc_agent *former = tc_map_get(&agents->by_id, agent->id);

    if (!tc_map_put(&agents->by_id, agent->id, agent)) {
        tc_agent_unref(agent);
        return tc_fail_memory(cx);
    }
    tc_agent_unref(former);
    return TC_OK;
}

static enum tc_err load(struct tc_cx *cx, struct tc_agents *agents)
{
    struct tc_document_row *rows;
    struct tc_agent *agent;
    struct composite *composite;
    size_t n;
    enum tc_err e = agents->store->agents->all(cx, agents->store, &rows, &n);

    for (size_t i = 0; i < n && !e; i++) {
        e = tc_agent_decode(cx, rows[i].json, &agent);
        if (e)
            return tc_fail_hint(cx, "The stored agent \"%.*s\" cannot be read; restore it or remove its row.",
                                TC_STR_ARG(rows[i].id));
        agent->version = rows[i].version;
        e = keep_agent(cx, agents, agent);
    }
    if (!e)
        e = agents->store->toolsets->all(cx, agents->store, &rows, &n);
    for (size_t i = 0; i < n && !e; i++) {
        e = decode_composite(cx, rows[i].json, &composite);
        if (e)
            return e;
        composite->version = rows[i].version;
        e = keep_composite(cx, agents, composite);
    }
    return e ? e : rebuild_view(cx, agents);
}

enum tc_err tc_agents_create(struct tc_cx *cx, struct tc_store *store, struct tc_registry *registry,
                             struct tc_agents **ret_agents)
{
    struct tc_agents *agents = tc_mem_zalloc(1, sizeof *agents);
    enum tc_err e;

    if (!agents)
        return tc_fail_memory(cx);
    agents->store = store;
    agents->registry = registry;
    e = load(cx, agents);
    if (e) {
        tc_agents_destroy(agents);
        return e;
    }
    *ret_agents = agents;
    return TC_OK;
}

void tc_agents_destroy(struct tc_agents *agents)
{
    struct tc_str key;
    void *value;

    if (!agents)
        return;
    for (size_t at = 0; tc_map_next(&agents->by_id, &at, &key, &value);)
        tc_agent_unref(value);
    for (size_t at = 0; tc_map_next(&agents->composites, &at, &key, &value);)
        composite_destroy(value);
    for (size_t at = 0; tc_map_next(&agents->ledgers, &at, &key, &value);)
        ledger_destroy(value);
    tc_map_finish(&agents->by_id);
    tc_map_finish(&agents->composites);
    tc_map_finish(&agents->ledgers);
    tc_mem_free((void *)agents->view.items);
    tc_mem_free(agents);
}

enum tc_err tc_agents_get(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id, struct tc_agent **ret_agent)
{
    struct tc_str key, nearest = TC_STR("");
    size_t best = 4;
    void *value;

    *ret_agent = tc_map_get(&agents->by_id, id);
    if (*ret_agent)
        return TC_OK;
    for (size_t at = 0; tc_map_next(&agents->by_id, &at, &key, &value);) {
        size_t distance = tc_str_distance(id, key, best);
        if (distance < best) {
            best = distance;
            nearest = key;
        }
    }
    tc_fail(cx, TC_E_AGENT_NOT_FOUND, "There is no agent \"%.*s\".", TC_STR_ARG(id));
    if (nearest.n)
        return tc_fail_hint(cx, "Did you mean \"%.*s\"?", TC_STR_ARG(nearest));
    return tc_fail_hint(cx, "toolcrib agent list shows the agents; toolcrib agent create makes one.");
}

bool tc_agents_has(const struct tc_agents *agents, struct tc_str id)
{
    return tc_map_get(&agents->by_id, id) != NULL;
}

static int by_agent_id(const void *a, const void *b)
{
    return tc_str_cmp((*(struct tc_agent *const *)a)->id, (*(struct tc_agent *const *)b)->id);
}

enum tc_err tc_agents_all(struct tc_cx *cx, struct tc_agents *agents, struct tc_agent ***ret_agents, size_t *ret_n)
{
    struct tc_agent **all = TC_ARENA_NEW_N(cx->arena, struct tc_agent *, agents->by_id.n + 1);
    struct tc_str key;
    void *value;
    size_t n = 0;

    if (!all)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_map_next(&agents->by_id, &at, &key, &value);)
        all[n++] = value;
    qsort(all, n, sizeof *all, by_agent_id);
    *ret_agents = all;
    *ret_n = n;
    return TC_OK;
}

static bool listed(const struct tc_str *list, size_t n, struct tc_str item)
{
    for (size_t i = 0; i < n; i++)
        if (tc_str_eq(list[i], item))
            return true;
    return false;
}

/* Toolsets that nothing knows are refused, unless the agent had them: a server
 * may be away for a while. */
static enum tc_err check_toolsets(struct tc_cx *cx, struct tc_agents *agents, const struct tc_agent *agent,
                                  const struct tc_agent *former)
{
    struct tc_registry_view view = tc_registry_get(agents->registry);
    uint16_t *ranks = TC_ARENA_NEW_N(cx->arena, uint16_t, view.catalog->toolsets_n + 1);
    struct tc_str *unknown;
    size_t n;
    enum tc_err e;

    if (!ranks)
        return tc_fail_memory(cx);
    e = tc_toolset_expand(cx, view.catalog, &agents->view, agent->toolsets, agent->toolsets_n, ranks, &unknown, &n);
    for (size_t i = 0; i < n && !e; i++) {
        if ((former && listed(former->toolsets, former->toolsets_n, unknown[i])) ||
            tc_str_starts(unknown[i], TC_STR("mcp-")) || tc_str_starts(unknown[i], TC_STR("ext-")))
            continue;
        tc_fail(cx, TC_E_AGENT_INVALID, "There is no toolset \"%.*s\".", TC_STR_ARG(unknown[i]));
        tc_fail_hint(cx, "toolcrib toolset list shows them.");
        e = tc_fail_field(cx, TC_STR("/toolsets"));
    }
    return e;
}

static enum tc_err check_disabled(struct tc_cx *cx, struct tc_agents *agents, const struct tc_agent *agent)
{
    struct tc_registry_view view = tc_registry_get(agents->registry);

    for (size_t i = 0; i < agent->disabled_n; i++) {
        size_t at = tc_catalog_find(view.catalog, agent->disabled[i]);
        if (at == SIZE_MAX || !(view.catalog->tools[at]->flags & TC_TOOL_CANNOT_DISABLE))
            continue;
        tc_fail(cx, TC_E_TOOL_CANNOT_DISABLE, "\"%.*s\" cannot be disabled.", TC_STR_ARG(agent->disabled[i]));
        return tc_fail_field(cx, TC_STR("/tools/disabled"));
    }
    return TC_OK;
}

/* Under the lock. */
static enum tc_err store_agent(struct tc_cx *cx, struct tc_agents *agents, struct tc_agent *agent, int64_t version,
                               bool create)
{
    struct tc_agent *former = tc_map_get(&agents->by_id, agent->id);
    struct tc_str text = tc_json_text(cx->arena, tc_json_doc_root(agent->doc));
    int64_t now = tc_clock_wall_ms(cx->clock);
    enum tc_err e = text.p ? check_toolsets(cx, agents, agent, former) : tc_fail_memory(cx);

    agent->version = create || !former ? 1 : former->version + 1;
    if (!e)
        e = check_disabled(cx, agents, agent);
    if (!e && create)
        e = agents->store->agents->create(cx, agents->store, agent->id, text, now);
    else if (!e)
        e = agents->store->agents->update(cx, agents->store, agent->id, text, version, now);
    if (e) {
        tc_agent_unref(agent);
        return e;
    }
    e = keep_agent(cx, agents, agent);
    tc_registry_touch(agents->registry);
    return e;
}

enum tc_err tc_agents_save(struct tc_cx *cx, struct tc_agents *agents, struct tc_str json, bool create,
                           int64_t version)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agent_decode(cx, json, &agent);

    if (e)
        return e;
    e = tc_lock_take(cx, &agents->saving, -1);
    if (e) {
        tc_agent_unref(agent);
        return e;
    }
    e = store_agent(cx, agents, agent, version, create);
    tc_lock_give(&agents->saving);
    return e;
}

static void forget_ledgers(struct tc_agents *agents, struct tc_str agent)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&agents->ledgers, &at, &key, &value);)
        if (key.n > agent.n && key.p[agent.n] == '/' && tc_str_starts(key, agent))
            ledger_destroy(tc_map_remove(&agents->ledgers, key));
}

static enum tc_err drop_agent(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, agents, id, &agent);

    if (!e)
        e = agents->store->agents->remove(cx, agents->store, id);
    if (e)
        return e;
    tc_agent_unref(tc_map_remove(&agents->by_id, id));
    forget_ledgers(agents, id);
    tc_registry_touch(agents->registry);
    return TC_OK;
}

enum tc_err tc_agents_remove(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id)
{
    enum tc_err e = tc_lock_take(cx, &agents->saving, -1);

    if (e)
        return e;
    e = drop_agent(cx, agents, id);
    tc_lock_give(&agents->saving);
    return e;
}

/* --- ledgers --- */

/* "agent/style"; what is behind the slash is the style of the ledger's rows. */
static enum tc_err name_ledger(struct tc_cx *cx, const struct tc_ledger_key *key, struct tc_str *ret_whole,
                               struct tc_str *ret_style)
{
    *ret_whole = tc_arena_printf(cx->arena, "%.*s/%s%s", TC_STR_ARG(key->agent), key->prompts ? "prompts/" : "",
                                 tc_style_name(key->style));
    if (!ret_whole->p)
        return tc_fail_memory(cx);
    *ret_style = tc_str_from(*ret_whole, key->agent.n + 1);
    return TC_OK;
}

enum tc_err tc_agents_names(struct tc_cx *cx, struct tc_agents *agents, const struct tc_ledger_key *key,
                            struct tc_names **ret_names)
{
    struct tc_str whole, style;
    struct ledger *ledger, *other;
    struct tc_name_row *rows;
    size_t n;
    enum tc_err e = name_ledger(cx, key, &whole, &style);

    if (e)
        return e;
    ledger = tc_map_get(&agents->ledgers, whole);
    if (ledger) {
        *ret_names = &ledger->names;
        return TC_OK;
    }
    e = agents->store->names->of(cx, agents->store, key->agent, style, &rows, &n);
    if (e)
        return e;
    if (!tc_agents_has(agents, key->agent)) /* removed meanwhile: one made anew has no names yet */
        return tc_fail(cx, TC_E_AGENT_NOT_FOUND, "There is no agent \"%.*s\".", TC_STR_ARG(key->agent));
    other = tc_map_get(&agents->ledgers, whole);
    if (other) { /* another task loaded it while we waited */
        *ret_names = &other->names;
        return TC_OK;
    }
    ledger = tc_mem_zalloc(1, sizeof *ledger);
    if (!ledger)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n && !e; i++)
        e = tc_names_add(cx, &ledger->names, rows[i].tool_id, rows[i].name);
    if (!e && !tc_map_put(&agents->ledgers, whole, ledger))
        e = tc_fail_memory(cx);
    if (e) {
        ledger_destroy(ledger);
        return e;
    }
    *ret_names = &ledger->names;
    return TC_OK;
}

enum tc_err tc_agents_add_names(struct tc_cx *cx, struct tc_agents *agents, const struct tc_ledger_key *key,
                                const struct tc_name *names, size_t n)
{
    struct tc_name_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_name_row, n + 1);
    struct tc_str whole, style;
    struct ledger *ledger;
    enum tc_err e = rows ? name_ledger(cx, key, &whole, &style) : tc_fail_memory(cx);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct tc_name_row){key->agent, style, names[i].id, names[i].name};
    e = agents->store->names->add(cx, agents->store, rows, n, tc_clock_wall_ms(cx->clock));
    ledger = tc_map_get(&agents->ledgers, whole);
    for (size_t i = 0; ledger && i < n && !e; i++)
        e = tc_names_add(cx, &ledger->names, names[i].id, names[i].name);
    if (e) /* what is in memory is not what is stored: read it anew */
        ledger_destroy(tc_map_remove(&agents->ledgers, whole));
    return e;
}
