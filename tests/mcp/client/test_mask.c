#include "support/test.h"

#include <stdlib.h>

#include "mcp/client/mask.h"

void test_mask__hides_what_the_server_was_trusted_with(void **state)
{
    static const char *const named[] = {"TC_TEST_MASK", "TC_TEST_MASK_UNSET", NULL};
    const struct tc_mcp_variable env[] = {{TC_STR_INIT("api_Key"), TC_STR_INIT("abc-123")},
                                          {TC_STR_INIT("NODE_ENV"), TC_STR_INIT("production")},
                                          {TC_STR_INIT("PASS"), TC_STR_INIT("short")}};
    struct tc_mcp_config config = {.env = env, .env_n = 3};
    struct tc_mcp_launch_rules rules = {.variables = named};
    struct tc_str plain = TC_STR("nothing to hide");
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    setenv("TC_TEST_MASK", "hunter2!", 1);
    unsetenv("TC_TEST_MASK_UNSET");
    assert_str(tc_mcp_mask(&test.cx, TC_STR("key abc-123, hunter2! hunter2! in production, short"), &config, &rules),
               "key ***, *** *** in production, short");
    assert_ptr_equal(tc_mcp_mask(&test.cx, plain, &config, &rules).p, plain.p);
    assert_str(tc_mcp_mask(&test.cx, tc_str_n(NULL, 0), &config, &rules), "");
    test_cx_finish(&test);
}

void test_mask__hides_headers_and_what_a_query_holds(void **state)
{
    const struct tc_mcp_variable headers[] = {{TC_STR_INIT("Authorization"), TC_STR_INIT("Bearer tok-123456")},
                                              {TC_STR_INIT("X-Region"), TC_STR_INIT("north-1")}};
    struct tc_mcp_config config = {
        .headers = headers, .headers_n = 2, .url = TC_STR("https://a/mcp?api_key=secret-9&n=1&=&x")};
    struct tc_mcp_launch_rules rules = {0};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_str(tc_mcp_mask(&test.cx,
                           TC_STR("Bearer tok-123456 or tok-123456 at north-1: https://a/mcp?api_key=secret-9&n=1"),
                           &config, &rules),
               "*** or *** at ***: https://a/mcp?api_key=***&n=1");
    test_cx_finish(&test);
}
