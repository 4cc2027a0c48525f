/*
 * One server in memory: its row, its definitions, finding it, and one changing operation at
 * a time. It is freed only when it is out of the table and no task holds it.
 */
#include "runtime/upstream.h"

#include "base/clock.h"
#include "base/mem.h"
#include "runtime/server_seal.h"

void tc_upstream_destroy(struct tc_upstream *server)
{
    if (!server)
        return;
    tc_arena_finish(&server->arena);
    tc_arena_finish(&server->tools_arena);
    tc_arena_finish(&server->found_arena);
    tc_arena_finish(&server->lister_arena);
    tc_arena_finish(&server->error_arena);
    tc_upstream_offer_finish(&server->offer);
    tc_arena_finish(&server->last_error_arena);
    tc_timer_finish(&server->rest);
    tc_server_history_finish(&server->history);
    tc_mem_free(server);
}

struct tc_str tc_upstream_set_text(struct tc_arena *arena, struct tc_str text)
{
    struct tc_arena fresh;
    struct tc_str copy;

    tc_arena_init(&fresh, 0);
    copy = tc_arena_dup(&fresh, text);
    tc_arena_finish(arena);
    *arena = fresh;
    return copy.p ? copy : TC_STR("");
}

void tc_upstream_set_state(struct tc_cx *cx, struct tc_upstream *server, const char *state, struct tc_str error)
{
    struct tc_server_health *health = &server->health;

    if (strcmp(server->state, state) != 0)
        health->since = tc_clock_wall_ms(cx->clock);
    server->state = state;
    tc_server_history_state(&server->history, tc_clock_wall_ms(cx->clock), state, error);
    tc_pulse_beat(server->owner->options.pulse, TC_PULSE_SERVERS);
    server->error = tc_upstream_set_text(&server->error_arena, error);
    if (error.n == 0)
        return;
    health->last_error = tc_upstream_set_text(&server->last_error_arena, error);
    health->last_error_at = tc_clock_wall_ms(cx->clock);
}

enum tc_err tc_upstream_check_settings(struct tc_cx *cx, struct tc_str settings)
{
    struct tc_upstream_rules rules;
    const struct tc_json *root;
    enum tc_err e = tc_json_parse_root(cx, settings, NULL, &root);

    return e ? e : tc_upstream_rules_read(cx, root, &rules);
}

static enum tc_err copy_row(struct tc_cx *cx, struct tc_arena *arena, const struct tc_server_row *from,
                            struct tc_server_row *to)
{
    *to = *from;
    to->uuid = tc_arena_dup(arena, from->uuid);
    to->name = tc_arena_dup(arena, from->name);
    to->label = tc_arena_dup(arena, from->label);
    to->config = tc_arena_dup(arena, from->config);
    to->settings = tc_arena_dup(arena, from->settings.n ? from->settings : TC_STR("{}"));
    to->source = tc_arena_dup(arena, from->source);
    to->found = tc_arena_dup(arena, from->found);
    return to->uuid.p && to->name.p && to->label.p && to->config.p && to->settings.p && to->source.p && to->found.p
               ? TC_OK
               : tc_fail_memory(cx);
}

enum tc_err tc_upstream_set_row(struct tc_cx *cx, struct tc_upstream *server, const struct tc_server_row *row)
{
    struct tc_arena arena;
    struct tc_server_row copy;
    struct tc_upstream_rules rules;
    const struct tc_json *config, *settings;
    struct tc_cx inner;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    inner = (struct tc_cx){.arena = &arena, .clock = cx->clock, .task = cx->task};
    e = copy_row(&inner, &arena, row, &copy);
    if (!e)
        e = tc_json_parse_root(&inner, copy.config, NULL, &config);
    if (!e)
        e = tc_json_parse_root(&inner, copy.settings, NULL, &settings);
    if (!e)
        e = tc_upstream_rules_read(&inner, settings, &rules);
    if (e) {
        tc_fail(cx, e, "%.*s", TC_STR_ARG(inner.err.message));
        tc_arena_finish(&arena);
        return e;
    }
    tc_arena_finish(&server->arena);
    server->arena = arena;
    server->row = copy;
    server->config = config;
    server->rules = rules;
    tc_upstream_grant(server);
    tc_upstream_rest(cx, server);
    return TC_OK;
}

enum tc_err tc_upstream_set_tools(struct tc_cx *cx, struct tc_upstream *server, const struct tc_definition_row *rows,
                                size_t n)
{
    struct tc_arena arena;
    struct tc_definition_row *copy;
    bool ok;

    tc_arena_init(&arena, 0);
    copy = TC_ARENA_NEW_N(&arena, struct tc_definition_row, n + 1);
    ok = copy != NULL;
    for (size_t i = 0; i < n && ok; i++) {
        copy[i] = rows[i];
        copy[i].server = tc_arena_dup(&arena, rows[i].server);
        copy[i].name = tc_arena_dup(&arena, rows[i].name);
        copy[i].entry = tc_arena_dup(&arena, rows[i].entry);
        copy[i].definition = tc_arena_dup(&arena, rows[i].definition);
        copy[i].approved = tc_arena_dup(&arena, rows[i].approved);
        copy[i].approved_entry = tc_arena_dup(&arena, rows[i].approved_entry);
        copy[i].permission = tc_arena_dup(&arena, rows[i].permission);
        ok = copy[i].server.p && copy[i].name.p && copy[i].entry.p && copy[i].definition.p && copy[i].approved.p &&
             copy[i].approved_entry.p && copy[i].permission.p;
    }
    if (!ok) {
        tc_arena_finish(&arena);
        return tc_fail_memory(cx);
    }
    tc_arena_finish(&server->tools_arena);
    server->tools_arena = arena;
    server->tools = copy;
    server->tools_n = n;
    server->held = 0;
    for (size_t i = 0; i < n; i++)
        server->held += !copy[i].absent && !tc_str_eq(copy[i].definition, copy[i].approved);
    return TC_OK;
}

enum tc_err tc_upstream_create(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row,
                               struct tc_upstream **ret)
{
    struct tc_upstream *server = tc_mem_zalloc(1, sizeof *server);
    enum tc_err e;

    if (!server)
        return tc_fail_memory(cx);
    server->owner = servers;
    server->state = row->paused ? "paused" : "idle";
    server->retry_ms = TC_UPSTREAM_RETRY_MIN_MS;
    server->error = server->health.last_error = server->lister = TC_STR("");
    server->health.since = tc_clock_wall_ms(cx->clock);
    tc_server_history_state(&server->history, server->health.since, server->state, TC_STR(""));
    e = tc_timer_init(&server->rest, servers->options.loop, tc_upstream_rested) ? TC_OK : tc_fail_memory(cx);
    if (!e)
        e = tc_upstream_set_row(cx, server, row);
    if (e) {
        tc_upstream_destroy(server);
        return e;
    }
    *ret = server;
    return TC_OK;
}

struct tc_upstream *tc_upstream_by_config_name(struct tc_servers *servers, struct tc_str name)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (tc_str_eq(((struct tc_upstream *)value)->row.name, name))
            return value;
    return NULL;
}

struct tc_upstream *tc_upstream_find(struct tc_servers *servers, struct tc_str name_or_uuid)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, name_or_uuid);

    if (!server)
        server = tc_upstream_by_config_name(servers, name_or_uuid);
    return server && !server->row.removed ? server : NULL;
}

enum tc_err tc_upstream_lookup(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                               struct tc_upstream **ret)
{
    *ret = tc_upstream_find(servers, name);
    if (*ret)
        return TC_OK;
    tc_fail(cx, TC_E_MCP_SERVER_NOT_FOUND, "There is no MCP server \"%.*s\".", TC_STR_ARG(name));
    return tc_fail_hint(cx, "toolcrib mcp list shows the servers; toolcrib mcp add makes one known.");
}

struct tc_str tc_servers_uuid(const struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server = tc_upstream_find((struct tc_servers *)servers, name);

    return server ? server->row.uuid : TC_STR("");
}

struct tc_str tc_servers_label(const struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server = tc_upstream_find((struct tc_servers *)servers, name);

    return server ? server->row.label : TC_STR("");
}

const char *tc_servers_state(const struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server = tc_upstream_find((struct tc_servers *)servers, name);

    return !server ? NULL : server->row.paused ? "paused" : server->state;
}

enum tc_err tc_upstream_lock(struct tc_cx *cx, struct tc_upstream *server)
{
    while (server->busy) {
        enum tc_err e = tc_task_wait(cx, &server->free, -1);
        if (e)
            return e;
    }
    server->busy = true;
    tc_event_clear(&server->free);
    return TC_OK;
}

void tc_upstream_unlock(struct tc_upstream *server)
{
    server->busy = false;
    tc_event_set(&server->free);
}
