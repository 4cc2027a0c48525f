/*
 * Checks of input_required.
 */
#include "mcp/codec/input.h"

#include "base/utf8.h"

enum { SHOWN_CHARS = 40 };

enum tc_mcp_result_type tc_mcp_result_type(const struct tc_json *result, const struct tc_mcp_revision *revision)
{
    const struct tc_json *type = tc_json_get_c(result, "resultType");
    struct tc_str name = tc_json_str(type);

    if (!tc_mcp_revision_has(revision, TC_MCP_INPUT_REQUIRED) || !type || tc_json_is(type, TC_JSON_NULL))
        return TC_MCP_RESULT_COMPLETE;
    if (tc_json_is(type, TC_JSON_STRING) && tc_str_is(name, "complete"))
        return TC_MCP_RESULT_COMPLETE;
    if (tc_json_is(type, TC_JSON_STRING) && tc_str_is(name, "input_required"))
        return TC_MCP_RESULT_INPUT;
    if (tc_json_is(type, TC_JSON_STRING) && tc_str_is(name, "task"))
        return TC_MCP_RESULT_TASK;
    return TC_MCP_RESULT_OTHER;
}

static bool is_askable(struct tc_str method)
{
    return tc_str_is(method, "elicitation/create") || tc_str_is(method, "sampling/createMessage") ||
           tc_str_is(method, "roots/list");
}

enum tc_err tc_mcp_input_check(struct tc_cx *cx, const struct tc_json *requests)
{
    struct tc_json_iter it;
    const struct tc_json *request, *method, *params;
    struct tc_str key;

    if (!tc_json_is(requests, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "inputRequests of the result is no object.");
    if (tc_json_count(requests) > TC_MCP_INPUTS_MAX)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server asks for more than %d inputs at once.",
                       TC_MCP_INPUTS_MAX);
    for (it = tc_json_iter(requests); tc_json_next(&it, &key, &request);) {
        method = tc_json_get_c(request, "method");
        params = tc_json_get_c(request, "params");
        if (!tc_json_is(method, TC_JSON_STRING) || !is_askable(tc_json_str(method)))
            return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE,
                           "The server asks for \"%.*s\", which nobody is asked for.",
                           TC_STR_ARG(tc_utf8_head(tc_json_str(method), SHOWN_CHARS)));
        if (params && !tc_json_is(params, TC_JSON_OBJECT))
            return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE,
                           "The server asks for %.*s with params that are no object.", TC_STR_ARG(tc_json_str(method)));
    }
    return TC_OK;
}

enum tc_err tc_mcp_input_read(struct tc_cx *cx, const struct tc_json *result, struct tc_mcp_input *ret_input)
{
    struct tc_mcp_input input = {.requests = tc_json_get_c(result, "inputRequests"),
                                 .state = tc_json_get_c(result, "requestState")};
    enum tc_err code = TC_OK;

    if (tc_json_is(input.requests, TC_JSON_NULL))
        input.requests = NULL;
    if (input.state && !tc_json_is(input.state, TC_JSON_STRING))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "requestState of the result is no string.");
    if (!input.requests && !input.state)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server requires input and does not say which.");
    if (input.requests)
        code = tc_mcp_input_check(cx, input.requests);
    if (code == TC_OK)
        *ret_input = input;
    return code;
}
