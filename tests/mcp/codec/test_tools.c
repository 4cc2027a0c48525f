#include "support/test.h"

#include "mcp/codec/tools.h"

static const struct tc_mcp_list tools = {"tools/list", "tools"};

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *v;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

static enum tc_err read_result(struct test_cx *test, const char *text, struct tc_mcp_result *ret)
{
    return tc_mcp_tools_result(&test->cx, parse(test, text), tc_mcp_revision_find(TC_STR("2025-11-25")), ret);
}

void test_tools__reads_pages(void **state)
{
    struct test_cx test;
    struct tc_mcp_page page;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(
        tc_mcp_tools_page(&test.cx, &tools, parse(&test, "{\"tools\":[{},7],\"nextCursor\":\"n\"}"), &page), TC_OK);
    assert_int_equal(tc_json_count(page.entries), 2);
    assert_str(page.cursor, "n");
    assert_int_equal(tc_mcp_tools_page(&test.cx, &tools, parse(&test, "{\"tools\":null,\"nextCursor\":null}"), &page),
                     TC_OK);
    assert_null(page.entries);
    assert_int_equal(page.cursor.n, 0);
    test_cx_finish(&test);
}

void test_tools__refuses_what_is_no_page(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[]", "The answer to tools/list is no object."},
        {"{}", "The answer to tools/list has no array \"tools\"."},
        {"{\"tools\":{}}", "The answer to tools/list has no array \"tools\"."},
        {"{\"tools\":[],\"nextCursor\":7}", "The answer to tools/list has a nextCursor that is no string."},
    };
    struct test_cx test;
    struct tc_mcp_page page;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_mcp_tools_page(&test.cx, &tools, parse(&test, rows[i].text), &page), TC_E_MCP_PROTOCOL);
        assert_str(test.cx.err.message, rows[i].message);
    }
    test_cx_finish(&test);
}

void test_tools__reads_every_kind_of_block(void **state)
{
    struct test_cx test;
    struct tc_mcp_result result;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_result(&test,
                                 "{\"content\":[{\"type\":\"text\",\"text\":\"\"},"
                                 "{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"},"
                                 "{\"type\":\"audio\",\"data\":\"AA==\",\"mimeType\":\"audio/wav\"},"
                                 "{\"type\":\"resource_link\",\"uri\":\"a:b\"},"
                                 "{\"type\":\"resource\",\"resource\":"
                                 "{\"uri\":\"a:b\",\"text\":\"t\",\"mimeType\":null}},"
                                 "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"AA==\"}},"
                                 "{\"type\":\"hologram\",\"x\":1}],"
                                 "\"structuredContent\":{\"n\":1},\"isError\":true}",
                                 &result),
                     TC_OK);
    assert_int_equal(tc_json_count(result.content), 7);
    assert_int_equal(result.unknown_blocks, 1);
    assert_true(result.is_error);
    assert_non_null(result.structured);
    assert_false(result.structured_odd);
    test_cx_finish(&test);
}

void test_tools__takes_structured_content_alone(void **state)
{
    struct test_cx test;
    struct tc_mcp_result result;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_result(&test, "{\"structuredContent\":{},\"content\":[]}", &result), TC_OK);
    assert_int_equal(read_result(&test, "{\"structuredContent\":{}}", &result), TC_OK);
    assert_null(result.content);
    assert_int_equal(read_result(&test, "{\"structuredContent\":[1],\"content\":[],\"isError\":null}", &result), TC_OK);
    assert_true(result.structured_odd);
    assert_false(result.is_error);
    v = parse(&test, "{\"structuredContent\":[1],\"resultType\":\"complete\"}");
    assert_int_equal(tc_mcp_tools_result(&test.cx, v, tc_mcp_revision_find(TC_STR("2026-07-28")), &result), TC_OK);
    assert_false(result.structured_odd);
    test_cx_finish(&test);
}

void test_tools__says_why_a_response_is_no_result(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"null", "The result of the call is no object."},
        {"{}", "The result of the call has no content."},
        {"{\"content\":null,\"structuredContent\":null}", "The result of the call has no content."},
        {"{\"content\":\"x\"}", "The content of the result is no array."},
        {"{\"content\":[],\"isError\":\"false\"}", "isError of the result is neither true nor false."},
        {"{\"content\":[\"x\"]}", "Block 0 of the result has no type."},
        {"{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":7}]}", "Block 1 of the result has no type."},
        {"{\"content\":[{\"type\":\"text\"}]}", "Block 0 of the result has no \"text\"."},
        {"{\"content\":[{\"type\":\"text\",\"text\":null}]}", "Block 0 of the result has a wrong type in \"text\"."},
        {"{\"content\":[{\"type\":\"image\",\"data\":\"\"}]}", "Block 0 of the result has no \"mimeType\"."},
        {"{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"u\"}}]}",
         "Block 0 of the result embeds a resource without text or blob."},
        {"{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"text\":7}}]}",
         "Block 0 of the result has a wrong type in \"text\"."},
        {"{\"content\":[],\"resultType\":\"input_required\"}",
         "The result is of type \"input_required\", which was not asked for."},
    };
    struct test_cx test;
    struct tc_mcp_result result;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(read_result(&test, rows[i].text, &result), TC_E_MCP_UNSUPPORTED_RESPONSE);
        assert_str(test.cx.err.message, rows[i].message);
    }
    test_cx_finish(&test);
}
