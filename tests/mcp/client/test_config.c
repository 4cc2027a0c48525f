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
        {"{}", "/command", "A server needs a command that starts it."},
        {"{\"command\":\"\"}", "/command", "A server needs a command that starts it."},
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
        {"{\"url\":\"https://a/mcp\"}", "/url",
         "Only servers that are started by a command (stdio) can be added in this version."},
        {"{\"command\":\"a\",\"type\":\"sse\"}", "/type",
         "Only servers of type \"stdio\" can be added in this version."},
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
