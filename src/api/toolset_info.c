/*
 * The name decides: those of the code stand in a table, servers have "mcp-", extensions
 * "ext-", and what is left is the operator's.
 */
#include "api/toolset_info.h"

#include <stdlib.h>

#include "runtime/servers.h"

static const struct tc_toolset_info *find_builtin(struct tc_str name)
{
    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        if (tc_str_is(name, tc_toolset_builtin[i].name))
            return &tc_toolset_builtin[i];
    return NULL;
}

static const struct tc_toolset *find_composite(const struct tc_toolsets *composites, struct tc_str name)
{
    for (size_t i = 0; i < composites->n; i++)
        if (tc_str_eq(composites->items[i].name, name))
            return &composites->items[i];
    return NULL;
}

static bool set_server(const struct tc_api_call *call, struct tc_toolset_facts *facts)
{
    static const struct tc_str prefix = TC_STR_INIT("mcp-");
    struct tc_str server = tc_str_from(facts->name, prefix.n), label;

    if (!tc_str_starts(facts->name, prefix) ||
        (facts->index == SIZE_MAX && !tc_servers_uuid(call->runtime->servers, server).n))
        return false;
    label = tc_servers_label(call->runtime->servers, server);
    facts->source = "mcp";
    facts->label = label.n ? label : server;
    return true;
}

struct tc_toolset_facts tc_toolset_look(const struct tc_api_call *call, struct tc_str name)
{
    const struct tc_catalog *catalog = tc_registry_get(call->runtime->registry).catalog;
    const struct tc_toolset_info *builtin = find_builtin(name);
    struct tc_toolset_facts facts = {
        .name = name, .label = name, .description = TC_STR(""), .index = tc_catalog_toolset(catalog, name)};

    if (builtin) {
        facts.source = "builtin";
        facts.label = tc_str_of(builtin->title);
        facts.description = tc_str_of(builtin->description);
    } else if (tc_str_is(name, "all") || tc_str_is(name, "*")) {
        facts.source = "all";
    } else if (set_server(call, &facts)) {
        return facts;
    } else if (facts.index != SIZE_MAX) {
        facts.source = tc_str_starts(name, TC_STR("ext-")) ? "extension" : "host";
    } else if ((facts.composite = find_composite(tc_agents_toolsets(call->runtime->agents), name)) != NULL) {
        facts.source = "composite";
        facts.label = facts.composite->title.n ? facts.composite->title : name;
        facts.description = facts.composite->description;
    }
    return facts;
}

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

enum tc_err tc_toolset_names(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str **ret_names,
                             size_t *ret_n)
{
    const struct tc_catalog *catalog = tc_registry_get(call->runtime->registry).catalog;
    const struct tc_toolsets *composites = tc_agents_toolsets(call->runtime->agents);
    size_t most = tc_toolset_builtin_n + catalog->toolsets_n + composites->n, n = 0, first;
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, most + 1);

    if (!names)
        return tc_fail_memory(cx);
    for (; n < tc_toolset_builtin_n; n++)
        names[n] = tc_str_of(tc_toolset_builtin[n].name);
    for (size_t i = 0; i < catalog->toolsets_n; i++) /* by name already */
        if (!find_builtin(catalog->toolsets[i]) && !tc_str_is(catalog->toolsets[i], TC_TOOLSET_RUNTIME))
            names[n++] = catalog->toolsets[i];
    first = n;
    for (size_t i = 0; i < composites->n; i++)
        if (tc_catalog_toolset(catalog, composites->items[i].name) == SIZE_MAX)
            names[n++] = composites->items[i].name;
    qsort(names + first, n - first, sizeof *names, by_name);
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_toolset_reached(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_toolset_facts *toolset,
                               const uint16_t **ret_reached)
{
    const struct tc_catalog *catalog = tc_registry_get(call->runtime->registry).catalog;
    uint16_t *ranks = TC_ARENA_NEW_N(cx->arena, uint16_t, catalog->toolsets_n + 1);
    struct tc_str *unknown;
    size_t n;

    if (!ranks)
        return tc_fail_memory(cx);
    *ret_reached = ranks;
    if (toolset->index != SIZE_MAX) {
        ranks[toolset->index] = 1;
        return TC_OK;
    }
    return tc_toolset_expand(cx, catalog, tc_agents_toolsets(call->runtime->agents), &toolset->name, 1, ranks, &unknown,
                             &n);
}
