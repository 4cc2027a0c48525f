/*
 * POST /admin/audit/stats.
 */
#ifndef TC_API_AUDIT_STATS_H
#define TC_API_AUDIT_STATS_H

#include "api/audit_filter.h"

#define TC_AUDIT_STATS_INPUT                                                                                           \
    TC_API_CLOSED("", "\"from\":" TC_AUDIT_FILTER_TIME ",\"to\":" TC_AUDIT_FILTER_TIME                                 \
                      ",\"buckets\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":200},"                             \
                      "\"by\":{\"enum\":[null,\"tool\",\"agent\",\"server\",\"surface\"]},"                            \
                      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":20000},"                              \
                      "\"search\":" TC_API_STRING ",\"filters\":" TC_AUDIT_FILTER_INPUT)

PARKS enum tc_err tc_audit_stats(struct tc_cx *cx, struct tc_api_call *call);

#endif
