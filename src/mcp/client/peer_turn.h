/*
 * A call or request of a caller while it lasts: one use of a peer, over all its
 * rounds, the polling of its task, and its questions.
 */
#ifndef TC_MCP_CLIENT_PEER_TURN_H
#define TC_MCP_CLIENT_PEER_TURN_H

#include "mcp/client/peer_state.h"

struct tc_peer_turn {
    struct tc_peer *peer;
    struct tc_peer_use use;
    const char *method;
    const struct tc_source_call *call; /* one of the two; the other is NULL */
    const struct tc_source_request *request;
    const struct tc_json *meta; /* of the caller, or NULL */
    int64_t timeout_ms, until_us; /* over everything */
    int64_t id; /* of the last request, of use as its progress token */
    int rounds; /* that were answered with a wish for input */
    struct tc_str responses; /* what goes with the next one: JSON text, or empty */
    const struct tc_json *state; /* … and the server's state, or NULL */
    bool as_task; /* a core task is wanted */
    bool relisted; /* tools were listed anew for it */
    struct tc_str *answered; /* keys of the task's wishes that were met */
    size_t answered_n;
};

/* Fills in the reply of a call that was answered by a task, once that has ended. */
PARKS
void tc_peer_await_task(struct tc_cx *cx, struct tc_peer_turn *turn, const struct tc_json *task,
                        struct tc_source_reply *reply);

int64_t tc_peer_turn_left_ms(const struct tc_peer_turn *turn);
/* Makes the reply of what cx->err says kept the server's wish from being met. */
void tc_peer_turn_fail(struct tc_cx *cx, struct tc_source_reply *reply);

/* Puts input requests to the caller of a turn; *ret_responses is an object as JSON
 * text in the arena. While a task runs those that were met before are left out, and
 * it is empty when none is new. Fails when one cannot be met, when the time is up, when there
 * were too many in all; a cancellation. */
PARKS
enum tc_err tc_peer_answer(struct tc_cx *cx, struct tc_peer_turn *turn, const struct tc_json *requests,
                           struct tc_str *ret_responses);

#endif
