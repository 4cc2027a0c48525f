/*
 * One stream over the Unix socket.
 */
#include "cli/events.h"

#include "cli/output.h"
#include "http/client.h"
#include "http/sse.h"

enum { EVENT_MAX = 64 * 1024 * 1024, REFUSAL_MAX = 1024 * 1024 };

struct taker {
    tc_cli_event_fn *fn;
    void *arg;
};

static enum tc_err take(struct tc_cx *cx, const struct taker *taker, struct tc_str text)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    const struct tc_json *data;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    e = tc_json_parse_root(&one, text, NULL, &data);
    if (!e)
        e = taker->fn(&one, taker->arg, data);
    if (e)
        tc_fail(cx, e, "%.*s", TC_STR_ARG(one.err.message));
    tc_arena_finish(&arena);
    return e;
}

static enum tc_err read_events(struct tc_cx *cx, struct tc_client_stream *stream, const struct taker *taker)
{
    enum tc_sse_status status;
    struct tc_sse_event event;
    struct tc_str piece;
    struct tc_sse sse;
    enum tc_err e = TC_OK;

    tc_sse_init(&sse, EVENT_MAX);
    while (!e && !(e = tc_client_read(cx, stream, -1, &piece)))
        while (!e && (status = tc_sse_feed(&sse, &piece, &event)) != TC_SSE_MORE) {
            if (status == TC_SSE_TOO_LARGE)
                e = tc_fail(cx, TC_E_LIMIT, "An event of the daemon is too large.");
            else if (event.data.n)
                e = take(cx, taker, event.data);
        }
    tc_sse_finish(&sse);
    return e == TC_E_CLOSED ? TC_OK : e;
}

static enum tc_err read_refusal(struct tc_cx *cx, struct tc_client_stream *stream, int status)
{
    const struct tc_json *answer;
    struct tc_str piece;
    struct tc_buf body;
    enum tc_err e;

    tc_buf_init(&body, REFUSAL_MAX);
    while (!(e = tc_client_read(cx, stream, -1, &piece)))
        tc_buf_str(&body, piece);
    e = tc_json_parse_root(cx, tc_buf_get(&body), NULL, &answer);
    tc_buf_finish(&body);
    return tc_cli_refusal(cx, status, e ? NULL : answer);
}

enum tc_err tc_cli_events(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_cli_query *query,
                          tc_cli_event_fn *fn, void *arg)
{
    struct tc_header fields[] = {{TC_STR("Accept"), TC_STR("text/event-stream")}};
    const struct tc_client_request request = {
        .method = TC_STR("GET"),
        .url = tc_cli_url(cx, path, query),
        .unix_socket = cli->socket,
        .headers = {fields, 1},
    };
    const struct taker taker = {fn, arg};
    struct tc_client_response head;
    struct tc_client_stream *stream;
    enum tc_err e = request.url.p ? tc_client_open(cx, cli->client, &request, &head, &stream) : tc_fail_memory(cx);

    if (e)
        return e;
    e = head.status >= 400 ? read_refusal(cx, stream, head.status) : read_events(cx, stream, &taker);
    tc_client_close(stream);
    return e;
}

static enum tc_err copy(struct tc_cx *cx, struct tc_cli *cli, struct tc_client_stream *stream)
{
    struct tc_str piece;
    enum tc_err e = TC_OK;

    while (!e && !(e = tc_client_read(cx, stream, -1, &piece))) {
        tc_buf_str(&cli->out, piece);
        e = tc_cli_flush(cx, cli);
    }
    return e;
}

enum tc_err tc_cli_copy(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_cli_query *query)
{
    const struct tc_client_request request = {
        .method = TC_STR("GET"), .url = tc_cli_url(cx, path, query), .unix_socket = cli->socket};
    struct tc_client_response head;
    struct tc_client_stream *stream;
    enum tc_err e = request.url.p ? tc_client_open(cx, cli->client, &request, &head, &stream) : tc_fail_memory(cx);

    if (e)
        return e;
    e = head.status >= 400 ? read_refusal(cx, stream, head.status) : copy(cx, cli, stream);
    tc_client_close(stream);
    return e == TC_E_CLOSED ? TC_OK : e;
}
