/*
 * The writer is spawned from wherever the first message comes up; the request's own
 * task waits for it at the end.
 */
#include "mcp/server/outlet.h"

#include "base/clock.h"
#include "mcp/codec/rpc.h"
#include "mcp/server/asks.h"

enum {
    PATIENCE_MS = 5 * 1000, /* until a request under way becomes a stream */
    NOTICE_MAX = 1024 * 1024
};

static void writer_task(struct tc_cx *cx, void *arg)
{
    struct tc_outlet *outlet = arg;
    struct tc_feed *feed = outlet->feed;
    unsigned reader = tc_feed_take(feed);
    enum tc_err e = tc_feed_begin(cx, outlet->exchange, feed, TC_STR(""));

    if (!e)
        tc_feed_run(cx, outlet->exchange, feed, reader); /* a client that is gone may come back for the rest */
}

static struct tc_feed *make_stream(struct tc_cx *cx, struct tc_outlet *outlet)
{
    struct tc_feed *feed;
    enum tc_err e = outlet->session ? tc_session_feed(cx, outlet->session, &feed) : tc_feed_create(cx, 0, &feed);

    return e ? NULL : feed;
}

bool tc_outlet_open(struct tc_outlet *outlet)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    bool ok = outlet->feed != NULL;

    if (ok || !outlet->streams)
        return ok;
    tc_arena_init(&arena, 0);
    outlet->feed = make_stream(&cx, outlet);
    if (outlet->feed &&
        tc_task_spawn(&cx, outlet->loop, &outlet->writers, "mcp stream", writer_task, outlet) == TC_OK) {
        ok = true;
    } else {
        tc_feed_unref(outlet->feed);
        outlet->feed = NULL;
    }
    tc_arena_finish(&arena);
    return ok;
}

/* --- notifications --- */

static void push(struct tc_outlet *outlet, struct tc_buf *text)
{
    if (!text->failed && tc_outlet_open(outlet))
        tc_feed_push(outlet->feed, tc_buf_get(text), TC_FEED_MAY);
    tc_buf_finish(text);
}

void tc_outlet_write_progress(struct tc_outlet *outlet, struct tc_str progress, struct tc_str total,
                              struct tc_str message)
{
    struct tc_buf text;
    struct tc_jsonw w;

    if (outlet->token.n == 0)
        return;
    tc_buf_init(&text, NOTICE_MAX);
    tc_rpc_open_request(&w, &text, TC_STR(""), "notifications/progress");
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "progressToken");
    tc_jsonw_raw(&w, outlet->token);
    tc_jsonw_key(&w, "progress");
    tc_jsonw_raw(&w, progress);
    if (total.n) {
        tc_jsonw_key(&w, "total");
        tc_jsonw_raw(&w, total);
    }
    if (tc_mcp_revision_has(outlet->revision, TC_MCP_PROGRESS_MESSAGE))
        tc_jsonw_kopt(&w, "message", message);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    push(outlet, &text);
}

void tc_outlet_write_log(struct tc_outlet *outlet, struct tc_str level, struct tc_str logger,
                         const struct tc_json *data)
{
    struct tc_buf text;
    struct tc_jsonw w;
    int at = tc_envelope_log_level(level);

    if (at == TC_LOG_NONE || outlet->log_level == TC_LOG_NONE || at < outlet->log_level)
        return;
    tc_buf_init(&text, NOTICE_MAX);
    tc_rpc_open_request(&w, &text, TC_STR(""), "notifications/message");
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "level", level);
    tc_jsonw_kopt(&w, "logger", logger);
    tc_jsonw_kvalue(&w, "data", data);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    push(outlet, &text);
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    tc_outlet_write_progress((struct tc_outlet *)self, progress, total, message);
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    tc_outlet_write_log((struct tc_outlet *)self, level, logger, data);
}

static void on_elicited(struct tc_caller *self, struct tc_str id)
{
    struct tc_outlet *outlet = (struct tc_outlet *)self;
    struct tc_buf text;
    struct tc_jsonw w;

    if (!tc_mcp_revision_has(outlet->revision, TC_MCP_ELICITATION_ID))
        return;
    tc_buf_init(&text, NOTICE_MAX);
    tc_rpc_open_request(&w, &text, TC_STR(""), "notifications/elicitation/complete");
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "elicitationId", id);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    push(outlet, &text);
}

static const struct tc_caller_ops telling = {.progress = on_progress, .log = on_log};
static const struct tc_caller_ops asking = {
    .progress = on_progress, .log = on_log, .ask = tc_asks_put, .elicited = on_elicited};

/* --- begin and end --- */

void tc_outlet_init(struct tc_outlet *outlet, struct tc_outlets *outlets, const struct tc_outlet_options *options,
                    int64_t now_us)
{
    bool asks = options->session && (options->streams || options->feed);

    *outlet = (struct tc_outlet){
        .caller = {.ops = asks ? &asking : &telling, .abilities = asks ? options->envelope->abilities : 0},
        .loop = options->loop,
        .exchange = options->exchange,
        .streams = options->streams,
        .session = options->session,
        .token = options->token,
        .revision = options->envelope->revision,
        .log_level = options->envelope->log_level,
        .feed = options->feed,
        .since_us = now_us,
    };
    outlet->caller.log_level = tc_str_of(tc_envelope_log_name(outlet->log_level));
    tc_task_group_init(&outlet->writers, options->loop);
    if (!outlets)
        return;
    outlet->next = outlets->first;
    if (outlets->first)
        outlets->first->prev = outlet;
    outlets->first = outlet;
}

static void take_out(struct tc_outlet *outlet, struct tc_outlets *outlets)
{
    *(outlet->prev ? &outlet->prev->next : &outlets->first) = outlet->next;
    if (outlet->next)
        outlet->next->prev = outlet->prev;
}

static void reply(struct tc_cx *cx, struct tc_outlet *outlet, int status, struct tc_str answer)
{
    struct tc_exchange_reply r = {
        .status = status, .content_type = TC_STR("application/json"), .body = answer};

    tc_exchange_reply(cx, outlet->exchange, &r); /* a client that is gone needs no answer */
}

void tc_outlet_close(struct tc_cx *cx, struct tc_outlet *outlet, struct tc_outlets *outlets, int status,
                     struct tc_str answer)
{
    take_out(outlet, outlets);
    if (outlet->feed) {
        if (answer.n)
            tc_feed_push(outlet->feed, answer, TC_FEED_MUST);
        tc_feed_close(outlet->feed);
        tc_task_join(cx, &outlet->writers);
        tc_feed_unref(outlet->feed);
    } else if (answer.n) {
        reply(cx, outlet, status, answer);
    }
}

void tc_outlets_tend(struct tc_outlets *outlets, int64_t now_us)
{
    /* new ones stand in front */
    for (struct tc_outlet *outlet = outlets->first; outlet; outlet = outlet->next)
        if (now_us - outlet->since_us > PATIENCE_MS * 1000)
            tc_outlet_open(outlet);
}
