/*
 * Who opens the peer, when it may be opened again, and how.
 */
#include "mcp/client/connection.h"

#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/uri_set.h"

enum {
    PAUSE_FIRST_MS = 1000,
    PAUSE_LAST_MS = 60000,
    HEALTHY_MS = 60000, /* after which a failure counts as the first */
    PATIENCE_MS = 5000, /* of a use with the pause before a start; a longer one fails it */
    ERROR_MAX = 1600,
    HINT_MAX = 1600
};

struct tc_connection {
    struct tc_connection_options options;
    struct tc_str identity;
    struct tc_task_group group; /* the starting task */
    struct tc_peer *peer; /* NULL: not connected */
    bool closed;
    bool starting;
    struct tc_event started; /* the start that was under way has come to its end */
    enum tc_err start_code; /* of the last start */
    char hint[HINT_MAX]; /* of a start that failed; may be empty */
    char error[ERROR_MAX]; /* last failure of a start, or reason of an end */
    int failures; /* in a row */
    int64_t not_before_us; /* no start earlier */
    int64_t healthy_since_us;
    size_t starts;
    struct tc_uri_set uris; /* subscribed to, over all its peers */
};

static int64_t now_us(const struct tc_connection *connection)
{
    return tc_clock_mono_us(tc_loop_clock(connection->options.loop));
}

/* --- ends --- */

static void set_text(char *to, size_t room, struct tc_str text)
{
    text.n = text.n < room ? text.n : tc_utf8_valid(tc_str_n(text.p, room - 1));
    snprintf(to, room, "%.*s", TC_STR_ARG(text));
}

static struct tc_str shown(struct tc_cx *cx, const struct tc_connection *connection, struct tc_str text)
{
    return connection->options.shown(cx, connection->options.arg, text);
}

/* An end that nobody asked for, or a start that failed. */
static void count_failure(struct tc_connection *connection)
{
    int64_t pause_ms = PAUSE_FIRST_MS;

    for (int i = 0; i < connection->failures && pause_ms < PAUSE_LAST_MS; i++)
        pause_ms *= 2;
    connection->failures++;
    connection->not_before_us = now_us(connection) + (pause_ms < PAUSE_LAST_MS ? pause_ms : PAUSE_LAST_MS) * 1000;
}

static void drop_peer(struct tc_connection *connection)
{
    struct tc_peer *peer = connection->peer;

    connection->peer = NULL;
    tc_peer_unref(peer);
}

static void on_ended(void *arg)
{
    struct tc_connection *connection = arg;
    struct tc_peer_status status;

    if (!connection->peer)
        return; /* it ended while it was still being opened: the start has failed */
    tc_peer_status(connection->peer, &status);
    set_text(connection->error, sizeof connection->error, status.link.reason);
    if (now_us(connection) - connection->healthy_since_us >= (int64_t)HEALTHY_MS * 1000)
        connection->failures = 0;
    if (!status.link.forgotten)
        count_failure(connection);
    drop_peer(connection);
    connection->options.events.ended(connection->options.arg, tc_str_of(connection->error));
}

static void on_list_changed(void *arg, enum tc_source_kind kind)
{
    struct tc_connection *connection = arg;

    connection->options.events.list_changed(connection->options.arg, kind);
}

static void on_resource_updated(void *arg, struct tc_str uri)
{
    struct tc_connection *connection = arg;

    connection->options.events.resource_updated(connection->options.arg, uri);
}

static void on_said(void *arg, struct tc_str line)
{
    struct tc_connection *connection = arg;

    if (connection->options.events.said)
        connection->options.events.said(connection->options.arg, line);
}

/* --- starting --- */

static enum tc_err open_peer(struct tc_cx *cx, struct tc_connection *connection, tc_peer_dial *dial,
                             struct tc_peer **ret_peer)
{
    struct tc_peer_options options = {
        .loop = connection->options.loop,
        .dial = dial,
        .dial_arg = connection->options.arg,
        .identity = connection->identity,
        .start_ms = connection->options.start_ms,
        .memory = connection->options.memory,
        .uris = &connection->uris,
        .events = {.list_changed = on_list_changed,
                   .resource_updated = on_resource_updated,
                   .said = on_said,
                   .ended = on_ended,
                   .arg = connection},
    };

    return tc_peer_open(cx, &options, ret_peer);
}

/* Whether an answer means that the server is to be spoken to in another way, and
 * not that it is not to be spoken to. */
static bool is_other_way(int http_status)
{
    return http_status >= 400 && http_status < 500 && http_status != 401 && http_status != 403 && http_status != 407 &&
           http_status != 429;
}

/* By each way in turn, the one that worked last first. When none is right, what the
 * first one met is told. */
static enum tc_err try_ways(struct tc_cx *cx, struct tc_connection *connection, struct tc_peer **ret_peer)
{
    struct tc_peer_memory *memory = connection->options.memory;
    size_t n = connection->options.dials_n, first = memory->dial;
    struct tc_error met = {.code = TC_OK};
    enum tc_err code = TC_OK;

    for (size_t i = 0; i < n; i++) {
        memory->refusal = 0;
        code = open_peer(cx, connection, connection->options.dials[(first + i) % n], ret_peer);
        if (code == TC_OK)
            memory->dial = (first + i) % n;
        if (code == TC_OK || !is_other_way(memory->refusal))
            break;
        if (i == 0)
            met = cx->err;
    }
    if (code != TC_OK && met.code != TC_OK && memory->refusal) {
        cx->err = met;
        code = met.code;
    }
    return code;
}

/* Whether a start failed by what the server did, so that what was known of it may not
 * hold any more. */
static bool may_have_changed(const struct tc_peer_memory *memory, enum tc_err code)
{
    return code == TC_E_MCP_PROTOCOL || code == TC_E_MCP_VERSION || code == TC_E_MCP_START_FAILED ||
           code == TC_E_TIMEOUT || is_other_way(memory->refusal);
}

/* By what is known of the server; when that does not work any more, as if nothing
 * were. One that does not answer has taken its time already. */
static enum tc_err open_as_known(struct tc_cx *cx, struct tc_connection *connection, struct tc_peer **ret_peer)
{
    struct tc_peer_memory *memory = connection->options.memory;
    bool known = memory->revision != NULL;
    enum tc_err code = try_ways(cx, connection, ret_peer);

    if (code == TC_OK || !known || !may_have_changed(memory, code))
        return code;
    *memory = (struct tc_peer_memory){0};
    return code == TC_E_TIMEOUT ? code : try_ways(cx, connection, ret_peer);
}

static enum tc_err connect_peer(struct tc_cx *cx, struct tc_connection *connection, struct tc_peer **ret_peer)
{
    int64_t pause_ms = (connection->not_before_us - now_us(connection) + 999) / 1000;
    enum tc_err code = pause_ms > 0 ? tc_task_sleep(cx, pause_ms) : TC_OK;

    return code == TC_OK ? open_as_known(cx, connection, ret_peer) : code;
}

static void start(struct tc_cx *cx, void *arg)
{
    struct tc_connection *connection = arg;
    struct tc_peer *peer = NULL;
    enum tc_err code = connect_peer(cx, connection, &peer);

    connection->starting = false;
    connection->start_code = code;
    if (code == TC_OK) {
        connection->peer = peer;
        connection->starts++;
        connection->healthy_since_us = now_us(connection);
    } else {
        set_text(connection->error, sizeof connection->error, shown(cx, connection, cx->err.message));
        set_text(connection->hint, sizeof connection->hint, shown(cx, connection, cx->err.hint));
        if (code == TC_E_MCP_START_FAILED || code == TC_E_MCP_PROTOCOL || code == TC_E_MCP_VERSION ||
            code == TC_E_TIMEOUT)
            count_failure(connection);
    }
    tc_event_set(&connection->started);
}

static enum tc_err begin_start(struct tc_cx *cx, struct tc_connection *connection)
{
    int64_t pause_ms = (connection->not_before_us - now_us(connection)) / 1000;
    enum tc_err code;

    if (pause_ms > PATIENCE_MS) {
        tc_fail(cx, TC_E_MCP_START_FAILED, "The server has failed %d times in a row; the last time: %s",
                connection->failures, connection->error);
        return tc_fail_hint(cx, "It is tried again in %lld s at the earliest.", (long long)(pause_ms + 999) / 1000);
    }
    tc_event_clear(&connection->started);
    connection->start_code = TC_OK;
    code = tc_task_spawn(cx, connection->options.loop, &connection->group, "mcp-start", start, connection);
    connection->starting = code == TC_OK;
    return code;
}

/* The peer is about to end: a new one is opened when nothing is left of the old
 * one. */
static enum tc_err await_end(struct tc_cx *cx, struct tc_connection *connection, int64_t timeout_ms)
{
    struct tc_peer *peer = connection->peer;
    enum tc_err code;

    tc_peer_ref(peer);
    code = tc_peer_join(cx, peer, timeout_ms);
    if (code == TC_OK && connection->peer == peer)
        on_ended(connection); /* it ended while its start was being completed */
    tc_peer_unref(peer);
    return code;
}

static enum tc_err fail_start(struct tc_cx *cx, const struct tc_connection *connection)
{
    tc_fail(cx, connection->start_code, "%s", connection->error);
    if (connection->hint[0])
        tc_fail_hint(cx, "%s", connection->hint);
    return connection->start_code;
}

enum tc_err tc_connection_need(struct tc_cx *cx, struct tc_connection *connection, int64_t timeout_ms,
                               struct tc_peer **ret_peer)
{
    enum tc_err code = TC_OK;

    while (!connection->peer || !tc_peer_alive(connection->peer)) {
        if (connection->closed)
            return tc_fail(cx, TC_E_CLOSED, "The server was removed or paused.");
        if (connection->peer) {
            code = await_end(cx, connection, timeout_ms);
        } else {
            code = connection->starting ? TC_OK : begin_start(cx, connection);
            if (code == TC_OK)
                code = tc_task_wait(cx, &connection->started, timeout_ms);
            if (code == TC_OK && connection->start_code != TC_OK)
                code = fail_start(cx, connection);
        }
        if (code != TC_OK)
            return code;
    }
    tc_peer_ref(connection->peer);
    *ret_peer = connection->peer;
    return TC_OK;
}

/* --- life --- */

enum tc_err tc_connection_create(struct tc_cx *cx, const struct tc_connection_options *options, struct tc_str identity,
                                 struct tc_connection **ret_connection)
{
    struct tc_connection *connection = tc_mem_zalloc(1, sizeof *connection);

    if (!connection)
        return tc_fail_memory(cx);
    connection->options = *options;
    connection->identity = identity;
    tc_task_group_init(&connection->group, options->loop);
    *ret_connection = connection;
    return TC_OK;
}

void tc_connection_close(struct tc_cx *cx, struct tc_connection *connection)
{
    tc_task_shield(cx);
    connection->closed = true;
    tc_task_group_cancel(&connection->group, TC_E_CANCELED);
    tc_task_join(cx, &connection->group);
    if (connection->peer) {
        tc_peer_close(connection->peer);
        tc_peer_join(cx, connection->peer, -1);
        drop_peer(connection);
    }
    tc_task_unshield(cx);
}

void tc_connection_destroy(struct tc_connection *connection)
{
    if (!connection)
        return;
    assert(connection->closed && !connection->peer);
    tc_uri_set_finish(&connection->uris);
    tc_mem_free(connection);
}

void tc_connection_status(const struct tc_connection *connection, struct tc_connection_status *ret_status)
{
    const char *state = connection->failures ? "failed" : "stopped";

    if (connection->closed)
        state = "closed";
    else if (connection->starting)
        state = "starting";
    else if (connection->peer && tc_peer_alive(connection->peer))
        state = "running";
    *ret_status = (struct tc_connection_status){
        .state = state,
        .error = tc_str_of(connection->error),
        .failures = connection->failures,
        .starts = connection->starts,
        .peer = connection->peer,
    };
}
