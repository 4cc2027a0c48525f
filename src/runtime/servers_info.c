/*
 * What operators see of servers: copies in the arena, which nobody changes any more.
 */
#include "runtime/servers.h"

#include <stdlib.h>

#include "runtime/servers_impl.h"

/* What the copied row says; it was read once before. */
static enum tc_err decode(struct tc_cx *cx, struct tc_server_info *info)
{
    const struct tc_json *settings;
    enum tc_err e = tc_json_parse_root(cx, info->row.settings, NULL, &settings);

    if (!e)
        e = tc_upstream_rules_read(cx, settings, &info->rules);
    return e ? e : tc_json_parse_root(cx, info->row.config, NULL, &info->config);
}

enum tc_err tc_servers_info_of(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_info *ret)
{
    struct tc_arena *arena = cx->arena;
    struct tc_definition_row *tools = TC_ARENA_NEW_N(arena, struct tc_definition_row, server->tools_n + 1);

    if (!tools)
        return tc_fail_memory(cx);
    *ret = (struct tc_server_info){
        .row = server->row,
        .state = server->row.paused ? "paused" : server->state,
        .error = tc_arena_dup(arena, server->error),
        .status = TC_STR("null"),
        .tools = tools,
        .tools_n = server->tools_n,
        .held = server->held,
        .health = server->health,
    };
    ret->row.uuid = tc_arena_dup(arena, server->row.uuid);
    ret->row.name = tc_arena_dup(arena, server->row.name);
    ret->row.label = tc_arena_dup(arena, server->row.label);
    ret->row.config = tc_arena_dup(arena, server->row.config);
    ret->row.settings = tc_arena_dup(arena, server->row.settings);
    ret->row.source = tc_arena_dup(arena, server->row.source);
    for (size_t i = 0; i < server->tools_n; i++) {
        const struct tc_definition_row *from = &server->tools[i];
        tools[i] = *from;
        tools[i].server = ret->row.uuid;
        tools[i].name = tc_arena_dup(arena, from->name);
        tools[i].entry = tc_arena_dup(arena, from->entry);
        tools[i].definition = tc_arena_dup(arena, from->definition);
        tools[i].approved = tc_arena_dup(arena, from->approved);
        tools[i].approved_entry = tc_arena_dup(arena, from->approved_entry);
        tools[i].permission = tc_arena_dup(arena, from->permission);
        if (!tools[i].name.p || !tools[i].entry.p || !tools[i].definition.p || !tools[i].approved.p)
            return tc_fail_memory(cx);
    }
    if (server->source)
        ret->status = server->source->ops->status(cx, server->source);
    ret->health.running = server->running;
    ret->health.queued = server->queued;
    ret->health.last_error = tc_arena_dup(arena, server->health.last_error);
    if (!ret->row.uuid.p || !ret->row.name.p || !ret->row.label.p || !ret->row.config.p || !ret->row.settings.p ||
        (server->row.source.p && !ret->row.source.p) || !ret->error.p || !ret->health.last_error.p)
        return tc_fail_memory(cx);
    return decode(cx, ret);
}

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(((const struct tc_server_info *)a)->row.name, ((const struct tc_server_info *)b)->row.name);
}

enum tc_err tc_servers_all(struct tc_cx *cx, struct tc_servers *servers, struct tc_server_info **ret, size_t *ret_n)
{
    struct tc_server_info *all = TC_ARENA_NEW_N(cx->arena, struct tc_server_info, servers->by_uuid.n + 1);
    struct tc_str key;
    void *value;
    size_t n = 0;
    enum tc_err e = TC_OK;

    if (!all)
        return tc_fail_memory(cx);
    for (size_t at = 0; !e && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (!((struct tc_upstream *)value)->row.removed)
            e = tc_servers_info_of(cx, value, &all[n++]);
    if (e)
        return e;
    qsort(all, n, sizeof *all, by_name);
    *ret = all;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_servers_get(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                           struct tc_server_info *ret)
{
    struct tc_upstream *server;
    enum tc_err e = tc_upstream_lookup(cx, servers, name, &server);

    return e ? e : tc_servers_info_of(cx, server, ret);
}
