/*
 * Streams of events over one exchange.
 */
#include "api/stream.h"

#include "base/clock.h"
#include "io/loop.h"
#include "runtime/signins.h"

enum { EVENT_MAX = 64 * 1024 * 1024 };

struct tc_api_stream {
    struct tc_api_stream *next;
    const struct tc_api_call *call;
    struct tc_task *task; /* that sends */
};

enum tc_err tc_api_stream_begin(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_header fields[] = {{TC_STR("Cache-Control"), TC_STR("no-store")},
                                 {TC_STR("X-Accel-Buffering"), TC_STR("no")}};
    const struct tc_exchange_reply head = {
        .status = 200, .content_type = TC_STR("text/event-stream"), .extra = {fields, 2}, .body = TC_STR("")};

    return tc_exchange_stream_begin(cx, call->exchange, &head);
}

enum tc_err tc_api_stream_send(struct tc_cx *cx, struct tc_api_call *call, const struct tc_sse_event *event)
{
    struct tc_buf text;
    enum tc_err e;

    tc_buf_init(&text, EVENT_MAX);
    tc_sse_write(&text, event);
    e = text.failed ? tc_fail_memory(cx) : tc_exchange_stream_write(cx, call->exchange, tc_buf_get(&text));
    tc_buf_finish(&text);
    return e;
}

enum tc_err tc_api_stream_idle(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_exchange_stream_write(cx, call->exchange, TC_STR(": still here\n\n"));
}

void tc_api_stream_end(struct tc_cx *cx, struct tc_api_call *call)
{
    tc_fail_clear(cx);
    tc_task_shield(cx);
    tc_exchange_stream_end(cx, call->exchange);
    tc_task_unshield(cx);
    tc_fail_clear(cx);
}

/* --- those that go on --- */

static bool holds(const struct tc_api_call *call)
{
    const struct tc_clock *clock = tc_loop_clock(call->runtime->loop);

    return tc_access_holds(call->runtime->access, call->principal, tc_clock_wall_ms(clock)) &&
           (!call->sign_in.n ||
            tc_signins_holds(call->runtime->signins, call->sign_in, tc_clock_mono_us(clock) / 1000));
}

enum tc_err tc_api_stream_check(struct tc_cx *cx, const struct tc_api_call *call)
{
    return holds(call) ? TC_OK : tc_fail(cx, TC_E_AUTH_ENDED, "The token or the sign-in of this stream has ended.");
}

void tc_api_streams_sweep(struct tc_api_streams *streams)
{
    for (struct tc_api_stream *stream = streams->first; stream; stream = stream->next)
        if (!holds(stream->call))
            tc_task_cancel(stream->task, TC_E_CANCELED);
}

/* Of agents there may be many in one program, and they do not lock operators out. */
static enum tc_err check_room(struct tc_cx *cx, const struct tc_api_call *call)
{
    const struct tc_principal *who = call->principal;
    size_t n = 0;

    if (who->role == TC_ROLE_AGENT || tc_str_is(who->kind, "socket"))
        return TC_OK;
    for (const struct tc_api_stream *stream = call->streams->first; stream; stream = stream->next)
        n += tc_str_eq(stream->call->principal->id, who->id) && tc_str_eq(stream->call->principal->kind, who->kind);
    if (n < TC_API_STREAMS_MAX)
        return TC_OK;
    tc_fail(cx, TC_E_BUSY, "%zu streams of this token are open.", n);
    return tc_fail_hint(cx, "Close one of them, or use a token for each person.");
}

static void take_out(struct tc_api_streams *streams, const struct tc_api_stream *stream)
{
    struct tc_api_stream **at = &streams->first;

    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
}

enum tc_err tc_api_stream_run(struct tc_cx *cx, struct tc_api_call *call, tc_api_stream_fn *fn, void *arg)
{
    struct tc_api_stream stream = {call->streams->first, call, cx->task};
    enum tc_err e = check_room(cx, call);

    if (e)
        return e;
    call->streams->first = &stream;
    e = tc_api_stream_begin(cx, call);
    if (!e && !tc_str_is(tc_exchange_request(call->exchange)->method, "HEAD")) /* that has its answer */
        fn(cx, call, arg);
    take_out(call->streams, &stream);
    tc_api_stream_end(cx, call);
    return TC_OK;
}
