/*
 * The calls of one model turn: put in order, run, and their results put on the tape in
 * the order of the calls. One bad call never voids its siblings.
 */
#ifndef TC_RUNTIME_TURN_CALLS_H
#define TC_RUNTIME_TURN_CALLS_H

#include "runtime/run_impl.h"

struct tc_turn_call {
    struct tc_run *run;
    const struct tc_turn *contract;
    const struct tc_item *item;
    struct tc_str id;                /* here and on the tape */
    const struct tc_view_tool *tool; /* NULL: not of the snapshot */
    const struct tc_json *wire;      /* as the pipeline gets it; NULL: absent */
    const struct tc_json *object;    /* as the model wrote it; NULL: what it wrote is no object */
    struct tc_error refusal;         /* code TC_OK: none */
    bool parallel;                   /* may run beside its neighbours */
    const struct tc_json *counted;   /* arguments that the guard has looked at; NULL: none */

    /* what came of it */
    bool settled;                    /* there is a result */
    enum tc_err fault;               /* for the run, when there is none */
    struct tc_call_result result;
    struct tc_str text;              /* for the model */
};

/* The calls of the reply in its order, in cx->arena. */
enum tc_err tc_turn_calls_prepare(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply,
                                  struct tc_turn_call **ret_calls, size_t *ret_n);
/* The call as it is kept in the assistant's message. */
void tc_turn_call_write(struct tc_jsonw *w, const struct tc_turn_call *call);
/* Runs them. An outcome that is not known is TC_E_MCP_OUTCOME_UNKNOWN, for the run. */
PARKS enum tc_err tc_turn_calls_run(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *calls, size_t n);

/* Puts results out to files until those of the turn fit results.turnChars (turn_budget.c). */
PARKS enum tc_err tc_turn_budget(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *calls, size_t n);
/* Tells of the body of a chat's run when the turn changed it (turn_candidate.c). */
PARKS enum tc_err tc_turn_candidate(struct tc_cx *cx, struct tc_run *run, const struct tc_turn_call *calls, size_t n);
/* The entry of a result on the tape, in cx->arena; p NULL without memory. */
struct tc_str tc_turn_result_entry(struct tc_cx *cx, const struct tc_turn_call *call, struct tc_str name);

#endif
