/*
 * Totals of all that the runtime has, for those who watch it. They are counted once after
 * a change, however many watch, and at most every TC_OVERVIEW_EVERY_MS.
 */
#ifndef TC_RUNTIME_OVERVIEW_H
#define TC_RUNTIME_OVERVIEW_H

#include "runtime/approvals.h"
#include "runtime/pulse.h"
#include "runtime/runs.h"
#include "runtime/servers.h"

enum { TC_OVERVIEW_EVERY_MS = 250 };

struct tc_overview {
    uint64_t revisions[TC_PULSE_KINDS];
    uint64_t beats;    /* of the pulse when it was made */
    int64_t made_us;   /* 0: never */
    size_t tools, toolsets, agents, channels, tokens;
    struct tc_approvals_counts approvals;
    struct tc_servers_counts servers;
    struct tc_runs_counts runs;
};

/* As it is now; borrowed until the next parking call. */
const struct tc_overview *tc_overview_get(struct tc_cx *cx, struct tc_runtime *runtime);
/* Waits for a change after the overview with *at beats, at most timeout_ms (TC_E_TIMEOUT,
 * TC_E_SHUTDOWN), and until the last one is old enough. */
PARKS enum tc_err tc_overview_next(struct tc_cx *cx, struct tc_runtime *runtime, uint64_t *at, int64_t timeout_ms,
                                   const struct tc_overview **ret_overview);

#endif
