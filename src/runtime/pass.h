/*
 * A client's request that is handed to a server: prompts/get, resources/read and
 * their like. What it was and what became of it is recorded as a row of the audit,
 * under the name of its method, without a tool.
 */
#ifndef TC_RUNTIME_PASS_H
#define TC_RUNTIME_PASS_H

#include "runtime/pipeline.h"

struct tc_pass {
    struct tc_str uuid;             /* of the server */
    const char *method;
    const struct tc_json *params;   /* for the server */
    const struct tc_json *asked;    /* for the record: params as the client sent them, without _meta */
    const struct tc_json *meta;     /* to hand on, or NULL */
};
/* *ret_result is what the server answered. An error of the server is TC_E_RPC_PARAMS
 * where it blames the params, one of tc_reply_needs where it needs something of the
 * caller, else TC_E_MCP_SERVER_ERROR; otherwise TC_E_MCP_NOT_SENT or
 * TC_E_MCP_OUTCOME_UNKNOWN. *ret_code: the JSON-RPC code of an error, or 0. */
PARKS enum tc_err tc_pass_request(struct tc_cx *cx, struct tc_runtime *runtime,
                                  const struct tc_invocation *invocation, const struct tc_pass *pass,
                                  const struct tc_json **ret_result, int *ret_code);

#endif
