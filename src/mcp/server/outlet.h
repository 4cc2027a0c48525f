/*
 * The way back of one request: to its client go progress, log messages and
 * questions, and at last the answer. As long as nothing comes up before the answer
 * that is one JSON body, and costs nothing; with the first message it becomes an
 * event feed, which a task beside the request's own writes.
 */
#ifndef TC_MCP_SERVER_OUTLET_H
#define TC_MCP_SERVER_OUTLET_H

#include "mcp/server/session.h"
#include "ports/caller.h"

enum { TC_OUTLET_ANSWER_MAX = 256 * 1024 * 1024 };

struct tc_outlet {
    struct tc_caller caller;       /* what the request's call is given */
    struct tc_outlet *prev, *next; /* in a list, see tc_outlets_tend */
    struct tc_loop *loop;
    struct tc_exchange *exchange;  /* NULL: the stream is written by somebody else */
    bool streams;                  /* its client takes events */
    struct tc_session *session;    /* NULL: none, its stream is not kept */
    struct tc_feed *feed;          /* NULL until something came up */
    struct tc_str token;           /* progress token as JSON text; empty: none */
    const struct tc_mcp_revision *revision;
    int log_level;                 /* the least to be passed on */
    struct tc_task_group writers;
    int64_t since_us;
};

/* Requests that are under way, so that one that takes long becomes a stream before
 * somebody on the way loses patience. */
struct tc_outlets {
    struct tc_outlet *first;
};

struct tc_outlet_options {
    struct tc_loop *loop;
    struct tc_exchange *exchange;
    bool streams;
    struct tc_feed *feed;
    struct tc_session *session;
    const struct tc_envelope *envelope;
    struct tc_str token;
};
/* Puts it into the list; NULL: none, and the feed is a given one, not to be closed. */
void tc_outlet_init(struct tc_outlet *outlet, struct tc_outlets *outlets, const struct tc_outlet_options *options,
                    int64_t now_us);
/* Makes it a stream if it is none. False without memory. Does not park. */
bool tc_outlet_open(struct tc_outlet *outlet);
/* Gives the answer and takes the outlet out of the list. Empty: there is none, the
 * request was cancelled. */
PARKS void tc_outlet_close(struct tc_cx *cx, struct tc_outlet *outlet, struct tc_outlets *outlets, int status,
                           struct tc_str answer);
/* Turns those into streams that have been under way for some seconds. */
void tc_outlets_tend(struct tc_outlets *outlets, int64_t now_us);

/* Notifications of a call, to any stream. */
void tc_outlet_write_progress(struct tc_outlet *outlet, struct tc_str progress, struct tc_str total,
                              struct tc_str message);
void tc_outlet_write_log(struct tc_outlet *outlet, struct tc_str level, struct tc_str logger,
                         const struct tc_json *data);

#endif
