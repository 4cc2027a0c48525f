/*
 * Answers of token and registration endpoints.
 */
#include "oauth/answer.h"
#include "support/test.h"

void test_answer__tokens_are_read(void **state)
{
    struct tc_oauth_tokens tokens;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(
        tc_oauth_tokens_read(&t.cx,
                             TC_STR("{\"access_token\":\"at\",\"token_type\":\"bearer\",\"expires_in\":3600,"
                                    "\"refresh_token\":\"rt\",\"scope\":\"a b\"}"),
                             &tokens),
        TC_OK);
    assert_str(tokens.access, "at");
    assert_str(tokens.refresh, "rt");
    assert_str(tokens.scope, "a b");
    assert_int_equal(tokens.expires_in_s, 3600);
    assert_int_equal(
        tc_oauth_tokens_read(&t.cx, TC_STR("{\"access_token\":\"at\",\"token_type\":\"Bearer\",\"expires_in\":\"60\"}"),
                             &tokens),
        TC_OK);
    assert_int_equal(tokens.expires_in_s, 60);
    assert_int_equal(
        tc_oauth_tokens_read(&t.cx, TC_STR("{\"access_token\":\"at\",\"token_type\":\"Bearer\",\"expires_in\":-5}"),
                             &tokens),
        TC_OK);
    assert_int_equal(tokens.expires_in_s, -1);
    assert_str(tokens.refresh, "");
    test_cx_finish(&t);
}

void test_answer__what_is_no_bearer_token_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "[]",
                                      "{}",
                                      "{\"access_token\":\"\",\"token_type\":\"Bearer\"}",
                                      "{\"access_token\":\"a\"}",
                                      "{\"access_token\":\"a\",\"token_type\":\"DPoP\"}",
                                      "{\"access_token\":7,\"token_type\":\"Bearer\"}",
                                      "{\"access_token\":\"a\\r\\nX: y\",\"token_type\":\"Bearer\"}",
                                      "{\"access_token\":\"a b\",\"token_type\":\"Bearer\"}"};
    struct tc_oauth_tokens tokens;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (tc_oauth_tokens_read(&t.cx, tc_str_of(bad[i]), &tokens) != TC_E_MCP_AUTHORIZATION)
            fail_msg("taken: %s", bad[i]);
    test_cx_finish(&t);
}

void test_answer__a_refusal_is_made_fit_to_be_shown(void **state)
{
    struct tc_oauth_refusal r;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_refusal_read(
                         &t.cx, TC_STR("{\"error\":\"invalid_grant\",\"error_description\":\"a\\u001b[31m\\nb\"}"), &r),
                     TC_OK);
    assert_str(r.code, "invalid_grant");
    assert_str(r.description, "a?[31m?b");
    assert_int_equal(tc_oauth_refusal_read(&t.cx, TC_STR("<html>502</html>"), &r), TC_OK);
    assert_str(r.code, "");
    test_cx_finish(&t);
}

void test_answer__a_registration_is_read(void **state)
{
    struct tc_oauth_registration r;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_registration_read(&t.cx,
                                                TC_STR("{\"client_id\":\"c\",\"client_secret\":\"s\","
                                                       "\"token_endpoint_auth_method\":\"client_secret_post\","
                                                       "\"client_secret_expires_at\":1900000000}"),
                                                &r),
                     TC_OK);
    assert_str(r.client_id, "c");
    assert_str(r.client_secret, "s");
    assert_int_equal(r.method, TC_OAUTH_POST);
    assert_int_equal(r.secret_expires_at, 1900000000);
    assert_int_equal(tc_oauth_registration_read(&t.cx, TC_STR("{\"client_id\":\"c\"}"), &r), TC_OK);
    assert_int_equal(r.method, TC_OAUTH_METHODS);
    assert_int_equal(tc_oauth_registration_read(&t.cx, TC_STR("{}"), &r), TC_E_MCP_AUTHORIZATION);
    test_cx_finish(&t);
}
