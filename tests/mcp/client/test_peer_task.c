#include "support/mcp.h"
#include "support/staged.h"

#include <stdio.h>

#define STATUS(STATUS_NAME, MORE)                                                                                      \
    "{\"resultType\":\"complete\",\"taskId\":\"t-1\",\"status\":\"" STATUS_NAME                                        \
    "\",\"createdAt\":\"x\",\"lastUpdatedAt\":\"x\",\"ttlMs\":null,\"pollIntervalMs\":100" MORE "}"
#define BEGUN                                                                                                          \
    STAGED_RESULT("tools/call", "{\"resultType\":\"task\",\"taskId\":\"t-1\",\"status\":\"working\",\"createdAt\":"    \
                                "\"x\",\"lastUpdatedAt\":\"x\",\"ttlMs\":null,\"pollIntervalMs\":100}")
#define CORE_TASKS "\"tools\":{},\"tasks\":{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}"
#define CORE_TOOL                                                                                                      \
    STAGED_RESULT("tools/list", "{\"tools\":[{\"name\":\"slow\",\"inputSchema\":{\"type\":\"object\"},\"execution\":"  \
                                "{\"taskSupport\":\"required\"}}]}")
#define CORE_STATUS(METHOD, STATUS_NAME)                                                                               \
    STAGED_RESULT(METHOD, "{\"taskId\":\"c-1\",\"status\":\"" STATUS_NAME                                              \
                          "\",\"createdAt\":\"x\",\"lastUpdatedAt\":\"x\",\"ttl\":null,\"pollInterval\":100}")
#define CORE_BEGUN                                                                                                     \
    STAGED_RESULT("tools/call", "{\"task\":{\"taskId\":\"c-1\",\"status\":\"working\",\"createdAt\":\"x\","            \
                                "\"lastUpdatedAt\":\"x\",\"ttl\":null,\"pollInterval\":100}}")

#define OPEN(staged, headers, ...)                                                                                     \
    static const struct staged_answer answers[] = {__VA_ARGS__};                                                       \
    staged_open(cx, staged, answers, sizeof answers / sizeof answers[0], headers)

struct calling {
    struct staged *staged;
    struct test_caller *caller;
    int64_t timeout_ms;
    enum tc_outcome outcome;
    char text[200], message[200];
    bool done;
};

static void call_in_task(struct tc_cx *cx, void *arg)
{
    struct calling *calling = arg;
    struct tc_source_reply reply = staged_call(cx, calling->staged, "slow", "{}",
                                               calling->caller ? &calling->caller->base : NULL, calling->timeout_ms);

    calling->outcome = reply.outcome;
    snprintf(calling->text, sizeof calling->text, "%.*s", TC_STR_ARG(test_mcp_text(&reply)));
    snprintf(calling->message, sizeof calling->message, "%.*s", TC_STR_ARG(reply.message));
    calling->done = true;
}

/* Calls, lets that much time pass, and says what came of it. */
static struct calling call_for(struct tc_cx *cx, struct staged *staged, struct test_caller *caller, int64_t ms)
{
    struct calling calling = {.staged = staged, .caller = caller, .timeout_ms = 60000};
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &calling);
    staged_pass(cx, ms);
    if (!calling.done)
        tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    return calling;
}

static void waits_for_its_end(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct calling calling;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"tools\":{}"), BEGUN, STAGED_RESULT("tasks/get", STATUS("working", "")),
         STAGED_RESULT("tasks/get",
                       STATUS("completed", ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}")));
    calling = call_for(cx, &staged, NULL, 1000);
    expect_int(calling.outcome, TC_OUTCOME_RESULT);
    expect_text(tc_str_of(calling.text), "done");
    expect_int(memory_link_count(&staged.link, "Mcp-Method: tasks/get\nMcp-Name: t-1\n"), 2);
    expect(memory_link_has_sent(&staged.link, "\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t-1\",\"_meta\":"));
    expect_int(memory_link_count(&staged.link, "tasks/cancel"), 0);
    staged_close(cx, &staged);
}

void test_peer_task__waits_for_the_end_of_a_task(void **state)
{
    (void)state;
    test_task_run_virtual(waits_for_its_end, NULL);
}

#define ASKS                                                                                                           \
    STATUS("input_required", ",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":{\"message\":"   \
                             "\"?\"}}}")

static void answers_once(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct test_caller caller;
    struct calling calling;
    (void)arg;

    test_caller_init(&caller, TC_ABILITY_FORM);
    caller.answer = "{\"action\":\"decline\"}";
    OPEN(&staged, false, STAGED_MODERN("\"tools\":{}"), BEGUN, STAGED_RESULT("tasks/get", ASKS),
         STAGED_RESULT("tasks/get", ASKS), STAGED_RESULT("tasks/update", "{\"resultType\":\"complete\"}"),
         STAGED_RESULT("tasks/get", STATUS("completed", ",\"result\":{\"content\":[]}")));
    calling = call_for(cx, &staged, &caller, 2000);
    expect_int(calling.outcome, TC_OUTCOME_RESULT);
    expect_int(caller.asked, 1); /* though it was wished for twice */
    expect_int(memory_link_count(&staged.link, "\"method\":\"tasks/update\""), 1);
    expect(memory_link_has_sent(&staged.link,
                                "\"method\":\"tasks/update\",\"params\":{\"taskId\":\"t-1\",\"inputResponses\":{\"k\":"
                                "{\"action\":\"decline\"}},\"_meta\":"));
    staged_close(cx, &staged);
}

void test_peer_task__answers_each_wish_once(void **state)
{
    (void)state;
    test_task_run_virtual(answers_once, NULL);
}

static void other_ends(struct tc_cx *cx, void *arg)
{
    static const struct {
        struct staged_answer status;
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {STAGED_RESULT("tasks/get", STATUS("failed", ",\"error\":{\"code\":-32603,\"message\":\"broken\"}")),
         TC_OUTCOME_SERVER_ERROR, "broken"},
        {STAGED_RESULT("tasks/get", STATUS("cancelled", ",\"statusMessage\":\"by hand\"")), TC_OUTCOME_SERVER_ERROR,
         "The server cancelled the task. by hand"},
        {STAGED_RESULT("tasks/get", STATUS("completed", "")), TC_OUTCOME_UNSUPPORTED,
         "The task of the server has ended without a result."},
        {STAGED_RESULT("tasks/get", STATUS("dancing", "")), TC_OUTCOME_UNKNOWN,
         "The task of the server has the unknown status \"dancing\"."},
        {STAGED_ERROR("tasks/get", "-32602"), TC_OUTCOME_UNKNOWN,
         "The server answered tasks/get with error -32602: no"},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct staged_answer answers[] = {STAGED_MODERN(""), BEGUN, rows[i].status};
        struct staged staged;
        struct calling calling;

        staged_open(cx, &staged, answers, 3, false);
        calling = call_for(cx, &staged, NULL, 500);
        expect_int(calling.outcome, rows[i].outcome);
        expect_text(tc_str_of(calling.message), rows[i].message);
        /* what is not known to have ended is to end */
        expect_int(memory_link_count(&staged.link, "tasks/cancel"), rows[i].outcome == TC_OUTCOME_UNKNOWN);
        staged_close(cx, &staged);
    }
}

void test_peer_task__tells_its_ends_apart(void **state)
{
    (void)state;
    test_task_run_virtual(other_ends, NULL);
}

static void is_cancelled(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct calling calling;
    (void)arg;

    OPEN(&staged, false, STAGED_MODERN(""), BEGUN, STAGED_RESULT("tasks/get", STATUS("working", "")),
         STAGED_RESULT("tasks/cancel", "{\"resultType\":\"complete\"}"));
    calling = call_for(cx, &staged, NULL, 1000);
    expect_int(calling.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(tc_str_of(calling.message), "The call was cancelled before the task of the server ended.");
    expect_int(memory_link_count(&staged.link, "\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t-1\""), 1);
    calling = call_for(cx, &staged, NULL, 70000); /* its time is up */
    expect_int(calling.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(tc_str_of(calling.message), "The task of the server did not end in time.");
    expect_int(memory_link_count(&staged.link, "\"method\":\"tasks/cancel\""), 2);
    staged_close(cx, &staged);
}

void test_peer_task__passes_a_cancellation_on(void **state)
{
    (void)state;
    test_task_run_virtual(is_cancelled, NULL);
}

/* --- core tasks --- */

static void core_task(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct test_caller caller;
    struct calling calling;
    (void)arg;

    test_caller_init(&caller, 0);
    OPEN(&staged, false, STAGED_LEGACY(CORE_TASKS), CORE_TOOL, CORE_BEGUN,
         {"tasks/get", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":4,"
                       "\"progress\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"taskId\":\"c-1\",\"status\":"
                       "\"working\",\"createdAt\":\"x\",\"lastUpdatedAt\":\"x\",\"ttl\":null,\"pollInterval\":100}}"},
         CORE_STATUS("tasks/get", "completed"),
         STAGED_RESULT("tasks/result", "{\"content\":[{\"type\":\"text\",\"text\":\"late\"}]}"));
    calling = call_for(cx, &staged, &caller, 1000);
    expect_int(calling.outcome, TC_OUTCOME_RESULT);
    expect_text(tc_str_of(calling.text), "late");
    expect_text(tc_str_of(caller.text), "[1/ ]"); /* the token outlives the first answer */
    expect(memory_link_has_sent(&staged.link,
                                "\"params\":{\"name\":\"slow\",\"arguments\":{},\"task\":{\"ttl\":60000},\"_meta\":"
                                "{\"progressToken\":4}}}"));
    expect(memory_link_has_sent(&staged.link, "\"method\":\"tasks/result\",\"params\":{\"taskId\":\"c-1\"}}"));
    staged_close(cx, &staged);
}

void test_peer_task__fetches_the_result_of_a_core_task(void **state)
{
    (void)state;
    test_task_run_virtual(core_task, NULL);
}

static void core_ends(struct tc_cx *cx, void *arg)
{
    static const struct {
        struct staged_answer status, result;
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {CORE_STATUS("tasks/get", "failed"), STAGED_ERROR("tasks/result", "-32603"), TC_OUTCOME_SERVER_ERROR, "no"},
        {CORE_STATUS("tasks/get", "input_required"), STAGED_RESULT("tasks/result", "{\"content\":[]}"),
         TC_OUTCOME_RESULT, ""},
        {CORE_STATUS("tasks/get", "cancelled"), STAGED_ERROR("tasks/result", "-1"), TC_OUTCOME_SERVER_ERROR,
         "The server cancelled the task. "},
        {CORE_STATUS("tasks/get", "completed"),
         {"tasks/result", NULL},
         TC_OUTCOME_UNKNOWN,
         "The call was cancelled before the task of the server ended."},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct staged_answer answers[] = {
            STAGED_LEGACY(CORE_TASKS),          CORE_TOOL, CORE_BEGUN, rows[i].status, rows[i].result,
            STAGED_RESULT("tasks/cancel", "{}")};
        struct staged staged;
        struct calling calling;

        staged_open(cx, &staged, answers, sizeof answers / sizeof answers[0], false);
        calling = call_for(cx, &staged, NULL, 500);
        expect_int(calling.outcome, rows[i].outcome);
        expect_text(tc_str_of(calling.message), rows[i].message);
        staged_close(cx, &staged);
    }
}

void test_peer_task__tells_the_ends_of_core_tasks_apart(void **state)
{
    (void)state;
    test_task_run_virtual(core_ends, NULL);
}

static void core_question(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct test_caller callers[2];
    struct calling callings[2];
    struct tc_task_group group;
    (void)arg;

    OPEN(&staged, false, STAGED_LEGACY(CORE_TASKS), CORE_TOOL, CORE_BEGUN, CORE_STATUS("tasks/get", "input_required"),
         {"tools/call", NULL},
         {"tasks/result", "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":"
                          "\"?\",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"c-1\"}}}}"});
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 2; i++) {
        test_caller_init(&callers[i], TC_ABILITY_FORM);
        callers[i].answer = "{\"action\":\"decline\"}";
        callings[i] = (struct calling){.staged = &staged, .caller = &callers[i], .timeout_ms = 60000};
        tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &callings[i]);
    }
    staged_pass(cx, 500);
    expect_int(callers[0].asked, 1); /* two calls run, but it names the task */
    expect_int(callers[1].asked, 0);
    expect(memory_link_has_sent(&staged.link, "\"id\":\"q\",\"result\":{\"action\":\"decline\"}"));
    tc_task_group_cancel(&group, TC_E_CANCELED);
    staged_pass(cx, 5000);
    tc_task_join(cx, &group);
    staged_close(cx, &staged);
}

void test_peer_task__knows_whose_question_it_is_by_the_task(void **state)
{
    (void)state;
    test_task_run_virtual(core_question, NULL);
}
