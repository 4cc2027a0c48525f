/*
 * A push parser for HTTP/1.x requests: bytes in, events out. Pure: no socket,
 * no clock, no task.
 *
 * The head is collected and scanned byte for byte, then read twice: by llhttp
 * and by the strict rules here, and both must agree. Refused beyond llhttp: bare
 * CR or LF, folded lines, control characters, more or less than one blank in the
 * request line, Host other than once, any second Content-Length, it beside
 * Transfer-Encoding, an encoding other than chunked or in HTTP/1.0. What is
 * accepted does not depend on how the bytes were cut. A head that is byte for byte the
 * former one of the connection, as clients that call and call again send it, is not read
 * again: what it says is known.
 *
 * Lifetime: init, feed until DONE or BAD, reset for the next request on the
 * same connection, finish. The request is valid from HEAD until reset.
 */
#ifndef TC_HTTP_REQPARSE_H
#define TC_HTTP_REQPARSE_H

#include "http/chunked.h"
#include "http/request.h"
#include "toolcrib/buf.h"
#include "toolcrib/err.h"

struct tc_reqparse_limits {
    size_t head_bytes;   /* request line and header section */
    size_t headers;      /* fields */
    size_t target_bytes;
    uint64_t body_bytes;
};

/* 64 KiB, 100, 8 KiB, 4 MiB. */
extern const struct tc_reqparse_limits tc_reqparse_limits_default;

enum tc_reqparse_event {
    TC_REQPARSE_MORE, /* the input is used up */
    TC_REQPARSE_HEAD, /* request is there; feed on */
    TC_REQPARSE_BODY, /* *ret_body is the next piece, borrowed from the input; feed on */
    TC_REQPARSE_DONE, /* what is left of the input belongs to the next request */
    TC_REQPARSE_BAD   /* code and message tell why; nothing more can be read here */
};

struct tc_reqparse {
    struct tc_request request;
    enum tc_err code;    /* after BAD: TC_E_HTTP_BAD_REQUEST, _TARGET, _TOO_LARGE, _HEADER_TOO_LARGE, TC_E_NO_MEMORY */
    const char *message; /* after BAD, a literal */

    /* private */
    const struct tc_reqparse_limits *limits;
    struct tc_buf head;
    size_t former;             /* bytes of the last head: still in `head`, and what `request` speaks of; 0: none */
    struct tc_header *headers; /* cap of them */
    struct tc_chunked chunked;
    uint64_t left, body_n; /* of a body with a length; read so far */
    uint32_t cap, lines, line_n;
    uint8_t state;
    bool cr, skipped; /* the last byte was CR; an empty line before the request was passed over */
};

/* limits must outlive it. Takes no memory yet. */
void tc_reqparse_init(struct tc_reqparse *parser, const struct tc_reqparse_limits *limits);
void tc_reqparse_finish(struct tc_reqparse *parser);
/* Ready for the next request; keeps its memory. */
void tc_reqparse_reset(struct tc_reqparse *parser);
/* Gives memory back while nothing of a request has been read. */
void tc_reqparse_trim(struct tc_reqparse *parser);

/* Takes from the front of *in. After DONE and BAD it must be reset first. */
enum tc_reqparse_event tc_reqparse_feed(struct tc_reqparse *parser, struct tc_str *in, struct tc_str *ret_body);
/* Some of a request has been read, but not all. */
bool tc_reqparse_started(const struct tc_reqparse *parser);

#endif
