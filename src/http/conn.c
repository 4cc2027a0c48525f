/*
 * Accepting, reading, dispatch, refusal, writing and the end of a connection.
 */
#include "http/conn.h"

#include <assert.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "http/status.h"

enum {
    PENDING_MAX = 64 * 1024, /* read ahead of a running handler */
    KEEP_MAX = 64 * 1024,    /* a body buffer that is kept for the next request */
    /* Thrown away before the connection is cut: most of what a client still sends, so
     * that it comes to read the refusal. */
    LINGER_MAX = 16 * 1024 * 1024,
    REFUSED_MAX = 64,        /* connections over the limit that are told so */
};

static void feed(struct tc_conn *conn, struct tc_str in, struct tc_str *ret_rest);
static void resume_reading(struct tc_conn *conn);

/* End */

static void free_when_done(struct tc_conn *conn)
{
    struct tc_server *server = conn->server;

    if (conn->task || conn->uv.handle.data)
        return;
    tc_reqparse_finish(&conn->parser);
    tc_buf_finish(&conn->body);
    tc_buf_finish(&conn->pending);
    tc_buf_finish(&conn->rest);
    tc_mem_free(conn);
    tc_server_unref(server);
}

static void on_closed(uv_handle_t *handle)
{
    struct tc_conn *conn = handle->data;

    handle->data = NULL; /* the handle's part is over */
    free_when_done(conn);
}

void tc_conn_close(struct tc_conn *conn)
{
    struct tc_server *server = conn->server;

    if (conn->answered)
        tc_replies_flush(&server->replies);
    if (conn->state == TC_CONN_CLOSING)
        return;
    conn->state = TC_CONN_CLOSING;
    conn->gone = true;
    *(conn->prev ? &conn->prev->next : &server->conns) = conn->next;
    if (conn->next)
        conn->next->prev = conn->prev;
    server->open--;
    uv_close(&conn->uv.handle, on_closed);
}

void tc_conn_hang_up(struct tc_conn *conn)
{
    if (conn->state != TC_CONN_BUSY) {
        tc_conn_close(conn);
        return;
    }
    conn->gone = true;
    uv_read_stop(&conn->uv.stream);
    if (!conn->exchange.outlives)
        tc_task_cancel(conn->task, TC_E_CANCELED);
}

static void set_state(struct tc_conn *conn, enum tc_conn_state state)
{
    conn->state = (uint8_t)state;
    conn->since_us = tc_server_now(conn->server);
}

/* Refusal */

void tc_conn_refuse(struct tc_conn *conn, int status, enum tc_err code, const char *message)
{
    char text[1024], body[512];
    struct tc_str line = tc_status_line(status);
    int n = snprintf(body, sizeof body, "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}", tc_err_info(code)->name,
                     message);
    uv_os_fd_t fd;
    uv_buf_t buf;

    n = snprintf(text, sizeof text,
                 "%.*s%.*sContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
                 TC_STR_ARG(line), (int)conn->server->date_n, conn->server->date, n, body);
    buf = uv_buf_init(text, (unsigned)n);
    if (uv_try_write(&conn->uv.stream, &buf, 1) != n || uv_fileno(&conn->uv.handle, &fd) != 0) {
        tc_conn_close(conn);
        return;
    }
    shutdown(fd, SHUT_WR);
    set_state(conn, TC_CONN_LINGER);
    tc_buf_finish(&conn->pending);
    resume_reading(conn);
}

static void refuse_err(struct tc_conn *conn, enum tc_err code, const char *message)
{
    tc_conn_refuse(conn, tc_err_info(code)->http_status, code, message);
}

/* Dispatch */

/* After a request: on to the next one, or the end. */
static void next_request(struct tc_conn *conn)
{
    struct tc_str rest;

    if (conn->state == TC_CONN_CLOSING || conn->gone || !conn->exchange.keep || conn->server->stopping) {
        tc_conn_close(conn);
        free_when_done(conn);
        return;
    }
    tc_reqparse_reset(&conn->parser);
    tc_buf_clear(&conn->body);
    if (conn->body.cap > KEEP_MAX)
        tc_buf_finish(&conn->body);
    conn->in_body = false;
    set_state(conn, TC_CONN_IDLE);
    feed(conn, tc_buf_get(&conn->pending), &rest);
    tc_buf_drop(&conn->pending, conn->pending.n - rest.n);
    if (conn->pending.n < PENDING_MAX)
        resume_reading(conn);
}

/* What a proxy says of its client stands for what is known of the proxy. */
static enum tc_err look_behind(struct tc_cx *cx, struct tc_conn *conn)
{
    const struct tc_forwarded_trust *trust = conn->server->options.trust;
    struct tc_request *request = &conn->parser.request;
    struct tc_forwarded client;
    enum tc_err e;

    if (!trust || conn->is_unix || !tc_forwarded_trusts(trust, tc_str_of(conn->peer.address)))
        return TC_OK;
    e = tc_forwarded_read(cx, trust, request->headers, &client);
    if (e)
        return e;
    conn->exchange.client = client.address;
    conn->exchange.secure = tc_str_eq_nocase(client.proto, TC_STR("https"));
    if (client.host.n)
        request->host = client.host;
    return TC_OK;
}

static void run_handler(struct tc_cx *cx, void *arg)
{
    struct tc_conn *conn = arg;
    struct tc_server *server = conn->server;

    if (look_behind(cx, conn))
        tc_exchange_fail(cx, &conn->exchange);
    else
        server->options.handler(cx, server->options.arg, &conn->exchange);
    tc_exchange_finish(cx, &conn->exchange);
    conn->task = NULL;
    if (--server->busy == 0 && server->stopping)
        tc_event_set(&server->drained);
    next_request(conn);
}

static void dispatch(struct tc_conn *conn)
{
    struct tc_server *server = conn->server;
    enum tc_err err;

    set_state(conn, TC_CONN_BUSY);
    conn->exchange = (struct tc_exchange){.conn = conn};
    err = tc_task_spawn_ref(&server->cx, server->loop, &server->group, "http", run_handler, conn, &conn->task);
    if (err) {
        refuse_err(conn, err, "The server cannot take this request now.");
        tc_arena_reset(&server->arena);
        return;
    }
    server->busy++;
}

static void begin_body(struct tc_conn *conn, bool waiting)
{
    static char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    uv_buf_t buf = uv_buf_init(go_on, sizeof go_on - 1);

    conn->in_body = true;
    conn->since_us = tc_server_now(conn->server);
    if (waiting && conn->parser.request.expect_continue)
        uv_try_write(&conn->uv.stream, &buf, 1); /* when it does not go out, the client stops waiting by itself */
}

/* Takes from `in` until the request is whole. What is left belongs to later ones. */
static void feed(struct tc_conn *conn, struct tc_str in, struct tc_str *ret_rest)
{
    enum tc_reqparse_event event;
    struct tc_str piece;

    if (conn->state == TC_CONN_IDLE && in.n > 0)
        set_state(conn, TC_CONN_READING);
    while (conn->state == TC_CONN_READING) {
        event = tc_reqparse_feed(&conn->parser, &in, &piece);
        if (event == TC_REQPARSE_MORE)
            break;
        if (event == TC_REQPARSE_HEAD)
            begin_body(conn, in.n == 0);
        else if (event == TC_REQPARSE_BODY)
            tc_buf_str(&conn->body, piece);
        else if (event == TC_REQPARSE_DONE)
            dispatch(conn);
        else
            refuse_err(conn, conn->parser.code, conn->parser.message);
        if (conn->body.failed)
            refuse_err(conn, TC_E_NO_MEMORY, "There was not enough memory for the request.");
    }
    *ret_rest = conn->state == TC_CONN_BUSY ? in : TC_STR("");
}

/* Reading */

static void put_off(struct tc_conn *conn, struct tc_str in)
{
    tc_buf_str(&conn->pending, in);
    if (conn->pending.failed) {
        tc_conn_hang_up(conn);
    } else if (conn->pending.n >= PENDING_MAX) {
        uv_read_stop(&conn->uv.stream);
        conn->paused = true;
    }
}

static void on_alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    struct tc_conn *conn = handle->data;

    (void)wanted;
    *buf = uv_buf_init(conn->server->recv, sizeof conn->server->recv);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct tc_conn *conn = stream->data;
    struct tc_str rest = tc_str_n(buf->base, n > 0 ? (size_t)n : 0);

    if (n < 0) {
        tc_conn_hang_up(conn);
        return;
    }
    if (conn->state == TC_CONN_LINGER) {
        conn->lingered += rest.n;
        if (conn->lingered > LINGER_MAX)
            tc_conn_close(conn);
        return;
    }
    if (conn->state != TC_CONN_BUSY)
        feed(conn, rest, &rest);
    if (rest.n > 0 && conn->state == TC_CONN_BUSY)
        put_off(conn, rest);
}

static void resume_reading(struct tc_conn *conn)
{
    if (!conn->paused || conn->state == TC_CONN_CLOSING)
        return;
    conn->paused = false;
    if (uv_read_start(&conn->uv.stream, on_alloc, on_read) != 0)
        tc_conn_hang_up(conn);
}

/* Writing */

static void on_written(uv_write_t *write, int status)
{
    struct tc_conn *conn = write->data;

    conn->writing = false;
    conn->write_status = status;
    tc_event_set(&conn->written);
}

static void on_rest_written(uv_write_t *write, int status)
{
    struct tc_conn *conn = write->data;

    tc_buf_finish(&conn->rest);
    on_written(write, status);
    if (status != 0)
        tc_conn_hang_up(conn);
}

/* Has the system take the bytes when it can. False when they cannot be sent. */
static bool start_write(struct tc_conn *conn, const uv_buf_t *bufs, unsigned n, uv_write_cb done)
{
    tc_event_clear(&conn->written);
    conn->write.data = conn;
    if (uv_write(&conn->write, &conn->uv.stream, bufs, n, done) != 0)
        return false;
    conn->writing = true;
    conn->queued = uv_stream_get_write_queue_size(&conn->uv.stream);
    conn->progress_us = tc_server_now(conn->server);
    return true;
}

/* Passes over what was written; true when all was. */
static bool advance(uv_buf_t **bufs, unsigned *n, size_t done)
{
    while (*n > 0 && done >= (*bufs)->len) {
        done -= (*bufs)->len;
        ++*bufs;
        --*n;
    }
    if (*n == 0)
        return true;
    (*bufs)->base += done;
    (*bufs)->len -= done;
    return false;
}

static enum tc_err fail_gone(struct tc_cx *cx, struct tc_conn *conn)
{
    conn->gone = true;
    return tc_fail(cx, TC_E_CLOSED, "The client has closed the connection.");
}

/* The bytes are the caller's, so this does not return before libuv has let go of
 * them: closing the handle makes it. */
static enum tc_err wait_written(struct tc_cx *cx, struct tc_conn *conn)
{
    enum tc_err err = tc_task_wait(cx, &conn->written, -1);

    if (!err && conn->write_status == 0)
        return TC_OK;
    tc_conn_close(conn);
    tc_task_shield(cx);
    tc_task_wait(cx, &conn->written, -1);
    tc_task_unshield(cx);
    return err ? err : tc_fail(cx, TC_E_CLOSED, "The client did not take the answer.");
}

/* Until the answer to an earlier request of this connection has left. */
static enum tc_err await_earlier(struct tc_cx *cx, struct tc_conn *conn)
{
    if (conn->answered)
        tc_replies_flush(&conn->server->replies);
    return conn->writing ? wait_written(cx, conn) : TC_OK;
}

enum tc_err tc_conn_write(struct tc_cx *cx, struct tc_conn *conn, uv_buf_t *bufs, unsigned n)
{
    enum tc_err err = await_earlier(cx, conn);
    int done;

    if (err)
        return err;
    done = conn->gone ? UV_EPIPE : uv_try_write(&conn->uv.stream, bufs, n);
    if (done < 0 && done != UV_EAGAIN)
        return fail_gone(cx, conn);
    if (advance(&bufs, &n, done > 0 ? (size_t)done : 0)) {
        if (++conn->exchange.streak % 16 == 0)
            return tc_task_yield(cx); /* a client that is always faster must not keep the loop */
        return TC_OK;
    }
    conn->exchange.streak = 0;
    return start_write(conn, bufs, n, on_written) ? wait_written(cx, conn) : fail_gone(cx, conn);
}

enum tc_err tc_conn_answer(struct tc_cx *cx, struct tc_conn *conn, uv_buf_t *bufs, unsigned n)
{
    enum tc_err err = await_earlier(cx, conn);

    if (err)
        return err;
    if (conn->gone)
        return fail_gone(cx, conn);
    if (conn->exchange.keep && tc_replies_put(&conn->server->replies, conn, bufs, n))
        return TC_OK;
    return tc_conn_write(cx, conn, bufs, n);
}

void tc_conn_send(struct tc_conn *conn, struct tc_str answer)
{
    uv_buf_t buf = uv_buf_init((char *)answer.p, (unsigned)answer.n);
    int done;

    conn->answered = false;
    if (conn->gone)
        return;
    done = uv_try_write(&conn->uv.stream, &buf, 1);
    if (done == (int)answer.n)
        return;
    tc_buf_str(&conn->rest, tc_str_from(answer, done > 0 ? (size_t)done : 0));
    buf = uv_buf_init(conn->rest.p, (unsigned)conn->rest.n);
    if ((done < 0 && done != UV_EAGAIN) || conn->rest.failed || !start_write(conn, &buf, 1, on_rest_written))
        tc_conn_hang_up(conn);
}

/* Start */

/* Once a connection: a client that has gone has no address any more. */
static void set_peer(struct tc_conn *conn)
{
    struct ucred credentials = {.pid = 0, .uid = (uid_t)-1, .gid = (gid_t)-1};
    struct sockaddr_storage address;
    socklen_t size = sizeof credentials;
    int n = sizeof address;
    uv_os_fd_t fd;

    if (conn->is_unix && uv_fileno(&conn->uv.handle, &fd) == 0)
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size);
    conn->peer = (struct tc_exchange_peer){
        .is_unix = conn->is_unix, .uid = credentials.uid, .gid = credentials.gid, .pid = credentials.pid};
    if (!conn->is_unix && uv_tcp_getpeername(&conn->uv.tcp, (struct sockaddr *)&address, &n) == 0)
        uv_ip_name((struct sockaddr *)&address, conn->peer.address, sizeof conn->peer.address);
}

static void link_conn(struct tc_server *server, struct tc_conn *conn)
{
    conn->next = server->conns;
    if (server->conns)
        server->conns->prev = conn;
    server->conns = conn;
    server->open++;
    server->refs++;
}

bool tc_conn_accept(struct tc_server *server, uv_stream_t *listener, bool is_unix)
{
    struct tc_conn *conn = tc_mem_zalloc(1, sizeof *conn);
    uv_loop_t *uv = tc_loop_uv(server->loop);

    if (!conn)
        return false;
    if (is_unix)
        uv_pipe_init(uv, &conn->uv.pipe, 0);
    else
        uv_tcp_init(uv, &conn->uv.tcp);
    conn->uv.handle.data = conn;
    conn->server = server;
    conn->is_unix = is_unix;
    tc_reqparse_init(&conn->parser, &server->limits);
    tc_buf_init(&conn->body, server->limits.body_bytes);
    tc_buf_init(&conn->pending, PENDING_MAX + TC_CONN_RECV);
    tc_buf_init(&conn->rest, TC_REPLIES_BYTES);
    link_conn(server, conn);
    set_state(conn, TC_CONN_IDLE);
    if (uv_accept(listener, &conn->uv.stream) != 0 || server->stopping ||
        (!is_unix && server->open > server->options.connections + REFUSED_MAX) ||
        uv_read_start(&conn->uv.stream, on_alloc, on_read) != 0) {
        tc_conn_close(conn);
        return true;
    }
    set_peer(conn);
    if (!is_unix && server->open > server->options.connections)
        tc_conn_refuse(conn, 503, TC_E_BUSY, "The server has as many connections as it may.");
    return true;
}
