#include "support/test.h"

#include "mcp/codec/input.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *v;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

void test_input__tells_the_types_of_results_apart(void **state)
{
    static const struct {
        const char *result;
        enum tc_mcp_result_type type;
    } rows[] = {
        {"{}", TC_MCP_RESULT_COMPLETE},
        {"{\"resultType\":null}", TC_MCP_RESULT_COMPLETE},
        {"{\"resultType\":\"complete\"}", TC_MCP_RESULT_COMPLETE},
        {"{\"resultType\":\"input_required\"}", TC_MCP_RESULT_INPUT},
        {"{\"resultType\":\"task\"}", TC_MCP_RESULT_TASK},
        {"{\"resultType\":\"Task\"}", TC_MCP_RESULT_OTHER},
        {"{\"resultType\":true}", TC_MCP_RESULT_OTHER},
    };
    const struct tc_mcp_revision *newest = tc_mcp_revision_newest(TC_MCP_INPUT_REQUIRED);
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_mcp_result_type(parse(&test, rows[i].result), newest), rows[i].type);
        assert_int_equal(tc_mcp_result_type(parse(&test, rows[i].result), tc_mcp_revision_newest(TC_MCP_HANDSHAKE)),
                         TC_MCP_RESULT_COMPLETE);
    }
    test_cx_finish(&test);
}

void test_input__reads_what_is_asked_for(void **state)
{
    struct test_cx test;
    struct tc_mcp_input input;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_mcp_input_read(&test.cx,
                                       parse(&test, "{\"inputRequests\":{\"a\":{\"method\":\"roots/list\"},\"b\":"
                                                    "{\"method\":\"elicitation/create\",\"params\":{}}},"
                                                    "\"requestState\":\"\"}"),
                                       &input),
                     TC_OK);
    assert_int_equal(tc_json_count(input.requests), 2);
    assert_true(tc_json_is(input.state, TC_JSON_STRING)); /* an empty one goes back, too */
    assert_int_equal(tc_mcp_input_read(&test.cx, parse(&test, "{\"requestState\":\"x\"}"), &input), TC_OK);
    assert_null(input.requests);
    test_cx_finish(&test);
}

void test_input__refuses_what_asks_for_nothing_that_can_be_had(void **state)
{
    static const char *const rows[] = {
        "{}",
        "{\"inputRequests\":null}",
        "{\"inputRequests\":[]}",
        "{\"requestState\":7}",
        "{\"inputRequests\":{\"a\":{\"method\":\"tools/call\"}}}",
        "{\"inputRequests\":{\"a\":7}}",
        "{\"inputRequests\":{\"a\":{\"method\":\"roots/list\",\"params\":[]}}}",
    };
    struct test_cx test;
    struct tc_mcp_input input;
    struct tc_buf many;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tc_mcp_input_read(&test.cx, parse(&test, rows[i]), &input), TC_E_MCP_UNSUPPORTED_RESPONSE);
    tc_buf_init(&many, 1 << 16);
    tc_buf_cstr(&many, "{\"inputRequests\":{");
    for (int i = 0; i <= TC_MCP_INPUTS_MAX; i++)
        tc_buf_printf(&many, "%s\"%d\":{\"method\":\"roots/list\"}", i ? "," : "", i);
    tc_buf_cstr(&many, "}}");
    tc_buf_char(&many, '\0');
    assert_int_equal(tc_mcp_input_read(&test.cx, parse(&test, many.p), &input), TC_E_MCP_UNSUPPORTED_RESPONSE);
    assert_str(test.cx.err.message, "The server asks for more than 32 inputs at once.");
    tc_buf_finish(&many);
    test_cx_finish(&test);
}
