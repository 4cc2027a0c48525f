/*
 * Answers: one head and one writev for the usual reply, chunks for a stream.
 */
#include "http/exchange.h"

#include <assert.h>
#include <stdio.h>

#include "http/conn.h"
#include "http/status.h"
#include "toolcrib/jsonw.h"

enum { FIXED_MAX = 256, ERROR_MAX = 1024 * 1024 };

/* Reading */

const struct tc_request *tc_exchange_request(const struct tc_exchange *exchange)
{
    return &exchange->conn->parser.request;
}

struct tc_str tc_exchange_header(const struct tc_exchange *exchange, struct tc_str name)
{
    return tc_header_get(exchange->conn->parser.request.headers, name);
}

struct tc_str tc_exchange_body(const struct tc_exchange *exchange)
{
    return tc_buf_get(&exchange->conn->body);
}

bool tc_exchange_replied(const struct tc_exchange *exchange)
{
    return exchange->replied;
}

const struct tc_exchange_peer *tc_exchange_peer(const struct tc_exchange *exchange)
{
    return &exchange->conn->peer;
}

struct tc_str tc_exchange_client(const struct tc_exchange *exchange)
{
    return exchange->client.n ? exchange->client : tc_str_of(exchange->conn->peer.address);
}

bool tc_exchange_is_secure(const struct tc_exchange *exchange)
{
    return exchange->secure;
}

/* The head */

static void put(char **at, struct tc_str s)
{
    if (s.n == 0)
        return;
    memcpy(*at, s.p, s.n);
    *at += s.n;
}

static void put_field(char **at, struct tc_str name, struct tc_str value)
{
    put(at, name);
    put(at, TC_STR(": "));
    put(at, value);
    put(at, TC_STR("\r\n"));
}

static void put_number(char **at, size_t n)
{
    char digits[24], *p = digits + sizeof digits;

    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    put(at, tc_str_n(p, (size_t)(digits + sizeof digits - p)));
}

static bool fields_ok(const struct tc_exchange_reply *reply)
{
    for (size_t i = 0; i < reply->extra.n; i++)
        if (!tc_header_name_ok(reply->extra.items[i].name) || !tc_header_value_ok(reply->extra.items[i].value))
            return false;
    return tc_header_value_ok(reply->content_type);
}

static size_t head_size(const struct tc_exchange_reply *reply)
{
    size_t n = FIXED_MAX + reply->content_type.n;

    for (size_t i = 0; i < reply->extra.n; i++)
        n += reply->extra.items[i].name.n + reply->extra.items[i].value.n + 4;
    return n;
}

/* How the message ends, and whether another may follow. */
static void put_framing(char **at, struct tc_exchange *exchange, const struct tc_exchange_reply *reply)
{
    const struct tc_request *request = &exchange->conn->parser.request;

    exchange->chunked = exchange->streaming && request->minor > 0;
    exchange->keep = request->keep_alive && !reply->close && !exchange->conn->server->stopping &&
                     (!exchange->streaming || exchange->chunked);
    if (exchange->chunked) {
        put(at, TC_STR("Transfer-Encoding: chunked\r\n"));
    } else if (!exchange->streaming && tc_status_has_body(reply->status)) {
        put(at, TC_STR("Content-Length: "));
        put_number(at, reply->body.n);
        put(at, TC_STR("\r\n"));
    }
    if (!exchange->keep)
        put(at, TC_STR("Connection: close\r\n"));
    else if (request->minor == 0)
        put(at, TC_STR("Connection: keep-alive\r\n"));
}

/* Into the task's arena: it has to stay while it is written. */
static enum tc_err make_head(struct tc_cx *cx, struct tc_exchange *exchange, const struct tc_exchange_reply *reply,
                             uv_buf_t *ret_buf)
{
    const struct tc_server *server = exchange->conn->server;
    char *head, *at;

    if (!fields_ok(reply))
        return tc_fail(cx, TC_E_INTERNAL, "A header field of the answer is malformed.");
    head = at = tc_arena_alloc(cx->arena, head_size(reply));
    if (!head)
        return tc_fail_memory(cx);
    put(&at, tc_status_line(reply->status));
    put(&at, tc_str_n(server->date, server->date_n));
    if (reply->content_type.n)
        put_field(&at, TC_STR("Content-Type"), reply->content_type);
    put_framing(&at, exchange, reply);
    for (size_t i = 0; i < reply->extra.n; i++)
        put_field(&at, reply->extra.items[i].name, reply->extra.items[i].value);
    put(&at, TC_STR("\r\n"));
    *ret_buf = uv_buf_init(head, (unsigned)(at - head));
    return TC_OK;
}

static bool wants_body(const struct tc_exchange *exchange, int status)
{
    return tc_status_has_body(status) && !tc_str_is(exchange->conn->parser.request.method, "HEAD");
}

/* Whole answers */

enum tc_err tc_exchange_reply(struct tc_cx *cx, struct tc_exchange *exchange, const struct tc_exchange_reply *reply)
{
    uv_buf_t bufs[2];
    unsigned n = 1;
    enum tc_err err;

    assert(!exchange->replied);
    if (reply->body.n > INT32_MAX)
        return tc_fail(cx, TC_E_INTERNAL, "The answer is too large for one piece.");
    err = make_head(cx, exchange, reply, &bufs[0]);
    if (err)
        return err;
    exchange->replied = exchange->ended = true;
    if (wants_body(exchange, reply->status) && reply->body.n > 0)
        bufs[n++] = uv_buf_init((char *)reply->body.p, (unsigned)reply->body.n);
    return tc_conn_answer(cx, exchange->conn, bufs, n);
}

enum tc_err tc_exchange_json(struct tc_cx *cx, struct tc_exchange *exchange, int status, struct tc_str json)
{
    struct tc_exchange_reply reply = {.status = status, .content_type = TC_STR("application/json"), .body = json};

    return tc_exchange_reply(cx, exchange, &reply);
}

struct tc_str tc_exchange_error_text(struct tc_cx *cx)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, ERROR_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "code", tc_err_info(cx->err.code)->name);
    tc_jsonw_kstr(&w, "message", cx->err.message);
    tc_jsonw_kopt(&w, "hint", cx->err.hint);
    tc_jsonw_kopt(&w, "field", cx->err.field);
    if (cx->err.details.n) {
        tc_jsonw_key(&w, "details");
        tc_jsonw_raw(&w, cx->err.details);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}

enum tc_err tc_exchange_fail(struct tc_cx *cx, struct tc_exchange *exchange)
{
    return tc_exchange_fail_with(cx, exchange, (struct tc_header_list){NULL, 0});
}

enum tc_err tc_exchange_fail_with(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_header_list extra)
{
    struct tc_exchange_reply reply = {
        .status = tc_err_info(cx->err.code)->http_status,
        .content_type = TC_STR("application/json"),
        .extra = extra,
    };

    assert(cx->err.code != TC_OK);
    reply.body = tc_exchange_error_text(cx);
    if (!reply.body.p) {
        reply.status = 503;
        reply.body =
            TC_STR("{\"error\":{\"code\":\"memory.exhausted\",\"message\":\"There was not enough memory.\"}}");
    }
    return tc_exchange_reply(cx, exchange, &reply);
}

/* Streams */

enum tc_err tc_exchange_stream_begin(struct tc_cx *cx, struct tc_exchange *exchange,
                                     const struct tc_exchange_reply *reply)
{
    uv_buf_t head;
    enum tc_err err;

    assert(!exchange->replied && tc_status_has_body(reply->status));
    exchange->streaming = true;
    err = make_head(cx, exchange, reply, &head);
    if (err) {
        exchange->streaming = false;
        return err;
    }
    exchange->replied = true;
    err = tc_conn_write(cx, exchange->conn, &head, 1);
    return err ? err : tc_exchange_stream_write(cx, exchange, reply->body);
}

enum tc_err tc_exchange_stream_write(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_str data)
{
    char size[20];
    uv_buf_t bufs[3];
    unsigned n = 0;

    assert(exchange->streaming && !exchange->ended);
    if (data.n == 0 || !wants_body(exchange, 200))
        return exchange->conn->gone ? tc_fail(cx, TC_E_CLOSED, "The client has closed the connection.") : TC_OK;
    if (data.n > INT32_MAX)
        return tc_fail(cx, TC_E_INTERNAL, "A piece of the answer is too large.");
    if (exchange->chunked)
        bufs[n++] = uv_buf_init(size, (unsigned)snprintf(size, sizeof size, "%zx\r\n", data.n));
    bufs[n++] = uv_buf_init((char *)data.p, (unsigned)data.n);
    if (exchange->chunked)
        bufs[n++] = uv_buf_init((char *)"\r\n", 2);
    return tc_conn_write(cx, exchange->conn, bufs, n);
}

enum tc_err tc_exchange_stream_end(struct tc_cx *cx, struct tc_exchange *exchange)
{
    uv_buf_t last = uv_buf_init((char *)"0\r\n\r\n", 5);

    assert(exchange->streaming && !exchange->ended);
    exchange->ended = true;
    if (!exchange->chunked || !wants_body(exchange, 200))
        return TC_OK;
    return tc_conn_write(cx, exchange->conn, &last, 1);
}

void tc_exchange_outlive(struct tc_exchange *exchange)
{
    exchange->outlives = true;
}

void tc_exchange_leave(struct tc_exchange *exchange)
{
    assert(exchange->ended);
    tc_conn_close(exchange->conn);
}

void tc_exchange_finish(struct tc_cx *cx, struct tc_exchange *exchange)
{
    if (!exchange->replied) {
        tc_fail(cx, TC_E_INTERNAL, "The request was not answered.");
        tc_exchange_fail(cx, exchange);
    }
    if (!exchange->ended)
        exchange->keep = false; /* a stream broken off: the client sees it by the end of the connection */
}
