/*
 * Streams of events over one exchange.
 */
#include "api/stream.h"

enum { EVENT_MAX = 64 * 1024 * 1024 };

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
