/*
 * A link without a transport: each message that a peer sends is noted and handed
 * to a server in the test, whose lines come back in order. Time is the loop's.
 */
#ifndef TESTS_SUPPORT_MEMORY_LINK_H
#define TESTS_SUPPORT_MEMORY_LINK_H

#include "mcp/client/link.h"
#include "mcp/client/pending.h"

struct memory_link {
    struct tc_link base; /* ops copied, so that takes_headers can be chosen */
    struct tc_link_ops ops;
    struct tc_loop *loop;
    struct tc_link_events events;
    /* May say lines (memory_link_say), of which the answer to the message may be
     * one; must not park. */
    void (*serve)(struct memory_link *link, const struct tc_rpc *message, void *arg);
    void *arg;
    struct tc_error refusal; /* why nothing is sent any more; code TC_OK: it is */
    bool no_wait; /* a request that is not answered at once has timed out */
    struct tc_pendings pendings;
    struct tc_buf sent; /* all messages, one a line, each after its header fields as "Name: value" */
    struct tc_buf said; /* lines on their way to the peer */
    bool telling, over;
    struct tc_link_status status; /* what is said of it, but for in_flight */
    unsigned refs;
};

/* In the caller's memory. */
void memory_link_init(struct memory_link *link, struct tc_loop *loop);
void memory_link_finish(struct memory_link *link);
/* A tc_peer_dial whose argument is the link. */
enum tc_err memory_link_dial(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                             struct tc_link **ret_link);
/* A line to the peer; "$ID" is the id of the message that is being served. */
void memory_link_say(struct memory_link *link, const char *line);
void memory_link_say_str(struct memory_link *link, struct tc_str line);
/* Delivers what was said outside of serve. */
void memory_link_tell(struct tc_cx *cx, struct memory_link *link);
bool memory_link_has_sent(const struct memory_link *link, const char *part);
int memory_link_count(const struct memory_link *link, const char *part);

#endif
