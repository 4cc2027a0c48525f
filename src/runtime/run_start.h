/*
 * Making a run: a new one from a request, or one that goes on from its row.
 */
#ifndef TC_RUNTIME_RUN_START_H
#define TC_RUNTIME_RUN_START_H

#include "runtime/run_impl.h"

/* Prepared, its tape claimed and its row stored; its task does not run yet. */
PARKS enum tc_err tc_run_start_new(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                                   const struct tc_run_request *request, struct tc_run **ret_run);
/* How it goes on. */
struct tc_run_again {
    bool accept_unknown; /* calls of unknown outcome do not keep it */
    struct tc_str text;  /* of a revision, which is asked for; p NULL: none */
};
/* The same for a run that is over. TC_E_RUN_NOT_FOUND, _COMPLETED, _ACTIVE, _UNKNOWN_OUTCOME. */
PARKS enum tc_err tc_run_start_again(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                                     struct tc_str id, const struct tc_run_again *again, struct tc_run **ret_run);
/* One that is over, only to look at: its tape is not claimed, nothing is stored, and it
 * has neither window nor prompt yet. */
PARKS enum tc_err tc_run_start_look(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                                    const struct tc_run_row *row, struct tc_run **ret_run);
/* It will not run after all: the failure in cx is why. */
PARKS void tc_run_start_undo(struct tc_cx *cx, struct tc_run *run);

#endif
