/*
 * An answer that is a stream of events: it begins with the first word, and ends when
 * the handler returns. Nobody is there to be told of what fails after that.
 *
 * One that goes on for as long as its client wants is in a list meanwhile: it ends at
 * once when the token is revoked or the sign-in ended that asked for it.
 */
#ifndef TC_API_STREAM_H
#define TC_API_STREAM_H

#include "api/api.h"
#include "http/sse.h"

enum {
    TC_API_STREAM_IDLE_MS = 15 * 1000, /* without an event a comment keeps it open */
    TC_API_STREAMS_MAX = 64            /* that go on, of one token that is no agent's */
};

struct tc_api_stream;

/* All that go on. A zeroed struct is empty. */
struct tc_api_streams {
    struct tc_api_stream *first;
};

/* The head. */
PARKS enum tc_err tc_api_stream_begin(struct tc_cx *cx, struct tc_api_call *call);
PARKS enum tc_err tc_api_stream_send(struct tc_cx *cx, struct tc_api_call *call, const struct tc_sse_event *event);
/* A comment. */
PARKS enum tc_err tc_api_stream_idle(struct tc_cx *cx, struct tc_api_call *call);
/* The end, whatever ended it; the failure in cx is forgotten. */
PARKS void tc_api_stream_end(struct tc_cx *cx, struct tc_api_call *call);

/* Sends until there is no more, or something fails. */
typedef enum tc_err tc_api_stream_fn(struct tc_cx *cx, struct tc_api_call *call, void *arg);
/* One that goes on: begins it, lets fn send, ends it. TC_E_BUSY: its token has
 * TC_API_STREAMS_MAX of them already; those of the machine may have more. */
PARKS enum tc_err tc_api_stream_run(struct tc_cx *cx, struct tc_api_call *call, tc_api_stream_fn *fn, void *arg);
/* TC_E_AUTH_ENDED: what asked for it no longer holds. To be asked before each word. */
enum tc_err tc_api_stream_check(struct tc_cx *cx, const struct tc_api_call *call);
/* Ends those that were asked for with what no longer holds. */
void tc_api_streams_sweep(struct tc_api_streams *streams);

#endif
