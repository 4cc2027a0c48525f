/*
 * Adding servers: under a name of their own, with a catalog that was read. One that was
 * there before comes back as what it was.
 */
#include "runtime/servers.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/rand.h"
#include "runtime/servers_impl.h"

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
    server->row.created_at = server->row.updated_at = tc_clock_wall_ms(cx->clock);
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
        return tc_servers_info_of(cx, server, ret);
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

static enum tc_err with_permission(struct tc_cx *cx, struct tc_str settings, struct tc_str permission,
                                   struct tc_str *ret)
{
    const struct tc_str key = TC_STR("permission");
    struct tc_str json = tc_arena_printf(cx->arena, "\"%.*s\"", TC_STR_ARG(permission));

    return json.p ? tc_servers_with_member(cx, settings, &key, 1, json, ret) : tc_fail_memory(cx);
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

static enum tc_err may_add_again(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_server_spec *spec)
{
    if (server->row.removed)
        return TC_OK;
    if (tc_str_is(server->row.source, "config"))
        return tc_fail(cx, TC_E_MCP_SERVER_FROM_CONFIG, "The server \"%.*s\" comes from the configuration file.",
                       TC_STR_ARG(server->row.name));
    if (spec->replace || same_config(server, spec->config))
        return TC_OK;
    tc_fail(cx, TC_E_MCP_SERVER_EXISTS, "There is a server \"%.*s\" with another configuration.",
            TC_STR_ARG(server->row.name));
    return tc_fail_hint(cx, "Choose another name, use toolcrib mcp update, or add --replace.");
}

/* A row that exists already, active with another configuration, or removed. The
 * caller holds the lock. */
static enum tc_err add_again(struct tc_cx *cx, struct tc_upstream *server, const struct tc_server_spec *spec,
                             struct tc_str config)
{
    struct tc_server_row former, row;
    struct tc_error fault;
    enum tc_err e;

    e = may_add_again(cx, server, spec);
    if (e || (!server->row.removed && same_config(server, spec->config)))
        return e;
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

static enum tc_err check_spec(struct tc_cx *cx, const struct tc_server_spec *spec)
{
    enum tc_permission permission;

    if (!tc_servers_name_ok(spec->name)) {
        tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%.*s\" is no name of a server.", TC_STR_ARG(spec->name));
        return tc_fail_hint(cx, "Use 1 to 32 lower-case letters, digits and -.");
    }
    if (spec->permission.n && !tc_permission_of(spec->permission, &permission))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The permission is allow, ask or off, not \"%.*s\".",
                       TC_STR_ARG(spec->permission));
    return TC_OK;
}

enum tc_err tc_servers_add(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec,
                           struct tc_server_info *ret)
{
    struct tc_str config = tc_json_text(cx->arena, spec->config), settings;
    struct tc_upstream *server;
    char uuid[TC_RAND_UUID_SIZE];
    enum tc_err e;

    if (!config.p)
        return tc_fail_memory(cx);
    e = check_spec(cx, spec);
    if (e)
        return e;
    server = tc_upstream_by_config_name(servers, spec->name);
    if (server) {
        e = tc_upstream_lock(cx, server);
        if (e)
            return e;
        e = add_again(cx, server, spec, config);
        tc_upstream_unlock(server);
        return e ? e : tc_servers_info_of(cx, server, ret);
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

/* --- before adding --- */

/* Opening a source reads the configuration and starts nothing. */
static enum tc_err check_config(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec)
{
    struct tc_tool_source_factory *factory = servers->options.factory;
    const struct tc_tool_source_events none = {0};
    struct tc_tool_source *source;
    enum tc_err e = factory->open(cx, factory, spec->name, spec->config, &none, &source);

    if (!e)
        source->ops->close(cx, source);
    return e;
}

enum tc_err tc_servers_plan(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_spec *spec,
                            const char **ret_plan)
{
    const struct tc_upstream *server;
    const char *plan = "add";
    enum tc_err e = check_spec(cx, spec);

    if (!e)
        e = check_config(cx, servers, spec);
    server = tc_upstream_by_config_name(servers, spec->name);
    if (!e && server)
        e = may_add_again(cx, server, spec);
    if (!e && server && !server->row.removed)
        plan = same_config(server, spec->config) ? "unchanged" : "replace";
    if (!e)
        *ret_plan = plan;
    return e;
}
