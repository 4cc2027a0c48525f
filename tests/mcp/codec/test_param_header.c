#include "support/test.h"

#include "mcp/codec/param_header.h"

static const struct tc_json *json(struct test_cx *test, const char *text)
{
    const struct tc_json *v = NULL;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

void test_param_header__finds_declarations_at_any_depth_of_properties(void **state)
{
    struct test_cx test;
    struct tc_mcp_param_headers headers;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(
        tc_mcp_param_headers_read(
            &test.cx,
            json(&test, "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":"
                        "\"Region\"},\"a/b\":{\"type\":\"object\",\"properties\":{\"n~\":{\"type\":\"integer\","
                        "\"x-mcp-header\":\"N\"},\"x-mcp-header\":{\"type\":\"string\"}}},\"plain\":true}}"),
            &headers),
        TC_OK);
    assert_int_equal(headers.n, 2);
    assert_true(tc_str_is(headers.items[0].name, "Mcp-Param-Region"));
    assert_true(tc_str_is(headers.items[0].path, "/region"));
    assert_true(tc_str_is(headers.items[1].name, "Mcp-Param-N"));
    assert_true(tc_str_is(headers.items[1].path, "/a~1b/n~0"));
    assert_int_equal(tc_mcp_param_headers_read(&test.cx, json(&test, "true"), &headers), TC_OK);
    assert_int_equal(headers.n, 0);
    test_cx_finish(&test);
}

void test_param_header__refuses_declarations_that_are_not_allowed(void **state)
{
    static const struct {
        const char *schema, *message;
    } rows[] = {
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}}", "is no name of a header field"},
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}}}", "is no name of a header field"},
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a:\"}}}", "is no name of a header field"},
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\\u00e9\"}}}", "is no name of a header field"},
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}}", "is no name of a header field"},
        {"{\"properties\":{\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}}}", "is on a property that is no string"},
        {"{\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}", "is on a property that is no string"},
        {"{\"properties\":{\"a\":{\"x-mcp-header\":\"A\"}}}", "is on a property that is no string"},
        {"{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"],\"x-mcp-header\":\"A\"}}}", "that is no string"},
        {"{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\","
         "\"x-mcp-header\":\"a\"}}}",
         "names a header field that another one names"},
        {"{\"type\":\"string\",\"x-mcp-header\":\"A\"}", "properties alone lead to"},
        {"{\"properties\":{\"a\":{\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}",
         "properties alone lead to"},
        {"{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}",
         "properties alone lead"},
        {"{\"$defs\":{\"d\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}", "properties alone lead to"},
        {"{\"additionalProperties\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}", "properties alone lead to"},
        {"{\"items\":[{\"type\":\"string\",\"x-mcp-header\":\"A\"}]}", "properties alone lead to"},
    };
    struct test_cx test;
    struct tc_mcp_param_headers headers;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_mcp_param_headers_read(&test.cx, json(&test, rows[i].schema), &headers), TC_E_MCP_PROTOCOL);
        if (tc_str_find(test.cx.err.message, tc_str_of(rows[i].message)) == SIZE_MAX)
            fail_msg("%zu: %.*s", i, TC_STR_ARG(test.cx.err.message));
    }
    test_cx_finish(&test);
}

void test_param_header__has_a_limit_for_one_tool(void **state)
{
    struct test_cx test;
    struct tc_mcp_param_headers headers;
    struct tc_buf text;
    (void)state;

    test_cx_init(&test);
    for (int n = TC_MCP_PARAM_HEADERS_MAX; n <= TC_MCP_PARAM_HEADERS_MAX + 1; n++) {
        tc_buf_init(&text, 1 << 20);
        tc_buf_cstr(&text, "{\"properties\":{");
        for (int i = 0; i < n; i++)
            tc_buf_printf(&text, "%s\"p%d\":{\"type\":\"string\",\"x-mcp-header\":\"H%d\"}", i ? "," : "", i, i);
        tc_buf_cstr(&text, "}}");
        tc_buf_char(&text, '\0');
        assert_int_equal(tc_mcp_param_headers_read(&test.cx, json(&test, text.p), &headers),
                         n > TC_MCP_PARAM_HEADERS_MAX ? TC_E_MCP_PROTOCOL : TC_OK);
        tc_buf_finish(&text);
    }
    test_cx_finish(&test);
}

void test_param_header__writes_values_that_are_safe_in_a_field(void **state)
{
    static const struct {
        const char *argument, *value; /* value NULL: no field */
    } rows[] = {
        {"\"us-west1\"", "us-west1"},
        {"\"a b\\tc\"", "a b\tc"},
        {"\"\"", ""},
        {"\" padded \"", "=?base64?IHBhZGRlZCA=?="},
        {"\"Hello, \\u4e16\\u754c\"", "=?base64?SGVsbG8sIOS4lueVjA==?="},
        {"\"line1\\nline2\"", "=?base64?bGluZTEKbGluZTI=?="},
        {"\"=?base64?literal?=\"", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
        {"\"=?base64?open\"", "=?base64?open"},
        {"42", "42"},
        {"-7", "-7"},
        {"42.0", "42"},
        {"1e3", "1000"},
        {"3.14", "3.14"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"true", "true"},
        {"false", "false"},
        {"null", NULL},
        {"[1]", NULL},
        {"{}", NULL},
    };
    struct test_cx test;
    struct tc_str value;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_mcp_param_header_value(&test.cx, json(&test, rows[i].argument), &value), TC_OK);
        assert_int_equal(value.p != NULL, rows[i].value != NULL);
        if (rows[i].value && !tc_str_is(value, rows[i].value))
            fail_msg("%s: %.*s", rows[i].argument, TC_STR_ARG(value));
    }
    assert_int_equal(tc_mcp_param_header_value(&test.cx, NULL, &value), TC_OK);
    assert_null(value.p);
    test_cx_finish(&test);
}
