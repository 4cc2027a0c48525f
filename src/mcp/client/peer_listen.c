/*
 * What is subscribed to: changes of lists, and updates of resources. In the era
 * without handshake that is one standing request, made anew whenever what is wanted
 * changes or the server ends it; in the other one request a resource, and lists
 * come by themselves.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

enum {
    PAUSE_FIRST_MS = 1000, /* before it is made anew, doubling */
    PAUSE_LAST_MS = 60000,
    HEALTHY_MS = 60000, /* after which an end counts as the first */
    SUBSCRIBE_MS = 10000
};

struct tc_peer_listen {
    struct tc_peer_job job;
    int64_t pause_ms;
};

/* --- the filter --- */

static bool changes(const struct tc_peer *peer, const char *capability)
{
    return tc_json_bool(tc_json_get_c(tc_peer_capability(peer, capability), "listChanged"), false);
}

static bool wants_anything(const struct tc_peer *peer)
{
    return changes(peer, "tools") || changes(peer, "prompts") || changes(peer, "resources") || peer->uris->n;
}

static void write_listen(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct tc_peer *peer = arg;

    (void)id;
    tc_jsonw_object(w);
    tc_jsonw_key(w, "notifications");
    tc_jsonw_object(w);
    if (changes(peer, "tools"))
        tc_jsonw_kbool(w, "toolsListChanged", true);
    if (changes(peer, "prompts"))
        tc_jsonw_kbool(w, "promptsListChanged", true);
    if (changes(peer, "resources"))
        tc_jsonw_kbool(w, "resourcesListChanged", true);
    if (peer->uris->n) {
        tc_jsonw_key(w, "resourceSubscriptions");
        tc_jsonw_array(w);
        for (size_t i = 0; i < peer->uris->n; i++)
            tc_jsonw_str(w, peer->uris->items[i]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_peer_write_meta(w, peer, NULL, NULL, 0);
    tc_jsonw_end(w);
}

/* --- the standing request --- */

/* Until it ends; false when there is no use in another one. */
static bool listen_once(struct tc_cx *cx, struct tc_peer *peer)
{
    struct tc_link_request request = {.method = "subscriptions/listen",
                                      .write_params = write_listen,
                                      .arg = peer,
                                      .identity = peer->identity,
                                      .timeout_ms = -1,
                                      .standing = true};
    struct tc_link_reply reply = {0};

    if (tc_peer_headers(cx, peer, request.method, tc_str_n("", 0), NULL, NULL, &request.headers) != TC_OK ||
        peer->link->ops->request(cx, peer->link, &request, &reply) != TC_OK || tc_task_check(cx) != TC_OK)
        return false;
    return reply.base.outcome != TC_OUTCOME_SERVER_ERROR || reply.base.rpc_code != -32601;
}

/* What happened between two subscriptions is not known. */
static void tell_all_changes(struct tc_cx *cx, struct tc_peer *peer)
{
    unsigned kinds = 0;

    kinds |= changes(peer, "tools") ? 1u << TC_SOURCE_TOOLS : 0;
    kinds |= changes(peer, "prompts") ? 1u << TC_SOURCE_PROMPTS : 0;
    kinds |= changes(peer, "resources") ? 1u << TC_SOURCE_RESOURCES | 1u << TC_SOURCE_TEMPLATES : 0;
    tc_peer_changed(cx, peer, kinds);
}

static void listen(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct tc_peer_listen *listening = (struct tc_peer_listen *)job;
    struct tc_peer *peer = job->peer;
    struct tc_arena arena;
    struct tc_cx once = *cx;
    int64_t since_us;

    tc_arena_init(&arena, 0);
    once.arena = &arena;
    for (;;) {
        since_us = tc_clock_mono_us(tc_loop_clock(peer->loop));
        if (!listen_once(&once, peer))
            break;
        if (tc_clock_mono_us(tc_loop_clock(peer->loop)) - since_us > (int64_t)HEALTHY_MS * 1000)
            listening->pause_ms = PAUSE_FIRST_MS;
        if (tc_task_sleep(cx, listening->pause_ms) != TC_OK || !tc_peer_alive(peer))
            break;
        listening->pause_ms = listening->pause_ms < PAUSE_LAST_MS / 2 ? listening->pause_ms * 2 : PAUSE_LAST_MS;
        tc_arena_reset(&arena);
        tell_all_changes(cx, peer);
    }
    tc_arena_finish(&arena);
}

static void drop(struct tc_peer_job *job)
{
    if (job->peer->listen == (struct tc_peer_listen *)job)
        job->peer->listen = NULL;
}

/* In place of the present one. */
static enum tc_err listen_anew(struct tc_cx *cx, struct tc_peer *peer)
{
    struct tc_peer_listen *listening;
    enum tc_err code;

    if (peer->listen)
        tc_task_cancel(peer->listen->job.task, TC_E_CANCELED);
    peer->listen = NULL;
    if (!wants_anything(peer))
        return TC_OK;
    listening = tc_mem_zalloc(1, sizeof *listening);
    if (!listening)
        return tc_fail_memory(cx);
    listening->job.run = listen;
    listening->job.drop = drop;
    listening->pause_ms = PAUSE_FIRST_MS;
    code = tc_peer_spawn(cx, peer, "mcp-listen", &listening->job);
    if (code == TC_OK)
        peer->listen = listening;
    return code;
}

/* --- resources --- */

static void write_uri(struct tc_jsonw *w, const void *arg)
{
    tc_jsonw_kstr(w, "uri", *(const struct tc_str *)arg);
}

/* A connection that was made anew: the server knows of none. */
static void subscribe_each(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct tc_peer *peer = job->peer;
    struct tc_peer_asking asking = {.method = "resources/subscribe", .write = write_uri, .timeout_ms = SUBSCRIBE_MS};
    struct tc_link_reply reply;
    struct tc_str uri;

    for (size_t i = 0; i < peer->uris->n && tc_task_check(cx) == TC_OK && tc_peer_alive(peer); i++) {
        uri = tc_arena_dup(cx->arena, peer->uris->items[i]); /* the set may change meanwhile */
        asking.arg = &uri;
        if (!uri.p || tc_peer_ask(cx, peer, &asking, &reply) != TC_OK)
            tc_fail_clear(cx); /* that one is not to be had any more */
    }
}

void tc_peer_subscribe_all(struct tc_cx *cx, struct tc_peer *peer)
{
    struct tc_peer_job *job;

    if (tc_peer_has(peer, TC_MCP_LISTEN)) {
        if (listen_anew(cx, peer) != TC_OK)
            tc_fail_clear(cx); /* lists then grow old until they are asked for */
        return;
    }
    job = peer->uris->n ? tc_mem_zalloc(1, sizeof *job) : NULL;
    if (!job)
        return;
    job->run = subscribe_each;
    tc_peer_spawn(cx, peer, "mcp-subscribe", job);
}

enum tc_err tc_peer_subscribe(struct tc_cx *cx, struct tc_peer *peer, struct tc_str uri, bool wanted)
{
    bool had = tc_uri_set_has(peer->uris, uri);

    if (wanted && !tc_uri_set_add(peer->uris, uri))
        return tc_fail(cx, TC_E_LIMIT, "There is no room for more than %d subscriptions to one server.",
                       TC_URI_SET_MAX);
    if (!wanted)
        tc_uri_set_remove(peer->uris, uri);
    return had != wanted && tc_peer_has(peer, TC_MCP_LISTEN) ? listen_anew(cx, peer) : TC_OK;
}
