/*
 * Requests of clients of the metadata era that can be asked. Such a request runs in
 * a task of its own. When it asks, its client gets a result that says what is
 * needed and a state; the task goes on waiting ("parked"), and the client's retry,
 * which carries state and answers, is joined to it. Nothing is done twice.
 *
 * The state is a random handle, another one each time, that belongs to one token,
 * agent, method and params; any other use of it is refused.
 */
#ifndef TC_MCP_SERVER_PARKED_H
#define TC_MCP_SERVER_PARKED_H

#include "mcp/server/dialog.h"
#include "mcp/server/feed.h"

struct tc_parking { /* all of an endpoint */
    struct tc_loop *loop;
    struct tc_task_group tasks;
    struct tc_map by_state; /* → struct tc_parked: those that run */
    struct tc_map by_job;   /* → struct tc_parked: those that are jobs, and may have ended */
};

void tc_parking_init(struct tc_parking *parking, struct tc_loop *loop);
/* Those that wait for a client end; what a client waits for goes on. */
void tc_parking_close(struct tc_parking *parking);
/* Cancels all and waits for them. */
PARKS void tc_parking_finish(struct tc_cx *cx, struct tc_parking *parking);

/* A request that may come to ask, or is the retry of one that has. */
bool tc_parked_wanted(const struct tc_dialog *dialog, const struct tc_rpc *request);

struct tc_parked_request {
    const struct tc_dialog *dialog; /* of the metadata era; header fields are settled */
    const struct tc_rpc *rpc;
    struct tc_json_doc *doc;        /* of the message; kept as long as it takes */
    bool events;                    /* the client takes them */
    bool job;                       /* it is to be one at once */
};
/* Starts it, or joins it to the one whose state it carries. The reference on the
 * feed of what comes is the caller's. Fails with TC_E_MCP_STATE for a state that
 * is not this request's, TC_E_RPC_PARAMS for a malformed retry. */
enum tc_err tc_parked_begin(struct tc_cx *cx, struct tc_parking *parking, const struct tc_parked_request *request,
                            struct tc_feed **ret_feed);
/* The client of that feed is gone: what ran for it is cancelled. */
void tc_parked_abandon(struct tc_parking *parking, const struct tc_feed *feed);

#endif
