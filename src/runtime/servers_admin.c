/*
 * What operators do with servers that there are: update, pause, remove, forget. Each
 * operation holds the server's lock; the store is written before memory.
 */
#include "runtime/servers.h"

#include "base/clock.h"
#include "json/edit.h"
#include "runtime/servers_impl.h"

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

static enum tc_err editable(struct tc_cx *cx, const struct tc_upstream *server)
{
    if (!tc_str_is(server->row.source, "config"))
        return TC_OK;
    tc_fail(cx, TC_E_MCP_SERVER_FROM_CONFIG, "The server \"%.*s\" comes from the configuration file.",
            TC_STR_ARG(server->row.name));
    return tc_fail_hint(cx, "Edit mcpServers there and start again.");
}

enum tc_err tc_servers_take(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, struct tc_upstream **ret)
{
    enum tc_err e = tc_upstream_lookup(cx, servers, name, ret);

    if (!e)
        e = tc_upstream_lock(cx, *ret);
    if (e || !(*ret)->row.removed)
        return e;
    tc_upstream_unlock(*ret); /* it went while we waited */
    return tc_upstream_lookup(cx, servers, name, ret);
}

enum tc_err tc_servers_commit(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row, int64_t version)
{
    int64_t next = server->row.version + 1;
    enum tc_err e = tc_upstream_check_settings(cx, row.settings);

    row.version = version;
    if (!e)
        e = tc_upstream_put(cx, server->owner, &row);
    row.version = next;
    row.updated_at = tc_clock_wall_ms(cx->clock);
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
                              const struct tc_servers_edit *edit)
{
    struct tc_upstream *server;
    struct tc_server_row row;
    bool other;
    enum tc_err e = tc_servers_take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    other = edit->config && !same_connection(server->config, edit->config);
    if (edit->label.n)
        row.label = edit->label;
    if (edit->config)
        row.config = tc_json_text(cx->arena, edit->config);
    if (edit->settings)
        row.settings = tc_json_text(cx->arena, edit->settings);
    if (other)
        row.found = TC_STR("");
    e = row.config.p && row.settings.p ? TC_OK : tc_fail_memory(cx);
    if (!e && (edit->config || edit->label.n))
        e = editable(cx, server);
    if (!e)
        e = tc_servers_commit(cx, server, row, edit->version);
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
    enum tc_err e = tc_servers_take(cx, servers, name, &server);

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
    enum tc_err e = tc_servers_take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    row.paused = pause;
    e = tc_servers_commit(cx, server, row, 0);
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
    enum tc_err e = tc_servers_take(cx, servers, name, &server);

    if (e)
        return e;
    row = server->row;
    row.removed = true;
    e = editable(cx, server);
    if (!e)
        e = tc_servers_commit(cx, server, row, 0);
    if (!e) {
        e = tc_upstream_publish(cx, server);
        tc_upstream_disconnect(cx, server);
    }
    tc_upstream_unlock(server);
    return e;
}

/* --- settings --- */

enum tc_err tc_servers_with_member(struct tc_cx *cx, struct tc_str settings, const struct tc_str *path, size_t n,
                               struct tc_str json, struct tc_str *ret)
{
    const struct tc_json *root;
    enum tc_err e = tc_json_parse_root(cx, settings, NULL, &root);

    if (e)
        return e;
    *ret = tc_json_edited(cx->arena, root, path, n, json);
    return ret->p ? TC_OK : tc_fail_memory(cx);
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
        if (tc_servers_take(cx, servers, all[i].row.uuid, &server)) { /* removed meanwhile */
            tc_fail_clear(cx);
            e = tc_task_check(cx);
            continue;
        }
        e = prune_one(cx, server, before);
        tc_upstream_unlock(server);
    }
    return e;
}
