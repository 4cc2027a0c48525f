#include "support/mcp.h"
#include "support/staged.h"

#include "base/mem.h"

/* A list, a call of two rounds, one that becomes a task, a subscription. */
static const struct staged_answer modern[] = {
    STAGED_MODERN("\"tools\":{\"listChanged\":true},\"resources\":{}"),
    STAGED_RESULT("tools/list",
                  "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"properties\":{\"a\":{\"type\":"
                  "\"string\",\"x-mcp-header\":\"A\"}}}},{\"name\":\"b\",\"inputSchema\":{\"x-mcp-header\":"
                  "\"B\"}}]}"),
    STAGED_RESULT("tools/call", "{\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":"
                                "\"elicitation/create\",\"params\":{}}},\"requestState\":\"s\"}"),
    STAGED_RESULT("tools/call",
                  "{\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\",\"pollIntervalMs\":50}"),
    STAGED_RESULT("tasks/get", "{\"taskId\":\"t\",\"status\":\"completed\",\"result\":{\"content\":[]}}"),
    {"subscriptions/listen", NULL},
};
static const struct staged_answer legacy[] = {
    STAGED_LEGACY("\"tools\":{},\"resources\":{},\"logging\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}"),
    STAGED_RESULT("tools/list", "{\"tools\":[{\"name\":\"t\",\"execution\":{\"taskSupport\":\"required\"}}]}"),
    {"tools/call", "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{}}\n"
                   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
                   "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"task\":{\"taskId\":\"t\",\"status\":\"working\","
                   "\"pollInterval\":50}}}"},
    STAGED_RESULT("tasks/get", "{\"taskId\":\"t\",\"status\":\"completed\"}"),
    STAGED_RESULT("tasks/result", "{\"content\":[]}"),
    STAGED_RESULT("resources/subscribe", "{}"),
    STAGED_RESULT("logging/setLevel", "{}"),
};

struct torture {
    const struct staged_answer *answers;
    size_t n, nth;
    bool through, done;
    enum tc_outcome outcome;
};

static void use_peer(struct tc_cx *cx, void *arg)
{
    struct torture *torture = arg;
    struct staged staged = {.answers = torture->answers, .n = torture->n};
    struct tc_peer_options options = {
        .loop = tc_task_loop(cx), .dial = memory_link_dial, .dial_arg = &staged.link, .start_ms = 2000};
    struct tc_source_call call = {.tool = TC_STR("t"), .timeout_ms = 2000};
    struct tc_source_request request = {.method = "resources/subscribe", .timeout_ms = 2000};
    struct tc_source_reply reply = {.outcome = TC_OUTCOME_UNKNOWN};
    struct test_caller caller;

    test_caller_init(&caller, TC_ABILITY_FORM);
    caller.answer = "{\"action\":\"decline\"}";
    caller.base.log_level = TC_STR("warning");
    call.caller = &caller.base;
    call.arguments = test_mcp_json(cx, "{\"a\":\"\\u00fc\"}");
    request.params = test_mcp_json(cx, "{\"uri\":\"x://1\"}");
    staged_prepare(&staged, options.loop, true);
    tc_mem_fail_at(torture->nth, false);
    if (tc_peer_open(cx, &options, &staged.peer) == TC_OK) {
        tc_peer_call(cx, staged.peer, &call, &reply);
        tc_peer_request(cx, staged.peer, &request, &reply);
        torture->outcome = tc_peer_call(cx, staged.peer, &call, &reply) == TC_OK ? reply.outcome : TC_OUTCOME_NOT_SENT;
    }
    torture->through = tc_mem_count() < torture->nth;
    tc_mem_fail_at(0, false);
    if (staged.peer)
        staged_close(cx, &staged);
    else
        memory_link_finish(&staged.link);
    torture->done = true;
}

static void torture_peer(struct tc_cx *cx, void *arg)
{
    struct torture torture = *(struct torture *)arg;

    if (!tc_mem_fail_at(0, false)) {
        print_message("not run: built without TC_FAULTS\n");
        return;
    }
    for (torture.nth = 1; torture.nth < 3000 && !torture.through; torture.nth++) {
        torture.done = false;
        tc_task_spawn(cx, tc_task_loop(cx), NULL, "use", use_peer, &torture);
        while (!torture.done)
            staged_pass(cx, 100);
    }
    expect(torture.through);
    expect_int(torture.outcome, TC_OUTCOME_RESULT);
}

void test_peer_memory__survives_every_failed_allocation_without_handshake(void **state)
{
    struct torture torture = {.answers = modern, .n = sizeof modern / sizeof modern[0]};
    (void)state;

    test_task_run_virtual(torture_peer, &torture);
}

void test_peer_memory__survives_every_failed_allocation_with_a_handshake(void **state)
{
    struct torture torture = {.answers = legacy, .n = sizeof legacy / sizeof legacy[0]};
    (void)state;

    test_task_run_virtual(torture_peer, &torture);
}
