/*
 * Requests to servers that are no calls of tools, and subscriptions, which are
 * counted: a server hears of the first and of the last listener.
 */
#include "runtime/servers_offer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "runtime/upstream.h"
#include "toolcrib/jsonw.h"

enum { ROOTS_MS = 3000 }; /* for a server to ask for changed ones, and to be answered */

/* Connects a server that is not connected: the next to use it does. */
static enum tc_err open(struct tc_cx *cx, struct tc_upstream *server)
{
    enum tc_err e = TC_OK;

    if (tc_upstream_is_away(server) || tc_upstream_is_started(server))
        return TC_OK;
    e = tc_upstream_lock(cx, server);
    if (e)
        return e;
    if (!tc_upstream_is_away(server) && !tc_upstream_is_started(server)) {
        struct tc_error fault;
        e = tc_upstream_connect(cx, server, server->tools_n == 0);
        fault = cx->err;
        if (tc_task_check(cx) == TC_OK)
            tc_upstream_publish(cx, server);
        cx->err = fault;
    }
    tc_upstream_unlock(server);
    return e;
}

static enum tc_err ask(struct tc_cx *cx, struct tc_upstream *server, const struct tc_source_request *request,
                       struct tc_source_reply *ret)
{
    struct tc_source_request timed = *request;
    enum tc_err e = TC_OK;

    *ret = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = TC_STR("The server is not there.")};
    if (tc_upstream_is_away(server))
        return TC_OK;
    e = open(cx, server);
    if (e) {
        ret->message = cx->err.message;
        return tc_task_check(cx);
    }
    if (!server->source)
        return TC_OK;
    if (!server->rules.grant_each)
        timed.identity = TC_STR("");
    if (timed.timeout_ms == 0)
        timed.timeout_ms = server->rules.timeout_ms;
    server->users++;
    e = server->source->ops->request(cx, server->source, &timed, ret);
    if (--server->users == 0)
        tc_event_set(&server->idle);
    tc_upstream_rest(cx, server);
    return e;
}

enum tc_err tc_servers_request(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                               const struct tc_source_request *request, struct tc_source_reply *ret_reply)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    struct tc_source_request timed = *request;
    int64_t due_us, left_ms;
    enum tc_err e;

    if (tc_upstream_is_away(server))
        return ask(cx, server, request, ret_reply);
    if (timed.timeout_ms == 0)
        timed.timeout_ms = server->rules.timeout_ms;
    due_us = tc_clock_mono_us(cx->clock) + timed.timeout_ms * 1000;
    e = tc_upstream_enter(cx, server, due_us);
    if (e)
        return tc_upstream_held_back(cx, e, true, ret_reply);
    left_ms = (due_us - tc_clock_mono_us(cx->clock)) / 1000;
    timed.timeout_ms = left_ms > 0 ? left_ms : 1;
    e = ask(cx, server, &timed, ret_reply);
    tc_upstream_leave(server);
    tc_upstream_rest(cx, server);
    return e;
}

enum tc_err tc_servers_roots_changed(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                     struct tc_str identity, struct tc_caller *caller)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    struct tc_source_request request = {.method = "notifications/roots/list_changed",
                                        .caller = caller,
                                        .identity = identity,
                                        .timeout_ms = ROOTS_MS};
    struct tc_source_reply reply;

    if (tc_upstream_is_away(server) || !tc_upstream_is_started(server))
        return TC_OK;
    return ask(cx, server, &request, &reply);
}

/* --- subscriptions --- */

static enum tc_err subscription_request(struct tc_cx *cx, struct tc_upstream *server, const char *method,
                                        struct tc_str uri, struct tc_source_reply *ret)
{
    struct tc_source_request request = {.method = method, .identity = tc_arena_dup(cx->arena, server->lister)};
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;
    enum tc_err e;

    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "uri", uri);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    e = text.p && request.identity.p ? tc_json_parse_root(cx, text, NULL, &request.params) : tc_fail_memory(cx);
    return e ? e : ask(cx, server, &request, ret);
}

/* A new connection knows nothing of what was subscribed to. */
void tc_upstream_subscribe_again(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_str key, *uris = TC_ARENA_NEW_N(cx->arena, struct tc_str, server->offer.subscriptions.n + 1);
    struct tc_source_reply reply;
    size_t n = 0;
    void *value;

    for (size_t at = 0; uris && tc_map_next(&server->offer.subscriptions, &at, &key, &value);)
        uris[n++] = tc_arena_dup(cx->arena, key);
    for (size_t i = 0; i < n && !tc_upstream_is_away(server) && server->source; i++)
        if (uris[i].p && subscription_request(cx, server, "resources/subscribe", uris[i], &reply))
            tc_fail_clear(cx);
}

enum tc_err tc_servers_subscribe(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid, struct tc_str uri)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    size_t *count = server ? tc_map_get(&server->offer.subscriptions, uri) : NULL;
    struct tc_source_reply reply;
    enum tc_err e;

    if (!server)
        return tc_fail(cx, TC_E_MCP_SERVER_NOT_FOUND, "The server is not there.");
    if (count) {
        ++*count;
        return TC_OK;
    }
    count = tc_mem_zalloc(1, sizeof *count);
    if (!count || !tc_map_put(&server->offer.subscriptions, uri, count)) {
        tc_mem_free(count);
        return tc_fail_memory(cx);
    }
    ++*count;
    e = subscription_request(cx, server, "resources/subscribe", uri, &reply);
    if (!e && reply.outcome != TC_OUTCOME_RESULT)
        e = tc_fail(cx, TC_E_MCP_SERVER_ERROR, "The server does not take the subscription: %.*s",
                    TC_STR_ARG(reply.message));
    if (e)
        tc_servers_unsubscribe(servers, uuid, uri);
    return e;
}

struct farewell {
    struct tc_upstream *server;
    struct tc_str uri;
    char text[];
};

static void farewell_task(struct tc_cx *cx, void *arg)
{
    struct farewell *farewell = arg;
    struct tc_source_reply reply;

    if (!tc_map_get(&farewell->server->offer.subscriptions, farewell->uri) && farewell->server->source)
        subscription_request(cx, farewell->server, "resources/unsubscribe", farewell->uri, &reply);
    tc_mem_free(farewell);
}

void tc_servers_unsubscribe(struct tc_servers *servers, struct tc_str uuid, struct tc_str uri)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    size_t *count = server ? tc_map_get(&server->offer.subscriptions, uri) : NULL;
    struct farewell *farewell;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (!count || --*count > 0)
        return;
    tc_map_remove(&server->offer.subscriptions, uri);
    tc_mem_free(count);
    farewell = servers->closing ? NULL : tc_mem_alloc(sizeof *farewell + uri.n);
    if (!farewell)
        return; /* news of it will find nobody */
    farewell->server = server;
    farewell->uri = tc_str_n(farewell->text, uri.n);
    memcpy(farewell->text, uri.p, uri.n);
    tc_arena_init(&arena, 0);
    if (tc_task_spawn(&cx, servers->options.loop, &servers->tasks, "mcp unsubscribe", farewell_task, farewell))
        tc_mem_free(farewell);
    tc_arena_finish(&arena);
}
