/*
 * POST /admin/run/stats.
 */
#ifndef TC_API_RUN_STATS_H
#define TC_API_RUN_STATS_H

#include "api/audit_filter.h"

#define TC_RUN_STATS_INPUT                                                                                             \
    TC_API_CLOSED("", "\"from\":" TC_AUDIT_FILTER_TIME ",\"to\":" TC_AUDIT_FILTER_TIME                                 \
                      ",\"by\":{\"enum\":[null,\"agent\"]},"                                                           \
                      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":20000}")

PARKS enum tc_err tc_run_stats(struct tc_cx *cx, struct tc_api_call *call);

#endif
