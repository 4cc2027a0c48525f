/*
 * POST: one message. Which era it belongs to is found out here, and with it where
 * revision and abilities come from: a session, or the message itself.
 */
#include "base/clock.h"
#include "io/loop.h"
#include "mcp/server/asks.h"
#include "mcp/server/endpoint_state.h"
#include "mcp/server/jobs.h"
#include "mcp/server/mirror.h"
#include "mcp/server/notices.h"

static enum tc_err check_head(struct tc_cx *cx, struct tc_exchange *exchange)
{
    struct tc_str type = tc_exchange_header(exchange, TC_STR("Content-Type"));

    if (!type.p || !tc_header_has(type, TC_STR("application/json")))
        return tc_fail(cx, TC_E_HTTP_MEDIA_TYPE, "A message comes as application/json.");
    if (!tc_endpoint_accepts(exchange, "application/json"))
        return tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "The client must accept application/json and text/event-stream.");
    return TC_OK;
}

static enum tc_err read_message(struct tc_cx *cx, struct tc_post *post)
{
    enum tc_err e = check_head(cx, post->exchange);

    if (!e)
        e = tc_json_parse(cx, tc_exchange_body(post->exchange), NULL, &post->doc);
    if (!e)
        e = tc_rpc_read(cx, tc_json_doc_root(post->doc), &post->rpc);
    if (!e && post->rpc.kind == TC_RPC_INVALID)
        e = tc_fail(cx, TC_E_RPC_INVALID, "This is no JSON-RPC message: it %s.", post->rpc.fault);
    return e;
}

static bool takes_events(const struct tc_post *post)
{
    return tc_exchange_header(post->exchange, TC_STR("Accept")).p &&
           tc_endpoint_accepts(post->exchange, "text/event-stream");
}

/* --- answering --- */

static void answer(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_endpoint *endpoint = post->endpoint;
    struct tc_outlet_options options = {
        .loop = tc_task_loop(cx),
        .exchange = post->exchange,
        .streams = takes_events(post),
        .session = post->dialog.session,
        .envelope = &post->dialog.envelope,
        .token = tc_envelope_progress_token(cx->arena, post->rpc.params),
    };
    struct tc_outlet outlet;
    struct tc_buf text;
    int status;

    tc_buf_init(&text, TC_OUTLET_ANSWER_MAX);
    tc_outlet_init(&outlet, &endpoint->outlets, &options, tc_loop_lately_us(options.loop));
    tc_endpoint_tend(endpoint, TC_ENDPOINT_TEND_MS);
    post->dialog.caller = options.streams ? &outlet.caller : NULL;
    status = tc_dialog_answer(cx, &post->dialog, &post->rpc, &text);
    tc_outlet_close(cx, &outlet, &endpoint->outlets, status, tc_buf_get(&text));
    tc_buf_finish(&text);
}

/* --- the metadata era --- */

/* In a task that outlives this request, should it have to ask. job: it is to be polled for. */
static void answer_parked(struct tc_cx *cx, struct tc_post *post, bool job)
{
    struct tc_parking *parking = &post->endpoint->parking;
    struct tc_parked_request request = {
        .dialog = &post->dialog, .rpc = &post->rpc, .doc = post->doc, .events = takes_events(post), .job = job};
    struct tc_feed *feed;

    if (tc_parked_begin(cx, parking, &request, &feed)) {
        tc_endpoint_refuse(cx, post->exchange, post->rpc.id);
        return;
    }
    tc_endpoint_tend(post->endpoint, TC_JOBS_PATIENCE_MS);
    if (tc_feed_answer(cx, post->exchange, feed, request.events))
        tc_parked_abandon(parking, feed);
    tc_feed_unref(feed);
}

/* What the message and its header fields say of it, in the order in which it counts. */
static enum tc_err open_envelope(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_envelope *envelope = &post->dialog.envelope;
    bool mirrored = !tc_exchange_peer(post->exchange)->is_unix; /* there, nobody is on the way */
    enum tc_err e;

    if (post->rpc.kind != TC_RPC_REQUEST)
        return tc_fail(cx, TC_E_RPC_INVALID, "A client of this revision posts requests, one at a time.");
    e = tc_envelope_open(cx, post->rpc.params, envelope);
    if (!e && mirrored)
        e = tc_mirror_check(cx, post->headers, &post->rpc, envelope->version);
    if (!e)
        e = tc_envelope_settle(cx, envelope);
    if (!e && mirrored)
        e = tc_dialog_check_mirror(cx, &post->dialog, &post->rpc, post->headers);
    return e;
}

static void serve_metadata(struct tc_cx *cx, struct tc_post *post)
{
    if (post->rpc.kind == TC_RPC_NOTIFICATION)
        tc_endpoint_reply(cx, post->exchange, 202, TC_STR(""), NULL);
    else if (open_envelope(cx, post))
        tc_endpoint_refuse(cx, post->exchange, post->rpc.id);
    else if (tc_str_is(post->rpc.method, "subscriptions/listen"))
        tc_streams_listen(cx, post);
    else if (tc_parked_wanted(&post->dialog, &post->rpc))
        answer_parked(cx, post, false);
    else
        answer(cx, post);
}

/* --- the era of the handshake --- */

/* The session of the message, or the revision where there is none. */
static enum tc_err settle(struct tc_cx *cx, struct tc_post *post, struct tc_str version)
{
    struct tc_str id = tc_exchange_header(post->exchange, TC_STR("Mcp-Session-Id"));
    struct tc_dialog *d = &post->dialog;
    enum tc_err e = TC_OK;

    d->envelope = (struct tc_envelope){
        .revision = tc_mcp_revision_find(version.p ? version : TC_STR("2025-03-26")), /* that one knew no such field */
        .log_level = TC_LOG_ANY,
    };
    if (!d->envelope.revision || !tc_mcp_revision_has(d->envelope.revision, TC_MCP_HANDSHAKE))
        return tc_envelope_bad_version(cx, version);
    if (!id.p)
        return TC_OK;
    e = tc_sessions_enter(cx, &post->endpoint->sessions, id, d->principal, d->agent, &d->session);
    if (!e)
        d->envelope = d->session->envelope;
    return e;
}

static enum tc_err begin_session(struct tc_cx *cx, struct tc_post *post)
{
    const struct tc_json *asked = tc_json_get_c(post->rpc.params, "protocolVersion");
    struct tc_dialog *d = &post->dialog;

    if (!tc_json_is(asked, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "initialize needs protocolVersion, a string.");
    d->envelope = (struct tc_envelope){
        .revision = tc_dialog_revision(tc_json_str(asked)),
        .log_level = TC_LOG_ANY,
    };
    d->envelope.abilities =
        tc_envelope_abilities(tc_json_get_c(post->rpc.params, "capabilities"), d->envelope.revision);
    return tc_sessions_create(cx, &post->endpoint->sessions, d->principal, d->agent, &d->envelope, &d->session);
}

static void initialize(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_dialog *d = &post->dialog;
    struct tc_buf text;
    int status;

    if (begin_session(cx, post)) {
        tc_endpoint_refuse(cx, post->exchange, post->rpc.id);
        return;
    }
    tc_buf_init(&text, TC_OUTLET_ANSWER_MAX);
    status = tc_dialog_answer(cx, d, &post->rpc, &text);
    tc_endpoint_reply(cx, post->exchange, status, tc_buf_get(&text), d->session);
    tc_buf_finish(&text);
}

/* The client wants a task in place of the result. */
static bool wants_job(const struct tc_post *post)
{
    return tc_dialog_core_tasks(&post->dialog) && tc_str_is(post->rpc.method, "tools/call") &&
           tc_json_is(tc_json_get_c(post->rpc.params, "task"), TC_JSON_OBJECT);
}

static void dispatch(struct tc_cx *cx, struct tc_post *post)
{
    struct tc_dialog *d = &post->dialog;

    switch (post->rpc.kind) {
    case TC_RPC_REQUEST:
        if (wants_job(post)) {
            answer_parked(cx, post, true);
            return;
        }
        if (d->session) /* leaving is no cancelling: who has a session says what it gives up */
            tc_exchange_outlive(post->exchange);
        answer(cx, post);
        return;
    case TC_RPC_BATCH:
        tc_batch_serve(cx, post, tc_json_doc_root(post->doc));
        return;
    case TC_RPC_NOTIFICATION:
        tc_notices_take(cx, post->endpoint, d, &post->rpc);
        break;
    default:
        if (d->session)
            tc_asks_answer(d->session, &post->rpc);
    }
    tc_endpoint_reply(cx, post->exchange, 202, TC_STR(""), NULL);
}

static void serve_handshake(struct tc_cx *cx, struct tc_post *post, struct tc_str version)
{
    struct tc_dialog *d = &post->dialog;

    if (post->rpc.kind == TC_RPC_REQUEST && tc_str_is(post->rpc.method, "initialize"))
        initialize(cx, post);
    else if (settle(cx, post, version))
        tc_endpoint_refuse(cx, post->exchange, post->rpc.kind == TC_RPC_REQUEST ? post->rpc.id : TC_STR(""));
    else
        dispatch(cx, post);
    if (d->session)
        tc_sessions_leave(&post->endpoint->sessions, d->session, tc_clock_wall_ms(cx->clock));
}

void tc_post_serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                   const struct tc_dialog *dialog)
{
    struct tc_post post = {.endpoint = endpoint,
                           .exchange = exchange,
                           .dialog = *dialog,
                           .rpc = {.id = TC_STR("")},
                           .headers = tc_exchange_request(exchange)->headers};
    struct tc_str version = tc_header_get(post.headers, TC_STR("MCP-Protocol-Version"));
    enum tc_err e = read_message(cx, &post);

    if (e)
        tc_endpoint_refuse(cx, exchange, post.rpc.id);
    else if (tc_envelope_is_metadata(&post.rpc, version))
        serve_metadata(cx, &post);
    else
        serve_handshake(cx, &post, version);
    tc_json_doc_unref(post.doc);
}
