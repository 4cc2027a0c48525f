/*
 * An answer that is a stream of events: it begins with the first word, and ends when
 * the handler returns. Nobody is there to be told of what fails after that.
 */
#ifndef TC_API_STREAM_H
#define TC_API_STREAM_H

#include "api/api.h"
#include "http/sse.h"

enum { TC_API_STREAM_IDLE_MS = 15 * 1000 }; /* without an event a comment keeps it open */

/* The head. */
PARKS enum tc_err tc_api_stream_begin(struct tc_cx *cx, struct tc_api_call *call);
PARKS enum tc_err tc_api_stream_send(struct tc_cx *cx, struct tc_api_call *call, const struct tc_sse_event *event);
/* A comment. */
PARKS enum tc_err tc_api_stream_idle(struct tc_cx *cx, struct tc_api_call *call);
/* The end, whatever ended it; the failure in cx is forgotten. */
PARKS void tc_api_stream_end(struct tc_cx *cx, struct tc_api_call *call);

#endif
