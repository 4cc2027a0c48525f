#include "support/test.h"

#include <stdio.h>

#include "mcp/codec/rpc.h"

static struct tc_rpc read_text(struct test_cx *test, const char *text)
{
    const struct tc_json *message;
    struct tc_rpc rpc;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &message), TC_OK);
    assert_int_equal(tc_rpc_read(&test->cx, message, &rpc), TC_OK);
    return rpc;
}

void test_rpc__tells_the_kinds_apart(void **state)
{
    struct test_cx test;
    struct tc_rpc rpc;
    (void)state;

    test_cx_init(&test);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"c\"}}");
    assert_int_equal(rpc.kind, TC_RPC_REQUEST);
    assert_str(rpc.method, "tools/list");
    assert_str(tc_json_str(tc_json_get_c(rpc.params, "cursor")), "c");
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    assert_int_equal(rpc.kind, TC_RPC_NOTIFICATION);
    assert_null(rpc.params);
    assert_int_equal(rpc.id.n, 0);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
    assert_int_equal(rpc.kind, TC_RPC_RESULT);
    assert_true(tc_json_is(rpc.result, TC_JSON_OBJECT));
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":3,"
                           "\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":[1]}}");
    assert_int_equal(rpc.kind, TC_RPC_ERROR);
    assert_int_equal(rpc.code, -32601);
    assert_str(rpc.message, "no");
    assert_int_equal(tc_json_count(rpc.data), 1);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse\"}}");
    assert_int_equal(rpc.kind, TC_RPC_ERROR);
    assert_int_equal(rpc.id.n, 0);
    rpc = read_text(&test, "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]");
    assert_int_equal(rpc.kind, TC_RPC_BATCH);
    test_cx_finish(&test);
}

void test_rpc__keeps_ids_exactly(void **state)
{
    static const char *const ids[] = {"1",       "-7",           "9007199254740993", "1.50", "1e3",
                                      "\"abc\"", "\"a\\\"b\"", "\"\"",             "\"7\""};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char text[128];
        struct tc_rpc rpc;

        snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", ids[i]);
        rpc = read_text(&test, text);
        assert_int_equal(rpc.kind, TC_RPC_REQUEST);
        assert_str(rpc.id, ids[i]);
    }
    test_cx_finish(&test);
}

void test_rpc__names_the_fault_of_an_invalid_message(void **state)
{
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {"7", "is no object"},
        {"[]", "is an empty batch"},
        {"{\"id\":1,\"method\":\"a\"}", "does not say \"jsonrpc\": \"2.0\""},
        {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"a\"}", "does not say \"jsonrpc\": \"2.0\""},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", "has neither method, result nor error"},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", "is a request whose id is null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"a\"}", "has an id that is neither a string nor a number"},
        {"{\"jsonrpc\":\"2.0\",\"id\":true,\"result\":{}}", "has an id that is neither a string nor a number"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "has a method that is not a name"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\"}", "has a method that is not a name"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":\"x\"}", "has params that are no object"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", "has both a result and an error"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"bad\"}", "has an error that is no object"},
        {"{\"jsonrpc\":\"2.0\",\"result\":{}}", "is a result without an id"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tc_rpc rpc = read_text(&test, rows[i].text);

        assert_int_equal(rpc.kind, TC_RPC_INVALID);
        assert_string_equal(rpc.fault, rows[i].fault);
    }
    test_cx_finish(&test);
}

void test_rpc__bounds_the_id(void **state)
{
    struct test_cx test;
    char text[2048];
    struct tc_rpc rpc;
    (void)state;

    test_cx_init(&test);
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":\"%01024d\",\"result\":{}}", 7);
    rpc = read_text(&test, text);
    assert_int_equal(rpc.kind, TC_RPC_RESULT);
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":\"%01025d\",\"result\":{}}", 7);
    rpc = read_text(&test, text);
    assert_int_equal(rpc.kind, TC_RPC_INVALID);
    assert_int_equal(rpc.id.n, 0);
    test_cx_finish(&test);
}

void test_rpc__overlooks_null_members_of_old_servers(void **state)
{
    struct test_cx test;
    struct tc_rpc rpc;
    (void)state;

    test_cx_init(&test);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":null}");
    assert_int_equal(rpc.kind, TC_RPC_RESULT);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null,\"error\":{\"code\":1,\"message\":\"x\"}}");
    assert_int_equal(rpc.kind, TC_RPC_ERROR);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}");
    assert_int_equal(rpc.kind, TC_RPC_RESULT);
    assert_true(tc_json_is(rpc.result, TC_JSON_NULL));
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":null}");
    assert_int_equal(rpc.kind, TC_RPC_REQUEST);
    assert_null(rpc.params);
    rpc = read_text(&test, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"E\",\"message\":[]}}");
    assert_int_equal(rpc.kind, TC_RPC_ERROR);
    assert_int_equal(rpc.code, 0);
    assert_int_equal(rpc.message.n, 0);
    test_cx_finish(&test);
}

void test_rpc__writes_messages(void **state)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    (void)state;

    tc_buf_init(&buf, 4096);
    tc_rpc_write_request(&buf, TC_STR("7"), "ping", TC_STR(""));
    assert_str(tc_buf_get(&buf), "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}");
    tc_buf_clear(&buf);
    tc_rpc_write_request(&buf, TC_STR(""), "notifications/cancelled", TC_STR("{\"requestId\":7}"));
    assert_str(tc_buf_get(&buf),
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
    tc_buf_clear(&buf);
    tc_rpc_write_result(&buf, TC_STR("\"a\""), TC_STR("{}"));
    assert_str(tc_buf_get(&buf), "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
    tc_buf_clear(&buf);
    tc_rpc_write_error(&buf, TC_STR(""), -32700, TC_STR("Parse \"error\""), TC_STR("[1]"));
    assert_str(tc_buf_get(&buf), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":"
                                 "\"Parse \\\"error\\\"\",\"data\":[1]}}");
    tc_buf_clear(&buf);
    tc_rpc_open_request(&w, &buf, TC_STR("1"), "tools/call");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "name", "echo");
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    assert_str(tc_buf_get(&buf),
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}");
    tc_buf_finish(&buf);
}
