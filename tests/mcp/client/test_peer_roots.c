/*
 * Changed roots of a caller: which servers hear of them, and who is asked then.
 */
#include "support/mcp.h"

#define CHANGED "notifications/roots/list_changed"
#define ROOTS(ID) "line {\"jsonrpc\":\"2.0\",\"id\":" ID ",\"method\":\"roots/list\"}\n"

static enum tc_outcome tell(struct tc_cx *cx, struct test_mcp *mcp, struct test_caller *caller, int64_t timeout_ms)
{
    struct tc_source_request request = {.method = CHANGED, .caller = &caller->base, .timeout_ms = timeout_ms};
    struct tc_source_reply reply;

    expect_int(tc_peer_request(cx, mcp->peer, &request, &reply), TC_OK);
    return reply.outcome;
}

static void asks_anew(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    (void)arg;

    test_mcp_init(cx, &mcp);
    expect_int(test_mcp_open(cx, &mcp,
                             "on tools/call\nhold\n" ROOTS("1") "on answer\nrelease\non " CHANGED "\n" ROOTS("2")),
               TC_OK);
    test_caller_init(&caller, TC_ABILITY_ROOTS);
    caller.answer = "{\"roots\":[{\"uri\":\"file:///a\"}]}";
    expect_int(tell(cx, &mcp, &caller, 5000), TC_OUTCOME_RESULT); /* it has never asked: nothing is sent */
    test_mcp_call_as(cx, &mcp, &caller, "{}", 5000);
    expect_int(caller.asked, 1);
    expect_int(test_mcp_count(cx, &mcp, CHANGED), 0);

    caller.answer = "{\"roots\":[{\"uri\":\"file:///b\"}]}";
    expect_int(tell(cx, &mcp, &caller, 5000), TC_OUTCOME_RESULT);
    expect_int(caller.asked, 2);
    expect(test_mcp_received(cx, &mcp, "{\"jsonrpc\":\"2.0\",\"method\":\"" CHANGED "\"}\n"));
    expect(test_mcp_received(cx, &mcp, "\"id\":2,\"result\":{\"roots\":[{\"uri\":\"file:///b\"}]}}"));
    test_caller_init(&caller, TC_ABILITY_FORM);
    expect_int(tell(cx, &mcp, &caller, 5000), TC_OUTCOME_RESULT); /* who has no roots changes none */
    expect_int(test_mcp_count(cx, &mcp, CHANGED), 1);
    test_mcp_finish(cx, &mcp);
}

void test_peer_roots__a_server_that_has_asked_hears_of_changes_and_asks_anew(void **state)
{
    (void)state;
    test_task_run(asks_anew, NULL);
}

struct calling {
    struct test_mcp *mcp;
    struct test_caller caller;
};

static void call_in_task(struct tc_cx *cx, void *arg)
{
    struct calling *calling = arg;

    test_mcp_call_as(cx, calling->mcp, &calling->caller, "{}", 5000);
}

/* The question comes while another caller's call runs: it is not that one's. */
static void during_a_call(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct calling calling = {.mcp = &mcp};
    struct test_caller caller;
    struct tc_peer_status status;
    (void)arg;

    test_mcp_init(cx, &mcp);
    expect_int(test_mcp_open(cx, &mcp,
                             "on notifications/initialized\n" ROOTS("1") "on tools/call\nhold\non " CHANGED
                             "\n" ROOTS("2") "on answer\nrelease"),
               TC_OK);
    expect(test_mcp_received(cx, &mcp, "\"id\":1,\"result\":{\"roots\":[]}}"));
    test_caller_init(&calling.caller, TC_ABILITY_ROOTS);
    calling.caller.answer = "{\"roots\":[{\"uri\":\"file:///other\"}]}";
    test_caller_init(&caller, TC_ABILITY_ROOTS);
    caller.answer = "{\"roots\":[{\"uri\":\"file:///own\"}]}";
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &calling);
    tc_task_sleep(cx, 50);
    expect_int(tell(cx, &mcp, &caller, 5000), TC_OUTCOME_RESULT);
    tc_task_join(cx, &group);
    expect_int(caller.asked, 1);
    expect_int(calling.caller.asked, 0);
    expect(test_mcp_received(cx, &mcp, "\"id\":2,\"result\":{\"roots\":[{\"uri\":\"file:///own\"}]}}"));
    tc_peer_status(mcp.peer, &status);
    expect(!status.one_by_one);
    test_mcp_finish(cx, &mcp);
}

void test_peer_roots__the_question_goes_to_whose_roots_have_changed(void **state)
{
    (void)state;
    test_task_run(during_a_call, NULL);
}

/* A server that hears of it and does not ask holds nobody up for long. */
static void no_question(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    (void)arg;

    test_mcp_init(cx, &mcp);
    expect_int(test_mcp_open(cx, &mcp, "on notifications/initialized\n" ROOTS("1")), TC_OK);
    expect(test_mcp_received(cx, &mcp, "\"id\":1,\"result\":{\"roots\":[]}}"));
    test_caller_init(&caller, TC_ABILITY_ROOTS);
    expect_int(tell(cx, &mcp, &caller, 100), TC_OUTCOME_RESULT);
    expect_int(caller.asked, 0);
    expect(test_mcp_received(cx, &mcp, CHANGED));
    expect_int(test_mcp_call(cx, &mcp, "{}", 5000).outcome, TC_OUTCOME_RESULT);
    test_mcp_finish(cx, &mcp);
}

void test_peer_roots__a_server_need_not_ask(void **state)
{
    (void)state;
    test_task_run(no_question, NULL);
}

static void modern_era(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct test_caller caller;
    (void)arg;

    test_mcp_init(cx, &mcp);
    expect_int(test_mcp_open(cx, &mcp, TEST_MCP_MODERN("\"tools\":{}")), TC_OK);
    test_caller_init(&caller, TC_ABILITY_ROOTS);
    expect_int(tell(cx, &mcp, &caller, 5000), TC_OUTCOME_RESULT);
    expect_int(test_mcp_call(cx, &mcp, "{}", 5000).outcome, TC_OUTCOME_RESULT);
    expect_int(test_mcp_count(cx, &mcp, CHANGED), 0);
    test_mcp_finish(cx, &mcp);
}

void test_peer_roots__the_era_without_handshake_has_no_such_message(void **state)
{
    (void)state;
    test_task_run(modern_era, NULL);
}
