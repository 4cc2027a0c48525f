/*
 * Requests over the Unix socket. The host of the URL means nothing there.
 */
#include "cli/request.h"

#include "base/percent.h"
#include "http/client.h"
#include "http/sse.h"

enum { BODY_MAX = 64 * 1024 * 1024, ANSWER_MAX = 512 * 1024 * 1024, URL_MAX = 64 * 1024, ATTACHES = 5 };

static const struct tc_json_limits answer_limits = {.max_bytes = ANSWER_MAX, .flags = TC_JSON_BORROW};

struct tc_str tc_cli_url(struct tc_cx *cx, const char *path, const struct tc_cli_query *query)
{
    char separator = '?';
    struct tc_str url;
    struct tc_buf buf;

    tc_buf_init(&buf, URL_MAX);
    tc_buf_printf(&buf, "http://localhost%s", path);
    for (; query && query->name; query++) {
        if (query->value.n == 0)
            continue;
        tc_buf_printf(&buf, "%c%s=", separator, query->name);
        tc_percent_encode(&buf, query->value);
        separator = '&';
    }
    url = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return url;
}

/* --- refusals --- */

/* For a code of another version: what the status says of it. */
static enum tc_err code_of_status(int status)
{
    switch (status) {
    case 400:
        return TC_E_HTTP_BAD_REQUEST;
    case 401:
    case 403:
        return TC_E_AUTH_FORBIDDEN;
    case 404:
        return TC_E_HTTP_NOT_FOUND;
    case 409:
        return TC_E_STORE_CONFLICT;
    case 413:
        return TC_E_HTTP_TOO_LARGE;
    case 502:
    case 503:
    case 504:
        return TC_E_DAEMON_UNAVAILABLE;
    default:
        return TC_E_INTERNAL;
    }
}

enum tc_err tc_cli_refusal(struct tc_cx *cx, int status, const struct tc_json *answer)
{
    const struct tc_json *error = tc_json_get_c(answer, "error"), *details = tc_json_get_c(error, "details");
    struct tc_str message = tc_json_str(tc_json_get_c(error, "message")),
                  hint = tc_json_str(tc_json_get_c(error, "hint")), field = tc_json_str(tc_json_get_c(error, "field"));
    enum tc_err code = tc_err_find(tc_json_str(tc_json_get_c(error, "code")));

    if (!code)
        code = code_of_status(status);
    if (message.n)
        tc_fail(cx, code, "%.*s", TC_STR_ARG(message));
    else
        tc_fail(cx, code, "The daemon answered with status %d.", status);
    if (hint.n)
        tc_fail_hint(cx, "%.*s", TC_STR_ARG(hint));
    if (field.n)
        tc_fail_field(cx, field);
    if (details)
        tc_fail_details(cx, tc_json_text(cx->arena, details));
    return code;
}

/* The transfer itself failed. */
static enum tc_err fail_transfer(struct tc_cx *cx, enum tc_err e, bool maybe_done)
{
    struct tc_str why = cx->err.message;

    if (e != TC_E_HTTP_UPSTREAM && e != TC_E_CLOSED && e != TC_E_IO)
        return e;
    if (maybe_done) {
        tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN, "The daemon went away before it answered: %.*s", TC_STR_ARG(why));
        return tc_fail_hint(cx, "It may have been done. Check before doing it again.");
    }
    tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The daemon cannot be reached: %.*s", TC_STR_ARG(why));
    return tc_fail_hint(cx, "toolcrib doctor looks for the reason.");
}

/* --- requests --- */

struct request {
    struct tc_str url, body; /* body.p NULL: a GET */
    const struct tc_cli_events *events; /* NULL: the answer is JSON */
    bool sent;
};

/* One event. The last one has the answer, which then is there as if it had come whole. */
static enum tc_err take_event(struct tc_cx *cx, struct tc_cli *cli, const struct request *r,
                              const struct tc_sse_event *event, struct tc_client_response *response)
{
    bool failed = tc_str_is(event->type, "error");
    const struct tc_json *data;
    enum tc_err e;

    if (failed || tc_str_is(event->type, "result")) {
        response->status = failed ? 500 : 200;
        response->body = tc_arena_dup(cx->arena, event->data);
        return response->body.p ? TC_OK : tc_fail_memory(cx);
    }
    e = tc_json_parse_root(cx, event->data, NULL, &data);
    return e ? e : r->events->fn(cx, cli, r->events->arg, data);
}

static enum tc_err take_events(struct tc_cx *cx, struct tc_cli *cli, const struct request *r,
                               struct tc_client_stream *stream, struct tc_client_response *response)
{
    struct tc_sse_event event;
    enum tc_sse_status status;
    enum tc_err e = TC_OK;
    struct tc_str piece;
    struct tc_sse sse;

    tc_sse_init(&sse, ANSWER_MAX);
    while (!e && !response->body.n && !(e = tc_client_read(cx, stream, -1, &piece))) {
        while (!e && (status = tc_sse_feed(&sse, &piece, &event)) != TC_SSE_MORE)
            e = status == TC_SSE_EVENT ? take_event(cx, cli, r, &event, response)
                                       : tc_fail(cx, TC_E_LIMIT, "An event of the daemon is too large.");
    }
    tc_sse_finish(&sse);
    return e;
}

/* The rest of an answer whose head has come, in the arena. */
static enum tc_err take_body(struct tc_cx *cx, struct tc_client_stream *stream, struct tc_str *ret_body)
{
    struct tc_str piece;
    struct tc_buf body;
    enum tc_err e;

    tc_buf_init(&body, ANSWER_MAX);
    while (!(e = tc_client_read(cx, stream, -1, &piece)))
        tc_buf_str(&body, piece);
    *ret_body = tc_buf_dup(&body, cx->arena);
    if (e == TC_E_CLOSED)
        e = ret_body->p ? TC_OK : tc_fail_memory(cx);
    tc_buf_finish(&body);
    return e;
}

static enum tc_err fetch_events(struct tc_cx *cx, struct tc_cli *cli, const struct request *r,
                                const struct tc_client_request *request, struct tc_client_response *ret_response)
{
    struct tc_client_stream *stream;
    enum tc_err e = tc_client_open(cx, cli->client, request, ret_response, &stream);
    struct tc_str type;

    if (e)
        return e;
    type = tc_header_get(ret_response->headers, TC_STR("Content-Type"));
    if (type.p && tc_header_has(type, TC_STR("text/event-stream")))
        e = take_events(cx, cli, r, stream, ret_response);
    else
        e = take_body(cx, stream, &ret_response->body);
    tc_client_close(stream);
    return e;
}

static enum tc_err fetch(struct tc_cx *cx, struct tc_cli *cli, struct request *r,
                         struct tc_client_response *ret_response)
{
    struct tc_header fields[] = {{TC_STR("Content-Type"), TC_STR("application/json")}};
    bool post = r->body.p != NULL;
    struct tc_client_request request = {
        .method = post ? TC_STR("POST") : TC_STR("GET"),
        .url = r->url,
        .unix_socket = cli->socket,
        .headers = {fields, post ? 1 : 0},
        .body = r->body,
        .timeout_ms = cli->timeout_ms,
        .max_bytes = ANSWER_MAX,
        .sent = &r->sent,
    };

    if (r->events)
        return fetch_events(cx, cli, r, &request, ret_response);
    return tc_client_fetch(cx, cli->client, &request, ret_response);
}

/* The daemon may be another command, which ends when its own work is done: then
 * whoever comes next holds the data folder, perhaps we. */
static enum tc_err fetch_from_any(struct tc_cx *cx, struct tc_cli *cli, struct request *r,
                                  struct tc_client_response *ret_response)
{
    enum tc_err e = fetch(cx, cli, r, ret_response);

    for (int i = 0; i < ATTACHES && e == TC_E_HTTP_UPSTREAM && (!r->sent || !r->body.p); i++) {
        e = cli->host->ops->attach(cx, cli->host, &cli->place, &cli->socket);
        if (e)
            return e;
        e = fetch(cx, cli, r, ret_response);
    }
    return e ? fail_transfer(cx, e, r->body.p && r->sent) : TC_OK;
}

static enum tc_err exchange(struct tc_cx *cx, struct tc_cli *cli, struct request *request,
                            const struct tc_json **ret_answer)
{
    struct tc_client_response response;
    const struct tc_json *answer;
    enum tc_err e = request->url.p ? fetch_from_any(cx, cli, request, &response) : tc_fail_memory(cx);

    if (e)
        return e;
    e = tc_json_parse_root(cx, response.body, &answer_limits, &answer);
    if (response.status >= 400)
        return tc_cli_refusal(cx, response.status, e ? NULL : answer);
    if (e)
        return tc_fail(cx, TC_E_INTERNAL, "The daemon's answer is no JSON.");
    *ret_answer = answer;
    return TC_OK;
}

enum tc_err tc_cli_get(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_cli_query *query,
                       const struct tc_json **ret_answer)
{
    struct request request = {.url = tc_cli_url(cx, path, query)};

    return exchange(cx, cli, &request, ret_answer);
}

void tc_cli_body_init(struct tc_cli_body *body)
{
    tc_buf_init(&body->buf, BODY_MAX);
    tc_jsonw_init(&body->w, &body->buf);
    tc_jsonw_object(&body->w);
}

void tc_cli_body_finish(struct tc_cli_body *body)
{
    tc_buf_finish(&body->buf);
}

enum tc_err tc_cli_post_events(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body,
                               const struct tc_cli_events *events, const struct tc_json **ret_answer)
{
    struct request request = {.events = events};
    enum tc_err e;

    tc_jsonw_end(&body->w);
    request.url = tc_cli_url(cx, path, NULL);
    request.body = tc_buf_get(&body->buf);
    if (body->buf.failed)
        e = tc_fail(cx, TC_E_JSON_SIZE, "The request is larger than %d MiB.", BODY_MAX >> 20);
    else
        e = exchange(cx, cli, &request, ret_answer);
    tc_cli_body_finish(body);
    return e;
}

enum tc_err tc_cli_post(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body,
                        const struct tc_json **ret_answer)
{
    return tc_cli_post_events(cx, cli, path, body, NULL, ret_answer);
}

enum tc_err tc_cli_post_id(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_str id,
                           const struct tc_json **ret_answer)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", id);
    return tc_cli_post(cx, cli, path, &body, ret_answer);
}

enum tc_err tc_cli_tool_id(struct tc_cx *cx, struct tc_cli *cli, struct tc_str tool, struct tc_str agent,
                           struct tc_str *ret_id)
{
    const struct tc_cli_query query[] = {{"id", tool}, {"agent", agent}, {NULL, {NULL, 0}}};
    const struct tc_json *answer;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/tool/info", query, &answer);

    if (!e)
        *ret_id = tc_json_str(tc_json_get_c(answer, "name"));
    return e;
}
