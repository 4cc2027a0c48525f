/*
 * The parts of a run in memory, in the order in which they are made: each needs those
 * before it.
 */
#ifndef TC_RUNTIME_RUN_PARTS_H
#define TC_RUNTIME_RUN_PARTS_H

#include "runtime/run_frame.h"

/* With copies of the request; tc_run_unref gives it back. */
enum tc_err tc_run_parts_create(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_run_request *request,
                                struct tc_run **ret_run);
/* Agent, model, the pinned view and what the provider is sent of it. */
PARKS enum tc_err tc_run_parts_tools(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers);
/* The same of a run that goes on: snapshot and prompt are the frame's, the model that of
 * its row as the channel has it now. */
PARKS enum tc_err tc_run_parts_again(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                                     const struct tc_run_row *row, const struct tc_run_frame *frame);
/* The same to look at: all is the frame's, whose arena has to last as long as the run. */
PARKS enum tc_err tc_run_parts_look(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                                    const struct tc_run_frame *frame);
/* By whom its calls are made, and where they work. Needs the row. */
enum tc_err tc_run_parts_invocation(struct tc_cx *cx, struct tc_run *run);
/* The window of its tape. */
PARKS enum tc_err tc_run_parts_tape(struct tc_cx *cx, struct tc_run *run);
/* The prompt of an invocation that begins with this window. */
enum tc_err tc_run_parts_prompt(struct tc_cx *cx, struct tc_run *run);

#endif
