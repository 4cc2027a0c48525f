/*
 * What the journal of a run tells of its executions so far: what a resumption counts on
 * with, and what an interruption left open. The journal is written before things happen,
 * so a killed process leaves it whole; a row says how a run stood when it last changed.
 */
#ifndef TC_RUNTIME_RUN_PAST_H
#define TC_RUNTIME_RUN_PAST_H

#include "base/map.h"
#include "runtime/run_impl.h"

struct tc_run_past {
    struct tc_str invocation;  /* the last one */
    int64_t entry;             /* the last one of the tape when that invocation began */
    struct tc_str text;        /* what a revision asks for; p NULL: that invocation is none */
    int64_t steps;             /* model turns of the run */
    int64_t before;            /* those before that invocation */
    struct tc_usage usage;     /* of the run */
    bool committed;            /* in that invocation */
    struct tc_map calls;       /* ids of calls that were requested and have not ended */
    struct tc_map questions;   /* ids of questions that were asked and are not answered */
};

/* Strings in cx->arena; to be finished also when this fails. */
PARKS enum tc_err tc_run_past_read(struct tc_cx *cx, struct tc_store *store, struct tc_str run,
                                   struct tc_run_past *ret_past);
void tc_run_past_finish(struct tc_run_past *past);

#endif
