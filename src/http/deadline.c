/*
 * One rule a state of the connection.
 */
#include "http/deadline.h"

#include <poll.h>

enum { LINGER_US = 2 * 1000 * 1000 };

static bool hung_up(struct tc_conn *conn)
{
    struct pollfd p = {.events = POLLRDHUP};
    uv_os_fd_t fd;

    if (uv_fileno(&conn->uv.handle, &fd) != 0)
        return false;
    p.fd = fd;
    return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* False when the client takes nothing of what is written, and was cut. */
static bool sweep_writing(struct tc_conn *conn, int64_t now_us)
{
    size_t queued = uv_stream_get_write_queue_size(&conn->uv.stream);

    if (queued < conn->queued) {
        conn->queued = queued;
        conn->progress_us = now_us;
    } else if (now_us - conn->progress_us > conn->server->options.stall_ms * 1000) {
        tc_conn_close(conn);
        return false;
    }
    return true;
}

static void sweep_busy(struct tc_conn *conn)
{
    if (conn->paused && !conn->gone && hung_up(conn))
        tc_conn_hang_up(conn);
}

static void sweep_reading(struct tc_conn *conn, int64_t spent_us)
{
    const struct tc_server_options *options = &conn->server->options;

    if (conn->in_body) {
        if (spent_us <= options->body_ms * 1000 ||
            (int64_t)conn->body.n >= spent_us / 1000 * options->body_rate / 1000)
            return;
        tc_conn_refuse(conn, 408, TC_E_TIMEOUT, "The body of the request came too slowly.");
    } else if (spent_us > options->head_ms * 1000) {
        tc_conn_refuse(conn, 408, TC_E_TIMEOUT, "The head of the request came too slowly.");
    }
}

static void sweep_idle(struct tc_conn *conn, int64_t spent_us)
{
    if (spent_us > conn->server->options.idle_ms * 1000) {
        tc_conn_close(conn);
    } else if (spent_us > conn->server->sweep_us) {
        tc_reqparse_trim(&conn->parser);
        tc_buf_finish(&conn->body);
        tc_buf_finish(&conn->pending);
    }
}

void tc_deadline_check(struct tc_conn *conn, int64_t now_us)
{
    int64_t spent_us = now_us - conn->since_us;

    if (conn->writing && !sweep_writing(conn, now_us))
        return;
    switch (conn->state) {
    case TC_CONN_IDLE:
        sweep_idle(conn, spent_us);
        break;
    case TC_CONN_READING:
        sweep_reading(conn, spent_us);
        break;
    case TC_CONN_BUSY:
        sweep_busy(conn);
        break;
    case TC_CONN_LINGER:
        if (spent_us > LINGER_US)
            tc_conn_close(conn);
        break;
    default:
        break;
    }
}
