#include "support/crib.h"

#include "io/loop.h"

static void set(struct tc_cx *cx, struct test_crib *crib, const char *settings)
{
    const struct tc_servers_edit edit = {.settings = test_crib_json(cx, settings)};

    expect_int(tc_servers_update(cx, crib->runtime->servers, TC_STR("s"), &edit), TC_OK);
}

struct call {
    struct test_crib *crib;
    struct tc_call_result result;
    enum tc_err e;
    struct tc_event done;
};

static void call_task(struct tc_cx *cx, void *arg)
{
    struct call *call = arg;

    call->e = test_crib_call(cx, call->crib, "s__one", "{}", &call->result);
    /* the arena goes with the task */
    call->result.error_code = tc_str_of(call->result.error_code.n
                                            ? tc_err_info(tc_err_find(call->result.error_code))->name
                                            : "");
    tc_event_set(&call->done);
}

static void begin(struct tc_cx *cx, struct test_crib *crib, struct call *call)
{
    crib->up.hold = true;
    tc_event_clear(&crib->up.go);
    *call = (struct call){.crib = crib};
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "call", call_task, call), TC_OK);
    test_crib_settle(cx);
}

static void pass(struct tc_cx *cx, int64_t ms)
{
    tc_loop_advance(tc_task_loop(cx), ms);
    test_crib_settle(cx);
}

static void progress(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.caller->ops->progress(crib->up.caller, TC_STR("1"), TC_STR(""), TC_STR(""));
    test_crib_settle(cx);
}

static void prolonged(struct tc_cx *cx, struct test_crib *crib)
{
    struct call call;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    set(cx, crib, "{\"timeoutMs\":10000,\"maxTimeoutMs\":25000}");
    begin(cx, crib, &call);
    expect_int(crib->up.timeout_ms, 25000);
    pass(cx, 9000);
    progress(cx, crib);
    pass(cx, 9000);
    expect(!call.done.set);
    progress(cx, crib);
    pass(cx, 6000);
    expect(!call.done.set);
    progress(cx, crib); /* 24 of 25 s: what is left is one */
    pass(cx, 1000);
    expect(call.done.set);
    expect_text(call.result.error_code, "mcp.call_outcome_unknown");
}

void test_upstream_call__progress_prolongs_up_to_the_most(void **state)
{
    (void)state;
    test_crib_run_virtual(prolonged, NULL);
}

static void silent(struct tc_cx *cx, struct test_crib *crib)
{
    struct call call;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    set(cx, crib, "{\"timeoutMs\":10000,\"maxTimeoutMs\":25000}");
    begin(cx, crib, &call);
    pass(cx, 10000);
    expect(call.done.set);
    expect_text(call.result.error_code, "mcp.call_outcome_unknown");
    begin(cx, crib, &call);
    pass(cx, 5000);
    test_crib_release(crib); /* an answer in time is one */
    test_crib_settle(cx);
    expect(call.done.set);
    expect_text(call.result.error_code, "");
}

void test_upstream_call__silence_ends_a_call_that_could_be_prolonged(void **state)
{
    (void)state;
    test_crib_run_virtual(silent, NULL);
}

static void of_the_tool(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_int(crib->up.timeout_ms, 60000);
    set(cx, crib, "{\"timeoutMs\":30000}");
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_int(crib->up.timeout_ms, 30000);
    set(cx, crib, "{\"timeoutMs\":30000,\"tools\":{\"one\":{\"timeoutMs\":7000}}}");
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_int(crib->up.timeout_ms, 7000);
}

void test_upstream_call__time_is_that_of_the_tool_then_the_server(void **state)
{
    (void)state;
    test_crib_run_virtual(of_the_tool, NULL);
}

/* Ten calls find a server that is not started: it is opened and listed once. */
static void single_flight(struct tc_cx *cx, struct test_crib *crib)
{
    struct call calls[10];

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    set(cx, crib, "{\"idleStopMs\":1000}");
    pass(cx, 500); /* what it has besides tools is read */
    pass(cx, 1000);
    expect_int(crib->up.open, 0);
    crib->up.opens = crib->up.lists = crib->up.calls = 0;
    for (int i = 0; i < 10; i++)
        begin(cx, crib, &calls[i]);
    expect_int(crib->up.opens, 1);
    test_crib_release(crib);
    test_crib_settle(cx);
    for (int i = 0; i < 10; i++)
        expect(calls[i].done.set && calls[i].result.error_code.n == 0);
    expect_int(crib->up.opens, 1);
    expect_int(crib->up.calls, 10);
}

void test_upstream_call__a_start_is_shared(void **state)
{
    (void)state;
    test_crib_run_virtual(single_flight, NULL);
}
