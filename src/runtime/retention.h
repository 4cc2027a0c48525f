/*
 * What goes from the store with time (spec 12, retention).
 */
#ifndef TC_RUNTIME_RETENTION_H
#define TC_RUNTIME_RETENTION_H

#include "runtime/runtime.h"

struct tc_retention {
    int64_t audit_days;   /* calls, changes, answered approvals, snapshots that no call names, definitions of tools
                           * that are gone */
    int64_t results_days; /* raw results */
    int64_t journal_days; /* ended runs with their events, tapes that only they had */
};

/* Removes what is older. The parts fail by themselves; the first fault is returned. */
PARKS enum tc_err tc_retention_run(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_retention *retention);

#endif
