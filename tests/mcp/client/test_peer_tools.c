#include "support/staged.h"

#define TOOLS_PAGE(TOOLS) STAGED_RESULT("tools/list", "{\"resultType\":\"complete\",\"tools\":[" TOOLS "]}")
#define CALLED STAGED_RESULT("tools/call", "{\"resultType\":\"complete\",\"content\":[]}")
#define REGIONAL                                                                                                       \
    "{\"name\":\"r\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","            \
    "\"x-mcp-header\":\"Region\"},\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"}}}}"
#define BAD "{\"name\":\"b\",\"inputSchema\":{\"properties\":{\"x\":{\"type\":\"array\",\"x-mcp-header\":\"X\"}}}}"

#define OPEN(staged, headers, ...)                                                                                     \
    static const struct staged_answer answers[] = {__VA_ARGS__};                                                       \
    staged_open(cx, staged, answers, sizeof answers / sizeof answers[0], headers)

static void mirrors_arguments(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"tools\":{}"), TOOLS_PAGE(REGIONAL), CALLED);
    expect_int(staged_call(cx, &staged, "r", "{\"region\":\"\\u00fc\",\"n\":4.0}", NULL, 5000).outcome,
               TC_OUTCOME_RESULT);
    expect(memory_link_has_sent(&staged.link, "Mcp-Method: server/discover\n{"));
    expect(memory_link_has_sent(&staged.link, "Mcp-Method: tools/list\n{")); /* once, before the first call */
    expect(memory_link_has_sent(&staged.link, "Mcp-Method: tools/call\nMcp-Name: r\nMcp-Param-Region: =?base64?w7w=?=\n"
                                              "Mcp-Param-N: 4\n{"));
    staged_call(cx, &staged, "r", "{\"region\":null}", NULL, 5000);
    expect(memory_link_has_sent(&staged.link, "Mcp-Name: r\n{\"jsonrpc\":\"2.0\",\"id\":4,"));
    expect_int(memory_link_count(&staged.link, "\"method\":\"tools/list\""), 1);
    staged_close(cx, &staged);
}

void test_peer_tools__mirrors_arguments_in_header_fields(void **state)
{
    (void)state;
    test_task_run_virtual(mirrors_arguments, NULL);
}

static void drops_bad_ones(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct tc_peer_status status;
    const struct tc_json *tools;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"tools\":{}"), TOOLS_PAGE(BAD ",{\"name\":\"ok\"}," REGIONAL));
    expect_int(tc_peer_list(cx, staged.peer, TC_SOURCE_TOOLS, 5000, &tools), TC_OK);
    expect_int(tc_json_count(tools), 2);
    expect_text(tc_json_str(tc_json_get_c(tc_json_at(tools, 0), "name")), "ok");
    tc_peer_status(staged.peer, &status);
    expect_text(status.dropped, "[{\"tool\":\"b\",\"reason\":\"x-mcp-header at \\\"/x\\\" of its input schema is on a "
                                "property that is no string, integer or boolean.\"}]");
    staged_close(cx, &staged);
}

void test_peer_tools__drops_only_what_cannot_be_called(void **state)
{
    (void)state;
    test_task_run_virtual(drops_bad_ones, NULL);
}

static void needs_none(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    const struct tc_json *tools;
    (void)arg;

    OPEN(&staged, false, STAGED_MODERN("\"tools\":{}"), TOOLS_PAGE(BAD "," REGIONAL), CALLED); /* over stdio */
    expect_int(tc_peer_list(cx, staged.peer, TC_SOURCE_TOOLS, 5000, &tools), TC_OK);
    expect_int(tc_json_count(tools), 2);
    staged_call(cx, &staged, "r", "{\"region\":\"x\"}", NULL, 5000);
    expect_int(memory_link_count(&staged.link, "Mcp-"), 0);
    staged_close(cx, &staged);
}

void test_peer_tools__leaves_header_fields_to_who_takes_them(void **state)
{
    (void)state;
    test_task_run_virtual(needs_none, NULL);
}

static void old_era(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    (void)arg;

    OPEN(&staged, true, STAGED_LEGACY("\"tools\":{}"), CALLED);
    staged_call(cx, &staged, "r", "{}", NULL, 5000);
    expect_int(memory_link_count(&staged.link, "Mcp-Method: tools/call"), 0);
    expect_int(memory_link_count(&staged.link, "tools/list"), 0);
    staged_close(cx, &staged);
}

void test_peer_tools__knows_of_none_in_the_era_of_the_handshake(void **state)
{
    (void)state;
    test_task_run_virtual(old_era, NULL);
}

static void tool_has_changed(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct tc_source_reply reply;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"tools\":{}"), TOOLS_PAGE("{\"name\":\"r\"}"), TOOLS_PAGE(REGIONAL),
         STAGED_ERROR("tools/call", "-32020"), CALLED, STAGED_ERROR("tools/call", "-32020"));
    reply = staged_call(cx, &staged, "r", "{\"region\":\"x\"}", NULL, 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(memory_link_count(&staged.link, "\"method\":\"tools/call\""), 2);
    expect_int(memory_link_count(&staged.link, "Mcp-Param-Region: x"), 1);
    reply = staged_call(cx, &staged, "r", "{\"region\":\"x\"}", NULL, 5000); /* not for ever */
    expect_int(reply.outcome, TC_OUTCOME_SERVER_ERROR);
    expect_int(memory_link_count(&staged.link, "\"method\":\"tools/call\""), 4);
    staged_close(cx, &staged);
}

void test_peer_tools__lists_anew_when_header_fields_do_not_fit(void **state)
{
    (void)state;
    test_task_run_virtual(tool_has_changed, NULL);
}

static void other_requests(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct tc_source_request request = {.method = "resources/read", .timeout_ms = 1000};
    struct tc_source_reply reply;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"resources\":{}"), STAGED_RESULT("resources/read", "{\"contents\":[]}"));
    expect_int(tc_json_parse_root(cx, TC_STR("{\"uri\":\"file:///\\u00fc\"}"), NULL, &request.params), TC_OK);
    expect_int(tc_peer_request(cx, staged.peer, &request, &reply), TC_OK);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect(memory_link_has_sent(&staged.link, "Mcp-Method: resources/read\nMcp-Name: =?base64?ZmlsZTovLy/DvA==?=\n{"));
    staged_close(cx, &staged);
}

void test_peer_tools__names_what_is_read_and_got(void **state)
{
    (void)state;
    test_task_run_virtual(other_requests, NULL);
}

static void login_is_over(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct tc_source_reply reply;
    (void)arg;

    OPEN(&staged, true, STAGED_MODERN("\"tools\":{}"), TOOLS_PAGE(REGIONAL), CALLED);
    staged.link.refusal = (struct tc_error){
        .code = TC_E_MCP_LOGIN_REQUIRED, .message = TC_STR("It wants a login."), .hint = TC_STR("Log in.")};
    reply = staged_call(cx, &staged, "r", "{}", NULL, 5000);
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    expect_int(reply.code, TC_E_MCP_LOGIN_REQUIRED);
    expect_text(reply.message, "It wants a login.");
    expect_text(reply.hint, "Log in.");
    staged_close(cx, &staged);
}

void test_peer_tools__says_what_kept_a_call_from_being_sent(void **state)
{
    (void)state;
    test_task_run_virtual(login_is_over, NULL);
}
