/*
 * Making a run: a new one from a request, or one that goes on from its row.
 */
#ifndef TC_RUNTIME_RUN_START_H
#define TC_RUNTIME_RUN_START_H

#include "runtime/run_frame.h"

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
                                     struct tc_str id, const struct tc_run_again *how, struct tc_run **ret_run);
/* One that is over, only to look at, in one of its frames: its tape is not claimed, nothing
 * is stored, and it has no window yet. The frame has to last as long as it. */
struct tc_run_seen {
    const struct tc_run_row *row;
    const struct tc_run_frame *frame;
};
PARKS enum tc_err tc_run_start_look(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                                    const struct tc_run_seen *seen, struct tc_run **ret_run);
/* It will not run after all: the failure in cx is why. */
PARKS void tc_run_start_undo(struct tc_cx *cx, struct tc_run *run);

#endif
