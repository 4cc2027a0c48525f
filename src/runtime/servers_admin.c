/*
 * What operators do with servers: add, import, update, pause, approve, remove.
 * Each operation holds the server's lock; the store is written before memory.
 */
#include "runtime/servers.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "json/edit.h"
#include "runtime/upstream.h"

static int64_t now_of(struct tc_cx *cx)
{
    return tc_clock_wall_ms(cx->clock);
}

/* --- looking --- */

/* What the copied row says; it was read once before. */
static enum tc_err decode(struct tc_cx *cx, struct tc_server_info *info)
{
    const struct tc_json *settings;
    enum tc_err e = tc_json_parse_root(cx, info->row.settings, NULL, &settings);

    if (!e)
        e = tc_upstream_rules_read(cx, settings, &info->rules);
    return e ? e : tc_json_parse_root(cx, info->row.config, NULL, &info->config);
}

static enum tc_err info_of(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_info *ret)
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
    if (!ret->row.uuid.p || !ret->row.config.p || !ret->row.settings.p || !ret->error.p || !ret->health.last_error.p)
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
            e = info_of(cx, value, &all[n++]);
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

    return e ? e : info_of(cx, server, ret);
}

/* --- adding --- */

static bool is_free(struct tc_servers *servers, const struct tc_map *taken, struct tc_str name, struct tc_str key)
{
    const struct tc_upstream *server = tc_upstream_by_config_name(servers, name);
    const struct tc_str *other = taken ? tc_map_get(taken, name) : NULL;

    if (server && !tc_str_eq(server->row.label, key) && !tc_str_eq(key, name))
        return false;
    return !other || tc_str_eq(*other, key);
}

enum tc_err tc_servers_import_name(struct tc_cx *cx, struct tc_servers *servers, struct tc_str key,
                                   const struct tc_map *taken, struct tc_str *ret_name)
{
    char base[33], name[33];
    size_t n = 0;

    for (size_t i = 0; i < key.n && n < 32; i++) {
        char c = key.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + 32);
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
            c = '-';
        base[n++] = c;
    }
    base[n] = '\0';
    if (n == 0)
        memcpy(base, "server", sizeof "server");
    memcpy(name, base, sizeof name);
    for (int i = 2; !is_free(servers, taken, tc_str_of(name), key); i++) {
        char suffix[12];
        size_t keep;
        keep = (size_t)snprintf(suffix, sizeof suffix, "-%d", i);
        n = strlen(base);
        if (n + keep > 32)
            n = 32 - keep;
        memcpy(name, base, n);
        memcpy(name + n, suffix, keep + 1);
    }
    *ret_name = tc_arena_dup(cx->arena, tc_str_of(name));
    return ret_name->p ? TC_OK : tc_fail_memory(cx);
}

/* Stores a server that nobody has yet, and takes it into the table: from then on
 * it stays, whatever fails. */
static enum tc_err store_new(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_servers *servers = server->owner;
    struct tc_store *store = servers->options.store;
    struct tc_server_row row = server->row;
    struct tc_error fault;
    enum tc_err e = tc_upstream_put(cx, servers, &row);

    if (e)
        return e;
    if (server->tools_n)
        e = store->servers->put_definitions(cx, store, server->tools, server->tools_n);
    if (!e && !tc_map_put(&servers->by_uuid, server->row.uuid, server))
        e = tc_fail_memory(cx);
    if (e) { /* as it was, as far as it can be */
        fault = cx->err;
        row.removed = true;
        tc_upstream_put(cx, servers, &row);
        cx->err = fault;
        return e;
    }
    server->row.version = 1;
    server->row.created_at = server->row.updated_at = now_of(cx);
    tc_upstream_offer_connected(server);
    if (server->stale && !server->row.paused)
        tc_upstream_tend(server);
    return tc_upstream_publish(cx, server);
}

/* A server that wants a login is added without one: logging in comes after. */
static bool wants_login(struct tc_cx *cx, struct tc_upstream *server, enum tc_err e)
{
    if (e != TC_E_MCP_LOGIN_REQUIRED || tc_task_check(cx) != TC_OK)
        return false;
    tc_upstream_disconnect(cx, server);
    tc_fail_clear(cx);
    return true;
}

static enum tc_err add_new(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row, bool force,
                           struct tc_server_info *ret)
{
    struct tc_upstream *server;
    struct tc_error fault;
    enum tc_err e = tc_upstream_create(cx, servers, row, &server);

    if (e)
        return e;
    tc_upstream_lock(cx, server); /* nobody else has it yet */
    e = tc_upstream_connect(cx, server, true);
    if (wants_login(cx, server, e))
        e = TC_OK;
    if (e && force && tc_task_check(cx) == TC_OK) {
        server->row.paused = true;
        tc_upstream_set_state(cx, server, "paused", cx->err.message);
        tc_upstream_disconnect(cx, server); /* one that started, but was no server */
        tc_fail_clear(cx);
        e = TC_OK;
    }
    if (!e && tc_upstream_by_config_name(servers, row->name))
        e = tc_fail(cx, TC_E_MCP_SERVER_EXISTS, "Another server took the name \"%.*s\" meanwhile.",
                    TC_STR_ARG(row->name));
    if (!e)
        e = store_new(cx, server);
    tc_upstream_unlock(server);
    if (!e)
        return info_of(cx, server, ret);
    if (server->row.version) /* stored and known: it stays */
        return e;
    fault = cx->err;
    tc_upstream_disconnect(cx, server);
    tc_upstream_destroy(server);
    cx->err = fault;
    return e;
}

static bool same_config(const struct tc_upstream *server, const struct tc_json *config)
{
    return tc_json_equal(server->config, config);
}

/* What is only about its tools does not need another connection. */
static bool same_connection(const struct tc_json *a, const struct tc_json *b)
{
    static const char *const aside[] = {"include", "exclude", "tools", "description"};
    struct tc_json_iter it = tc_json_iter(a);
    const struct tc_json *value;
    struct tc_str key;
    size_t n = 0, others = tc_json_count(b);

    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
        others -= tc_json_get_c(b, aside[i]) != NULL;
    while (tc_json_next(&it, &key, &value)) {
        bool skip = false;
        for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
            skip = skip || tc_str_is(key, aside[i]);
        if (skip)
            continue;
        n++;
        if (!tc_json_equal(value, tc_json_get(b, key)))
            return false;
    }
    return n == others;
}

static enum tc_err dup_row(struct tc_cx *cx, const struct tc_server_row *from, struct tc_server_row *ret)
{
    *ret = *from;
    ret->uuid = tc_arena_dup(cx->arena, from->uuid);
    ret->name = tc_arena_dup(cx->arena, from->name);
    ret->label = tc_arena_dup(cx->arena, from->label);
    ret->config = tc_arena_dup(cx->arena, from->config);
    ret->settings = tc_arena_dup(cx->arena, from->settings);
    ret->source = tc_arena_dup(cx->arena, from->source);
    ret->found = tc_arena_dup(cx->arena, from->found);
    return ret->uuid.p && ret->name.p && ret->label.p && ret->config.p && ret->settings.p && ret->source.p &&
                   ret->found.p
               ? TC_OK
               : tc_fail_memory(cx);
}

/* The settings with this member in them. */
static enum tc_err with_member(struct tc_cx *cx, struct tc_str settings, const struct tc_str *path, size_t n,
                               struct tc_str json, struct tc_str *ret)
{
    const struct tc_json *root;
    enum tc_err e = tc_json_parse_root(cx, settings, NULL, &root);

    if (e)
        return e;
    *ret = tc_json_edited(cx->arena, root, path, n, json);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err with_permission(struct tc_cx *cx, struct tc_str settings, struct tc_str permission,
                                   struct tc_str *ret)
{
    const struct tc_str key = TC_STR("permission");
    struct tc_str json = tc_arena_printf(cx->arena, "\"%.*s\"", TC_STR_ARG(permission));

    return json.p ? with_member(cx, settings, &key, 1, json, ret) : tc_fail_memory(cx);
}

/* Connects with the new row and stores it; the caller holds the lock. */
static enum tc_err replace(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row, bool first,
                           bool force)
{
    int64_t next = row.version + 1;
    enum tc_err e;

    tc_upstream_disconnect(cx, server);
    e = tc_upstream_set_row(cx, server, &row);
    if (!e)
        e = tc_upstream_connect(cx, server, first);
    if (wants_login(cx, server, e))
        e = TC_OK;
    if (e && force && tc_task_check(cx) == TC_OK) {
        tc_upstream_disconnect(cx, server);
        row.paused = true;
        e = tc_upstream_set_row(cx, server, &row);
    }
    row.version = 0;
    row.found = server->row.found;
    if (!e)
        e = tc_upstream_put(cx, server->owner, &row);
    if (!e)
        server->row.version = next;
    return e;
}

/* A row that exists already, active with another configuration, or removed. The
 * caller holds the lock. */
static enum tc_err add_again(struct tc_cx *cx, struct tc_upstream *server, const struct tc_server_spec *spec,
                             struct tc_str config)
{
    struct tc_server_row former, row;
    struct tc_error fault;
    enum tc_err e;

    if (!server->row.removed && tc_str_is(server->row.source, "config"))
        return tc_fail(cx, TC_E_MCP_SERVER_FROM_CONFIG, "The server \"%.*s\" comes from the configuration file.",
                       TC_STR_ARG(server->row.name));
    if (!server->row.removed && same_config(server, spec->config))
        return TC_OK;
    if (!server->row.removed && !spec->replace) {
        tc_fail(cx, TC_E_MCP_SERVER_EXISTS, "There is a server \"%.*s\" with another configuration.",
                TC_STR_ARG(server->row.name));
        return tc_fail_hint(cx, "Choose another name, use toolcrib mcp update, or add --replace.");
    }
    e = dup_row(cx, &server->row, &former);
    row = former;
    row.config = config;
    row.found = TC_STR("");
    row.removed = row.paused = false;
    row.source = TC_STR("operator");
    if (!e && spec->permission.n)
        e = with_permission(cx, former.settings, spec->permission, &row.settings);
    if (!e)
        e = replace(cx, server, row, former.removed && server->tools_n == 0, spec->force);
    if (!e)
        return tc_upstream_publish(cx, server);
    fault = cx->err;
    tc_upstream_disconnect(cx, server);
    if (tc_upstream_set_row(cx, server, &former) == TC_OK) {
        tc_upstream_set_state(cx, server, "idle", TC_STR(""));
        tc_upstream_publish(cx, server);
    }
    if (!former.removed && !former.paused)
        tc_upstream_tend(server);
    cx->err = fault;
    return e;
}

enum tc_err tc_servers_add(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec,
                           struct tc_server_info *ret)
{
    struct tc_str config = tc_json_text(cx->arena, spec->config), settings;
    enum tc_permission permission;
    struct tc_upstream *server;
    char uuid[TC_RAND_UUID_SIZE];
    enum tc_err e;

    if (!config.p)
        return tc_fail_memory(cx);
    if (!tc_servers_name_ok(spec->name)) {
        tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%.*s\" is no name of a server.", TC_STR_ARG(spec->name));
        return tc_fail_hint(cx, "Use 1 to 32 lower-case letters, digits and -.");
    }
    if (spec->permission.n && !tc_permission_of(spec->permission, &permission))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The permission is allow, ask or off, not \"%.*s\".",
                       TC_STR_ARG(spec->permission));
    server = tc_upstream_by_config_name(servers, spec->name);
    if (server) {
        e = tc_upstream_lock(cx, server);
        if (e)
            return e;
        e = add_again(cx, server, spec, config);
        tc_upstream_unlock(server);
        return e ? e : info_of(cx, server, ret);
    }
    settings = tc_arena_printf(cx->arena, "{\"permission\":\"%.*s\"}",
                               TC_STR_ARG(spec->permission.n ? spec->permission : TC_STR("allow")));
    if (!settings.p)
        return tc_fail_memory(cx);
    tc_rand_uuid(uuid);
    return add_new(cx, servers,
                   &(struct tc_server_row){
                       .uuid = tc_str_of(uuid),
                       .name = spec->name,
                       .label = spec->label.n ? spec->label : spec->name,
                       .config = config,
                       .settings = settings,
                       .source = TC_STR("operator"),
                       .found = TC_STR(""),
                   },
                   spec->force, ret);
}

/* --- changing --- */

static enum tc_err editable(struct tc_cx *cx, const struct tc_upstream *server)
{
    if (!tc_str_is(server->row.source, "config"))
        return TC_OK;
    tc_fail(cx, TC_E_MCP_SERVER_FROM_CONFIG, "The server \"%.*s\" comes from the configuration file.",
            TC_STR_ARG(server->row.name));
    return tc_fail_hint(cx, "Edit mcpServers there and start again.");
}

/* The server of that name or UUID, locked. */
static enum tc_err take(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, struct tc_upstream **ret)
{
    enum tc_err e = tc_upstream_lookup(cx, servers, name, ret);

    if (!e)
        e = tc_upstream_lock(cx, *ret);
    if (e || !(*ret)->row.removed)
        return e;
    tc_upstream_unlock(*ret); /* it went while we waited */
    return tc_upstream_lookup(cx, servers, name, ret);
}

/* Stores `row` and takes it over. The caller holds the lock. */
static enum tc_err commit_row(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row, int64_t version)
{
    int64_t next = server->row.version + 1;
    enum tc_err e = tc_upstream_check_settings(cx, row.settings);

    row.version = version;
    if (!e)
        e = tc_upstream_put(cx, server->owner, &row);
    row.version = next;
    row.updated_at = now_of(cx);
    return e ? e : tc_upstream_set_row(cx, server, &row);
}

/* Connects and publishes; what fails now is tried again later. */
static enum tc_err reconnect(struct tc_cx *cx, struct tc_upstream *server)
{
    enum tc_err e = tc_upstream_connect(cx, server, server->tools_n == 0), published;
    struct tc_error fault = cx->err;

    published = tc_upstream_publish(cx, server);
    if (!e)
        return published;
    tc_upstream_tend(server);
    cx->err = fault;
    return e;
}

enum tc_err tc_servers_update(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                              const struct tc_json *config, const struct tc_json *settings, int64_t version)
{
    struct tc_upstream *server;
    struct tc_server_row row;
    bool other;
    enum tc_err e = take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    other = config && !same_connection(server->config, config);
    if (config)
        row.config = tc_json_text(cx->arena, config);
    if (settings)
        row.settings = tc_json_text(cx->arena, settings);
    if (other)
        row.found = TC_STR("");
    e = row.config.p && row.settings.p ? TC_OK : tc_fail_memory(cx);
    if (!e && config)
        e = editable(cx, server);
    if (!e)
        e = commit_row(cx, server, row, version);
    if (!e && other)
        tc_upstream_disconnect(cx, server); /* a paused one too: its next start takes the new command */
    if (!e && other && !server->row.paused) {
        e = reconnect(cx, server);
    } else if (!e) {
        e = tc_upstream_publish(cx, server);
    }
    tc_upstream_unlock(server);
    return e;
}

enum tc_err tc_servers_refresh(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server;
    enum tc_err e = take(cx, servers, name, &server);

    if (e)
        return e;
    if (server->row.paused)
        e = tc_fail(cx, TC_E_MCP_SERVER_PAUSED, "The server \"%.*s\" is paused.", TC_STR_ARG(server->row.name));
    else
        e = reconnect(cx, server);
    tc_upstream_unlock(server);
    return e;
}

enum tc_err tc_servers_pause(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, bool pause)
{
    struct tc_upstream *server;
    struct tc_server_row row;
    enum tc_err e = take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    row.paused = pause;
    e = commit_row(cx, server, row, 0);
    if (!e && pause) {
        tc_upstream_set_state(cx, server, "paused", TC_STR(""));
        e = tc_upstream_publish(cx, server); /* no new call from here on */
        tc_upstream_disconnect(cx, server);
    } else if (!e && reconnect(cx, server)) {
        tc_fail_clear(cx); /* it is resumed; its state says that it is down */
    }
    tc_upstream_unlock(server);
    return e;
}

enum tc_err tc_servers_remove(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server;
    struct tc_server_row row;
    enum tc_err e = take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    row.removed = true;
    e = editable(cx, server);
    if (!e)
        e = commit_row(cx, server, row, 0);
    if (!e) {
        e = tc_upstream_publish(cx, server);
        tc_upstream_disconnect(cx, server);
    }
    tc_upstream_unlock(server);
    return e;
}

/* Marks what the approval means in a copy of the server's tools. */
static enum tc_err approve_rows(struct tc_cx *cx, const struct tc_upstream *server,
                                const struct tc_servers_approval *approval, struct tc_definition_row **ret_rows)
{
    struct tc_definition_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_definition_row, server->tools_n + 1);
    bool found = approval->tool.n == 0;

    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < server->tools_n; i++) {
        rows[i] = server->tools[i];
        if (approval->tool.n && !tc_str_eq(rows[i].name, approval->tool))
            continue;
        if (approval->definition.n && !tc_str_eq(rows[i].definition, approval->definition)) {
            tc_fail(cx, TC_E_STORE_CONFLICT, "The definition of \"%.*s\" has changed again; nothing was approved.",
                    TC_STR_ARG(rows[i].name));
            return tc_fail_hint(cx, "Look at the present one first.");
        }
        found = true;
        rows[i].approved = rows[i].definition;
        rows[i].approved_entry = rows[i].entry;
        if (approval->tool.n)
            rows[i].permission = TC_STR(""); /* named: it is one of the server's like the others now */
    }
    if (!found)
        return tc_fail(cx, TC_E_TOOL_NOT_FOUND, "The server \"%.*s\" has no tool \"%.*s\".",
                       TC_STR_ARG(server->row.name), TC_STR_ARG(approval->tool));
    *ret_rows = rows;
    return TC_OK;
}

enum tc_err tc_servers_approve(struct tc_cx *cx, struct tc_servers *servers, const struct tc_servers_approval *approval)
{
    struct tc_store *store = servers->options.store;
    struct tc_upstream *server;
    struct tc_definition_row *rows;
    enum tc_err e = tc_upstream_lookup(cx, servers, approval->name, &server);

    if (!e)
        e = tc_upstream_lock(cx, server);
    if (e)
        return e;
    e = approve_rows(cx, server, approval, &rows);
    if (!e)
        e = store->servers->put_definitions(cx, store, rows, server->tools_n);
    if (!e)
        e = tc_upstream_set_tools(cx, server, rows, server->tools_n);
    if (!e)
        e = tc_upstream_publish(cx, server);
    tc_upstream_unlock(server);
    return e;
}

/* --- one tool --- */

static enum tc_permission permission_of(const struct tc_upstream *server, struct tc_str name)
{
    for (size_t i = 0; i < server->tools_n; i++)
        if (tc_str_eq(server->tools[i].name, name))
            return tc_upstream_permission(server, &server->tools[i]);
    return TC_PERMISSION_OFF;
}

enum tc_err tc_servers_permit(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid, struct tc_str tool)
{
    const struct tc_str path[] = {TC_STR("tools"), tool, TC_STR("permission")};
    struct tc_upstream *server;
    struct tc_server_row row;
    enum tc_err e = take(cx, servers, uuid, &server);

    if (e)
        return e;
    row = server->row;
    if (permission_of(server, tool) == TC_PERMISSION_ASK) {
        e = with_member(cx, row.settings, path, 3, TC_STR("\"allow\""), &row.settings);
        if (!e)
            e = commit_row(cx, server, row, 0);
        if (!e)
            e = tc_upstream_publish(cx, server);
    }
    tc_upstream_unlock(server);
    return e;
}

/* --- forgetting --- */

static enum tc_err prune_one(struct tc_cx *cx, struct tc_upstream *server, int64_t before)
{
    struct tc_store *store = server->owner->options.store;
    struct tc_definition_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_definition_row, server->tools_n + 1);
    size_t kept = 0;
    int64_t n;
    enum tc_err e = rows ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < server->tools_n; i++)
        if (!server->tools[i].absent || server->tools[i].seen_at >= before)
            rows[kept++] = server->tools[i];
    if (e || kept == server->tools_n)
        return e;
    e = store->servers->prune_definitions(cx, store, server->row.uuid, before, &n);
    return e ? e : tc_upstream_set_tools(cx, server, rows, kept);
}

enum tc_err tc_servers_prune(struct tc_cx *cx, struct tc_servers *servers, int64_t before)
{
    struct tc_server_info *all;
    size_t n;
    enum tc_err e = tc_servers_all(cx, servers, &all, &n);

    for (size_t i = 0; !e && i < n; i++) {
        struct tc_upstream *server;
        if (take(cx, servers, all[i].row.uuid, &server)) { /* removed meanwhile */
            tc_fail_clear(cx);
            e = tc_task_check(cx);
            continue;
        }
        e = prune_one(cx, server, before);
        tc_upstream_unlock(server);
    }
    return e;
}
