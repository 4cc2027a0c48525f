#include "schema/explain.h"

#include <stdio.h>

#include "support/test.h"
#include "toolcrib/buf.h"

/* The fault lines of the instance, at most five, in one text. */
static struct tc_str lines(struct test_cx *test, const char *schema_text, const char *instance_text)
{
    const struct tc_json *schema = NULL, *instance = NULL;
    struct tc_schema *compiled;
    struct tc_schema_options options = {.formats = true};
    struct tc_schema_fault *faults = NULL;
    struct tc_str text;
    struct tc_buf buf;
    size_t n = 0;

    test_cx_init(test);
    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(schema_text), NULL, &schema), TC_OK);
    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(instance_text), NULL, &instance), TC_OK);
    if (tc_schema_compile(&test->cx, schema, &options, &compiled))
        fail_msg("%s: %.*s", schema_text, TC_STR_ARG(test->cx.err.message));
    assert_int_equal(tc_schema_faults(&test->cx, compiled, instance, 5, &faults, &n), TC_OK);
    tc_buf_init(&buf, 100000);
    for (size_t i = 0; i < n; i++)
        tc_schema_fault_line(&buf, &faults[i]);
    text = tc_buf_dup(&buf, &test->arena);
    tc_buf_finish(&buf);
    tc_schema_unref(compiled);
    return text;
}

static void check(const char *schema, const char *instance, const char *expected)
{
    struct test_cx test;
    struct tc_str text = lines(&test, schema, instance);

    assert_str(text, expected);
    test_cx_finish(&test);
}

void test_explain__says_nothing_of_what_is_valid(void **state)
{
    (void)state;
    check("{\"type\":\"integer\"}", "1", "");
}

void test_explain__names_path_rule_expected_and_got(void **state)
{
    (void)state;
    check("{\"type\":\"integer\"}", "\"x\"",
          "(root) type: expected integer; got string \"x\". Give a number.\n");
    check("{\"properties\":{\"a\":{\"items\":{\"type\":[\"string\",\"null\"]}}}}", "{\"a\":[null,5]}",
          "/a/1 type: expected string or null; got number 5. Put it in quotes.\n");
    check("{\"properties\":{\"a~/b\":{\"type\":\"boolean\"}}}", "{\"a~/b\":[]}",
          "/a~0~1b type: expected boolean; got array of 0 items.\n");
    check("{\"type\":\"integer\"}", "1.5", "(root) type: expected integer; got number 1.5. Give a whole number.\n");
    check("{\"type\":\"array\"}", "\"[1]\"",
          "(root) type: expected array; got string \"[1]\". Give a JSON array, not text.\n");
}

void test_explain__puts_limits_into_words(void **state)
{
    (void)state;
    check("{\"minimum\":1}", "0", "(root) minimum: expected at least 1; got number 0.\n");
    check("{\"exclusiveMaximum\":3}", "3", "(root) exclusiveMaximum: expected less than 3; got number 3.\n");
    check("{\"multipleOf\":0.5}", "0.7", "(root) multipleOf: expected a multiple of 0.5; got number 0.7.\n");
    check("{\"minLength\":3}", "\"ab\"", "(root) minLength: expected at least 3 characters; got string \"ab\" of 2.\n");
    check("{\"maxLength\":1}", "\"ab\"", "(root) maxLength: expected at most 1 character; got string \"ab\" of 2.\n");
    check("{\"pattern\":\"^a\"}", "\"b\"", "(root) pattern: expected text that matches ^a; got string \"b\".\n");
    check("{\"minItems\":1}", "[]", "(root) minItems: expected at least 1 item; got array of 0 items.\n");
    check("{\"uniqueItems\":true}", "[1,2,1.0]",
          "(root) uniqueItems: expected items that all differ; got array of 3 items of which 0 and 2 are equal.\n");
    check("{\"maxProperties\":1}", "{\"a\":1,\"b\":2}",
          "(root) maxProperties: expected at most 1 property; got object with a, b.\n");
    check("{\"contains\":{\"type\":\"null\"}}", "[1]",
          "(root) contains: expected at least 1 item that matches \"contains\"; got array of 1 item.\n");
    check("{\"not\":{\"type\":\"null\"}}", "null",
          "(root) not: expected a value that does not match \"not\"; got null.\n");
    check("{\"format\":\"ipv4\"}", "\"1.2.3\"",
          "(root) format: expected text of the format ipv4; got string \"1.2.3\".\n");
    check("{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
          "(root) dependentRequired: expected the property \"b\", since \"a\" is given; got object with a.\n");
    check("{\"properties\":{\"a\":false}}", "{\"a\":1}", "/a properties: expected no value here; got number 1.\n");
    check("{\"prefixItems\":[true],\"items\":false}", "[1,2]",
          "(root) items: expected at most 1 item; got array of 2 items.\n");
}

#define FILE_SCHEMA                                                                                                    \
    "{\"additionalProperties\":false,\"required\":[\"file_path\"],\"properties\":{\"file_path\":{\"type\":\"string\"}" \
    ","                                                                                                                \
    "\"offset\":{\"type\":\"integer\"},\"limit\":{\"type\":\"integer\"}}}"

void test_explain__names_the_nearest_right_thing(void **state)
{
    (void)state;
    check(
        FILE_SCHEMA, "{\"file_path\":\"x\",\"ofset\":1}",
        "/ofset additionalProperties: expected only the properties file_path, offset, limit; got the unknown property "
        "\"ofset\". Did you mean \"offset\"?\n");
    check(FILE_SCHEMA, "{\"path\":\"x\"}",
          "/path additionalProperties: expected only the properties file_path, offset, limit; got the unknown property "
          "\"path\". Did you mean \"file_path\"?\n"
          "(root) required: expected the property \"file_path\"; got object with path. You gave \"path\"; is that the "
          "one?\n");
    check(FILE_SCHEMA, "{\"offset\":1}",
          "(root) required: expected the property \"file_path\"; got object with offset.\n");
    check(FILE_SCHEMA, "{}", "(root) required: expected the property \"file_path\"; got empty object.\n");
    check(
        "{\"enum\":[\"created\",\"updated\",3]}", "\"create\"",
        "(root) enum: expected one of \"created\", \"updated\", 3; got string \"create\". Did you mean \"created\"?\n");
    check("{\"enum\":[\"utf8\",\"UTF16\"]}", "\"UTF8\"",
          "(root) enum: expected one of \"utf8\", \"UTF16\"; got string \"UTF8\". Did you mean \"utf8\"?\n");
    check("{\"const\":1}", "2", "(root) const: expected 1; got number 2.\n");
}

#define SHAPES                                                                                                         \
    "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"kind\",\"r\"],\"properties\":{\"kind\":{\"const\":\"circle\"},"  \
    "\"r\":{\"type\":\"number\"}}},{\"type\":\"object\",\"required\":[\"kind\",\"w\"],\"properties\":{\"kind\":"       \
    "{\"const\":\"square\"},\"w\":{\"type\":\"number\"}}},{\"type\":\"null\"}]}"

void test_explain__keeps_the_branch_that_fits_best(void **state)
{
    (void)state;
    check(SHAPES, "{\"kind\":\"square\",\"w\":\"x\"}",
          "/w type: expected number; got string \"x\". Give a number.\n");
    check(SHAPES, "{\"kind\":\"circle\"}", "(root) required: expected the property \"r\"; got object with kind.\n");
    check(SHAPES, "5", "(root) type: expected object or null; got number 5.\n");
    check("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}", "[]",
          "(root) type: expected string or integer; got array of 0 items.\n");
    check("{\"oneOf\":[{\"minimum\":0},{\"maximum\":9}]}", "5",
          "(root) oneOf: expected a match of exactly one alternative; got number 5 that matches both 0 and 1.\n");
}

void test_explain__puts_the_deepest_first_and_stops_at_max(void **state)
{
    (void)state;
    check("{\"required\":[\"z\"],\"properties\":{\"a\":{\"properties\":{\"b\":{\"type\":\"null\"}}},\"c\":{\"type\":"
          "\"null\"}}}",
          "{\"c\":1,\"a\":{\"b\":1}}",
          "/a/b type: expected null; got number 1.\n"
          "/c type: expected null; got number 1.\n"
          "(root) required: expected the property \"z\"; got object with c, a.\n");
    check("{\"items\":{\"type\":\"null\"}}", "[1,2,3,4,5,6,7]",
          "/0 type: expected null; got number 1.\n/1 type: expected null; got number 2.\n"
          "/2 type: expected null; got number 3.\n/3 type: expected null; got number 4.\n"
          "/4 type: expected null; got number 5.\n");
}

void test_explain__cuts_long_values_and_hides_secrets(void **state)
{
    struct test_cx test;
    char instance[400];
    struct tc_str text;

    (void)state;
    snprintf(instance, sizeof instance, "\"%0200d\"", 7);
    text = lines(&test, "{\"type\":\"null\"}", instance);
    assert_true(text.n < 160);
    assert_true(tc_str_find(text, TC_STR("\"…")) != SIZE_MAX);
    test_cx_finish(&test);
    check("{\"properties\":{\"api_key\":{\"type\":\"string\",\"minLength\":9}}}", "{\"api_key\":\"s3cret\"}",
          "/api_key minLength: expected at least 9 characters; got string (not shown) of 6.\n");
    check("{\"properties\":{\"p\":{\"writeOnly\":true,\"maxLength\":1}}}", "{\"p\":\"s3cret\"}",
          "/p maxLength: expected at most 1 character; got string (not shown) of 6.\n");
    check("{\"properties\":{\"p\":{\"format\":\"password\",\"maxLength\":1}}}", "{\"p\":\"s3cret\"}",
          "/p maxLength: expected at most 1 character; got string (not shown) of 6.\n");
}

void test_explain__keeps_a_fault_on_one_line(void **state)
{
    (void)state;
    check("{\"additionalProperties\":false}", "{\"a\\nb\":1}",
          "/a b additionalProperties: expected no such property; got the unknown property \"a\\nb\".\n");
}

void test_explain__finds_what_no_keyword_has_evaluated(void **state)
{
    (void)state;
    check("{\"allOf\":[{\"properties\":{\"a\":true}}],\"unevaluatedProperties\":false}", "{\"a\":1,\"b\":2}",
          "/b unevaluatedProperties: expected no such property; got the unknown property \"b\".\n");
    check("{\"allOf\":[{\"prefixItems\":[true]}],\"unevaluatedItems\":{\"type\":\"null\"}}", "[1,2]",
          "/1 type: expected null; got number 2.\n");
}

void test_explain__says_where_the_rule_stands(void **state)
{
    struct test_cx test;
    const struct tc_json *schema = NULL, *instance = NULL;
    struct tc_schema *compiled;
    struct tc_schema_fault *faults = NULL;
    size_t n = 0;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx,
                                        TC_STR("{\"properties\":{\"a/b\":{\"items\":{\"$ref\":\"#/$defs/x\"}}},"
                                               "\"$defs\":{\"x\":{\"anyOf\":[{\"minimum\":3},{\"type\":\"null\"}]}}}"),
                                        NULL, &schema),
                     TC_OK);
    assert_int_equal(tc_json_parse_root(&test.cx, TC_STR("{\"a/b\":[1]}"), NULL, &instance), TC_OK);
    assert_int_equal(tc_schema_compile(&test.cx, schema, NULL, &compiled), TC_OK);
    assert_int_equal(tc_schema_faults(&test.cx, compiled, instance, 5, &faults, &n), TC_OK);
    assert_int_equal(n, 1);
    assert_str(faults[0].path, "/a~1b/0");
    assert_str(faults[0].rule, "minimum");
    assert_str(faults[0].schema_path, "/$defs/x/anyOf/0/minimum");
    tc_schema_unref(compiled);
    test_cx_finish(&test);
}
