#include "support/crib.h"

#include "io/loop.h"
#include "mcp/server/jobs.h"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

#define TASKS "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"

static int ask(struct tc_cx *cx, struct test_crib *crib, const char *method, const char *subject, const char *members,
               const char *capabilities, struct tc_str *ret)
{
    struct tc_str body = tc_arena_printf(cx->arena,
                                         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s,"
                                         "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                                         "\"io.modelcontextprotocol/clientCapabilities\":%s}}}",
                                         method, members, capabilities),
                  head = tc_arena_printf(cx->arena,
                                         "POST /mcp\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s%s%s",
                                         method, subject ? "\r\nMcp-Name: " : "", subject ? subject : "");

    return test_crib_ask(cx, crib, head.p, body.p, NULL, ret);
}

static enum tc_err one_question(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    struct tc_question question = {.key = TC_STR("sure"), .method = TC_STR("elicitation/create"),
                                   .params = test_crib_json(cx, "{\"message\":\"Sure?\"}")};
    enum tc_err e = tc_caller_ask(cx, caller, &question, 1);

    (void)crib;
    return e;
}

enum { LONG_MS = TC_JOBS_PATIENCE_MS + 150 };

/* Asks when its client has stopped waiting. */
static enum tc_err late_question(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    enum tc_err e = tc_task_sleep(cx, LONG_MS);

    return e ? e : one_question(cx, crib, caller);
}

/* Asks at once, and works when that is answered. */
static enum tc_err long_answer(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    enum tc_err e = one_question(cx, crib, caller);

    return e ? e : tc_task_sleep(cx, LONG_MS);
}

static const char *id_of(struct tc_cx *cx, struct tc_str answer)
{
    size_t at = tc_str_find(answer, TC_STR("\"taskId\":\""));

    expect(at != SIZE_MAX);
    return at == SIZE_MAX ? "" : tc_arena_printf(cx->arena, "%.32s", answer.p + at + 10).p;
}

/* A call that takes long becomes a task; its id, when that has asked. */
static const char *begin(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = late_question;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(ask(cx, crib, "tools/call", "s__one", "\"name\":\"s__one\"", TASKS, &answer), 200);
    expect(holds(answer, "\"resultType\":\"task\""));
    expect(holds(answer, "\"status\":\"working\""));
    expect(holds(answer, "\"ttlMs\":"));
    expect_int(tc_task_sleep(cx, LONG_MS - TC_JOBS_PATIENCE_MS + 50), TC_OK);
    return id_of(cx, answer);
}

static const char *with_id(struct tc_cx *cx, const char *id, const char *more)
{
    return tc_arena_printf(cx->arena, "\"taskId\":\"%s\"%s", id, more).p;
}

static void polled(struct tc_cx *cx, struct test_crib *crib)
{
    const char *id = begin(cx, crib);
    struct tc_str answer, mine = crib->token;

    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "\"status\":\"input_required\""));
    expect(holds(answer, "\"inputRequests\":{\"sure\":{\"method\":\"elicitation/create\""));
    expect(holds(answer, "\"resultType\":\"complete\""));
    /* not without the extension, not another's, not under another name */
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), "{}", &answer), 400);
    expect(holds(answer, "-32021"));
    expect(holds(answer, "\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"));
    expect_int(ask(cx, crib, "tasks/get", "other", with_id(cx, id, ""), TASKS, &answer), 400);
    expect(holds(answer, "-32020"));
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "-32602"));
    crib->token = mine;
    expect_int(ask(cx, crib, "tasks/update", id, with_id(cx, id, ",\"inputResponses\":{\"none\":{}}"), TASKS, &answer),
               200);
    expect_int(ask(cx, crib, "tasks/update", id,
                   with_id(cx, id, ",\"inputResponses\":{\"sure\":{\"action\":\"accept\"}}"), TASKS, &answer),
               200);
    test_crib_settle(cx);
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "\"status\":\"completed\""));
    expect(holds(answer, "\"result\":{\"resultType\":\"complete\",\"content\":["));
    expect(!holds(answer, "inputRequests"));
    expect_int(ask(cx, crib, "tasks/cancel", id, with_id(cx, id, ""), TASKS, &answer), 200); /* changes nothing */
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "\"status\":\"completed\""));
    expect_int(crib->up.calls, 1);
}

void test_jobs__a_client_polls_for_what_it_does_not_wait_for(void **state)
{
    (void)state;
    test_crib_run(polled, NULL);
}

static void cancelled(struct tc_cx *cx, struct test_crib *crib)
{
    const char *id = begin(cx, crib);
    struct tc_audit_row *rows;
    struct tc_str answer;

    expect_int(ask(cx, crib, "tasks/cancel", id, with_id(cx, id, ""), TASKS, &answer), 200);
    test_crib_settle(cx);
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "\"status\":\"cancelled\""));
    expect(!holds(answer, "\"result\":{\"resultType\":\"complete\",\"content\""));
    expect_int(test_crib_rows(cx, crib, &rows), 1);
    expect_text(rows[0].state, "unknown"); /* it had left */
}

void test_jobs__cancelling_ends_the_call(void **state)
{
    (void)state;
    test_crib_run(cancelled, NULL);
}

/* What a call asks first is asked as ever; what it then does may take long. */
static void composed(struct tc_cx *cx, struct test_crib *crib)
{
    static const char call[] = "\"name\":\"s__one\"";
    const char *retry, *id;
    struct tc_str answer;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = long_answer;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(ask(cx, crib, "tools/call", "s__one", call, TASKS, &answer), 200);
    expect(holds(answer, "\"resultType\":\"input_required\""));
    expect(!holds(answer, "taskId"));
    retry = tc_arena_printf(cx->arena,
                            "%s,\"inputResponses\":{\"sure\":{\"action\":\"accept\"}},\"requestState\":\"%.32s\"", call,
                            answer.p + tc_str_find(answer, TC_STR("\"requestState\":\"")) + 16).p;
    expect_int(ask(cx, crib, "tools/call", "s__one", retry, TASKS, &answer), 200);
    expect(holds(answer, "\"resultType\":\"task\""));
    expect(!holds(answer, "requestState"));
    id = id_of(cx, answer);
    expect_int(ask(cx, crib, "tools/call", "s__one", retry, TASKS, &answer), 400); /* nobody waits for a task */
    expect(holds(answer, "mcp.request_state_invalid"));
    expect_int(tc_task_sleep(cx, LONG_MS - TC_JOBS_PATIENCE_MS + 50), TC_OK);
    expect_int(ask(cx, crib, "tasks/get", id, with_id(cx, id, ""), TASKS, &answer), 200);
    expect(holds(answer, "\"status\":\"completed\""));
    expect_int(crib->up.calls, 1);
}

void test_jobs__a_call_that_asked_becomes_one_when_it_then_takes_long(void **state)
{
    (void)state;
    test_crib_run(composed, NULL);
}

#define CORE_CALL                                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\",\"arguments\":{},"       \
    "\"task\":{\"ttl\":1000}}}"

static void core(struct tc_cx *cx, struct test_crib *crib)
{
    static const char head[] = "POST /mcp\r\nMCP-Protocol-Version: 2025-11-25";
    const struct tc_json *tool;
    struct tc_json_iter tools;
    struct tc_str answer, id;
    size_t at, listed = 0;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(test_crib_ask(cx, crib, head, CORE_CALL, NULL, &answer), 200);
    expect(holds(answer, "\"result\":{\"task\":{\"taskId\":\""));
    expect(holds(answer, "\"ttl\":"));
    at = tc_str_find(answer, TC_STR("\"taskId\":\""));
    id = tc_str_n(answer.p + at + 10, 32);
    expect_int(test_crib_ask(cx, crib, head,
                             tc_arena_printf(cx->arena,
                                             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/result\",\"params\":{"
                                             "\"taskId\":\"%.*s\"}}",
                                             TC_STR_ARG(id)).p,
                             NULL, &answer),
               200);
    expect(holds(answer, "\"result\":{\"content\":["));
    expect(holds(answer, "\"io.modelcontextprotocol/related-task\":{\"taskId\":\""));
    expect_int(test_crib_ask(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tasks/list\"}", NULL, &answer),
               200);
    expect(holds(answer, "\"status\":\"completed\""));
    expect_int(test_crib_ask(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}", NULL, &answer),
               200);
    for (tools = tc_json_iter(tc_json_pointer(test_crib_json(cx, answer.p), TC_STR("/result/tools")));
         tc_json_next(&tools, NULL, &tool); listed++)
        expect_text(tc_json_str(tc_json_pointer(tool, TC_STR("/execution/taskSupport"))), "optional");
    expect(listed > 1);
    /* other revisions know none of it */
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nMCP-Protocol-Version: 2025-06-18",
                             "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}", NULL, &answer),
               200);
    expect(!holds(answer, "\"execution\""));
    expect_int(ask(cx, crib, "tools/list", NULL, "\"x\":1", TASKS, &answer), 200); /* there the server decides */
    expect(holds(answer, "\"inputSchema\""));
    expect(!holds(answer, "\"execution\""));
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nMCP-Protocol-Version: 2025-06-18", CORE_CALL, NULL, &answer), 200);
    expect(holds(answer, "\"content\":["));
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nMCP-Protocol-Version: 2025-06-18",
                             "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tasks/list\"}", NULL, &answer),
               200);
    expect(holds(answer, "-32601"));
}

void test_jobs__the_revision_with_tasks_in_its_core_has_them(void **state)
{
    (void)state;
    test_crib_run(core, NULL);
}

static void crowded(struct tc_cx *cx, struct test_crib *crib)
{
    static const char head[] = "POST /mcp\r\nMCP-Protocol-Version: 2025-11-25";
    struct tc_str answer = TC_STR("");
    int n = 0;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    for (int status = 200; n < 100 && status == 200; n += status == 200)
        status = test_crib_ask(cx, crib, head, CORE_CALL, NULL, &answer);
    expect_int(n, 64);
    expect(holds(answer, "too many tasks")); /* no result in place of the task that was asked for */
    expect_int(crib->up.calls, 64);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(test_crib_ask(cx, crib, head, CORE_CALL, NULL, &answer), 200); /* another's are no matter */
}

void test_jobs__are_counted_by_token(void **state)
{
    (void)state;
    test_crib_run(crowded, NULL);
}
