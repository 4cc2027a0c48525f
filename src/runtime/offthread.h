/*
 * Work on a pool thread that allocates and fails like any other code: it gets a
 * call context with an arena of its own, which then belongs to the task's
 * arena, so that results and error texts need no copy.
 */
#ifndef TC_RUNTIME_OFFTHREAD_H
#define TC_RUNTIME_OFFTHREAD_H

#include "io/task.h"

/* On the pool: no parking, nothing of the loop, the system's clock. */
typedef enum tc_err tc_offthread_fn(struct tc_cx *cx, void *arg);

/* Runs fn(own context, arg), waits for its end and returns what it returned, its
 * error recorded in cx. What fn allocates lives as long as cx->arena. A task that
 * was cancelled before gets the reason, and fn does not run. */
PARKS enum tc_err tc_offthread_run(struct tc_cx *cx, tc_offthread_fn *fn, void *arg);

#endif
