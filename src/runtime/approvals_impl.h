/*
 * What the files of approvals share. Private to approvals*.c.
 */
#ifndef TC_RUNTIME_APPROVALS_IMPL_H
#define TC_RUNTIME_APPROVALS_IMPL_H

#include "runtime/approvals.h"

/* One call that waits; in the frame of its task. */
struct tc_approvals_waiting {
    struct tc_approvals *owner;
    const struct tc_approvals_question *question;
    struct tc_agent *agent;       /* as it is when it is asked; a reference */
    struct tc_approval_row row;   /* as it was asked */
    unsigned open;                /* tc_agent_channel: by which an answer may still come */
    struct tc_event settled;      /* answered, or no channel is open */
    struct tc_task_group asking;  /* the elicitation */
};

/* --- approvals_row.c --- */

/* By which of the agent's channels an answer to this invocation can come. */
unsigned tc_approvals_channels(const struct tc_agent *agent, const struct tc_invocation *invocation);
/* Fills in the row of a question, but for its id. key: of the digest. */
enum tc_err tc_approvals_row(struct tc_cx *cx, struct tc_approvals_waiting *waiting, struct tc_str key);
/* {id, state, choice?, comment?, channel?, by?, askedAt, answeredAt?}: what a call's row keeps. */
enum tc_err tc_approvals_text(struct tc_cx *cx, const struct tc_approval_row *row, struct tc_str *ret_json);
/* Whether that word is one of a list with commas. */
bool tc_approvals_lists(struct tc_str words, struct tc_str word);

/* --- approvals_elicit.c --- */

/* Puts the question to the caller beside; its answer comes like any other. Without
 * memory that channel is closed. */
void tc_approvals_elicit(struct tc_cx *cx, struct tc_approvals_waiting *waiting);
/* No answer will come by these channels. */
void tc_approvals_give_up(struct tc_approvals_waiting *waiting, unsigned channels);

#endif
