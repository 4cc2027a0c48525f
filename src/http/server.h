/*
 * The HTTP/1.1 server: listens on TCP and Unix sockets and calls one handler, as
 * a task of its own, for each complete request. Which route a request means is
 * the handler's business.
 *
 * Limits and deadlines are in the options. A client that goes away, or ends its
 * side, while its handler runs has the handler cancelled with TC_E_CANCELED.
 * Malformed requests are answered with a JSON error and the end of the
 * connection, without the handler.
 *
 * Lifetime: create, listen, (tc_server_stop from a task,) destroy before the
 * loop is destroyed.
 */
#ifndef TC_HTTP_SERVER_H
#define TC_HTTP_SERVER_H

#include "http/exchange.h"
#include "http/forwarded.h"
#include "io/task.h"

struct tc_server;

/* Serves one request. Parks as it likes; has to answer before it returns, else
 * the client gets 500. */
typedef void tc_server_handler(struct tc_cx *cx, void *arg, struct tc_exchange *exchange);

struct tc_server_options {
    tc_server_handler *handler;
    void *arg;
    const struct tc_forwarded_trust *trust; /* of proxies; NULL: of none. Stays the caller's */
    /* 0 means the default in brackets */
    uint64_t body_bytes;  /* of one request (4 MiB) */
    size_t connections;   /* open at once; what comes beyond over TCP is answered 503 and closed (1024) */
    int64_t head_ms;      /* from the first byte of a request to the end of its head (10 s) */
    int64_t body_ms;      /* a body may take this long before its rate is looked at (10 s) */
    int64_t body_rate;    /* bytes a second that it must then have had on average (1024) */
    int64_t idle_ms;      /* without a request (60 s) */
    int64_t stall_ms;     /* a client that takes nothing of an answer for so long is gone (30 s) */
};

enum tc_err tc_server_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_server_options *options,
                             struct tc_server **ret_server);
/* host is a numeric address, or a name, of which every address is taken (only
 * within a task). port 0 takes a free one. TC_E_LISTEN_FAILED says why. */
PARKS enum tc_err tc_server_listen_tcp(struct tc_cx *cx, struct tc_server *server, const char *host, int port,
                                       int *ret_port);
/* A socket file with mode 0600; it must not exist, and goes with the server. */
enum tc_err tc_server_listen_unix(struct tc_cx *cx, struct tc_server *server, const char *path);

/* Stops listening and closes what has no handler running, after a moment for
 * requests on their way over Unix sockets; waits grace_ms for the handlers,
 * cancels the rest with TC_E_SHUTDOWN and waits for their end. */
PARKS void tc_server_stop(struct tc_cx *cx, struct tc_server *server, int64_t grace_ms);
/* Closes what is left. No handler may run. NULL is fine. */
void tc_server_destroy(struct tc_server *server);

size_t tc_server_connections(const struct tc_server *server); /* open ones */

#endif
