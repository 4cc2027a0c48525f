/*
 * HTTP+SSE, the transport of the first revision: a session is a stream, and ends
 * with it. What is posted is answered there, so each request runs in a task of its
 * own.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/percent.h"
#include "http/sse.h"
#include "mcp/server/asks.h"
#include "mcp/server/endpoint_state.h"
#include "mcp/server/notices.h"

enum { REQUESTS_MAX = 256 }; /* under way, of one session */

struct call {
    struct tc_endpoint *endpoint;
    struct tc_arena arena;
    struct tc_json_doc *doc;
    struct tc_principal principal;
    struct tc_dialog dialog; /* holds the session */
    struct tc_rpc rpc;
};

/* --- the stream --- */

static enum tc_err write_endpoint(struct tc_cx *cx, struct tc_exchange *exchange, const struct tc_session *session,
                                  struct tc_str path_agent)
{
    struct tc_buf path, event;
    enum tc_err e;

    tc_buf_init(&path, 4096);
    tc_buf_init(&event, 8192);
    tc_buf_cstr(&path, "/messages");
    if (path_agent.n)
        tc_buf_char(&path, '/');
    tc_percent_encode(&path, path_agent);
    tc_buf_printf(&path, "?sessionId=%s", session->id);
    tc_sse_write(&event,
                 &(struct tc_sse_event){.type = TC_STR("endpoint"), .data = tc_buf_get(&path), .retry_ms = -1});
    e = path.failed || event.failed ? tc_fail_memory(cx) : tc_exchange_stream_write(cx, exchange, tc_buf_get(&event));
    tc_buf_finish(&path);
    tc_buf_finish(&event);
    return e;
}

/* What initialize will say is not known yet. */
static enum tc_err make_session(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_dialog *d)
{
    enum tc_err e;

    d->envelope = (struct tc_envelope){.revision = tc_mcp_revision_at(0), .log_level = TC_LOG_ANY};
    e = tc_sessions_create(cx, &endpoint->sessions, d->principal, d->agent, &d->envelope, &d->session);
    return e ? e : tc_feed_create(cx, 0, &d->session->main);
}

void tc_sse_transport_open(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                           struct tc_dialog *d, struct tc_str path_agent)
{
    struct tc_watch watch = {.kinds = ~0u};
    unsigned reader;
    enum tc_err e = tc_endpoint_accepts(exchange, "text/event-stream")
                        ? make_session(cx, endpoint, d)
                        : tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "This is an event stream: accept text/event-stream.");

    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
    } else {
        watch.feed = d->session->main;
        reader = tc_feed_take(watch.feed);
        e = tc_feed_begin(cx, exchange, watch.feed, TC_STR(""));
        if (!e)
            e = write_endpoint(cx, exchange, d->session, path_agent);
        if (!e)
            e = tc_streams_attend(cx, endpoint, exchange, d, &watch, reader);
        if (!e)
            tc_exchange_stream_end(cx, exchange);
    }
    if (!d->session)
        return;
    tc_sessions_end(&endpoint->sessions, d->session);
    tc_sessions_leave(&endpoint->sessions, d->session, tc_clock_wall_ms(cx->clock));
}

/* A session of this transport: its feed is its own, and is not kept. */
static bool is_stream(const struct tc_session *session)
{
    return session->main && session->main->number == 0;
}

/* --- messages --- */

static void destroy(struct tc_cx *cx, struct call *call)
{
    tc_sessions_leave(&call->endpoint->sessions, call->dialog.session, tc_clock_wall_ms(cx->clock));
    tc_json_doc_unref(call->doc);
    tc_arena_finish(&call->arena);
    tc_mem_free(call);
}

static void call_task(struct tc_cx *cx, void *arg)
{
    struct call *call = arg;
    struct tc_feed *feed = call->dialog.session->main;
    struct tc_outlet_options options = {
        .loop = tc_task_loop(cx),
        .feed = feed,
        .session = call->dialog.session,
        .envelope = &call->dialog.envelope,
        .token = tc_envelope_progress_token(cx->arena, call->rpc.params),
    };
    struct tc_outlet outlet;
    struct tc_buf text;

    tc_buf_init(&text, TC_OUTLET_ANSWER_MAX);
    tc_outlet_init(&outlet, NULL, &options, tc_clock_mono_us(cx->clock));
    call->dialog.caller = &outlet.caller;
    tc_dialog_answer(cx, &call->dialog, &call->rpc, &text);
    tc_feed_push(feed, tc_buf_get(&text), TC_FEED_MUST); /* without memory the client waits in vain, and gives up */
    tc_buf_finish(&text);
    destroy(cx, call);
}

static void note_client(struct tc_session *session, const struct tc_rpc *rpc)
{
    struct tc_envelope *envelope = &session->envelope;

    envelope->revision = tc_dialog_revision(tc_json_str(tc_json_get_c(rpc->params, "protocolVersion")));
    envelope->abilities = tc_envelope_abilities(tc_json_get_c(rpc->params, "capabilities"), envelope->revision);
}

/* Takes over the hold on the session, which has ended by then if it fails. */
static enum tc_err start(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_dialog *d = &post->dialog;
    struct call *call;
    enum tc_err e;

    if (d->session->requests.n >= REQUESTS_MAX)
        return tc_fail(cx, TC_E_BUSY, "This session has %d requests under way.", REQUESTS_MAX);
    call = tc_mem_zalloc(1, sizeof *call);
    if (!call)
        return tc_fail_memory(cx);
    if (tc_str_is(post->rpc.method, "initialize"))
        note_client(d->session, &post->rpc);
    d->envelope = d->session->envelope;
    call->endpoint = post->endpoint;
    tc_arena_init(&call->arena, 0);
    e = tc_dialog_keep(cx, &call->arena, d, &call->principal, &call->dialog);
    call->rpc = post->rpc;
    call->rpc.id = tc_arena_dup(&call->arena, post->rpc.id);
    call->doc = tc_json_doc_ref(post->doc);
    d->session->holders++;
    if (!e && !call->rpc.id.p)
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_task_spawn(cx, tc_task_loop(cx), &post->endpoint->calls, "mcp call", call_task, call);
    if (e) {
        call->dialog.session = d->session;
        destroy(cx, call);
    }
    return e;
}

static enum tc_err take(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_dialog *d = &post->dialog;
    enum tc_err e = tc_json_parse(cx, tc_exchange_body(post->exchange), NULL, &post->doc);

    if (!e)
        e = tc_rpc_read(cx, tc_json_doc_root(post->doc), &post->rpc);
    if (e)
        return e;
    switch (post->rpc.kind) {
    case TC_RPC_REQUEST:
        return start(cx, post);
    case TC_RPC_NOTIFICATION:
        tc_notices_take(cx, post->endpoint, d, &post->rpc);
        return TC_OK;
    case TC_RPC_RESULT:
    case TC_RPC_ERROR:
        tc_asks_answer(d->session, &post->rpc);
        return TC_OK;
    default:
        return tc_fail(cx, TC_E_RPC_INVALID, "This is no JSON-RPC message%s%s.", post->rpc.fault ? ": it " : "",
                       post->rpc.fault ? post->rpc.fault : "");
    }
}

void tc_sse_transport_post(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                           struct tc_dialog *d)
{
    struct tc_str id = tc_percent_query(cx->arena, tc_exchange_request(exchange)->query, TC_STR("sessionId"));
    struct tc_post post = {
        .endpoint = endpoint, .exchange = exchange, .dialog = *d, .rpc = {.id = TC_STR("")}};
    enum tc_err e = tc_sessions_enter(cx, &endpoint->sessions, id.p ? id : TC_STR(""), d->principal, d->agent,
                                      &post.dialog.session);

    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
        return;
    }
    post.dialog.envelope = post.dialog.session->envelope;
    e = is_stream(post.dialog.session) ? take(cx, &post)
                                       : tc_fail(cx, TC_E_MCP_SESSION_UNKNOWN, "This session is not one of GET /sse.");
    if (e)
        tc_endpoint_refuse(cx, exchange, post.rpc.kind == TC_RPC_REQUEST ? post.rpc.id : TC_STR(""));
    else
        tc_endpoint_reply(cx, exchange, 202, TC_STR(""), NULL);
    tc_sessions_leave(&endpoint->sessions, post.dialog.session, tc_clock_wall_ms(cx->clock));
    tc_json_doc_unref(post.doc);
}
