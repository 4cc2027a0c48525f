/*
 * What servers say in WWW-Authenticate, well-formed and not.
 */
#include "oauth/challenge.h"
#include "support/test.h"

static struct tc_challenge read(struct test_cx *t, const char *field)
{
    struct tc_challenge c;

    assert_int_equal(tc_challenge_parse(&t->cx, tc_str_of(field), &c), TC_OK);
    return c;
}

void test_challenge__a_bearer_challenge_is_read(void **state)
{
    struct test_cx t;
    struct tc_challenge c;

    (void)state;
    test_cx_init(&t);
    c = read(&t, "Bearer error=\"insufficient_scope\", scope=\"files:read files:write\","
                 " resource_metadata=\"https://a.example/.well-known/oauth-protected-resource\","
                 " error_description=\"say \\\"please\\\"\"");
    assert_true(c.bearer);
    assert_str(c.error, "insufficient_scope");
    assert_str(c.scope, "files:read files:write");
    assert_str(c.resource_metadata, "https://a.example/.well-known/oauth-protected-resource");
    assert_str(c.description, "say \"please\"");
    test_cx_finish(&t);
}

void test_challenge__names_and_scheme_ignore_case_and_blanks(void **state)
{
    struct test_cx t;
    struct tc_challenge c;

    (void)state;
    test_cx_init(&t);
    c = read(&t, " ,, bEARER  SCOPE = token ,Error=\"x\"");
    assert_true(c.bearer);
    assert_str(c.scope, "token");
    assert_str(c.error, "x");
    test_cx_finish(&t);
}

void test_challenge__of_several_the_bearer_that_names_its_metadata_counts(void **state)
{
    struct test_cx t;
    struct tc_challenge c;

    (void)state;
    test_cx_init(&t);
    c = read(&t, "Basic realm=\"scope=no\", Bearer scope=\"one\", Negotiate YWJj==, Bearer resource_metadata=\"u\"");
    assert_str(c.resource_metadata, "u");
    assert_str(c.scope, "");
    c = read(&t, "Basic scope=\"no\", Bearer scope=\"one\", DPoP scope=\"two\"");
    assert_str(c.scope, "one");
    c = read(&t, "Basic scope=\"no\", resource_metadata=\"no\"");
    assert_false(c.bearer);
    assert_str(c.scope, "");
    test_cx_finish(&t);
}

void test_challenge__the_first_of_a_repeated_parameter_counts(void **state)
{
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(read(&t, "Bearer scope=a, scope=b").scope, "a");
    test_cx_finish(&t);
}

void test_challenge__what_is_malformed_is_passed_over(void **state)
{
    struct test_cx t;
    char *huge;

    (void)state;
    test_cx_init(&t);
    assert_false(read(&t, "").bearer);
    assert_false(read(&t, "\"Bearer scope=a\"=,;;").bearer && read(&t, "=").bearer);
    assert_str(read(&t, "Bearer scope=\"open").scope, "open");
    assert_str(read(&t, "Bearer scope=\"a\\").scope, "a\\");
    assert_str(read(&t, "Bearer scope=, error=x").error, "x");
    assert_true(read(&t, "Bearer").bearer);
    huge = tc_arena_alloc(&t.arena, TC_CHALLENGE_MAX + 32);
    memset(huge, ' ', TC_CHALLENGE_MAX + 31);
    huge[TC_CHALLENGE_MAX + 31] = '\0';
    memcpy(huge, "Bearer scope=a", 14);
    assert_false(read(&t, huge).bearer);
    test_cx_finish(&t);
}
