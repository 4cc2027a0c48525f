/*
 * The HTTP client: requests of tasks, over libcurl and the loop, with kept
 * connections. Redirects are never followed: a 3xx is an answer like another.
 * A request that has a body is not sent twice, also not by libcurl on a kept
 * connection that turns out dead: it fails, and the caller decides; unless the other
 * side had provably ended that connection before it had the request (delivery.h).
 * Connections are left before the time is over that the server's Keep-Alive states.
 *
 * The whole answer with tc_client_fetch, or piece by piece: open (until the head
 * has come), read, close. What is not read stays with the sender: a quarter MiB
 * is buffered and then the socket is left alone.
 *
 * A proxy of the environment (http_proxy, https_proxy, all_proxy, but for no_proxy) is
 * used, except for public_only, since what it connects to cannot be seen, and for
 * loopback and addresses that are not public, which it would take for its own.
 *
 * Whom https trusts: the authorities of the system, or those that SSL_CERT_FILE and
 * SSL_CERT_DIR of the environment name, as it was when the client was created.
 *
 * Cancelling the task ends the transfer. Errors: TC_E_HTTP_UPSTREAM with the
 * reason, TC_E_HTTP_CERTIFICATE with what to do, TC_E_TIMEOUT, TC_E_LIMIT (an
 * answer over max_bytes), TC_E_HTTP_ADDRESS (public_only), TC_E_USAGE (a URL or
 * field that is malformed), and what ends tasks. No error text holds more of the
 * URL than scheme, host and port.
 */
#ifndef TC_HTTP_CLIENT_H
#define TC_HTTP_CLIENT_H

#include "http/header.h"
#include "io/task.h"

struct tc_client;
struct tc_client_stream;

/* By it others end a request and its stream while a task waits for them. A zeroed
 * struct; it outlives both. */
struct tc_client_handle {
    struct tc_client_stream *stream;
    bool aborted;
};

struct tc_client_request {
    struct tc_str method;          /* empty: GET, or POST when there is a body */
    struct tc_str url;             /* http or https */
    struct tc_str unix_socket;     /* path to connect to instead of the host; may be empty */
    struct tc_header_list headers;
    struct tc_str body;            /* must stay until the stream is closed or fetch returns */
    int64_t timeout_ms;            /* until the answer (fetch) or its head (open) has come; 0: 60 s, negative: none */
    size_t max_bytes;              /* of the answer's body; 0: 16 MiB for fetch, no limit for a stream */
    bool public_only;              /* connect to public addresses only, and through no proxy */
    bool no_link_local;            /* nor to link-local ones, where clouds keep the secrets of their machines */
    struct tc_client_handle *handle; /* or NULL */
    bool *sent;                    /* NULL, or: false as long as certainly nothing of the request was sent */
};

struct tc_client_response {
    int status;
    struct tc_header_list headers;
    struct tc_str body;
};

enum tc_err tc_client_create(struct tc_cx *cx, struct tc_loop *loop, struct tc_client **ret_client);
/* Every stream must have been closed. NULL is fine. */
void tc_client_destroy(struct tc_client *client);

/* The response is in cx->arena. Any status is success. */
PARKS enum tc_err tc_client_fetch(struct tc_cx *cx, struct tc_client *client, const struct tc_client_request *request,
                                  struct tc_client_response *ret_response);

/* Status and headers in cx->arena; body empty. The stream is the caller's. */
PARKS enum tc_err tc_client_open(struct tc_cx *cx, struct tc_client *client, const struct tc_client_request *request,
                                 struct tc_client_response *ret_head, struct tc_client_stream **ret_stream);
/* What has come of the body, at least 1 byte, borrowed until the next call.
 * TC_E_CLOSED at its regular end; TC_E_TIMEOUT after timeout_ms without a byte
 * (negative: none), after which reading can go on. */
PARKS enum tc_err tc_client_read(struct tc_cx *cx, struct tc_client_stream *stream, int64_t timeout_ms,
                                 struct tc_str *ret_data);
/* Ends it also in the middle. NULL is fine. */
void tc_client_close(struct tc_client_stream *stream);
/* What waits for the request or its stream fails with TC_E_CANCELED, and whatever
 * would wait later. The stream is still there until it is closed. */
void tc_client_abort(struct tc_client_handle *handle);
/* The handle may go before its stream. */
void tc_client_detach(struct tc_client_handle *handle);

#endif
