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
