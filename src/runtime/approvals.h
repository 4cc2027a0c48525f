/*
 * Approvals (spec 10): a call to a tool of permission `ask` waits here until
 * somebody says what becomes of it. No answer is no.
 *
 * A question is one row of the store from the moment it is asked; the store
 * decides which answer came first. In memory is only who waits. What is approved
 * is a keyed hash of ToolId, canonical arguments and definition.
 *
 * Choices: `once` this call; `run` this tool, with this definition, until the run
 * ends (a request of a client is a run of its own); `always` writes the permission
 * where the operator would, see tc_approvals_lasting; `no`, with a comment that the
 * model reads.
 */
#ifndef TC_RUNTIME_APPROVALS_H
#define TC_RUNTIME_APPROVALS_H

#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "runtime/pipeline.h"

struct tc_approvals;

enum { TC_APPROVALS_MAX = 4096 /* that wait at a time */, TC_APPROVALS_COMMENT_MAX = 2000 /* characters */ };

enum tc_err tc_approvals_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_approvals **ret_approvals);
void tc_approvals_destroy(struct tc_approvals *approvals); /* nobody waits; NULL is fine */

/* What a former process left waiting becomes expired, and its call's row says so. To
 * be called before the calls that were left open are closed. */
PARKS enum tc_err tc_approvals_expire_left(struct tc_cx *cx, struct tc_store *store);

/* --- the call --- */

struct tc_approvals_question {
    const struct tc_invocation *invocation;
    const struct tc_descriptor *tool;
    const struct tc_json *arguments; /* as they would run: hashed, never stored */
    struct tc_audit_row *row;        /* of the call, canonical arguments included */
    bool *recorded;                  /* whether the row is in the store */
};

/* Waits for the answer. The call's row is stored as an intent before anybody can answer,
 * and with the answer before the call can leave; row->approval says what there is to
 * say. TC_OK: it may run. TC_E_APPROVAL_DENIED, _EXPIRED; _UNAVAILABLE when no channel
 * of the agent can bring an answer; what ended the task, with the question withdrawn. */
PARKS enum tc_err tc_approvals_ask(struct tc_cx *cx, struct tc_approvals *approvals,
                                   const struct tc_approvals_question *question);
/* Is the tool still the one that was approved? TC_E_APPROVAL_STALE. */
enum tc_err tc_approvals_holds(struct tc_cx *cx, const struct tc_approvals *approvals,
                               const struct tc_descriptor *tool);
/* What was approved for this run ends with it. */
void tc_approvals_end_run(struct tc_approvals *approvals, struct tc_str run);

/* --- the answer --- */

struct tc_approvals_answer {
    struct tc_str id;
    struct tc_str choice;  /* once, run, always, no */
    struct tc_str comment; /* cut at TC_APPROVALS_COMMENT_MAX */
    struct tc_str channel; /* operator, caller, elicitation */
    const struct tc_principal *principal;
};

/* TC_E_APPROVAL_NOT_FOUND; _CLOSED when it is answered or over; _CHANNEL when the agent
 * does not take answers that way, or a caller is not the one who called; _CHOICE. A
 * permission that could not be written for `always` fails, and the call runs. */
PARKS enum tc_err tc_approvals_answer(struct tc_cx *cx, struct tc_approvals *approvals,
                                      const struct tc_approvals_answer *answer, struct tc_approval_row *ret_row);

/* --- watching --- */

/* Waits until a question is new or settled after *at, at most timeout_ms, and says which:
 * its id in the arena, empty when some were missed. *at begins as tc_approvals_now. */
PARKS enum tc_err tc_approvals_next(struct tc_cx *cx, struct tc_approvals *approvals, uint64_t *at, int64_t timeout_ms,
                                    struct tc_str *ret_id);
uint64_t tc_approvals_now(const struct tc_approvals *approvals);

struct tc_approvals_counts { /* since the start, but waiting */
    size_t waiting;
    int64_t oldest; /* when the one was asked that waits longest; 0: none waits */
    uint64_t asked, approved, denied, expired, withdrawn;
};
struct tc_approvals_counts tc_approvals_counts(const struct tc_approvals *approvals);

/* --- always (approvals_lasting.c) --- */

/* Whether `always` can be written for this tool: not where a glob of the agent asks, as
 * that stands for other tools too. */
bool tc_approvals_can_last(const struct tc_agent *agent, struct tc_str tool_id);
/* Allows the tool where its permission says ask: the agent's tools.permissions entry of
 * that ToolId, and, for a tool of a server, settings.tools.<name>.permission there. */
PARKS enum tc_err tc_approvals_lasting(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                                       struct tc_str tool_id);

#endif
