/*
 * One request and its answer, as the handler has it. The answer is given whole
 * with tc_exchange_reply, or as a stream: begin, write, end.
 *
 * Everything read from the exchange is borrowed and stays until the handler has
 * returned. Errors of the answering functions mean that the client is gone or
 * too slow: the handler should end.
 */
#ifndef TC_HTTP_EXCHANGE_H
#define TC_HTTP_EXCHANGE_H

#include "http/request.h"
#include "io/task.h"

struct tc_exchange;

struct tc_exchange_reply {
    int status;
    struct tc_str content_type;  /* left out when empty */
    struct tc_header_list extra; /* further fields; none that frame the message */
    struct tc_str body;          /* must stay until the call returns */
    bool close;                  /* end the connection afterwards */
};

enum { TC_EXCHANGE_ADDRESS_SIZE = 64 };

struct tc_exchange_peer {
    bool is_unix;
    uint32_t uid, gid; /* of a Unix socket; else, or when unknown, UINT32_MAX */
    int32_t pid;       /* or 0 */
    char address[TC_EXCHANGE_ADDRESS_SIZE]; /* numeric, without port; empty for a Unix socket */
};

const struct tc_request *tc_exchange_request(const struct tc_exchange *exchange);
struct tc_str tc_exchange_header(const struct tc_exchange *exchange, struct tc_str name); /* p NULL when absent */
struct tc_str tc_exchange_body(const struct tc_exchange *exchange);
/* The other end of the connection. */
const struct tc_exchange_peer *tc_exchange_peer(const struct tc_exchange *exchange);
/* The client: behind a trusted proxy as that tells, as is then the host of the request; else the peer.
 * A numeric address, or a proxy's word for one that it hides; empty over a Unix socket. */
struct tc_str tc_exchange_client(const struct tc_exchange *exchange);
/* The client speaks TLS, by the word of a trusted proxy. */
bool tc_exchange_is_secure(const struct tc_exchange *exchange);

/* Answers. To HEAD the body is not sent. TC_E_INTERNAL when a field of the
 * handler's is malformed: nothing was sent then. TC_E_CLOSED, or what ended the
 * task, when the client did not take it. */
PARKS enum tc_err tc_exchange_reply(struct tc_cx *cx, struct tc_exchange *exchange,
                                    const struct tc_exchange_reply *reply);
/* The same with status and JSON text only. */
PARKS enum tc_err tc_exchange_json(struct tc_cx *cx, struct tc_exchange *exchange, int status, struct tc_str json);
/* Answers with what cx->err says: {"error": {code, message, hint, field, details}}. */
PARKS enum tc_err tc_exchange_fail(struct tc_cx *cx, struct tc_exchange *exchange);
/* The same with further fields. */
PARKS enum tc_err tc_exchange_fail_with(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_header_list extra);
/* The text of such an answer, in the arena; p is NULL without memory. */
struct tc_str tc_exchange_error_text(struct tc_cx *cx);
/* An answer was begun. */
bool tc_exchange_replied(const struct tc_exchange *exchange);

/* Begins an answer of unknown length; reply->body is sent as its first piece. */
PARKS enum tc_err tc_exchange_stream_begin(struct tc_cx *cx, struct tc_exchange *exchange,
                                           const struct tc_exchange_reply *reply);
/* Sends a piece and waits until the system has taken it, which is the
 * back-pressure. An empty piece sends nothing. */
PARKS enum tc_err tc_exchange_stream_write(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_str data);
/* From here on the handler is not cancelled when the client leaves: writing fails
 * then, and what was begun goes on. */
void tc_exchange_outlive(struct tc_exchange *exchange);
/* After the end of a stream: closes the connection, while the handler goes on. */
void tc_exchange_leave(struct tc_exchange *exchange);
/* A stream that is not ended shows to the client as broken off. */
PARKS enum tc_err tc_exchange_stream_end(struct tc_cx *cx, struct tc_exchange *exchange);

#endif
