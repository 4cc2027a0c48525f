#include "schema/compile.h"

#include <stdio.h>

#include "base/mem.h"
#include "support/test.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *root = NULL;

    if (tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &root))
        fail_msg("%s: %.*s", text, TC_STR_ARG(test->cx.err.message));
    return root;
}

/* The schema must be refused with this code, field and sentence. */
static void refused(const char *text, enum tc_err code, const char *field, const char *message)
{
    struct test_cx test;
    struct tc_schema *schema = NULL;

    test_cx_init(&test);
    if (tc_schema_compile(&test.cx, parse(&test, text), NULL, &schema) != code)
        fail_msg("%s: code %d, %.*s", text, (int)test.cx.err.code, TC_STR_ARG(test.cx.err.message));
    assert_str(test.cx.err.field, field);
    assert_str(test.cx.err.message, message);
    assert_null(schema);
    test_cx_finish(&test);
}

static bool valid(const char *schema_text, const char *instance)
{
    struct test_cx test;
    struct tc_schema *schema = NULL;
    bool is_valid = false;

    test_cx_init(&test);
    if (tc_schema_compile(&test.cx, parse(&test, schema_text), NULL, &schema))
        fail_msg("%s: %.*s", schema_text, TC_STR_ARG(test.cx.err.message));
    assert_int_equal(tc_schema_validate(&test.cx, schema, parse(&test, instance), &is_valid), TC_OK);
    tc_schema_unref(schema);
    test_cx_finish(&test);
    return is_valid;
}

void test_compile__refuses_what_is_no_schema(void **state)
{
    (void)state;
    refused("5", TC_E_SCHEMA_INVALID, "", "A schema must be an object or a boolean, not number.");
    refused("[]", TC_E_SCHEMA_INVALID, "", "A schema must be an object or a boolean, not array.");
    refused("{\"properties\":{\"a/b\":5}}", TC_E_SCHEMA_INVALID, "/properties/a~1b",
            "The schema at \"/properties/a~1b\" must be an object or a boolean.");
    refused("{\"anyOf\":[true,\"x\"]}", TC_E_SCHEMA_INVALID, "/anyOf/1",
            "The schema at \"/anyOf/1\" must be an object or a boolean.");
}

void test_compile__names_the_keyword_at_fault(void **state)
{
    static const char types[] =
        "The keyword type must be one of string, integer, number, boolean, object, array, null, or an "
        "array of those.";

    (void)state;
    refused("{\"properties\":{\"a\":{\"type\":\"int\"}}}", TC_E_SCHEMA_INVALID, "/properties/a/type", types);
    refused("{\"type\":[]}", TC_E_SCHEMA_INVALID, "/type", types);
    refused("{\"items\":{\"minLength\":-1}}", TC_E_SCHEMA_INVALID, "/items/minLength",
            "The keyword minLength must be a whole number, 0 or more.");
    refused("{\"maxItems\":1.5}", TC_E_SCHEMA_INVALID, "/maxItems",
            "The keyword maxItems must be a whole number, 0 or more.");
    refused("{\"minimum\":\"1\"}", TC_E_SCHEMA_INVALID, "/minimum", "The keyword minimum must be a number.");
    refused("{\"multipleOf\":0}", TC_E_SCHEMA_INVALID, "/multipleOf",
            "The keyword multipleOf must be a number over 0 of at most 37 digits.");
    refused("{\"required\":true}", TC_E_SCHEMA_INVALID, "/required",
            "The keyword required must be an array of strings.");
    refused("{\"enum\":{}}", TC_E_SCHEMA_INVALID, "/enum", "The keyword enum must be an array.");
    refused("{\"pattern\":\"(\"}", TC_E_SCHEMA_INVALID, "/pattern",
            "The pattern is not a regular expression of ECMA-262: a parenthesis that is not closed at byte 1.");
    refused("{\"allOf\":{}}", TC_E_SCHEMA_INVALID, "/allOf", "The keyword allOf must be an array of schemas.");
    refused("{\"items\":[true]}", TC_E_SCHEMA_INVALID, "/items", "The keyword items must be one schema since 2020-12.");
    refused("{\"exclusiveMinimum\":true}", TC_E_SCHEMA_INVALID, "/exclusiveMinimum",
            "The keyword exclusiveMinimum must be a number.");
}

void test_compile__refuses_references_that_lead_nowhere(void **state)
{
    (void)state;
    refused("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}}}", TC_E_SCHEMA_REF, "/properties/a/$ref",
            "The reference #/$defs/x leads nowhere.");
    refused("{\"$ref\":\"https://example.com/s.json#/a\"}", TC_E_SCHEMA_REF, "/$ref",
            "The reference https://example.com/s.json leads nowhere.");
    refused("{\"$ref\":\"#nope\"}", TC_E_SCHEMA_REF, "/$ref", "The reference #nope leads nowhere.");
    refused("{\"$ref\":\"#\"}", TC_E_SCHEMA_REF, "", "The references from \"\" on lead in a circle.");
    refused("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
            TC_E_SCHEMA_REF, "", "The references from \"\" on lead in a circle.");
}

void test_compile__refuses_unknown_dialects(void **state)
{
    (void)state;
    refused("{\"$schema\":\"http://json-schema.org/draft-03/schema#\"}", TC_E_SCHEMA_DIALECT, "/$schema",
            "The schema is written in the unknown dialect http://json-schema.org/draft-03/schema#.");
    refused("{\"$schema\":5}", TC_E_SCHEMA_DIALECT, "/$schema", "The schema is written in the unknown dialect 5.");
}

void test_compile__knows_the_drafts_by_name(void **state)
{
    enum tc_schema_draft draft = TC_SCHEMA_DRAFT_DEFAULT;

    (void)state;
    assert_true(tc_schema_draft_of(TC_STR("draft-07"), &draft));
    assert_int_equal(draft, TC_SCHEMA_DRAFT_7);
    assert_true(tc_schema_draft_of(TC_STR("2019-09"), &draft));
    assert_int_equal(draft, TC_SCHEMA_DRAFT_2019_09);
    assert_false(tc_schema_draft_of(TC_STR("draft-03"), &draft));
}

void test_compile__ignores_unknown_keywords_and_formats(void **state)
{
    (void)state;
    assert_true(valid("{\"nonsense\":{\"type\":\"int\"},\"format\":\"nonsense\",\"x-y\":1}", "\"x\""));
    assert_true(valid("{\"format\":\"ipv4\"}", "\"x\""));
    assert_true(valid("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"prefixItems\":[false]}", "[1]"));
}

void test_compile__reads_schema_of_each_draft(void **state)
{
    (void)state;
    assert_false(valid(
        "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"minimum\":3,\"exclusiveMinimum\":true}", "3"));
    assert_false(
        valid("{\"$schema\":\"http://json-schema.org/draft-07/schema\",\"items\":[{\"type\":\"null\"}]}", "[1]"));
    assert_false(
        valid("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema#\",\"prefixItems\":[false]}", "[1]"));
    assert_true(valid("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":{\"a\":true},"
                      "\"$ref\":\"#/definitions/a\",\"type\":\"null\"}",
                      "1"));
}

void test_compile__holds_the_metaschemas(void **state)
{
    static const char *const uris[] = {
        "http://json-schema.org/draft-04/schema#",      "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",      "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        snprintf(text, sizeof text, "{\"$schema\":\"%s\",\"$ref\":\"%s\"}", uris[i], uris[i]);
        assert_true(valid(text, "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1}}}"));
        assert_false(valid(text, "{\"properties\":{\"a\":{\"minLength\":-1}}}"));
        assert_false(valid(text, "{\"items\":{\"type\":\"int\"}}"));
        assert_false(valid(text, "{\"required\":\"a\"}"));
    }
}

void test_compile__keeps_nothing_of_the_callers_document(void **state)
{
    struct test_cx test;
    struct tc_json_doc *doc = NULL, *instance = NULL;
    struct tc_schema *schema = NULL;
    bool is_valid = true;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(
        tc_json_parse(&test.cx, TC_STR("{\"properties\":{\"a\":{\"enum\":[\"x\",{\"y\":1}]}}}"), NULL, &doc), TC_OK);
    assert_int_equal(tc_schema_compile(&test.cx, tc_json_doc_root(doc), NULL, &schema), TC_OK);
    tc_json_doc_unref(doc);
    test_cx_finish(&test);
    test_cx_init(&test);
    assert_int_equal(tc_json_parse(&test.cx, TC_STR("{\"a\":{\"y\":2}}"), NULL, &instance), TC_OK);
    assert_ptr_equal(tc_schema_ref(schema), schema);
    tc_schema_unref(schema);
    assert_int_equal(tc_schema_validate(&test.cx, schema, tc_json_doc_root(instance), &is_valid), TC_OK);
    assert_false(is_valid);
    tc_json_doc_unref(instance);
    tc_schema_unref(schema);
    test_cx_finish(&test);
}

void test_compile__follows_remotes_only_when_handed_over(void **state)
{
    struct test_cx test;
    struct tc_schema *schema = NULL;
    struct tc_schema_remote remotes[] = {{TC_STR_INIT("https://example.com/a.json"), NULL},
                                         {TC_STR_INIT("x:broken"), NULL}};
    struct tc_schema_options options = {.remotes = remotes, .remotes_n = 2};
    bool is_valid = true;

    (void)state;
    test_cx_init(&test);
    remotes[0].schema = parse(&test, "{\"$defs\":{\"n\":{\"type\":\"integer\"}},\"$ref\":\"#/$defs/n\"}");
    remotes[1].schema = parse(&test, "{\"type\":\"broken\"}");
    assert_int_equal(tc_schema_compile(&test.cx,
                                       parse(&test, "{\"$id\":\"https://example.com/b.json\",\"$ref\":\"a.json\"}"),
                                       &options, &schema),
                     TC_OK);
    assert_int_equal(tc_schema_validate(&test.cx, schema, parse(&test, "\"x\""), &is_valid), TC_OK);
    assert_false(is_valid);
    tc_schema_unref(schema);
    test_cx_finish(&test);
}

void test_compile__bounds_the_number_of_subschemas(void **state)
{
    struct test_cx test;
    struct tc_schema *schema = NULL;
    struct tc_buf buf;
    const struct tc_json *root = NULL;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 8 << 20);
    tc_buf_cstr(&buf, "{\"allOf\":[{}");
    for (unsigned i = 0; i < TC_SCHEMA_NODES_MAX; i++)
        tc_buf_cstr(&buf, ",{}");
    tc_buf_cstr(&buf, "]}");
    assert_int_equal(tc_json_parse_root(&test.cx, tc_buf_get(&buf), NULL, &root), TC_OK);
    assert_int_equal(tc_schema_compile(&test.cx, root, NULL, &schema), TC_E_SCHEMA_BUDGET);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

/* A chain of references as long as the limit: no recursion may follow it. */
void test_compile__follows_a_long_chain_of_references(void **state)
{
    struct test_cx test;
    struct tc_schema *schema = NULL;
    struct tc_buf buf;
    const struct tc_json *root = NULL;
    bool is_valid = true;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 8 << 20);
    tc_buf_cstr(&buf, "{\"$ref\":\"#/$defs/0\",\"$defs\":{");
    for (unsigned i = 0; i < 50000; i++)
        tc_buf_printf(&buf, "\"%u\":{\"$ref\":\"#/$defs/%u\"},", i, i + 1);
    tc_buf_cstr(&buf, "\"50000\":{\"type\":\"null\"}}}");
    assert_int_equal(tc_json_parse_root(&test.cx, tc_buf_get(&buf), NULL, &root), TC_OK);
    assert_int_equal(tc_schema_compile(&test.cx, root, NULL, &schema), TC_OK);
    assert_int_equal(tc_schema_validate(&test.cx, schema, parse(&test, "1"), &is_valid), TC_OK);
    assert_false(is_valid);
    tc_schema_unref(schema);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

/* Fails each allocation in turn: no crash, no leak, and the right code. */
void test_compile__survives_want_of_memory(void **state)
{
    static const char text[] =
        "{\"$id\":\"https://example.com/"
        "s\",\"$defs\":{\"d\":{\"$dynamicAnchor\":\"d\",\"type\":\"integer\"}},\"properties\":{"
        "\"a\":{\"pattern\":\"^(a|b)+$\",\"minLength\":1},\"b\":{\"$dynamicRef\":\"#d\"},\"c\":{\"enum\":[1,\"x\"]},"
        "\"e\":{\"oneOf\":[{\"required\":[\"q\"]},{\"type\":\"boolean\"}]},\"f\":{\"$ref\":\"https://json-schema.org/"
        "draft/2020-12/"
        "schema\"}},\"patternProperties\":{\"^x(?:y)\":true},\"dependentRequired\":{\"a\":[\"b\"]},"
        "\"unevaluatedProperties\":false}";
    bool done = false;

    (void)state;
    for (size_t nth = 1; !done && nth < 2000; nth++) {
        struct test_cx test;
        struct tc_schema *schema = NULL;
        const struct tc_json *root, *instance, *repaired;
        struct tc_schema_fault *faults;
        struct tc_schema_change *changes;
        bool is_valid;
        size_t n;
        enum tc_err err;
        test_cx_init(&test);
        root = parse(&test, text);
        instance = parse(&test, "{\"a\":\"abab\",\"b\":\"5\",\"e\":\"true\",\"xy\":1,\"f\":{\"type\":7}}");
        if (!tc_mem_fail_at(nth, false)) {
            test_cx_finish(&test);
            return; /* built without the fault counters */
        }
        err = tc_schema_compile(&test.cx, root, NULL, &schema);
        if (!err)
            err = tc_schema_validate(&test.cx, schema, instance, &is_valid);
        if (!err)
            err = tc_schema_faults(&test.cx, schema, instance, 5, &faults, &n);
        if (!err)
            err = tc_schema_repair(&test.cx, schema, instance, &repaired, &changes, &n);
        done = tc_mem_count() < nth;
        tc_mem_fail_at(0, false);
        if (err != TC_OK && err != TC_E_NO_MEMORY)
            fail_msg("allocation %zu: %.*s", nth, TC_STR_ARG(test.cx.err.message));
        if (done)
            assert_int_equal(err, TC_OK);
        tc_schema_unref(schema);
        test_cx_finish(&test);
    }
    assert_true(done);
}
