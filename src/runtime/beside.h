/*
 * The calls of one message: one after another, but neighbours that may run beside each
 * other do, each in a task of its own, no more at once than one client may have under
 * way.
 */
#ifndef TC_RUNTIME_BESIDE_H
#define TC_RUNTIME_BESIDE_H

#include "runtime/pipeline.h"

struct tc_beside {
    struct tc_runtime *runtime;
    const char *name; /* of the tasks, a literal */
    /* Makes call i. cx ends with it where keep is another arena than cx->arena: what is to
     * last goes to keep. A fault lets nothing else begin. */
    PARKS enum tc_err (*call)(struct tc_cx *cx, void *arg, size_t i, struct tc_arena *keep);
    bool (*may)(void *arg, size_t i); /* may call i run beside its neighbours? */
    void *arg;
};

/* A call of this tool may: it changes nothing, or says that it bears it. */
bool tc_beside_bears(const struct tc_descriptor *tool);

/* Makes n calls, all or up to the first fault and those beside it, or until the task is
 * cancelled; the fault of the first of them that has one. Always waits for what it began. */
PARKS enum tc_err tc_beside_run(struct tc_cx *cx, const struct tc_beside *what, size_t n);

/* Moves to keep what a result has beside its content, which is left out. False: no memory. */
bool tc_beside_keep_result(struct tc_arena *keep, struct tc_call_result *result);

#endif
