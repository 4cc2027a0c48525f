/*
 * What a client is told besides answers: a session's by GET, which also hands out
 * what it missed, that of the metadata era by subscriptions/listen.
 */
#include "base/clock.h"
#include "mcp/server/changes.h"
#include "mcp/server/endpoint_state.h"

enum { SETTLE_MS = 100 }; /* changes within this time are told once */

static void put_watch(struct tc_endpoint *endpoint, struct tc_watch *watch)
{
    watch->next = endpoint->watches;
    endpoint->watches = watch;
}

static void take_watch(struct tc_endpoint *endpoint, struct tc_watch *watch)
{
    struct tc_watch **at = &endpoint->watches;

    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
}

static struct tc_str notification(struct tc_arena *arena, const char *method, struct tc_str tag)
{
    if (tag.n == 0)
        return tc_arena_printf(arena, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}", method);
    return tc_arena_printf(arena, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"_meta\":%.*s}}", method,
                           TC_STR_ARG(tag));
}

/* Tells what is different now. In memory of its own: the stream may live for days. */
static enum tc_err tell_changes(struct tc_cx *cx, const struct tc_dialog *d, struct tc_watch *watch,
                                struct tc_changes *changes)
{
    struct tc_arena arena;
    struct tc_cx round = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    unsigned kinds;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    e = tc_changes_look(&round, d, changes, &kinds);
    for (size_t i = 0; !e && tc_changes_at(i); i++) {
        struct tc_str text = kinds & watch->kinds & 1u << i ? notification(&arena, tc_changes_at(i), watch->tag)
                                                            : TC_STR("");
        if (text.n)
            tc_feed_push(watch->feed, text, TC_FEED_ONCE);
    }
    tc_arena_finish(&arena);
    return e;
}

static bool is_over(struct tc_cx *cx, const struct tc_endpoint *endpoint, const struct tc_dialog *d)
{
    return endpoint->ending || (d->session && d->session->ended) ||
           !tc_access_holds(endpoint->runtime->access, d->principal, tc_clock_wall_ms(cx->clock));
}

enum tc_err tc_streams_attend(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                              const struct tc_dialog *d, struct tc_watch *watch, unsigned reader)
{
    struct tc_changes changes = {.tools = ""};
    unsigned kinds;
    enum tc_err e;

    put_watch(endpoint, watch); /* first: what changes during the look is a change */
    e = tc_changes_look(cx, d, &changes, &kinds);
    while (!e && !is_over(cx, endpoint, d)) {
        e = tc_feed_step(cx, exchange, watch->feed, reader);
        if (e || !watch->changed || is_over(cx, endpoint, d))
            continue;
        e = tc_task_sleep(cx, SETTLE_MS);
        watch->changed = false;
        if (!e)
            e = tell_changes(cx, d, watch, &changes);
    }
    take_watch(endpoint, watch);
    return e;
}

static void serve_main(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                       struct tc_dialog *d, struct tc_feed *feed)
{
    unsigned reader = tc_feed_take(feed);
    struct tc_watch watch = {.feed = feed, .kinds = ~0u};
    enum tc_err e = tc_feed_begin(cx, exchange, feed, TC_STR(""));

    if (!e)
        e = tc_streams_attend(cx, endpoint, exchange, d, &watch, reader);
    if (!e)
        tc_exchange_stream_end(cx, exchange);
}

static enum tc_err main_feed(struct tc_cx *cx, struct tc_session *session, struct tc_feed **ret)
{
    enum tc_err e = session->main ? TC_OK : tc_session_feed(cx, session, &session->main);

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
        return main_feed(cx, session, ret);
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

/* --- subscriptions/listen --- */

struct listening {
    struct tc_subscriptions subscriptions;
    struct tc_watch watch;
    struct tc_str accepted; /* the subset that is served, JSON text */
};

static const struct {
    const char *key;
    int bit;
} filters[] = {
    {"toolsListChanged", TC_CHANGES_TOOLS},
    {"promptsListChanged", TC_CHANGES_PROMPTS},
    {"resourcesListChanged", TC_CHANGES_RESOURCES},
};

/* Those that can be subscribed to; the others are left out of what is acknowledged. */
static enum tc_err subscribe(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *uris,
                             struct tc_jsonw *w, struct listening *to)
{
    struct tc_json_iter it = tc_json_iter(uris);
    const struct tc_json *uri;
    enum tc_err e = TC_OK;

    if (!tc_json_is(uris, TC_JSON_ARRAY))
        return TC_OK;
    tc_jsonw_key(w, "resourceSubscriptions");
    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &uri)) {
        if (!tc_json_is(uri, TC_JSON_STRING))
            continue;
        e = tc_subscriptions_add(cx, &to->subscriptions, d->runtime, d->agent, tc_json_str(uri));
        if (!e)
            tc_jsonw_value(w, uri);
        if (e && e != TC_E_NO_MEMORY && tc_task_check(cx) == TC_OK) {
            tc_fail_clear(cx);
            e = TC_OK;
        }
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err open_listening(struct tc_cx *cx, const struct tc_post *post, struct listening *to)
{
    const struct tc_json *filter = tc_json_get_c(post->rpc.params, "notifications");
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    if (!tc_endpoint_accepts(post->exchange, "text/event-stream"))
        return tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "What is listened to comes as events: accept text/event-stream.");
    if (!tc_json_is(filter, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_RPC_PARAMS, "subscriptions/listen needs notifications, an object.");
    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        if (!tc_json_bool(tc_json_get_c(filter, filters[i].key), false))
            continue;
        to->watch.kinds |= 1u << filters[i].bit;
        tc_jsonw_kbool(&w, filters[i].key, true);
    }
    e = subscribe(cx, &post->dialog, tc_json_get_c(filter, "resourceSubscriptions"), &w, to);
    tc_jsonw_end(&w);
    to->accepted = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    to->watch.subscriptions = &to->subscriptions;
    to->watch.tag = tc_arena_printf(cx->arena, "{\"io.modelcontextprotocol/subscriptionId\":%.*s}",
                                    TC_STR_ARG(post->rpc.id));
    if (!e && (!to->accepted.p || !to->watch.tag.p))
        e = tc_fail_memory(cx);
    return e ? e : tc_feed_create(cx, 0, &to->watch.feed);
}

/* First what is served, at last a result, should the server be the one to end it. */
static enum tc_err run_listening(struct tc_cx *cx, struct tc_post *post, struct listening *to)
{
    struct tc_feed *feed = to->watch.feed;
    unsigned reader = tc_feed_take(feed);
    struct tc_str acknowledged = tc_arena_printf(
        cx->arena,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":%.*s,"
        "\"notifications\":%.*s}}",
        TC_STR_ARG(to->watch.tag), TC_STR_ARG(to->accepted));
    struct tc_str last = tc_arena_printf(
        cx->arena, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"resultType\":\"complete\",\"_meta\":%.*s}}",
        TC_STR_ARG(post->rpc.id), TC_STR_ARG(to->watch.tag));
    enum tc_err e;

    if (!acknowledged.p || !last.p || !tc_feed_push(feed, acknowledged, TC_FEED_MUST))
        return tc_fail_memory(cx);
    e = tc_feed_begin(cx, post->exchange, feed, TC_STR(""));
    if (!e)
        e = tc_streams_attend(cx, post->endpoint, post->exchange, &post->dialog, &to->watch, reader);
    if (e)
        return e;
    tc_feed_push(feed, last, TC_FEED_MUST);
    tc_feed_close(feed);
    return tc_feed_run(cx, post->exchange, feed, reader);
}

void tc_streams_listen(struct tc_cx *cx, struct tc_post *post)
{
    struct listening to = {.watch = {.kinds = 0}};
    enum tc_err e = open_listening(cx, post, &to);

    if (e)
        tc_endpoint_refuse(cx, post->exchange, post->rpc.id);
    else
        run_listening(cx, post, &to); /* a client that is gone has ended it */
    tc_subscriptions_finish(&to.subscriptions, post->endpoint->runtime->servers);
    tc_feed_unref(to.watch.feed);
}
