/*
 * What an HTTP server sends, pure: bytes in, messages out. A body is either one
 * JSON text or a stream of events, each of which holds a text; a text is a message
 * or, in the revision that has them, a batch.
 *
 * Each text is parsed into a document of its own; who keeps something of a message
 * takes a reference. One text has a maximum, their number has none: who reads
 * bounds the time.
 */
#ifndef TC_MCP_CLIENT_INBOX_H
#define TC_MCP_CLIENT_INBOX_H

#include "http/sse.h"
#include "mcp/codec/rpc.h"

enum { TC_INBOX_SHOWN_MAX = 200 }; /* bytes kept of a text that was no message */

struct tc_inbox_message {
    struct tc_rpc rpc;     /* no batch; TC_RPC_INVALID only with a result or error in it */
    struct tc_json_doc *doc;
    bool suspect;          /* strings may need cleaning (codec/clean.h) */
};

struct tc_inbox_events {
    /* Must not park and not end the inbox. */
    void (*message)(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message);
    /* An event of another type than "message"; NULL: passed over. */
    void (*other)(void *arg, struct tc_cx *cx, const struct tc_sse_event *event);
    void *arg;
};

struct tc_inbox {
    struct tc_inbox_events events;
    bool streams;            /* events; else one text */
    size_t max;
    struct tc_sse sse;
    struct tc_buf body;      /* of one text */
    struct tc_arena arena;   /* for the message at hand */
    const char *fault;       /* why nothing more can be read: a clause without subject; else NULL */
    const char *trouble;     /* of the last text that was meant for a message, but is none; else NULL */
    size_t texts, messages, skipped;
    char shown[TC_INBOX_SHOWN_MAX]; /* the head of the last text that was skipped */
    size_t shown_n;
};

/* max: bytes of one text. */
void tc_inbox_init(struct tc_inbox *inbox, bool streams, size_t max, const struct tc_inbox_events *events);
void tc_inbox_finish(struct tc_inbox *inbox);
/* False when nothing more can be read: there is a fault. */
bool tc_inbox_feed(struct tc_cx *cx, struct tc_inbox *inbox, struct tc_str data);
/* The body has come to its regular end. */
void tc_inbox_end(struct tc_cx *cx, struct tc_inbox *inbox);

/* Of a stream: the id to go on from, empty when there is none, borrowed; and how
 * long the server wants a reader to wait before that, or -1. */
struct tc_str tc_inbox_last_id(const struct tc_inbox *inbox);
int64_t tc_inbox_retry_ms(const struct tc_inbox *inbox);

#endif
