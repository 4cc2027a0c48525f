/*
 * The inside of the server, for server.c, conn.c, deadline.c and exchange.c
 * only: one connection is a state machine on a libuv stream.
 *
 * It reads all the time, also while a handler runs: that is how it sees the
 * client leave, without a further system call a request. What comes then waits
 * in `pending`; when that is full reading stops, and the sweep looks for a
 * hang-up instead.
 *
 * Lifetime: a connection is on the heap from accept until both its handle is
 * closed and its task has ended. While idle it holds no memory but itself.
 */
#ifndef TC_HTTP_CONN_H
#define TC_HTTP_CONN_H

#include <uv.h>

#include "base/clock.h"
#include "http/replies.h"
#include "http/reqparse.h"
#include "http/server.h"
#include "io/loop.h"
#include "io/timer.h"

enum { TC_CONN_RECV = 64 * 1024 };

enum tc_conn_state {
    TC_CONN_IDLE,    /* no byte of a request yet */
    TC_CONN_READING, /* a request is on its way */
    TC_CONN_BUSY,    /* its handler runs */
    TC_CONN_LINGER,  /* was refused; what still comes is thrown away, so that the client can read why */
    TC_CONN_CLOSING
};

struct tc_exchange {
    struct tc_conn *conn;
    bool replied, streaming, ended; /* the answer was begun; as a stream; to its end */
    bool chunked, keep;
    bool secure;
    struct tc_str client; /* behind a proxy; in the head of the request */
    bool outlives;  /* its handler is not told that the client left */
    uint8_t streak; /* writes in a row that did not wait */
};

struct tc_conn {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct tc_server *server;
    struct tc_conn *prev, *next;
    struct tc_reqparse parser;
    struct tc_buf body, pending;
    struct tc_exchange exchange;
    struct tc_task *task; /* while BUSY */

    uv_write_t write; /* what the system did not take at once */
    struct tc_event written;
    struct tc_buf rest; /* of an answer that left with others, while it is written */
    int write_status;
    size_t queued;       /* bytes of the write at the last sweep */
    int64_t progress_us; /* when it began or last went on */

    int64_t since_us; /* start of the state or of the body */
    size_t lingered;  /* bytes thrown away */
    struct tc_exchange_peer peer;
    uint8_t state;
    bool is_unix, in_body, writing, paused, gone;
    bool answered; /* has one among server->replies */
};

struct tc_server_listener;

struct tc_server {
    struct tc_loop *loop;
    struct tc_server_options options;
    struct tc_reqparse_limits limits;
    struct tc_task_group group; /* the handlers */
    struct tc_event drained;    /* while stopping: no handler runs */
    struct tc_arena arena;      /* of cx */
    struct tc_cx cx;            /* for what fails outside of a task */
    struct tc_timer timer;      /* the sweep */
    int64_t sweep_us;
    struct tc_server_listener *listeners;
    struct tc_conn *conns;
    size_t open, busy, refs; /* connections; with a handler; handles not yet closed, and the owner */
    bool stopping;
    char date[48]; /* "Date: …" with CR LF, at most one sweep old */
    size_t date_n;
    struct tc_replies replies;
    char recv[TC_CONN_RECV]; /* where every connection reads to */
};

static inline int64_t tc_server_now(const struct tc_server *server)
{
    return tc_loop_lately_us(server->loop);
}

/* One handle less; frees the server after the last one. */
void tc_server_unref(struct tc_server *server);

/* Takes the client that waits at `listener`. False when there was no memory for
 * it: nothing more comes from that listener until it is taken. */
bool tc_conn_accept(struct tc_server *server, uv_stream_t *listener, bool is_unix);
void tc_conn_close(struct tc_conn *conn);
/* The client has left: a running handler is told and then ends the connection,
 * otherwise it is closed. */
void tc_conn_hang_up(struct tc_conn *conn);
/* Sends an error of the server's own, reads on for a while so that the client
 * can read it, and closes. The message is a literal that needs no escapes. */
void tc_conn_refuse(struct tc_conn *conn, int status, enum tc_err code, const char *message);
/* Writes all of it on behalf of the connection's task; bufs are changed. */
PARKS enum tc_err tc_conn_write(struct tc_cx *cx, struct tc_conn *conn, uv_buf_t *bufs, unsigned n);
/* Writes a whole answer: on behalf of the task, or, when it is short and the connection
 * stays, with the others of this turn. */
PARKS enum tc_err tc_conn_answer(struct tc_cx *cx, struct tc_conn *conn, uv_buf_t *bufs, unsigned n);
/* For replies.c: writes the answer that was put there; the connection keeps what the
 * system does not take. */
void tc_conn_send(struct tc_conn *conn, struct tc_str answer);
/* What is due when the handler has returned without an answer, or in the middle of one. */
PARKS void tc_exchange_finish(struct tc_cx *cx, struct tc_exchange *exchange);

#endif
