/*
 * Loading servers and keeping them connected; stopping those that nobody calls. A server is
 * freed only when it is out of the table and no task holds it.
 */
#include "runtime/servers.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "runtime/server_seal.h"
#include "runtime/upstream.h"

enum {
    RETRY_MIN_MS = 1000,
    DEBOUNCE_MIN_MS = 200,
    DEBOUNCE_MAX_MS = 10 * 1000,
    CLOSE_MS = 2000 /* for calls under way when a connection is given up */
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
    tc_arena_finish(&server->found_arena);
    tc_arena_finish(&server->lister_arena);
    tc_arena_finish(&server->error_arena);
    tc_upstream_offer_finish(&server->offer);
    tc_arena_finish(&server->last_error_arena);
    tc_timer_finish(&server->rest);
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
    return TC_OK;
}

static void on_rested(struct tc_timer *timer);

enum tc_err tc_upstream_create(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row,
                               struct tc_upstream **ret)
{
    struct tc_upstream *server = tc_mem_zalloc(1, sizeof *server);
    enum tc_err e;

    if (!server)
        return tc_fail_memory(cx);
    server->owner = servers;
    server->state = row->paused ? "paused" : "idle";
    server->retry_ms = RETRY_MIN_MS;
    server->error = server->health.last_error = server->lister = TC_STR("");
    server->health.since = tc_clock_wall_ms(cx->clock);
    e = tc_timer_init(&server->rest, servers->options.loop, on_rested) ? TC_OK : tc_fail_memory(cx);
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

    enum tc_err e;

    if (server->source)
        return TC_OK;
    e = factory->open(cx, factory, server->row.name, server->config, &events, &server->source);
    if (!e && server->row.found.n && server->source->ops->recall)
        server->source->ops->recall(cx, server->source, server->row.found);
    return e;
}

/* What was found out about it is stored when it is news. Where that fails it is found
 * out once more. A failure in cx stays. */
static void keep_found(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_store *store = server->owner->options.store;
    const struct tc_tool_source *source = server->source;
    struct tc_error fault = cx->err;
    struct tc_str found;

    if (!source || !source->ops->found)
        return;
    found = source->ops->found(cx, server->source);
    if (!tc_str_eq(found, server->row.found)) {
        server->row.found = tc_upstream_set_text(&server->found_arena, found);
        if (server->row.version) /* else it is stored with the row */
            store->servers->put_found(cx, store, server->row.uuid, server->row.found);
    }
    cx->err = fault;
}

bool tc_upstream_is_started(const struct tc_upstream *server)
{
    return server->source && server->fresh;
}

/* Fresh unless the connection ended meanwhile, which stays said. */
static enum tc_err read_list(struct tc_cx *cx, struct tc_upstream *server, const struct tc_json **ret_list)
{
    int64_t began = tc_clock_mono_us(cx->clock);
    enum tc_err e;

    server->fresh = true;
    e = tc_upstream_list(cx, server, TC_SOURCE_TOOLS, ret_list);
    if (e) {
        server->fresh = false;
        return e;
    }
    server->health.list_ms = (tc_clock_mono_us(cx->clock) - began + 999) / 1000;
    server->health.listed_at = tc_clock_wall_ms(cx->clock);
    return TC_OK;
}

/* With what to type, where that is what it takes. */
static struct tc_str what_to_do(struct tc_cx *cx, const struct tc_error *fault)
{
    struct tc_str text = fault->message;
    bool told = fault->code == TC_E_MCP_LOGIN_REQUIRED || fault->code == TC_E_HTTP_CERTIFICATE;

    if (told && fault->hint.n)
        text = tc_arena_printf(cx->arena, "%.*s %.*s", TC_STR_ARG(fault->message), TC_STR_ARG(fault->hint));
    return text.p ? text : fault->message;
}

enum tc_err tc_upstream_connect(struct tc_cx *cx, struct tc_upstream *server, bool first)
{
    struct tc_store *store = server->owner->options.store;
    const struct tc_json *list;
    struct tc_definition_row *rows;
    bool began = !tc_upstream_is_started(server);
    size_t n;
    enum tc_err e = open_source(cx, server);

    server->stale = false; /* a change that is told from here on makes it stale again */
    if (!e)
        e = read_list(cx, server, &list);
    keep_found(cx, server);
    if (!e)
        e = tc_upstream_govern(cx, server, list, first, tc_clock_wall_ms(cx->clock), &rows, &n);
    if (!e && server->row.version) /* 0: not stored yet, the caller does it all */
        e = store->servers->put_definitions(cx, store, rows, n);
    if (!e)
        e = tc_upstream_set_tools(cx, server, rows, n);
    if (e) {
        struct tc_error fault = cx->err;
        if (tc_task_check(cx) == TC_OK) /* who gave up says nothing of the server */
            tc_upstream_set_state(cx, server, "down", what_to_do(cx, &fault));
        cx->err = fault;
        return e;
    }
    tc_upstream_set_state(cx, server, "up", TC_STR(""));
    server->health.restarts += began && server->ended;
    server->ended = false;
    server->health.retry_ms = server->health.retry_at = 0;
    server->retry_ms = RETRY_MIN_MS;
    tc_upstream_offer_connected(server);
    tc_upstream_rest(cx, server);
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
    server->offer.lost = true;
    server->fresh = false;
    tc_timer_stop(&server->rest);
    if (!source)
        return;
    tc_task_shield(cx);
    wait_idle(cx, server, CLOSE_MS);
    source->ops->close(cx, source); /* ends the calls that are still under way */
    wait_idle(cx, server, -1);
    tc_task_unshield(cx);
    cx->err = fault;
}

/* --- stopping for want of calls --- */

static bool is_unused(const struct tc_upstream *server)
{
    return server->source && server->rules.idle_stop_ms && server->users == 0 && server->running == 0 &&
           server->offer.subscriptions.n == 0 && !server->offer.reading && !server->tended &&
           !server->owner->closing;
}

void tc_upstream_rest(struct tc_cx *cx, struct tc_upstream *server)
{
    if (!is_unused(server)) {
        tc_timer_stop(&server->rest);
        return;
    }
    server->used_us = tc_clock_mono_us(cx->clock);
    tc_timer_set(&server->rest, server->used_us + server->rules.idle_stop_ms * 1000);
}

/* A call that came while this waited for the lock keeps the server up. */
static void stop_task(struct tc_cx *cx, void *arg)
{
    struct tc_upstream *server = arg;

    if (tc_upstream_lock(cx, server))
        return;
    if (is_unused(server) &&
        tc_clock_mono_us(cx->clock) - server->used_us >= server->rules.idle_stop_ms * 1000) {
        tc_upstream_set_state(cx, server, "idle", TC_STR(""));
        tc_upstream_disconnect(cx, server);
    }
    tc_upstream_unlock(server);
}

static void on_rested(struct tc_timer *timer)
{
    struct tc_upstream *server = (struct tc_upstream *)(void *)((char *)timer - offsetof(struct tc_upstream, rest));
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    tc_task_spawn(&cx, server->owner->options.loop, &server->owner->tasks, "mcp idle stop", stop_task, server);
    tc_arena_finish(&arena);
}

/* --- keeping it connected --- */

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
    int64_t pause_ms = server->stale ? DEBOUNCE_MIN_MS : 0, debounce_ms = DEBOUNCE_MIN_MS;
    enum tc_err e;

    do {
        if (pause_ms && tc_task_sleep(cx, pause_ms))
            break;
        debounce_ms = debounce_ms * 2 > DEBOUNCE_MAX_MS ? DEBOUNCE_MAX_MS : debounce_ms * 2;
        pause_ms = debounce_ms; /* one that announces changes without end is read less and less often */
        e = try_connect(cx, server);
        if (e) {
            pause_ms = server->retry_ms;
            server->retry_ms = pause_ms * 2 > TC_SERVERS_RETRY_MAX_MS ? TC_SERVERS_RETRY_MAX_MS : pause_ms * 2;
            server->health.retry_ms = pause_ms;
            server->health.retry_at = tc_clock_wall_ms(cx->clock) + pause_ms;
            server->stale = true;
        }
        tc_fail_clear(cx);
        tc_arena_reset(cx->arena);
        if (e == TC_E_MCP_LOGIN_REQUIRED)
            break; /* until somebody has logged in; see tc_servers_wake */
    } while (server->stale && !server->owner->closing && !server->row.paused && !server->row.removed);
    server->tended = false;
    tc_upstream_rest(cx, server);
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

static void wake_task(struct tc_cx *cx, void *arg)
{
    struct tc_upstream *server = arg;

    if (try_connect(cx, server) && !server->tended && tc_task_check(cx) == TC_OK) {
        server->stale = true;
        tc_upstream_tend(server);
    }
}

void tc_servers_wake(struct tc_servers *servers, struct tc_str name)
{
    struct tc_upstream *server = tc_upstream_find(servers, name);
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (!server || server->row.version == 0 || servers->closing)
        return;
    tc_arena_init(&arena, 0);
    tc_task_spawn(&cx, servers->options.loop, &servers->tasks, "mcp wake", wake_task, server);
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
    struct tc_upstream *server = arg;

    (void)reason; /* the next try to connect says why when it fails */
    server->fresh = false;
    server->ended = true;
    server->offer.lost = true;
    on_list_changed(arg, TC_SOURCE_TOOLS);
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
