/*
 * clarify, workspace.commit, workspace.finish and task.return outside of a run: each says
 * what is missing, and does nothing. What they do in one is tested with the runs.
 */
#include "support/workspace.h"

static void alone(struct tc_cx *cx, struct test_workspace *t)
{
    expect_code(test_tool(cx, t, "clarify", "{\"question\":\"Which?\"}"), TC_E_CLARIFY_UNAVAILABLE);
    expect_code(test_tool(cx, t, "clarify", "{\"question\":\"  \"}"), TC_E_TOOL_INVALID_ARGUMENTS);
    expect_code(test_tool(cx, t, "workspace.commit", "{}"), TC_E_TOOL_EXECUTOR_UNAVAILABLE);
    expect_code(test_tool(cx, t, "workspace.finish", "{}"), TC_E_TOOL_EXECUTOR_UNAVAILABLE);
    expect_code(test_tool(cx, t, "task.return", "{\"summary\":\"Done.\"}"), TC_E_AGENT_TASK_RETURN_DENIED);
}

void test_clarify__what_steers_a_run_needs_one(void **state)
{
    (void)state;
    test_workspace_run(NULL, alone);
}
