#include "support/mcp.h"

#include <stdio.h>

#define FORM TC_ABILITY_FORM
#define ASK(ID, METHOD, PARAMS)                                                                                        \
    "line {\"jsonrpc\":\"2.0\",\"id\":" ID ",\"method\":\"" METHOD "\",\"params\":" PARAMS "}\n"
#define ELICIT(ID) ASK(ID, "elicitation/create", "{\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\"}}")

static void open_with(struct tc_cx *cx, struct test_mcp *mcp, const char *script)
{
    test_mcp_init(cx, mcp);
    expect_int(test_mcp_open(cx, mcp, script), TC_OK);
}

/* --- the era of the handshake --- */

static void asks_the_caller(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    struct tc_source_reply reply;
    (void)arg;

    test_caller_init(&caller, FORM);
    caller.answer = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    open_with(cx, &mcp, "on tools/call\nhold\n" ELICIT("\"q\"") "on answer\nrelease");
    reply = test_mcp_call_as(cx, &mcp, &caller, "{\"a\":1}", 5000);
    expect_text(test_mcp_text(&reply), "{\"a\":1}");
    expect_text(tc_str_of(caller.text),
                "{elicitation/create {\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\"}}}");
    expect(test_mcp_received(cx, &mcp,
                             "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"action\":\"accept\",\"content\":"
                             "{\"name\":\"Ada\"}}}\n"));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__puts_a_question_to_the_caller_of_the_call(void **state)
{
    (void)state;
    test_task_run(asks_the_caller, NULL);
}

static void answers_for_who_cannot(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    (void)arg;

    test_caller_init(&caller, TC_ABILITY_ROOTS);
    caller.answer = "{\"roots\":[]}";
    open_with(cx, &mcp,
              "on tools/call\nhold\n" ELICIT("1") ASK("2", "sampling/createMessage", "{\"messages\":[]}")
                  ASK("3", "roots/list", "{}") ASK("4", "made/up", "{}") ASK("5", "ping", "{}") "sleep 50\nrelease");
    test_mcp_call_as(cx, &mcp, &caller, "{}", 5000);
    expect_int(caller.asked, 1);
    expect(test_mcp_received(cx, &mcp, "\"id\":1,\"result\":{\"action\":\"cancel\"}}"));
    expect(test_mcp_received(cx, &mcp, "\"id\":2,\"error\":{\"code\":-32601,"));
    expect(test_mcp_received(cx, &mcp, "\"id\":3,\"result\":{\"roots\":[]}}"));
    expect(test_mcp_received(cx, &mcp, "\"id\":4,\"error\":{\"code\":-32601,"));
    expect(test_mcp_received(cx, &mcp, "\"id\":5,\"result\":{}}"));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__answers_in_place_of_who_cannot(void **state)
{
    (void)state;
    test_task_run(answers_for_who_cannot, NULL);
}

struct calling {
    struct test_mcp *mcp;
    struct test_caller caller;
    int64_t timeout_ms;
    enum tc_outcome outcome;
    bool done;
};

static void call_in_task(struct tc_cx *cx, void *arg)
{
    struct calling *calling = arg;

    calling->outcome = test_mcp_call_as(cx, calling->mcp, &calling->caller, "{}", calling->timeout_ms).outcome;
    calling->done = true;
}

static void whose_is_it(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct calling callings[3];
    struct tc_source_reply reply;
    (void)arg;

    open_with(
        cx, &mcp,
        "on tools/call\nhold\non ask\n" ELICIT("9") "result {}\non answer\nrelease\non notifications/quiet\nrelease");
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 2; i++) {
        callings[i] = (struct calling){.mcp = &mcp, .timeout_ms = 5000};
        test_caller_init(&callings[i].caller, FORM);
        callings[i].caller.answer = "{\"action\":\"decline\"}";
        tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &callings[i]);
    }
    tc_task_sleep(cx, 50);
    reply = test_mcp_request(cx, &mcp, "ask", 5000); /* it asks while two calls run: refused */
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    tc_task_join(cx, &group);
    expect_int(callings[0].outcome, TC_OUTCOME_RESULT);
    expect_int(callings[0].caller.asked + callings[1].caller.asked, 0);
    expect(test_mcp_received(cx, &mcp, "\"id\":9,\"error\":{\"code\":-32603,\"message\":\"It cannot be told whose"));

    for (int i = 0; i < 3; i++) { /* from now on who can be asked is alone; the third cannot be */
        callings[i] = (struct calling){.mcp = &mcp, .timeout_ms = 5000};
        test_caller_init(&callings[i].caller, i < 2 ? FORM : 0);
        tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &callings[i]);
    }
    tc_task_sleep(cx, 50);
    expect_int(test_mcp_count(cx, &mcp, "tools/call"), 3);
    for (int i = 0; i < 3; i++) {
        expect_int(test_mcp_request(cx, &mcp, "notifications/quiet", 1000).outcome, TC_OUTCOME_RESULT);
        tc_task_sleep(cx, 50);
        expect_int(test_mcp_count(cx, &mcp, "tools/call"), i < 2 ? 4 + i : 5);
    }
    tc_task_join(cx, &group);
    for (int i = 0; i < 3; i++)
        expect_int(callings[i].outcome, TC_OUTCOME_RESULT);
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__asks_nobody_in_doubt_and_then_leaves_none(void **state)
{
    (void)state;
    test_task_run(whose_is_it, NULL);
}

static void ends_with_the_call(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    struct tc_source_reply reply;
    (void)arg;

    test_caller_init(&caller, FORM); /* never answers */
    open_with(cx, &mcp, "once tools/call\n" ELICIT("1") "sleep 50\ndefault\nonce tools/call\n" ELICIT("2"));
    reply = test_mcp_call_as(cx, &mcp, &caller, "{}", 5000); /* it did not wait for the answer */
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(caller.cancelled, 1);
    expect(test_mcp_received(cx, &mcp, "\"id\":1,\"result\":{\"action\":\"cancel\"}}"));
    reply = test_mcp_call_as(cx, &mcp, &caller, "{}", 100);
    expect_int(reply.outcome, TC_OUTCOME_UNKNOWN);
    expect_int(caller.cancelled, 2);
    expect(test_mcp_received(cx, &mcp, "\"id\":2,\"result\":{\"action\":\"cancel\"}}"));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__ends_with_its_call(void **state)
{
    (void)state;
    test_task_run(ends_with_the_call, NULL);
}

static void takes_it_back(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    (void)arg;

    test_caller_init(&caller, FORM | TC_ABILITY_URL);
    open_with(
        cx, &mcp,
        "on tools/call\nhold\n" ELICIT(
            "\"x\"") "sleep 50\n"
                     "line "
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\"}}\n"
                     "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\",\"params\":"
                     "{\"elicitationId\":\"e1\"}}\non answer\nrelease");
    expect_int(test_mcp_call_as(cx, &mcp, &caller, "{}", 5000).outcome, TC_OUTCOME_RESULT);
    expect_int(caller.cancelled, 1);
    expect(tc_str_ends(tc_str_of(caller.text), TC_STR("(e1)")));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__can_be_taken_back_by_the_server(void **state)
{
    (void)state;
    test_task_run(takes_it_back, NULL);
}

static void without_end(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    char *script = tc_arena_alloc(cx->arena, 60000);
    size_t n = (size_t)sprintf(script, "on tools/call\nhold\n");
    (void)arg;

    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(script + n,
                             "line {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"elicitation/create\",\"params\":"
                             "{\"message\":\"%d\"}}\n",
                             i, i);
    snprintf(script + n, 60000 - n, "sleep 100\nrelease");
    test_caller_init(&caller, FORM);
    caller.answer = "{\"action\":\"decline\"}";
    open_with(cx, &mcp, script);
    expect_int(test_mcp_call_as(cx, &mcp, &caller, "{}", 5000).outcome, TC_OUTCOME_RESULT);
    expect(caller.asked <= 200);
    expect(test_mcp_received(cx, &mcp, "\"id\":299,\"error\":{\"code\":-32603,\"message\":\"Too many questions"));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__bounds_questions_without_end(void **state)
{
    (void)state;
    test_task_run(without_end, NULL);
}

/* --- the era without --- */

#define REQUIRE(REQUESTS, STATE)                                                                                       \
    "result {\"resultType\":\"input_required\",\"inputRequests\":{" REQUESTS "},\"requestState\":\"" STATE "\"}\n"
#define WANT_NAME                                                                                                      \
    "\"n\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"name?\",\"requestedSchema\":{\"type\":"        \
    "\"object\"}}}"

static void goes_rounds(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    struct tc_source_reply reply;
    (void)arg;

    test_caller_init(&caller, FORM | TC_ABILITY_ROOTS);
    caller.answer = "{\"action\":\"accept\",\"content\":{}}";
    open_with(
        cx, &mcp,
        TEST_MCP_MODERN("\"tools\":{}") "once tools/call\n" REQUIRE(
            WANT_NAME,
            "s\\\"1\\u00e9") "once tools/call\nresult {\"resultType\":\"input_required\",\"requestState\":\"s2\"}\n"
                             "once tools/call\n" REQUIRE("\"a\":{\"method\":\"roots/list\"}," WANT_NAME, "s3"));
    reply = test_mcp_call_as(cx, &mcp, &caller, "{\"k\":1}", 5000);
    expect_text(test_mcp_text(&reply), "{\"k\":1}");
    expect_int(caller.rounds, 2);
    expect_int(caller.asked, 3);
    expect(test_mcp_received(cx, &mcp,
                             "\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"k\":1},"
                             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));
    expect(test_mcp_received(cx, &mcp,
                             "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}},"
                             "\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},"
                             "\"io.modelcontextprotocol/logLevel\":\"info\",\"progressToken\":2}}}"));
    expect(test_mcp_received(cx, &mcp,
                             "\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
                             "{\"k\":1},\"inputResponses\":{\"n\":{\"action\":\"accept\",\"content\":{}}},"
                             "\"requestState\":\"s\\\"1\xc3\xa9\",\"_meta\""));
    expect(test_mcp_received(cx, &mcp,
                             "\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
                             "{\"k\":1},\"requestState\":\"s2\",\"_meta\""));
    expect(test_mcp_received(cx, &mcp,
                             "\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
                             "{\"k\":1},\"inputResponses\":{\"a\":{\"action\""));
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__goes_as_many_rounds_as_it_takes(void **state)
{
    (void)state;
    test_task_run(goes_rounds, NULL);
}

static void rounds_that_fail(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script;
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {"on tools/call\n" REQUIRE("", "again"), TC_OUTCOME_UNSUPPORTED,
         "The server has asked for input 10 times and gave no result."},
        {"on tools/call\nresult {\"resultType\":\"input_required\"}", TC_OUTCOME_UNSUPPORTED,
         "The server requires input and does not say which."},
        {"on tools/call\n" REQUIRE("\"a\":{\"method\":\"roots/list\"}", "x"), TC_OUTCOME_UNSUPPORTED,
         "The server asks for roots/list, which cannot be had: Who called cannot be asked this."},
        {"on tools/call\n" REQUIRE("\"a\":{\"method\":\"tools/call\"}", "x"), TC_OUTCOME_UNSUPPORTED,
         "The server asks for \"tools/call\", which nobody is asked for."},
        {"on tools/call\nresult {\"resultType\":\"dance\",\"content\":[]}", TC_OUTCOME_UNSUPPORTED,
         "The result is of type \"dance\", which was not asked for."},
        {"on tools/call\nresult {\"resultType\":7,\"content\":[]}", TC_OUTCOME_UNSUPPORTED,
         "The result is of type \"7\", which was not asked for."},
        {"on tools/call\nresult {\"content\":[]}", TC_OUTCOME_RESULT, ""}, /* an older server's: complete */
        {"once tools/call\n" REQUIRE(WANT_NAME, "x") "on tools/call\nexit 0", TC_OUTCOME_UNKNOWN,
         "The server exited with status 0."},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_mcp mcp;
        struct test_caller caller;
        struct tc_source_reply reply;
        const char *script = tc_arena_printf(cx->arena, "%s%s", TEST_MCP_MODERN(""), rows[i].script).p;

        test_caller_init(&caller, FORM);
        caller.answer = "{\"action\":\"decline\"}";
        open_with(cx, &mcp, script);
        reply = test_mcp_call_as(cx, &mcp, &caller, "{}", 5000);
        expect_int(reply.outcome, rows[i].outcome);
        expect_text(reply.message, rows[i].message);
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer_question__gives_up_rounds_that_lead_nowhere(void **state)
{
    (void)state;
    test_task_run(rounds_that_fail, NULL);
}

static void answer_too_late(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct calling calling = {.mcp = &mcp, .timeout_ms = 300};
    (void)arg;

    open_with(cx, &mcp, TEST_MCP_MODERN("") "on tools/call\n" REQUIRE(WANT_NAME, "x"));
    tc_task_group_init(&group, tc_task_loop(cx));
    test_caller_init(&calling.caller, FORM);
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &calling);
    tc_task_join(cx, &group);
    expect_int(calling.outcome, TC_OUTCOME_UNSUPPORTED); /* it has answered: nothing is unknown */
    calling = (struct calling){.mcp = &mcp, .timeout_ms = 60000};
    test_caller_init(&calling.caller, FORM);
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &calling);
    tc_task_sleep(cx, 100);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect_int(calling.outcome, TC_OUTCOME_UNKNOWN);
    test_mcp_finish(cx, &mcp);
}

void test_peer_question__ends_when_no_answer_comes(void **state)
{
    (void)state;
    test_task_run(answer_too_late, NULL);
}
