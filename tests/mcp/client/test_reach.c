#include "mcp/client/reach.h"

#include <stdlib.h>

#include "support/test.h"

static enum tc_err reach(struct test_cx *test, const char *text, struct tc_remote *ret_remote)
{
    static const char *const named[] = {"TC_TEST_BASE", "TC_TEST_TOKEN", "TC_TEST_ODD", NULL};
    struct tc_mcp_launch_rules rules = {.variables = named};
    struct tc_mcp_config config;
    const struct tc_json *block;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &block), TC_OK);
    assert_int_equal(tc_mcp_config_read(&test->cx, block, &config), TC_OK);
    return tc_reach_make(&test->cx, &config, &rules, ret_remote);
}

void test_reach__fills_variables_in(void **state)
{
    struct tc_remote remote = {0};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    setenv("TC_TEST_BASE", "https://api.example.org", 1);
    setenv("TC_TEST_TOKEN", "secret\n", 1); /* as files with secrets end */
    setenv("TC_TEST_ODD", "a\nEvil: 1", 1);
    assert_int_equal(reach(&test,
                           "{\"url\":\"${TC_TEST_BASE}/mcp?k=${TC_TEST_UNSET:-d}\",\"headers\":{\"X\":\"1\"}}",
                           &remote),
                     TC_E_MCP_SERVER_INVALID); /* not named */
    assert_int_equal(reach(&test,
                           "{\"url\":\"${TC_TEST_BASE}/mcp\",\"headers\":{\"Authorization\":\"Bearer "
                           "${TC_TEST_TOKEN}\",\"X\":\"1\"}}",
                           &remote),
                     TC_OK);
    assert_str(remote.url, "https://api.example.org/mcp");
    assert_int_equal(remote.headers.n, 2);
    assert_str(tc_header_get(remote.headers, TC_STR("authorization")), "Bearer secret");
    assert_true(remote.public_only);
    assert_int_equal(
        reach(&test, "{\"url\":\"https://a.example\",\"headers\":{\"X-Odd\":\"${TC_TEST_ODD}\"}}", &remote),
        TC_E_MCP_SERVER_INVALID);
    assert_str(test.cx.err.message,
               "The header \"X-Odd\" of the server, with its variables filled in, has a line end in it.");
    assert_int_equal(reach(&test, "{\"url\":\"${TC_TEST_TOKEN}/mcp\"}", &remote), TC_E_MCP_SERVER_INVALID);
    assert_str(test.cx.err.message, "url of the server, with its variables filled in, is no http or https URL.");
    test_cx_finish(&test);
}

void test_reach__is_public_but_for_plainly_own_hosts(void **state)
{
    static const struct {
        const char *host;
        bool public_only;
    } rows[] = {
        {"mcp.example.org", true},   {"8.8.8.8", true},       {"[2606:4700::1]", true}, {"localhost.example.org", true},
        {"10.0.0.1.nip.io", true},   {"local", false},        {"localhost", false},     {"LOCALHOST", false},
        {"127.0.0.1", false},        {"10.1.2.3", false},     {"192.168.0.9", false},   {"[::1]", false},
        {"[fd00::1]", false},        {"everything", false},   {"nas.local", false},     {"a.b.Internal", false},
        {"x.lan", false},            {"x.home.arpa", false},  {"app.localhost", false}, {"app.localhost.", false},
        {"169.254.169.254", false}, /* shut out by the client */
    };
    struct tc_remote remote = {0};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = tc_arena_printf(&test.arena, "{\"url\":\"http://%s:8/mcp\"}", rows[i].host).p;

        assert_int_equal(reach(&test, text, &remote), TC_OK);
        if (remote.public_only != rows[i].public_only)
            fail_msg("%s", rows[i].host);
    }
    assert_int_equal(reach(&test, "{\"url\":\"https://mcp.example.org\",\"ownNetwork\":true}", &remote), TC_OK);
    assert_false(remote.public_only);
    test_cx_finish(&test);
}
