/*
 * Which calls of the audit are meant: the same words in the body of a page, of figures,
 * and in the query of an export.
 */
#ifndef TC_API_AUDIT_FILTER_H
#define TC_API_AUDIT_FILTER_H

#include "api/api.h"
#include "api/schemas.h"
#include "ports/store_audit.h"

/* Unix milliseconds or ISO 8601 */
#define TC_AUDIT_FILTER_TIME "{\"type\":[\"integer\",\"string\"]}"
#define TC_AUDIT_FILTER_OUTCOME "{\"enum\":[\"ok\",\"error\",\"refused\",\"unknown\",\"open\"]}"
#define TC_AUDIT_FILTER_STATE "{\"enum\":[\"intent\",\"done\",\"unknown\"]}"
#define TC_AUDIT_FILTER_SURFACE "{\"enum\":[\"mcp\",\"rest\",\"cli\",\"ui\",\"run\"]}"
/* Schema of `filters`. */
#define TC_AUDIT_FILTER_INPUT                                                                                          \
    TC_API_CLOSED("", "\"agent\":" TC_API_STRING ",\"toolId\":" TC_API_STRING ",\"toolset\":" TC_API_STRING            \
                      ",\"server\":" TC_API_STRING ",\"state\":" TC_AUDIT_FILTER_STATE                                 \
                      ",\"outcome\":" TC_AUDIT_FILTER_OUTCOME ",\"surface\":" TC_AUDIT_FILTER_SURFACE                  \
                      ",\"principalId\":" TC_API_STRING ",\"errorCode\":" TC_API_STRING ",\"run\":" TC_API_STRING      \
                      ",\"callId\":" TC_API_STRING ",\"isError\":" TC_API_BOOLEAN ",\"repaired\":" TC_API_BOOLEAN      \
                      ",\"from\":" TC_AUDIT_FILTER_TIME ",\"to\":" TC_AUDIT_FILTER_TIME ",\"after\":" TC_API_STRING)
/* The same as rows of parameters. */
#define TC_AUDIT_FILTER_QUERY                                                                                          \
    {"agent", false, "Calls of this agent", NULL}, {"toolId", false, "Calls of this tool", NULL},                      \
        {"toolset", false, "Calls of this toolset's tools", NULL},                                                     \
        {"server", false, "Calls of this server's tools; its name or UUID", NULL},                                     \
        {"state", false, "Calls in this state", TC_AUDIT_FILTER_STATE},                                                \
        {"outcome", false, "Calls that ended so", TC_AUDIT_FILTER_OUTCOME},                                            \
        {"surface", false, "Calls that came this way", TC_AUDIT_FILTER_SURFACE},                                       \
        {"principalId", false, "Calls of this caller", NULL},                                                          \
        {"errorCode", false, "Calls whose error begins with this", NULL}, {"run", false, "Calls of this run", NULL},   \
        {"callId", false, "Calls with this id of the caller's", NULL},                                                 \
        {"isError", false, "Calls that failed or were refused", TC_API_BOOLEAN},                                       \
        {"repaired", false, "Calls whose arguments were repaired", TC_API_BOOLEAN},                                    \
        {"from", false, "Calls at this time or later: Unix milliseconds or ISO 8601", TC_AUDIT_FILTER_TIME},           \
        {"to", false, "Calls before this time", TC_AUDIT_FILTER_TIME},                                                 \
        {"after", false, "Calls with a greater id than this", NULL}

/* Of the object, or of the query where it is NULL. Texts stay as long as the call.
 * TC_E_HTTP_BAD_REQUEST with the field at fault. */
PARKS enum tc_err tc_audit_filter_read(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *object,
                                       struct tc_store_audit_filter *ret_filter);
/* A time as a filter has it: a number or ISO text; 0 when it is absent. */
enum tc_err tc_audit_filter_time(struct tc_cx *cx, const struct tc_json *value, const char *field, int64_t *ret_ms);
/* The span of figures: from and to of the body, else what *from and *to are, else the last
 * 24 hours; 0 is none. The port says whether it is one. */
enum tc_err tc_audit_filter_span(struct tc_cx *cx, const struct tc_api_call *call, int64_t *from, int64_t *to);

const char *tc_audit_outcome_name(enum tc_audit_outcome outcome);

#endif
