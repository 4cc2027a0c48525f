/*
 * Maps of decoded agents, composites and ledgers. A save validates, writes the
 * store first, then swaps the decoded form in: what is in memory was stored.
 */
#include "runtime/agents_impl.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

struct ledger {
    struct tc_names names;
};

static void ledger_destroy(struct ledger *ledger)
{
    if (!ledger)
        return;
    tc_names_finish(&ledger->names);
    tc_mem_free(ledger);
}

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
    struct tc_composite *composite;
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
        e = tc_composite_decode(cx, rows[i].json, &composite);
        if (e)
            return e;
        composite->version = rows[i].version;
        e = tc_composite_keep(cx, agents, composite);
    }
    return e;
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
        tc_composite_destroy(value);
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

enum tc_err tc_agents_get_former(struct tc_cx *cx, struct tc_agents *agents, struct tc_str id,
                                 struct tc_agent **ret_agent)
{
    struct tc_agent *agent = tc_map_get(&agents->by_id, id);
    struct tc_str json;

    if (agent) {
        *ret_agent = tc_agent_ref(agent);
        return TC_OK;
    }
    json = tc_arena_printf(cx->arena, "{\"id\":\"%.*s\"}", TC_STR_ARG(id));
    return json.p ? tc_agent_decode(cx, json, ret_agent) : tc_fail_memory(cx);
}

bool tc_agents_has(const struct tc_agents *agents, struct tc_str id)
{
    return tc_map_get(&agents->by_id, id) != NULL;
}

size_t tc_agents_count(const struct tc_agents *agents)
{
    return agents->by_id.n;
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

enum tc_err tc_agents_check(struct tc_cx *cx, struct tc_agents *agents, const struct tc_agent *agent)
{
    enum tc_err e = check_toolsets(cx, agents, agent, tc_map_get(&agents->by_id, agent->id));

    return e ? e : check_disabled(cx, agents, agent);
}

/* Under the lock. */
static enum tc_err store_agent(struct tc_cx *cx, struct tc_agents *agents, struct tc_agent *agent, int64_t version,
                               bool create)
{
    struct tc_agent *former = tc_map_get(&agents->by_id, agent->id);
    struct tc_str text = tc_json_text(cx->arena, tc_json_doc_root(agent->doc));
    int64_t now = tc_clock_wall_ms(cx->clock);
    enum tc_err e = text.p ? tc_agents_check(cx, agents, agent) : tc_fail_memory(cx);

    agent->version = create || !former ? 1 : former->version + 1;
    if (!e && create)
        e = agents->store->agents->create(cx, agents->store, agent->id, text, now);
    else if (!e)
        e = agents->store->agents->update(cx, agents->store, agent->id, text, version, now);
    if (e) {
        tc_agent_unref(agent);
        return e;
    }
    e = keep_agent(cx, agents, agent);
    tc_registry_touch(agents->registry, TC_PULSE_AGENTS);
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
    tc_registry_touch(agents->registry, TC_PULSE_AGENTS);
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
