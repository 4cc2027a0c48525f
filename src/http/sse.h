/*
 * Server-sent events (WHATWG HTML, 9.2): an incremental reader and the writing
 * of events. Pure: bytes in, events out. Lines end in LF, CR or CR LF, a byte
 * order mark at the start is passed over, an event has a maximum size.
 */
#ifndef TC_HTTP_SSE_H
#define TC_HTTP_SSE_H

#include "toolcrib/buf.h"

struct tc_sse_event {
    struct tc_str type; /* empty means "message" */
    struct tc_str data; /* lines joined by LF */
    struct tc_str id;   /* reader: the last id seen on the stream; writer: left out when p is NULL */
    int64_t retry_ms;   /* reader: the last wish of the stream, -1 when none; writer: left out when negative */
};

enum tc_sse_status {
    TC_SSE_MORE,     /* the input is used up */
    TC_SSE_EVENT,    /* an event; feed on */
    TC_SSE_TOO_LARGE /* over the maximum, or no memory: the stream cannot be read on */
};

struct tc_sse {
    struct tc_buf line, type, data, id, next_id;
    int64_t retry_ms;
    bool cr, dispatched, has_data, too_large;
    uint8_t mark; /* bytes of a byte order mark seen; past 3 the start is over */
};

/* max: bytes of one line, and of the data of one event. */
void tc_sse_init(struct tc_sse *sse, size_t max);
void tc_sse_finish(struct tc_sse *sse);
/* Takes from the front of *in. The event is borrowed until the next call. What
 * the stream leaves unfinished at its end is no event. */
enum tc_sse_status tc_sse_feed(struct tc_sse *sse, struct tc_str *in, struct tc_sse_event *ret_event);

/* Appends one event. A type or id that holds a line end, or an id with
 * NUL, is left out. */
void tc_sse_write(struct tc_buf *to, const struct tc_sse_event *event);
/* Appends a comment, which keeps idle connections open; text has one line. */
void tc_sse_comment(struct tc_buf *to, struct tc_str text);

#endif
