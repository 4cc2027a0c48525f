/*
 * All servers: read from the store and the configuration at the start, let go at the end.
 */
#include "runtime/servers.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "runtime/server_seal.h"
#include "runtime/upstream.h"

bool tc_servers_name_ok(struct tc_str name)
{
    if (name.n == 0 || name.n > 32)
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return true;
}

static enum tc_err load_one(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row)
{
    struct tc_store *store = servers->options.store;
    struct tc_definition_row *rows;
    struct tc_upstream *server;
    size_t n;
    enum tc_err e = tc_upstream_create(cx, servers, row, &server);

    if (e)
        return e;
    e = store->servers->definitions(cx, store, server->row.uuid, &rows, &n);
    if (!e)
        e = tc_upstream_set_tools(cx, server, rows, n);
    if (!e && !tc_map_put(&servers->by_uuid, server->row.uuid, server))
        e = tc_fail_memory(cx);
    if (e) {
        tc_upstream_destroy(server);
        return e;
    }
    return tc_upstream_publish(cx, server);
}

enum tc_err tc_upstream_put(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row)
{
    struct tc_store *store = servers->options.store;
    struct tc_server_row sealed = *row;
    enum tc_err e = tc_server_seal(cx, servers->options.secrets, row->uuid, row->config, &sealed.config);

    return e ? e : store->servers->put(cx, store, &sealed, tc_clock_wall_ms(cx->clock));
}

/* Stores the row of a server and takes it over. */
static enum tc_err put_row(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row)
{
    enum tc_err e;

    row.version = 0;
    e = tc_upstream_put(cx, server->owner, &row);
    row.version = server->row.version + 1;
    row.updated_at = tc_clock_wall_ms(cx->clock);
    if (!e)
        e = tc_upstream_set_row(cx, server, &row);
    return e ? e : tc_upstream_publish(cx, server);
}

static enum tc_err add_configured(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *like)
{
    struct tc_server_row row = *like;
    char uuid[TC_RAND_UUID_SIZE];
    enum tc_err e;

    tc_rand_uuid(uuid);
    row.uuid = tc_str_of(uuid);
    row.settings = TC_STR("{}");
    e = tc_upstream_put(cx, servers, &row);
    row.version = 1;
    row.created_at = row.updated_at = tc_clock_wall_ms(cx->clock);
    if (!e)
        e = load_one(cx, servers, &row);
    if (!e)
        tc_upstream_by_config_name(servers, row.name)->in_config = true;
    return e;
}

/* A server of the configuration: its row follows the file at each start. */
static enum tc_err take_config(struct tc_cx *cx, struct tc_servers *servers, struct tc_str key,
                               const struct tc_json *config)
{
    struct tc_str name, text = tc_json_text(cx->arena, config);
    struct tc_upstream *server;
    struct tc_server_row row;
    enum tc_err e = text.p ? tc_servers_import_name(cx, servers, key, NULL, &name) : tc_fail_memory(cx);

    if (e)
        return e;
    server = tc_upstream_by_config_name(servers, name);
    row = server ? server->row : (struct tc_server_row){.name = name};
    if (!server || !tc_str_eq(row.config, text))
        row.found = TC_STR("");
    row.label = key;
    row.config = text;
    row.source = TC_STR("config");
    row.removed = false;
    if (!server)
        return add_configured(cx, servers, &row);
    server->in_config = true;
    if (!server->row.removed && tc_str_is(server->row.source, "config") && tc_str_eq(server->row.label, key) &&
        tc_str_eq(server->row.config, text))
        return TC_OK;
    return put_row(cx, server, row);
}

/* What the configuration no longer names is removed, as an operator would. */
static enum tc_err drop_unconfigured(struct tc_cx *cx, struct tc_servers *servers)
{
    struct tc_str key;
    void *value;
    enum tc_err e = TC_OK;

    for (size_t at = 0; !e && tc_map_next(&servers->by_uuid, &at, &key, &value);) {
        struct tc_upstream *server = value;
        struct tc_server_row row = server->row;
        if (server->in_config || row.removed || !tc_str_is(row.source, "config"))
            continue;
        row.removed = true;
        e = put_row(cx, server, row);
    }
    return e;
}

static enum tc_err load(struct tc_cx *cx, struct tc_servers *servers)
{
    struct tc_store *store = servers->options.store;
    struct tc_json_iter it = tc_json_iter(servers->options.config);
    struct tc_server_row *rows;
    const struct tc_json *config;
    struct tc_str key;
    void *value;
    size_t n;
    enum tc_err e = store->servers->all(cx, store, &rows, &n);

    for (size_t i = 0; i < n && !e; i++) {
        e = tc_server_unseal(cx, servers->options.secrets, rows[i].uuid, rows[i].config, &rows[i].config);
        if (!e)
            e = load_one(cx, servers, &rows[i]);
    }
    while (!e && tc_json_next(&it, &key, &config)) {
        e = take_config(cx, servers, key, config);
        if (e)
            tc_fail_hint(cx, "See mcpServers.%.*s in the configuration.", TC_STR_ARG(key));
    }
    if (!e)
        e = drop_unconfigured(cx, servers);
    for (size_t at = 0; !e && servers->options.connect && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (!tc_upstream_is_away(value))
            tc_upstream_tend(value);
    return e;
}

enum tc_err tc_servers_create(struct tc_cx *cx, const struct tc_servers_options *options,
                              struct tc_servers **ret_servers)
{
    struct tc_servers *servers = tc_mem_zalloc(1, sizeof *servers);
    enum tc_err e;

    if (!servers)
        return tc_fail_memory(cx);
    servers->options = *options;
    tc_task_group_init(&servers->tasks, options->loop);
    e = load(cx, servers);
    if (e) {
        struct tc_error fault = cx->err;
        tc_servers_destroy(cx, servers);
        cx->err = fault;
        return e;
    }
    *ret_servers = servers;
    return TC_OK;
}

struct tc_servers_counts tc_servers_counts(const struct tc_servers *servers)
{
    struct tc_servers_counts counts = {0};
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&servers->by_uuid, &at, &key, &value);) {
        const struct tc_upstream *server = value;
        if (server->row.removed)
            continue;
        counts.total++;
        counts.held += server->held;
        if (server->row.paused)
            counts.paused++;
        else if (strcmp(server->state, "up") == 0)
            counts.up++;
        else if (strcmp(server->state, "down") == 0)
            counts.down++;
        else
            counts.idle++;
    }
    return counts;
}

void tc_servers_destroy(struct tc_cx *cx, struct tc_servers *servers)
{
    struct tc_str key;
    void *value;

    if (!servers)
        return;
    servers->closing = true;
    tc_task_shield(cx);
    tc_task_group_cancel(&servers->tasks, TC_E_SHUTDOWN);
    tc_task_join(cx, &servers->tasks);
    for (size_t at = 0; tc_map_next(&servers->by_uuid, &at, &key, &value);) {
        tc_upstream_disconnect(cx, value);
        tc_upstream_destroy(value);
    }
    tc_task_unshield(cx);
    tc_map_finish(&servers->by_uuid);
    tc_mem_free(servers);
}
