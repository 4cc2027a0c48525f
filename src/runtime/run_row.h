/*
 * A run and its row in the store.
 */
#ifndef TC_RUNTIME_RUN_ROW_H
#define TC_RUNTIME_RUN_ROW_H

#include "runtime/run_impl.h"

/* TC_E_RUN_NOT_FOUND. */
PARKS enum tc_err tc_run_row_get(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                                 struct tc_run_row *ret_row);
/* What it was asked; in cx->arena. */
enum tc_err tc_run_row_request(struct tc_cx *cx, const struct tc_run_row *row, struct tc_run_request *ret);
/* The name of its workspace below <data>/workspaces; p is NULL without memory. */
struct tc_str tc_run_row_workspace(struct tc_arena *arena, const struct tc_run_row *row,
                                   const struct tc_run_request *request);
/* Fills the row of a new run on that tape. */
enum tc_err tc_run_row_new(struct tc_cx *cx, struct tc_run *run, struct tc_str tape);
/* Takes a stored row over, and what of it holds for this execution. */
enum tc_err tc_run_row_copy(struct tc_cx *cx, struct tc_run *run, const struct tc_run_row *row);

#endif
