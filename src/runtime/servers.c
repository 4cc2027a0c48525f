/*
 * Loading servers, keeping them connected, and calling their tools. A server is
 * freed only when it is out of the table and no task holds it.
 */
#include "runtime/servers.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "runtime/upstream.h"

enum {
    RETRY_MIN_MS = 1000,
    RETRY_MAX_MS = 60 * 1000,
    DEBOUNCE_MS = 200,
    CALL_MS = 60 * 1000,
    CLOSE_MS = 2000, /* for calls under way when a connection is given up */
    DAY_MS = 24 * 60 * 60 * 1000
};

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

/* --- one server in memory --- */

void tc_upstream_destroy(struct tc_upstream *server)
{
    if (!server)
        return;
    tc_arena_finish(&server->arena);
    tc_arena_finish(&server->tools_arena);
    tc_arena_finish(&server->error_arena);
    tc_upstream_offer_finish(&server->offer);
    tc_mem_free(server);
}

void tc_upstream_set_error(struct tc_upstream *server, const char *state, struct tc_str error)
{
    struct tc_arena arena;
    struct tc_str copy;

    tc_arena_init(&arena, 0);
    copy = tc_arena_dup(&arena, error);
    tc_arena_finish(&server->error_arena);
    server->error_arena = arena;
    server->error = copy.p ? copy : TC_STR("");
    server->state = state;
}

static enum tc_err read_permission(struct tc_cx *cx, const struct tc_json *settings, const char *key,
                                   enum tc_permission *ret)
{
    struct tc_str value = tc_json_str(tc_json_get_c(settings, key));

    if (!tc_json_get_c(settings, key) || tc_permission_of(value, ret))
        return TC_OK;
    return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%s\" is allow, ask or off, not \"%.*s\".", key, TC_STR_ARG(value));
}

enum tc_err tc_upstream_read_rules(struct tc_cx *cx, struct tc_str settings, struct tc_upstream_rules *ret)
{
    struct tc_upstream_rules rules = {.permission = TC_PERMISSION_ALLOW, .new_tools = TC_PERMISSION_ASK};
    const struct tc_json *root, *timeout;
    struct tc_str on_change;
    enum tc_err e = tc_json_parse_root(cx, settings.n ? settings : TC_STR("{}"), NULL, &root);

    if (!e)
        e = read_permission(cx, root, "permission", &rules.permission);
    if (!e)
        e = read_permission(cx, root, "newTools", &rules.new_tools);
    if (e)
        return e;
    on_change = tc_json_str(tc_json_get_c(root, "onChange"));
    rules.quarantine_changes = !tc_str_is(on_change, "accept");
    if (on_change.n && !tc_str_is(on_change, "accept") && !tc_str_is(on_change, "quarantine"))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"onChange\" is quarantine or accept, not \"%.*s\".",
                       TC_STR_ARG(on_change));
    timeout = tc_json_get_c(root, "timeoutMs");
    if (timeout && (!tc_json_int(timeout, &rules.timeout_ms) || rules.timeout_ms < 1 || rules.timeout_ms > DAY_MS))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"timeoutMs\" is a whole number from 1 to %d.", DAY_MS);
    *ret = rules;
    return TC_OK;
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
    return to->uuid.p && to->name.p && to->label.p && to->config.p && to->settings.p && to->source.p
               ? TC_OK
               : tc_fail_memory(cx);
}

enum tc_err tc_upstream_set_row(struct tc_cx *cx, struct tc_upstream *server, const struct tc_server_row *row)
{
    struct tc_arena arena;
    struct tc_server_row copy;
    struct tc_upstream_rules rules;
    const struct tc_json *config;
    struct tc_cx inner;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    inner = (struct tc_cx){.arena = &arena, .clock = cx->clock, .task = cx->task};
    e = copy_row(&inner, &arena, row, &copy);
    if (!e)
        e = tc_json_parse_root(&inner, copy.config, NULL, &config);
    if (!e)
        e = tc_upstream_read_rules(&inner, copy.settings, &rules);
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
    server->state = "idle";
    server->retry_ms = RETRY_MIN_MS;
    server->error = TC_STR("");
    e = tc_upstream_set_row(cx, server, row);
    if (!e && row->paused)
        server->state = "paused";
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

/* --- the connection --- */

static void on_list_changed(void *arg, enum tc_source_kind kind);
static void on_ended(void *arg, struct tc_str reason);

static enum tc_err open_source(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_tool_source_factory *factory = server->owner->options.factory;
    struct tc_tool_source_events events = {.list_changed = on_list_changed,
                                           .resource_updated = tc_upstream_offer_updated,
                                           .ended = on_ended,
                                           .arg = server};

    return server->source ? TC_OK
                          : factory->open(cx, factory, server->row.name, server->config, &events, &server->source);
}

enum tc_err tc_upstream_connect(struct tc_cx *cx, struct tc_upstream *server, bool first)
{
    struct tc_store *store = server->owner->options.store;
    const struct tc_json *list;
    struct tc_definition_row *rows;
    size_t n;
    enum tc_err e = open_source(cx, server);

    server->stale = false; /* a change that is told from here on makes it stale again */
    if (!e)
        e = server->source->ops->list(cx, server->source, TC_SOURCE_TOOLS, &list);
    if (!e)
        e = tc_upstream_govern(cx, server, list, first, tc_clock_wall_ms(cx->clock), &rows, &n);
    if (!e && server->row.version) /* 0: not stored yet, the caller does it all */
        e = store->servers->put_definitions(cx, store, rows, n);
    if (!e)
        e = tc_upstream_set_tools(cx, server, rows, n);
    if (e) {
        struct tc_error fault = cx->err;
        if (tc_task_check(cx) == TC_OK) /* who gave up says nothing of the server */
            tc_upstream_set_error(server, "down", fault.message);
        cx->err = fault;
        return e;
    }
    tc_upstream_set_error(server, "up", TC_STR(""));
    server->retry_ms = RETRY_MIN_MS;
    tc_upstream_offer_connected(server);
    return TC_OK;
}

/* Until no call is under way, at most that long. */
static void wait_idle(struct tc_cx *cx, struct tc_upstream *server, int64_t ms)
{
    enum tc_err e = TC_OK;

    while (!e && server->users > 0) {
        tc_event_clear(&server->idle);
        e = tc_task_wait(cx, &server->idle, ms);
    }
    tc_fail_clear(cx);
}

void tc_upstream_disconnect(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_tool_source *source = server->source;
    struct tc_error fault = cx->err; /* of what came before: it is still to be told */

    server->source = NULL;
    if (!source)
        return;
    tc_task_shield(cx);
    wait_idle(cx, server, CLOSE_MS);
    source->ops->close(cx, source); /* ends the calls that are still under way */
    wait_idle(cx, server, -1);
    tc_task_unshield(cx);
    cx->err = fault;
}

/* One try under the lock; publishes either way. */
static enum tc_err try_connect(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_error fault;
    enum tc_err e = tc_upstream_lock(cx, server);

    if (e)
        return e;
    if (server->row.paused || server->row.removed) {
        tc_upstream_unlock(server);
        return TC_OK;
    }
    e = tc_upstream_connect(cx, server, server->tools_n == 0);
    fault = cx->err;
    if (tc_task_check(cx) == TC_OK)
        tc_upstream_publish(cx, server);
    cx->err = fault;
    tc_upstream_unlock(server);
    return e;
}

/* Ends when the list is known and nothing has changed since. */
static void tend_task(struct tc_cx *cx, void *arg)
{
    struct tc_upstream *server = arg;
    int64_t pause_ms = server->stale ? DEBOUNCE_MS : 0;

    do {
        if (pause_ms && tc_task_sleep(cx, pause_ms))
            break;
        pause_ms = DEBOUNCE_MS;
        if (try_connect(cx, server)) {
            pause_ms = server->retry_ms;
            server->retry_ms = server->retry_ms * 2 > RETRY_MAX_MS ? RETRY_MAX_MS : server->retry_ms * 2;
            server->stale = true;
        }
        tc_fail_clear(cx);
        tc_arena_reset(cx->arena);
    } while (server->stale && !server->owner->closing && !server->row.paused && !server->row.removed);
    server->tended = false;
}

void tc_upstream_tend(struct tc_upstream *server)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (server->tended || server->owner->closing)
        return;
    tc_arena_init(&arena, 0);
    server->tended = tc_task_spawn(&cx, server->owner->options.loop, &server->owner->tasks, "mcp connect", tend_task,
                                   server) == TC_OK;
    tc_arena_finish(&arena);
}

static void on_list_changed(void *arg, enum tc_source_kind kind)
{
    struct tc_upstream *server = arg;

    if (kind != TC_SOURCE_TOOLS) {
        tc_upstream_offer_stale(server, kind);
        return;
    }
    server->stale = true;
    if (server->row.version && !server->row.paused && !server->row.removed)
        tc_upstream_tend(server);
}

static void on_ended(void *arg, struct tc_str reason)
{
    (void)reason; /* the next try to connect says why when it fails */
    on_list_changed(arg, TC_SOURCE_TOOLS);
}

static bool is_away(const struct tc_upstream *server)
{
    return !server || server->row.removed || server->row.paused;
}

enum tc_err tc_servers_call(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                            const struct tc_source_call *call, struct tc_source_reply *ret_reply)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    struct tc_source_call timed = *call;
    enum tc_err e = TC_OK;

    *ret_reply =
        (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = TC_STR("The server is not there.")};
    if (is_away(server))
        return TC_OK;
    if (!server->source) {
        e = tc_upstream_lock(cx, server);
        if (!e) {
            e = is_away(server) ? TC_OK : open_source(cx, server);
            tc_upstream_unlock(server);
        }
    }
    if (e) {
        ret_reply->message = cx->err.message;
        return tc_task_check(cx);
    }
    if (!server->source)
        return TC_OK;
    if (timed.timeout_ms == 0)
        timed.timeout_ms = server->rules.timeout_ms ? server->rules.timeout_ms : CALL_MS;
    server->users++;
    e = server->source->ops->call(cx, server->source, &timed, ret_reply);
    if (--server->users == 0)
        tc_event_set(&server->idle);
    return e;
}

/* --- all of them --- */

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

/* Stores the row of a server and takes it over. */
static enum tc_err put_row(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row)
{
    struct tc_store *store = server->owner->options.store;
    enum tc_err e;

    row.version = 0;
    e = store->servers->put(cx, store, &row, tc_clock_wall_ms(cx->clock));
    row.version = server->row.version + 1;
    if (!e)
        e = tc_upstream_set_row(cx, server, &row);
    return e ? e : tc_upstream_publish(cx, server);
}

static enum tc_err add_configured(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *like)
{
    struct tc_store *store = servers->options.store;
    struct tc_server_row row = *like;
    char uuid[TC_RAND_UUID_SIZE];
    enum tc_err e;

    tc_rand_uuid(uuid);
    row.uuid = tc_str_of(uuid);
    row.settings = TC_STR("{}");
    e = store->servers->put(cx, store, &row, tc_clock_wall_ms(cx->clock));
    row.version = 1;
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
    enum tc_err e = text.p ? tc_servers_import_name(cx, servers, key, &name) : tc_fail_memory(cx);

    if (e)
        return e;
    server = tc_upstream_by_config_name(servers, name);
    row = server ? server->row : (struct tc_server_row){.name = name};
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

    for (size_t i = 0; i < n && !e; i++)
        e = load_one(cx, servers, &rows[i]);
    while (!e && tc_json_next(&it, &key, &config)) {
        e = take_config(cx, servers, key, config);
        if (e)
            tc_fail_hint(cx, "See mcpServers.%.*s in the configuration.", TC_STR_ARG(key));
    }
    if (!e)
        e = drop_unconfigured(cx, servers);
    for (size_t at = 0; !e && servers->options.connect && tc_map_next(&servers->by_uuid, &at, &key, &value);)
        if (!is_away(value))
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
