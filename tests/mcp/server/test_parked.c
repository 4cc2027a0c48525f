#include "support/crib.h"

#include "io/loop.h"

#define CAPABLE "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* A call of s__one in the metadata era; extra: further members of params, each after
 * a comma. */
static int call(struct tc_cx *cx, struct test_crib *crib, int id, const char *capabilities, const char *extra,
                struct tc_str *ret)
{
    struct tc_str body = tc_arena_printf(
        cx->arena,
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
        "\"arguments\":{\"a\":1},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":%s}%s}}",
        id, capabilities, extra);

    return test_crib_ask(cx, crib,
                         "POST /mcp\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                         "Mcp-Name: s__one",
                         body.p, NULL, ret);
}

static struct tc_str state_of(struct tc_cx *cx, struct tc_str answer)
{
    const struct tc_json *root = test_crib_json(cx, tc_arena_cstr(cx->arena, answer)),
                         *result = tc_json_get_c(root, "result");

    expect_text(tc_json_str(tc_json_get_c(result, "resultType")), "input_required");
    return tc_json_str(tc_json_get_c(result, "requestState"));
}

static const char *retry(struct tc_cx *cx, struct tc_str state, const char *answers)
{
    return tc_arena_printf(cx->arena, ",\"requestState\":\"%.*s\",\"inputResponses\":%s", TC_STR_ARG(state), answers).p;
}

/* Two questions at once, then one more, then what was answered is the result. */
static enum tc_err two_rounds(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    struct tc_question first[] = {
        {.key = TC_STR("who"), .method = TC_STR("elicitation/create"),
         .params = test_crib_json(cx, "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\","
                                      "\"properties\":{}}}")},
        {.key = TC_STR("where"), .method = TC_STR("roots/list")},
    };
    struct tc_question second = {.method = TC_STR("sampling/createMessage"),
                                 .params = test_crib_json(cx, "{\"messages\":[],\"maxTokens\":1}")};
    enum tc_err e = tc_caller_ask(cx, caller, first, 2);

    if (!e)
        e = tc_caller_ask(cx, caller, &second, 1);
    if (!e)
        crib->up.result = tc_arena_printf(cx->arena, "{\"content\":[],\"structuredContent\":[%.*s,%.*s,%.*s]}",
                                          TC_STR_ARG(tc_json_text(cx->arena, first[0].result)),
                                          TC_STR_ARG(tc_json_text(cx->arena, first[1].result)),
                                          TC_STR_ARG(tc_json_text(cx->arena, second.result))).p;
    return e;
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = two_rounds;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
}

/* Who still waits for a client ends. */
static void end(struct tc_cx *cx, struct test_crib *crib)
{
    tc_endpoint_end_streams(crib->endpoint);
    test_crib_settle(cx);
}

static void rounds(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer, state, again;

    begin(cx, crib);
    expect_int(call(cx, crib, 1, CAPABLE, "", &answer), 200);
    state = state_of(cx, answer);
    expect(holds(answer, "\"who\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\""));
    expect(holds(answer, "\"where\":{\"method\":\"roots/list\"}"));
    expect(holds(answer, "io.modelcontextprotocol/serverInfo"));
    /* one is missing, one is no answer, one is too much: what is missing is asked again */
    expect_int(call(cx, crib, 2, CAPABLE,
                    retry(cx, state, "{\"where\":{\"roots\":[]},\"who\":7,\"other\":{}}"), &answer), 200);
    expect(holds(answer, "\"id\":2"));
    expect(holds(answer, "\"who\":"));
    expect(!holds(answer, "\"where\":"));
    again = state_of(cx, answer);
    expect(!tc_str_eq(again, state));
    expect_int(call(cx, crib, 9, CAPABLE, retry(cx, state, "{}"), &answer), 400); /* it has had its use */
    state = again;
    expect_int(call(cx, crib, 3, CAPABLE, retry(cx, state, "{\"who\":{\"action\":\"accept\"}}"), &answer), 200);
    expect(holds(answer, "sampling/createMessage"));
    state = state_of(cx, answer);
    expect_int(call(cx, crib, 4, CAPABLE, retry(cx, state, "{\"question-1\":{\"role\":\"user\"}}"), &answer), 200);
    expect(holds(answer, "\"id\":4,"));
    expect(holds(answer, "\"structuredContent\":[{\"action\":\"accept\"},{\"roots\":[]},{\"role\":\"user\"}]"));
    expect(holds(answer, "\"resultType\":\"complete\""));
    expect_int(crib->up.calls, 1);
    /* it is over: the state is nobody's now */
    expect_int(call(cx, crib, 5, CAPABLE, retry(cx, state, "{}"), &answer), 400);
    expect(holds(answer, "-32602"));
}

void test_parked__a_retry_is_joined_to_the_call_that_asked(void **state)
{
    (void)state;
    test_crib_run(rounds, NULL);
}

/* Answers that come with the first try are for what the server asks first. */
static void given(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    begin(cx, crib);
    expect_int(call(cx, crib, 1, CAPABLE,
                    ",\"inputResponses\":{\"who\":{\"action\":\"accept\"},\"other\":{},\"where\":{\"roots\":[]},"
                    "\"question-1\":{\"role\":\"user\"}}", &answer), 200);
    /* the second question has no name that the client could know */
    expect(holds(answer, "\"inputRequests\":{\"question-1\":{\"method\":\"sampling/createMessage\""));
    expect_int(call(cx, crib, 2, CAPABLE, retry(cx, state_of(cx, answer), "{\"question-1\":{\"role\":\"user\"}}"),
                    &answer), 200);
    expect(holds(answer, "\"structuredContent\":[{\"action\":\"accept\"},{\"roots\":[]},{\"role\":\"user\"}]"));
    /* one that is no answer, and one that is missing, are asked for */
    expect_int(call(cx, crib, 3, CAPABLE, ",\"inputResponses\":{\"who\":7}", &answer), 200);
    expect(holds(answer, "\"who\":{"));
    expect(holds(answer, "\"where\":{"));
    end(cx, crib);
}

void test_parked__answers_may_come_before_the_questions(void **state)
{
    (void)state;
    test_crib_run(given, NULL);
}

static void strangers(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer, state, mine = TC_STR("");

    begin(cx, crib);
    mine = crib->token;
    expect_int(call(cx, crib, 1, CAPABLE, "", &answer), 200);
    state = state_of(cx, answer);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(call(cx, crib, 2, CAPABLE, retry(cx, state, "{\"who\":{},\"where\":{}}"), &answer), 400);
    expect(holds(answer, "mcp.request_state_invalid"));
    crib->token = mine;
    /* other params, a changed state, one that is no string, answers that are no object */
    expect_int(call(cx, crib, 3, CAPABLE,
                    tc_arena_printf(cx->arena, ",\"arguments\":{\"a\":2}%s", retry(cx, state, "{}")).p, &answer), 400);
    expect_int(call(cx, crib, 4, CAPABLE, retry(cx, TC_STR("0123456789abcdef0123456789abcdef"), "{}"), &answer), 400);
    expect_int(call(cx, crib, 5, CAPABLE, ",\"requestState\":7", &answer), 400);
    expect_int(call(cx, crib, 6, CAPABLE, retry(cx, state, "null"), &answer), 400);
    expect_int(crib->up.calls, 1);
    /* its own client still can */
    expect_int(call(cx, crib, 7, CAPABLE, retry(cx, state, "{\"who\":{},\"where\":{}}"), &answer), 200);
    expect(holds(answer, "input_required"));
    end(cx, crib);
}

void test_parked__a_state_is_bound_to_token_and_params(void **state)
{
    (void)state;
    test_crib_run(strangers, NULL);
}

static void unable(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    begin(cx, crib);
    /* what it cannot be asked is answered in its place; it waits for nothing */
    expect_int(call(cx, crib, 1, "{}", "", &answer), 200);
    expect(holds(answer, "\"structuredContent\":[{\"action\":\"cancel\"}"));
    expect_int(call(cx, crib, 2, "{\"roots\":{}}", "", &answer), 200);
    expect(holds(answer, "\"where\":"));
    expect(!holds(answer, "\"who\":"));
    end(cx, crib);
}

void test_parked__asks_only_what_the_client_declared(void **state)
{
    (void)state;
    test_crib_run(unable, NULL);
}

static void late(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_audit_row *rows;
    struct tc_str answer, state;

    begin(cx, crib);
    expect_int(call(cx, crib, 1, CAPABLE, "", &answer), 200);
    state = state_of(cx, answer);
    tc_loop_advance(tc_task_loop(cx), 11 * 60 * 1000);
    test_crib_settle(cx);
    tc_loop_advance(tc_task_loop(cx), 2 * 60 * 1000);
    test_crib_settle(cx);
    expect_int(call(cx, crib, 2, CAPABLE, retry(cx, state, "{\"who\":{},\"where\":{}}"), &answer), 400);
    expect_int(test_crib_rows(cx, crib, &rows), 1);
    expect_text(rows[0].state, "done");
}

void test_parked__nobody_waits_for_ever(void **state)
{
    (void)state;
    test_crib_run_virtual(late, NULL);
}
