/*
 * A feed: messages in order on their way to one client, written as server-sent
 * events by whoever has its HTTP exchange at the moment. A kept feed belongs to a
 * session: its events carry ids, "<stream>-<message>", and what was written stays
 * for a while, so that a client whose connection broke can go on where it was.
 *
 * Reference counted. Bounded: what a client does not take is dropped, but for
 * messages that must arrive.
 */
#ifndef TC_MCP_SERVER_FEED_H
#define TC_MCP_SERVER_FEED_H

#include "http/exchange.h"

struct tc_feed_message;

struct tc_feed {
    size_t refs;
    uint32_t number;                  /* in its session, from 1; 0: not kept */
    struct tc_feed *next;             /* of its session */
    struct tc_feed_message *first, *last;
    struct tc_feed_message *unsent; /* the first that was not written */
    uint64_t seq;                     /* of the last message */
    size_t bytes;
    unsigned readers;                 /* how often somebody took it over: the last one writes it */
    int status;                       /* HTTP status, where its only message is a whole answer */
    bool closed;                      /* nothing more comes */
    bool primes;                      /* its client knows events without data */
    struct tc_event wake;             /* something was pushed, or it was closed or taken over */
};

enum { TC_FEED_ID_MAX = 48 };

enum tc_err tc_feed_create(struct tc_cx *cx, uint32_t number, struct tc_feed **ret_feed);
struct tc_feed *tc_feed_ref(struct tc_feed *feed);
void tc_feed_unref(struct tc_feed *feed); /* NULL is fine */

enum tc_feed_need { TC_FEED_MAY, TC_FEED_ONCE, TC_FEED_MUST };
/* Appends a copy of a message. May: dropped when the client is behind; once: not
 * while the same text waits already; must: arrives or fails. False when it was
 * dropped or there was no memory. */
bool tc_feed_push(struct tc_feed *feed, struct tc_str message, enum tc_feed_need need);
void tc_feed_close(struct tc_feed *feed);
/* Whether a message waits to be written. */
bool tc_feed_pending(const struct tc_feed *feed);

/* Parts of an event id. */
bool tc_feed_parse_id(struct tc_str id, uint32_t *ret_number, uint64_t *ret_seq);
/* What came after that message is written again. */
void tc_feed_rewind(struct tc_feed *feed, uint64_t seq);

/* --- writing; the exchange is the caller's --- */

/* The caller becomes the one that writes the feed; an older writer ends. */
unsigned tc_feed_take(struct tc_feed *feed);
/* Begins the answer. session: its id for the head, or empty. */
PARKS enum tc_err tc_feed_begin(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed,
                                struct tc_str session);
/* Writes what waits, then waits for more; a quiet client gets a comment.
 * TC_E_CLOSED when another one took the stream over. */
PARKS enum tc_err tc_feed_step(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed,
                               unsigned reader);
/* Writes the stream until it is closed, then ends the answer. A client that can
 * come back is sent away after some minutes: connections that live long get lost. */
PARKS enum tc_err tc_feed_run(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed,
                              unsigned reader);
/* The same from the start: as one JSON body when the feed has a single message and
 * is closed, else as events if the client takes them. */
PARKS enum tc_err tc_feed_answer(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed, bool events);

#endif
