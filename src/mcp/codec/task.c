/*
 * Reading of task objects.
 */
#include "mcp/codec/task.h"

#include "base/utf8.h"

enum { ID_MAX = 1024, SHOWN_CHARS = 40 };

static const char *const statuses[] = {[TC_MCP_TASK_WORKING] = "working",
                                       [TC_MCP_TASK_INPUT] = "input_required",
                                       [TC_MCP_TASK_COMPLETED] = "completed",
                                       [TC_MCP_TASK_FAILED] = "failed",
                                       [TC_MCP_TASK_CANCELLED] = "cancelled"};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

static const struct tc_json *either(const struct tc_json *task, const char *a, const char *b)
{
    const struct tc_json *v = tc_json_get_c(task, a);

    return v ? v : tc_json_get_c(task, b);
}

enum tc_err tc_mcp_task_read(struct tc_cx *cx, const struct tc_json *task, struct tc_mcp_task *ret_task)
{
    const struct tc_json *id = tc_json_get_c(task, "taskId"), *status = tc_json_get_c(task, "status");
    struct tc_mcp_task read = {.id = tc_json_str(id)};
    int at = 0;

    if (!tc_json_is(id, TC_JSON_STRING) || read.id.n == 0 || read.id.n > ID_MAX)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The task of the server has no usable taskId.");
    while (at < STATUSES && !(tc_json_is(status, TC_JSON_STRING) && tc_str_is(tc_json_str(status), statuses[at])))
        at++;
    if (at == STATUSES)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The task of the server has the unknown status \"%.*s\".",
                       TC_STR_ARG(tc_utf8_head(tc_json_str(status), SHOWN_CHARS)));
    read.status = (enum tc_mcp_task_status)at;
    if (tc_json_is(tc_json_get_c(task, "statusMessage"), TC_JSON_STRING))
        read.message = tc_json_str(tc_json_get_c(task, "statusMessage"));
    if (!tc_json_int(either(task, "pollIntervalMs", "pollInterval"), &read.poll_ms) || read.poll_ms < 0)
        read.poll_ms = 0;
    read.requests = tc_json_get_c(task, "inputRequests");
    read.result = tc_json_get_c(task, "result");
    read.error = tc_json_get_c(task, "error");
    *ret_task = read;
    return TC_OK;
}
