/*
 * The run that a call is part of, as a tool sees it: what publishes its work and ends
 * it. NULL (tc_call_run) outside of a run.
 */
#ifndef TOOLCRIB_RUN_H
#define TOOLCRIB_RUN_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_run_service;

/* The body of what a run of a chat writes: published where no other file is named. */
#define TC_RUN_BODY "output/main.md"

struct tc_run_commit {
    struct tc_str path;   /* normalised, of a file that is there */
    bool append;          /* to what was published before, else instead of it */
    struct tc_str reason; /* may be empty */
};
/* Publishes the file: who waits for the run confirms it, where somebody does.
 * TC_E_AGENT_COMMIT_REJECTED with what was said against it. */
PARKS enum tc_err tc_run_commit(struct tc_cx *cx, struct tc_run_service *run, const struct tc_run_commit *commit);
/* Whether the run may end here. TC_E_AGENT_COMMIT_REQUIRED: nothing is published yet
 * where that is due. */
enum tc_err tc_run_may_finish(struct tc_cx *cx, const struct tc_run_service *run);
/* Whether a call of this turn has failed already. */
bool tc_run_has_failed_call(const struct tc_run_service *run);
/* Whether it is a task that returns to the agent which gave it. */
bool tc_run_is_task(const struct tc_run_service *run);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
