#include "support/crib.h"

#define PAGE(id)                                                                                                       \
    "{\"mode\":\"url\",\"elicitationId\":\"" id "\",\"url\":\"https://a.example/" id "\",\"message\":\"Go\"}"
#define PAGES "{\"elicitations\":[" PAGE("e1") "," PAGE("e2") "],\"more\":7}"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static void want_pages(struct test_crib *crib, const char *data)
{
    crib->up.outcome = TC_OUTCOME_SERVER_ERROR;
    crib->up.error_code = -32042;
    crib->up.error = data;
}

static void want_none(struct test_crib *crib)
{
    crib->up.outcome = TC_OUTCOME_RESULT;
    crib->up.error = NULL;
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    want_pages(crib, PAGES);
}

/* The head of a POST in a new session of 2025-11-25 with those capabilities. */
static const char *open_session(struct tc_cx *cx, struct test_crib *crib, const char *capabilities)
{
    struct tc_str body = tc_arena_printf(cx->arena,
                                         "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                                         "\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,"
                                         "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}",
                                         capabilities),
                  head;
    size_t at;

    expect_int(test_crib_ask(cx, crib, "POST /mcp", body.p, &head, NULL), 200);
    at = tc_str_find(head, TC_STR("Mcp-Session-Id: "));
    expect(at != SIZE_MAX);
    return tc_arena_printf(cx->arena, "POST /mcp\r\n%.48s", head.p + at).p;
}

static struct tc_str call_in_session(struct tc_cx *cx, struct test_crib *crib, const char *capabilities)
{
    struct tc_str answer;

    expect_int(test_crib_ask(cx, crib, open_session(cx, crib, capabilities),
                             "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
                             "\"arguments\":{}}}",
                             NULL, &answer),
               200);
    return answer;
}

/* The same in the metadata era; extra: further members of params, each after a comma. */
static int call(struct tc_cx *cx, struct test_crib *crib, const char *capabilities, const char *extra,
                struct tc_str *ret)
{
    struct tc_str body = tc_arena_printf(
        cx->arena,
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\",\"arguments\":{},"
        "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":%s}%s}}",
        capabilities, extra);

    return test_crib_ask(cx, crib,
                         "POST /mcp\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: s__one",
                         body.p, NULL, ret);
}

#define URLS "{\"elicitation\":{\"url\":{}}}"

static void passed_on(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    begin(cx, crib);
    answer = call_in_session(cx, crib, URLS);
    expect(holds(answer, "\"error\":{\"code\":-32042,"));
    expect(holds(answer, "\"elicitations\":[" PAGE("e1") "," PAGE("e2") "],\"more\":7}"));
    expect(!holds(answer, "\"result\""));
    /* who cannot show pages is told what is the matter, and no address */
    answer = call_in_session(cx, crib, "{\"elicitation\":{}}");
    expect(holds(answer, "\"isError\":true"));
    expect(holds(answer, "wants a person to open a page first: so it was."));
    expect(holds(answer, "\"code\":\"mcp.page_required\""));
    expect(!holds(answer, "a.example"));
    /* what is no such error is one like any other */
    want_pages(crib, "{\"elicitations\":[{\"mode\":\"url\"}]}");
    answer = call_in_session(cx, crib, URLS);
    expect(holds(answer, "\"isError\":true"));
    want_pages(crib, "{\"elicitations\":7}");
    answer = call_in_session(cx, crib, URLS);
    expect(holds(answer, "\"isError\":true"));
    expect(holds(answer, "mcp.server_error"));
}

void test_pages__a_client_with_a_session_gets_the_error_of_the_server(void **state)
{
    (void)state;
    test_crib_run(passed_on, NULL);
}

static void as_task(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer, result;
    const char *head;
    size_t at;

    begin(cx, crib);
    head = open_session(cx, crib, URLS);
    expect_int(test_crib_ask(cx, crib, head,
                             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
                             "\"arguments\":{},\"task\":{}}}",
                             NULL, &answer),
               200);
    at = tc_str_find(answer, TC_STR("\"taskId\":\""));
    expect(at != SIZE_MAX);
    result = tc_arena_printf(cx->arena,
                             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{"
                             "\"taskId\":\"%.32s\"}}",
                             answer.p + at + 10);
    expect_int(test_crib_ask(cx, crib, head, result.p, NULL, &answer), 200);
    expect(holds(answer, "\"error\":{\"code\":-32042,"));
    expect(holds(answer, "\"data\":{\"code\":\"mcp.page_required\",\"elicitations\":[" PAGE("e1")));
}

void test_pages__the_error_of_a_task_is_that_of_its_call(void **state)
{
    (void)state;
    test_crib_run(as_task, NULL);
}

static const char *retry(struct tc_cx *cx, struct tc_str answer, unsigned first, const char *second)
{
    size_t at = tc_str_find(answer, TC_STR("\"requestState\":\""));

    expect(holds(answer, "\"resultType\":\"input_required\""));
    return tc_arena_printf(cx->arena,
                           ",\"requestState\":\"%.32s\",\"inputResponses\":{\"question-%u\":{\"action\":\"accept\"},"
                           "\"question-%u\":{\"action\":\"%s\"}}",
                           answer.p + at + 16, first, first + 1, second).p;
}

static void asked(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    begin(cx, crib);
    expect_int(call(cx, crib, URLS, "", &answer), 200);
    expect(holds(answer, "\"question-1\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\","
                         "\"url\":\"https://a.example/e1\",\"message\":\"Go\"}}"));
    expect(holds(answer, "https://a.example/e2"));
    expect(!holds(answer, "elicitationId")); /* the revision has none */
    /* opened, and not done with yet: the server says so again */
    expect_int(call(cx, crib, URLS, retry(cx, answer, 1, "accept"), &answer), 200);
    expect(holds(answer, "\"question-3\""));
    want_none(crib);
    expect_int(call(cx, crib, URLS, retry(cx, answer, 3, "accept"), &answer), 200);
    expect(holds(answer, "\"resultType\":\"complete\""));
    expect(holds(answer, "\"content\":["));
    expect(!holds(answer, "isError"));
    expect_int(crib->up.calls, 3);
}

void test_pages__a_client_without_a_session_is_asked(void **state)
{
    (void)state;
    test_crib_run(asked, NULL);
}

static void declined(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;

    begin(cx, crib);
    expect_int(call(cx, crib, URLS, "", &answer), 200);
    expect_int(call(cx, crib, URLS, retry(cx, answer, 1, "decline"), &answer), 200);
    expect(holds(answer, "\"isError\":true"));
    expect(!holds(answer, "a.example"));
    expect_int(crib->up.calls, 1);
    /* who did not declare it could have */
    expect_int(call(cx, crib, "{\"elicitation\":{}}", "", &answer), 400);
    expect(holds(answer, "\"code\":-32021"));
    expect(holds(answer, "\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}"));
    expect(!holds(answer, "a.example"));
}

void test_pages__what_nobody_opens_is_not_called_again(void **state)
{
    (void)state;
    test_crib_run(declined, NULL);
}

static void endless(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str answer;
    unsigned first = 1;

    begin(cx, crib);
    expect_int(call(cx, crib, URLS, "", &answer), 200);
    for (; first < 99 && holds(answer, "input_required"); first += 2)
        expect_int(call(cx, crib, URLS, retry(cx, answer, first, "accept"), &answer), 200);
    expect(holds(answer, "\"isError\":true"));
    expect_int(crib->up.calls, 11);
}

void test_pages__a_server_that_is_never_content_is_given_up(void **state)
{
    (void)state;
    test_crib_run(endless, NULL);
}
