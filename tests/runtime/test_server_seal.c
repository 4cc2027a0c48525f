#include "runtime/server_seal.h"

#include "support/fake_secrets.h"
#include "support/test.h"

#define CONFIG                                                                                                         \
    "{\"command\":\"x\",\"env\":{\"KEY\":\"hunter22\",\"REF\":\"${KEY}\",\"E\":\"\",\"MIX\":\"${A}${B}\"},"            \
    "\"n\":1.50,\"headers\":{\"Authorization\":\"Bearer tok\"}}"

static bool has(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

void test_server_seal__seals_values_and_opens_them_for_the_same_server(void **state)
{
    struct tc_secrets secrets = {&fake_secrets_ops};
    struct tc_str sealed, plain;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_int_equal(tc_server_seal(&t.cx, &secrets, TC_STR("u-1"), TC_STR(CONFIG), &sealed), TC_OK);
    assert_false(has(sealed, "hunter22") || has(sealed, "tok\"") || has(sealed, "${A}"));
    assert_true(has(sealed, "\"REF\":\"${KEY}\"") && has(sealed, "\"E\":\"\"") && has(sealed, "\"n\":1.50"));
    assert_true(has(sealed, "\"KEY\":{\"sealed\":\""));
    assert_int_equal(tc_server_unseal(&t.cx, &secrets, TC_STR("u-1"), sealed, &plain), TC_OK);
    assert_str(plain, CONFIG);
    assert_int_equal(tc_server_unseal(&t.cx, &secrets, TC_STR("u-2"), sealed, &plain), TC_OK);
    assert_true(tc_str_eq(plain, sealed)); /* not its own: it stays closed */
    test_cx_finish(&t);
}

void test_server_seal__leaves_alone_what_has_no_secrets(void **state)
{
    static const char *const texts[] = {"{\"command\":\"x\", \"args\":[1]}", "{}", "[1]", "{\"env\":{}}", "{\"env\":7}",
                                        "{\"headers\":{\"X\":\"${TOKEN}\"}}", "{\"env\":{\"A\":{\"sealed\":\"?\"}}}",
                                        "{\"env\":{\"A\":{\"sealed\":7}}}"};
    struct tc_secrets secrets = {&fake_secrets_ops};
    struct tc_str text;
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(tc_server_seal(&t.cx, &secrets, TC_STR("u"), tc_str_of(texts[i]), &text), TC_OK);
        assert_str(text, texts[i]);
        assert_int_equal(tc_server_unseal(&t.cx, &secrets, TC_STR("u"), tc_str_of(texts[i]), &text), TC_OK);
        assert_str(text, texts[i]);
    }
    test_cx_finish(&t);
}
