/*
 * Tasks: work that a server answers later. Two wires, one meaning: the core tasks
 * of revision 2025-11-25 and the extension io.modelcontextprotocol/tasks.
 */
#ifndef TC_MCP_CODEC_TASK_H
#define TC_MCP_CODEC_TASK_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum tc_mcp_task_status {
    TC_MCP_TASK_WORKING,
    TC_MCP_TASK_INPUT, /* input_required */
    TC_MCP_TASK_COMPLETED,
    TC_MCP_TASK_FAILED,
    TC_MCP_TASK_CANCELLED
};

struct tc_mcp_task {
    struct tc_str id;
    enum tc_mcp_task_status status;
    struct tc_str message; /* statusMessage, or empty */
    int64_t poll_ms; /* what the server suggests; 0: nothing */
    const struct tc_json *requests; /* inputRequests, checked by the reader of inputs; extension only */
    const struct tc_json *result; /* extension only */
    const struct tc_json *error; /* extension only */
};
/* Reads a task object. TC_E_MCP_UNSUPPORTED_RESPONSE with the reason. */
enum tc_err tc_mcp_task_read(struct tc_cx *cx, const struct tc_json *task, struct tc_mcp_task *ret_task);

#endif
