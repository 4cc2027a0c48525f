#include "support/test.h"

#include "mcp/client/config.h"

static enum tc_err read_text(struct test_cx *test, const char *text, struct tc_mcp_config *ret)
{
    const struct tc_json *block;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &block), TC_OK);
    return tc_mcp_config_read(&test->cx, block, ret);
}

void test_config__reads_a_block_of_another_client(void **state)
{
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_text(&test,
                               "{\"command\":\"npx\",\"args\":[\"-y\",\"@a/b\",\"\"],"
                               "\"env\":{\"KEY\":\"${KEY}\",\"E\":\"\"},"
                               "\"cwd\":\"/srv\",\"type\":\"stdio\",\"disabled\":true,\"autoApprove\":[\"x\"],"
                               "\"timeout\":60,\"url\":null}",
                               &config),
                     TC_OK);
    assert_str(config.command, "npx");
    assert_int_equal(config.args_n, 3);
    assert_str(config.args[1], "@a/b");
    assert_str(config.args[2], "");
    assert_int_equal(config.env_n, 2);
    assert_str(config.env[0].name, "KEY");
    assert_str(config.env[0].value, "${KEY}");
    assert_str(config.cwd, "/srv");
    assert_true(config.disabled);
    assert_int_equal(config.diagnostics_n, 2);
    assert_str(config.diagnostics[0], "\"autoApprove\" means nothing here and was left alone.");
    assert_str(config.diagnostics[1], "\"timeout\" means nothing here and was left alone.");
    test_cx_finish(&test);
}

void test_config__needs_no_more_than_a_command(void **state)
{
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_text(&test, "{\"command\":\"x\"}", &config), TC_OK);
    assert_int_equal(config.args_n + config.env_n + config.diagnostics_n + config.cwd.n, 0);
    assert_false(config.disabled);
    test_cx_finish(&test);
}

void test_config__names_the_field_at_fault(void **state)
{
    static const struct {
        const char *text, *field, *message;
    } rows[] = {
        {"[]", "", "A server is described by an object."},
        {"{}", "/command", "A server needs a command that starts it, or a url."},
        {"{\"command\":\"\"}", "/command", "A server needs a command that starts it, or a url."},
        {"{\"command\":[\"npx\"]}", "/command", "\"command\" of a server must be a string without NUL."},
        {"{\"command\":\"a\\u0000b\"}", "/command", "\"command\" of a server must be a string without NUL."},
        {"{\"command\":\"a\",\"args\":\"-y\"}", "/args",
         "\"args\" of a server must be an array of strings without NUL."},
        {"{\"command\":\"a\",\"args\":[1]}", "/args", "\"args\" of a server must be an array of strings without NUL."},
        {"{\"command\":\"a\",\"env\":{\"A\":1}}", "/env",
         "\"env\" of a server must be an object of strings without NUL."},
        {"{\"command\":\"a\",\"env\":{\"A=B\":\"1\"}}", "/env",
         "\"env\" of a server must be an object of strings without NUL."},
        {"{\"command\":\"a\",\"cwd\":7}", "/cwd", "\"cwd\" of a server must be a string without NUL."},
        {"{\"command\":\"a\",\"disabled\":\"no\"}", "/disabled",
         "\"disabled\" of a server must be true or false."},
        {"{\"url\":7}", "/url", "\"url\" of a server must be a string without NUL."},
        {"{\"url\":\"ftp://a/mcp\"}", "/url",
         "\"url\" of a server must be an http or https URL without user and password."},
        {"{\"url\":\"https://me:pw@a/mcp\"}", "/url",
         "\"url\" of a server must be an http or https URL without user and password."},
        {"{\"url\":\"https://a/mcp#x\"}", "/url", "\"url\" of a server must be without a fragment (#…)."},
        {"{\"url\":\"https://a/mcp\",\"command\":\"a\"}", "/url",
         "A server has a command that starts it, or a url, and not both."},
        {"{\"url\":\"https://a/mcp\",\"type\":\"stdio\"}", "/command",
         "A server needs a command that starts it, or a url."},
        {"{\"url\":\"https://a/mcp\",\"type\":\"websocket\"}", "/type", "A server is of type stdio, http or sse."},
        {"{\"url\":\"https://a/mcp\",\"transport\":\"ws\"}", "/transport", "A server is of type stdio, http or sse."},
        {"{\"command\":\"a\",\"type\":\"sse\"}", "/command", "A server over HTTP has no command."},
        {"{\"type\":\"http\"}", "/url", "A server over HTTP needs a url."},
        {"{\"url\":\"https://a\",\"headers\":{\"X Y\":\"1\"}}", "/headers",
         "\"headers\" of a server must be names and values of HTTP header fields."},
        {"{\"url\":\"https://a\",\"headers\":{\"X\":\"1\\r\\nEvil: 2\"}}", "/headers",
         "\"headers\" of a server must be names and values of HTTP header fields."},
        {"{\"url\":\"https://a\",\"headers\":{\"X\":1}}", "/headers",
         "\"headers\" of a server must be an object of strings without NUL."},
        {"{\"url\":\"https://a\",\"ownNetwork\":\"yes\"}", "/ownNetwork",
         "\"ownNetwork\" of a server must be true or false."},
    };
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tc_fail_clear(&test.cx);
        assert_int_equal(read_text(&test, rows[i].text, &config), TC_E_MCP_SERVER_INVALID);
        assert_str(test.cx.err.message, rows[i].message);
        assert_str(test.cx.err.field, rows[i].field);
    }
    test_cx_finish(&test);
}

void test_config__reads_servers_over_http_as_clients_write_them(void **state)
{
    static const struct {
        const char *text, *url;
        enum tc_mcp_transport transport;
    } rows[] = {
        {"{\"url\":\"https://a/mcp\"}", "https://a/mcp", TC_MCP_ANY_HTTP},
        {"{\"type\":\"http\",\"url\":\"https://a/mcp\"}", "https://a/mcp", TC_MCP_STREAMABLE_HTTP},
        {"{\"type\":\"streamable-http\",\"url\":\"https://a\"}", "https://a", TC_MCP_STREAMABLE_HTTP},
        {"{\"type\":\"streamableHttp\",\"url\":\"https://a\"}", "https://a", TC_MCP_STREAMABLE_HTTP},
        {"{\"transport\":\"streamable_http\",\"url\":\"https://a\"}", "https://a", TC_MCP_STREAMABLE_HTTP},
        {"{\"transport\":\"sse\",\"url\":\"http://a/sse\"}", "http://a/sse", TC_MCP_SSE},
        {"{\"httpUrl\":\"http://127.0.0.1:8/mcp\"}", "http://127.0.0.1:8/mcp", TC_MCP_ANY_HTTP},
        {"{\"serverUrl\":\"https://a/sse\",\"command\":\"\"}", "https://a/sse", TC_MCP_ANY_HTTP},
        {"{\"url\":\"${BASE}/mcp\"}", "${BASE}/mcp", TC_MCP_ANY_HTTP},
    };
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(read_text(&test, rows[i].text, &config), TC_OK);
        assert_str(config.url, rows[i].url);
        assert_int_equal(config.transport, rows[i].transport);
        assert_int_equal(config.diagnostics_n, 0);
        assert_false(config.own_network);
    }
    test_cx_finish(&test);
}

void test_config__keeps_headers_but_for_those_of_the_transport(void **state)
{
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_text(&test,
                               "{\"url\":\"https://a/mcp\",\"ownNetwork\":true,\"headers\":{\"Authorization\":\"Bearer "
                               "${T}\",\"ACCEPT\":\"*\",\"X-Empty\":\"\",\"Mcp-Session-Id\":\"1\"},\"oauth\":{}}",
                               &config),
                     TC_OK);
    assert_true(config.own_network);
    assert_int_equal(config.headers_n, 2);
    assert_str(config.headers[0].name, "Authorization");
    assert_str(config.headers[0].value, "Bearer ${T}");
    assert_str(config.headers[1].name, "X-Empty");
    assert_int_equal(config.diagnostics_n, 3);
    assert_str(config.diagnostics[0], "\"oauth\" means nothing here and was left alone.");
    assert_str(config.diagnostics[1], "The header \"ACCEPT\" is set by Toolcrib itself and was left out.");
    assert_str(config.diagnostics[2], "The header \"Mcp-Session-Id\" is set by Toolcrib itself and was left out.");
    test_cx_finish(&test);
}

void test_config__says_when_a_value_was_sealed_with_another_key(void **state)
{
    struct test_cx test;
    struct tc_mcp_config config;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read_text(&test, "{\"url\":\"https://a\",\"headers\":{\"X\":{\"sealed\":\"AAAA\"}}}", &config),
                     TC_E_SECRET_SEALED);
    assert_str(test.cx.err.message, "A value in \"headers\" of the server was sealed with another key: give it again.");
    assert_str(test.cx.err.field, "/headers");
    test_cx_finish(&test);
}
