/*
 * The connection of a server: made, kept by one task with back-off, and given up when
 * nobody calls.
 */
#include "runtime/upstream.h"

#include "base/clock.h"
#include "runtime/server_seal.h"
#include "runtime/servers_impl.h"

enum {
    DEBOUNCE_MIN_MS = 200,
    DEBOUNCE_MAX_MS = 10 * 1000,
    CLOSE_MS = 2000 /* for calls under way when a connection is given up */
};

static void on_list_changed(void *arg, enum tc_source_kind kind);
static void on_ended(void *arg, struct tc_str reason);

static enum tc_err open_source(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_tool_source_factory *factory = server->owner->options.factory;
    struct tc_tool_source_events events = {.list_changed = on_list_changed,
                                           .resource_updated = tc_upstream_offer_updated,
                                           .ended = on_ended,
                                           .said = tc_upstream_said,
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
        if (tc_task_check(cx) == TC_OK) { /* who gave up says nothing of the server */
            tc_upstream_set_state(cx, server, "down", what_to_do(cx, &fault));
            tc_upstream_say(server, "error", "discovery", server->error);
        }
        cx->err = fault;
        return e;
    }
    tc_upstream_set_state(cx, server, "up", TC_STR(""));
    if (began) {
        server->health.started_at = tc_clock_wall_ms(cx->clock);
        tc_upstream_say(server, "info", "start", TC_STR("started"));
    }
    tc_upstream_say_found(server, server->health.list_ms);
    server->health.restarts += began && server->ended;
    server->ended = false;
    server->health.retry_ms = server->health.retry_at = 0;
    server->retry_ms = TC_UPSTREAM_RETRY_MIN_MS;
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
    server->health.started_at = 0;
    server->offer.lost = true;
    server->fresh = false;
    tc_timer_stop(&server->rest);
    if (!source)
        return;
    tc_upstream_say(server, "info", "stop", TC_STR("stopped"));
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

void tc_upstream_rested(struct tc_timer *timer)
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

static void list_again(struct tc_upstream *server)
{
    server->stale = true;
    if (server->row.version && !server->row.paused && !server->row.removed)
        tc_upstream_tend(server);
}

static void on_list_changed(void *arg, enum tc_source_kind kind)
{
    static const char *const kinds[] = {"tools", "prompts", "resources", "resources/templates"};
    struct tc_upstream *server = arg;

    tc_upstream_sayf(server, "info", "list_changed", "%s/list_changed", kinds[kind]);
    if (kind != TC_SOURCE_TOOLS) {
        tc_upstream_offer_stale(server, kind);
        return;
    }
    list_again(server);
}

static void on_ended(void *arg, struct tc_str reason)
{
    struct tc_upstream *server = arg;

    server->health.started_at = 0;
    tc_upstream_say(server, "error", "exit", reason);
    server->fresh = false;
    server->ended = true;
    server->offer.lost = true;
    list_again(server);
}
