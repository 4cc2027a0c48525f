/*
 * GET: what a session's client is told besides answers, and what it missed.
 */
#include "base/clock.h"
#include "mcp/server/changes.h"
#include "mcp/server/endpoint_state.h"

enum { SETTLE_MS = 100 }; /* changes within this time are told once */

static void put_watch(struct tc_endpoint *endpoint, struct tc_watch *watch, struct tc_feed *feed)
{
    *watch = (struct tc_watch){.next = endpoint->watches, .feed = feed};
    endpoint->watches = watch;
}

static void take_watch(struct tc_endpoint *endpoint, struct tc_watch *watch)
{
    struct tc_watch **at = &endpoint->watches;

    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
}

/* Tells what is different now. In memory of its own: the stream may live for days. */
static enum tc_err tell_changes(struct tc_cx *cx, const struct tc_dialog *d, struct tc_feed *feed,
                                struct tc_changes *changes)
{
    struct tc_arena arena;
    struct tc_cx round = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    unsigned kinds;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    e = tc_changes_look(&round, d, changes, &kinds);
    for (size_t i = 0; !e && tc_changes_at(i); i++)
        if (kinds & 1u << i)
            tc_feed_push(feed, tc_arena_printf(&arena, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}", tc_changes_at(i)),
                           TC_FEED_ONCE);
    tc_arena_finish(&arena);
    return e;
}

static bool is_over(struct tc_cx *cx, const struct tc_endpoint *endpoint, const struct tc_dialog *d)
{
    return endpoint->ending || d->session->ended ||
           !tc_access_holds(endpoint->runtime->access, d->principal, tc_clock_wall_ms(cx->clock));
}

static enum tc_err serve_main(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                              struct tc_dialog *d, struct tc_feed *feed)
{
    unsigned reader = tc_feed_take(feed), kinds;
    struct tc_changes changes = {{0}};
    struct tc_watch watch;
    enum tc_err e = tc_changes_look(cx, d, &changes, &kinds);

    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
        return e;
    }
    put_watch(endpoint, &watch, feed);
    e = tc_feed_begin(cx, exchange, feed, TC_STR(""));
    while (!e && !is_over(cx, endpoint, d)) {
        e = tc_feed_step(cx, exchange, feed, reader);
        if (e || !watch.changed)
            continue;
        e = tc_task_sleep(cx, SETTLE_MS);
        watch.changed = false;
        if (!e)
            e = tell_changes(cx, d, feed, &changes);
    }
    take_watch(endpoint, &watch);
    return e ? e : tc_exchange_stream_end(cx, exchange);
}

static enum tc_err main_stream(struct tc_cx *cx, struct tc_session *session, struct tc_feed **ret)
{
    enum tc_err e = TC_OK;

    if (!session->main) {
        e = tc_session_feed(cx, session, &session->main);
        if (!e)
            tc_feed_unref(session->main); /* the session's list has one */
    }
    *ret = session->main;
    return e;
}

/* The stream that the client wants to read on. */
static enum tc_err find_stream(struct tc_cx *cx, struct tc_session *session, struct tc_str last,
                               struct tc_feed **ret)
{
    uint32_t number;
    uint64_t seq;
    struct tc_feed *feed;

    if (!last.p)
        return main_stream(cx, session, ret);
    if (!tc_feed_parse_id(last, &number, &seq))
        return tc_fail(cx, TC_E_RPC_INVALID, "Last-Event-ID is none that was given out.");
    feed = tc_session_find_feed(session, number);
    if (!feed)
        return tc_fail(cx, TC_E_RPC_INVALID, "What came after this event is not kept any more.");
    tc_feed_rewind(feed, seq);
    *ret = feed;
    return TC_OK;
}

static void serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange, struct tc_dialog *d)
{
    struct tc_feed *feed;
    unsigned reader;
    enum tc_err e = find_stream(cx, d->session, tc_exchange_header(exchange, TC_STR("Last-Event-ID")), &feed);

    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
        return;
    }
    tc_feed_ref(feed);
    if (feed == d->session->main) {
        serve_main(cx, endpoint, exchange, d, feed);
    } else {
        reader = tc_feed_take(feed);
        if (tc_feed_begin(cx, exchange, feed, TC_STR("")) == TC_OK)
            tc_feed_run(cx, exchange, feed, reader);
    }
    tc_feed_unref(feed);
}

void tc_streams_get(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                    struct tc_dialog *d)
{
    struct tc_str id = tc_exchange_header(exchange, TC_STR("Mcp-Session-Id"));
    enum tc_err e;

    if (!id.p)
        e = tc_fail(cx, TC_E_HTTP_METHOD, "GET needs the Mcp-Session-Id that initialize gave.");
    else if (!tc_endpoint_accepts(exchange, "text/event-stream"))
        e = tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "GET opens an event stream: accept text/event-stream.");
    else
        e = tc_sessions_enter(cx, &endpoint->sessions, id, d->principal, d->agent, &d->session);
    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
        return;
    }
    d->envelope = d->session->envelope;
    serve(cx, endpoint, exchange, d);
    tc_sessions_leave(&endpoint->sessions, d->session, tc_clock_wall_ms(cx->clock));
}
