#include "schema/program.h"

#include <stdio.h>

#include "support/test.h"
#include "toolcrib/buf.h"
#include "toolcrib/schema.h"

struct fixture {
    struct test_cx test;
    struct tc_schema *schema;
    const struct tc_json *repaired;
    struct tc_schema_change *changes;
    size_t n;
};

static const struct tc_json *parse(struct fixture *f, const char *text)
{
    const struct tc_json *root = NULL;

    if (tc_json_parse_root(&f->test.cx, tc_str_of(text), NULL, &root))
        fail_msg("%s: %.*s", text, TC_STR_ARG(f->test.cx.err.message));
    return root;
}

static void repair(struct fixture *f, const char *schema, const char *instance)
{
    test_cx_init(&f->test);
    assert_int_equal(tc_schema_compile(&f->test.cx, parse(f, schema), NULL, &f->schema), TC_OK);
    assert_int_equal(tc_schema_repair(&f->test.cx, f->schema, parse(f, instance), &f->repaired, &f->changes, &f->n),
                     TC_OK);
}

static void finish(struct fixture *f)
{
    tc_schema_unref(f->schema);
    test_cx_finish(&f->test);
}

/* expected NULL: there is no repair. */
static void check(const char *schema, const char *instance, const char *expected, size_t changes)
{
    struct fixture f;

    repair(&f, schema, instance);
    if (expected && !f.repaired)
        fail_msg("%s with %s: no repair", schema, instance);
    if (!expected && f.repaired)
        fail_msg("%s with %s: repaired to %.*s", schema, instance, TC_STR_ARG(tc_json_text(&f.test.arena, f.repaired)));
    if (expected) {
        assert_str(tc_json_text(&f.test.arena, f.repaired), expected);
        assert_int_equal(f.n, changes);
    } else {
        assert_int_equal(f.n, 0);
    }
    finish(&f);
}

#define INT "{\"properties\":{\"n\":{\"type\":\"integer\"}}}"
#define BOOL "{\"properties\":{\"b\":{\"type\":\"boolean\"}}}"
#define LIST "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}"

void test_repair__reads_numbers_and_booleans_out_of_strings(void **state)
{
    (void)state;
    check(INT, "{\"n\":\"5\"}", "{\"n\":5}", 1);
    check(INT, "{\"n\":\"-12345678901234567890\"}", "{\"n\":-12345678901234567890}", 1);
    check("{\"properties\":{\"n\":{\"type\":\"number\"}}}", "{\"n\":\"1.50\"}", "{\"n\":1.50}", 1);
    check(BOOL, "{\"b\":\"true\"}", "{\"b\":true}", 1);
    check(BOOL, "{\"b\":\"false\"}", "{\"b\":false}", 1);
    check("{\"properties\":{\"n\":{\"enum\":[1,2]}}}", "{\"n\":\"2\"}", "{\"n\":2}", 1);
    check("{\"properties\":{\"n\":{\"type\":[\"integer\",\"null\"]}}}", "{\"n\":\"7\"}", "{\"n\":7}", 1);
    check("{\"type\":\"integer\"}", "\"7\"", "7", 1);
}

void test_repair__takes_no_liberties(void **state)
{
    static const char *const wrong[] = {"\"05\"", "\" 5\"", "\"5.0\"", "\"1e2\"", "\"NaN\"", "\"\"",    "\"five\"",
                                        "\"+5\"", "true",   "[5]",     "5.5",     "\"5 \"",  "\"0x5\"", "{\"n\":5}",
                                        "\"Infinity\"", "\"-Infinity\"", "\"nan\""};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"n\":%s}", wrong[i]);
        check(INT, text, NULL, 0);
    }
    check(BOOL, "{\"b\":\"True\"}", NULL, 0);
    check(BOOL, "{\"b\":1}", NULL, 0);
    check("{\"properties\":{\"s\":{\"type\":\"string\"}}}", "{\"s\":5}", NULL, 0);
    check("{\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":100}}}", "{\"n\":\"500\"}", NULL, 0);
    check("{\"properties\":{\"n\":{\"type\":\"null\"}}}", "{\"n\":\"null\"}", NULL, 0);
}

void test_repair__leaves_what_validates_as_it_came(void **state)
{
    (void)state;
    check(INT, "{\"n\":5}", NULL, 0);
    check("{\"properties\":{\"n\":{\"type\":[\"integer\",\"string\"]}}}", "{\"n\":\"5\"}", NULL, 0);
    check("{\"properties\":{\"s\":{\"type\":[\"string\",\"null\"]}}}", "{\"s\":\"[1]\"}", NULL, 0);
    check("{\"properties\":{\"n\":{\"type\":\"integer\"},\"s\":{\"type\":\"string\"}}}", "{\"n\":\"5\",\"s\":\"[1]\"}",
          "{\"n\":5,\"s\":\"[1]\"}", 1);
    check("{\"properties\":{\"n\":{\"type\":\"integer\"},\"s\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\"}]}"
          "}}",
          "{\"n\":\"5\",\"s\":\"[1]\"}", "{\"n\":5,\"s\":\"[1]\"}", 1);
}

void test_repair__opens_encoded_arrays_and_objects(void **state)
{
    (void)state;
    check(LIST, "{\"a\":\"[1, 2]\"}", "{\"a\":[1,2]}", 1);
    check(LIST, "{\"a\":\"[\\\"1\\\",2]\"}", "{\"a\":[1,2]}", 2);
    check(LIST, "{\"a\":[\"1\",\"2\",3]}", "{\"a\":[1,2,3]}", 2);
    check("{\"properties\":{\"o\":{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":" INT "}}}}",
          "{\"o\":\"{\\\"x\\\":{\\\"n\\\":\\\"5\\\"}}\"}", "{\"o\":{\"x\":{\"n\":5}}}", 2);
    check(LIST, "{\"a\":\"[1,2\"}", NULL, 0);
    check(LIST, "{\"a\":\"1,2\"}", NULL, 0);
    check("{\"properties\":{\"o\":{\"type\":\"object\"}}}", "{\"o\":\"{\\\"x\\\":1,\\\"x\\\":2}\"}", NULL, 0);
    check("{\"properties\":{\"o\":{\"type\":\"object\"}}}", "{\"o\":\"[1]\"}", NULL, 0);
}

void test_repair__leaves_out_a_null_that_is_optional(void **state)
{
    (void)state;
    check(INT, "{\"n\":null}", "{}", 1);
    check(INT, "{\"n\":null,\"m\":null}", "{\"m\":null}", 1);
    check("{\"required\":[\"n\"],\"properties\":{\"n\":{\"type\":\"integer\"}}}", "{\"n\":null}", NULL, 0);
    check("{\"additionalProperties\":false,\"properties\":{}}", "{\"n\":null}", NULL, 0);
    check("{\"allOf\":[" INT ",{\"required\":[\"n\"]}]}", "{\"n\":null}", NULL, 0);
    check(LIST, "{\"a\":[null]}", NULL, 0);
    check(INT, "{\"n\":\"\"}", NULL, 0);
}

#define SWAPPED                                                                                                        \
    "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"string\"}}},"                         \
    "{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"integer\"}}}]}"

void test_repair__refuses_to_choose_between_two_readings(void **state)
{
    (void)state;
    check(SWAPPED, "{\"a\":\"1\",\"b\":\"2\"}", NULL, 0);
    check(SWAPPED, "{\"a\":\"1\",\"b\":\"x\"}", "{\"a\":1,\"b\":\"x\"}", 1);
    check("{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"boolean\"},{\"type\":\"array\"}]}", "\"5\"", "5", 1);
    check("{\"oneOf\":[{\"type\":\"integer\",\"minimum\":0},{\"type\":\"integer\",\"maximum\":9}]}", "\"5\"", NULL, 0);
    check("{\"anyOf\":[" INT ",{\"properties\":{\"n\":{\"type\":\"integer\"},\"m\":{\"type\":\"integer\"}}}]}",
          "{\"n\":\"1\",\"m\":\"2\"}", "{\"n\":1,\"m\":\"2\"}", 1);
}

void test_repair__follows_references_and_conditions(void **state)
{
    (void)state;
    check("{\"$defs\":{\"x\":{\"type\":\"integer\"}},\"properties\":{\"n\":{\"$ref\":\"#/$defs/x\"}}}", "{\"n\":\"5\"}",
          "{\"n\":5}", 1);
    check("{\"if\":{\"required\":[\"k\"]},\"then\":" INT "}", "{\"k\":1,\"n\":\"5\"}", "{\"k\":1,\"n\":5}", 1);
    check("{\"allOf\":[" INT "," BOOL "]}", "{\"n\":\"5\",\"b\":\"true\"}", "{\"n\":5,\"b\":true}", 2);
    check("{\"additionalProperties\":{\"type\":\"integer\"}}", "{\"q\":\"5\"}", "{\"q\":5}", 1);
    check("{\"patternProperties\":{\"^q\":{\"type\":\"integer\"}}}", "{\"q\":\"5\"}", "{\"q\":5}", 1);
    check("{\"oneOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/p\"}],\"$defs\":{\"p\":" INT "}}", "{\"n\":\"5\"}",
          "{\"n\":5}", 1);
    check("{\"$dynamicAnchor\":\"t\",\"properties\":{\"n\":{\"type\":\"integer\"},\"c\":{\"$dynamicRef\":\"#t\"}}}",
          "{\"c\":{\"n\":\"5\"}}", "{\"c\":{\"n\":5}}", 1);
}

void test_repair__stops_at_sixteen_changes(void **state)
{
    (void)state;
    check(LIST,
          "{\"a\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\",\"13\",\"14\",\"15\","
          "\"16\"]}",
          "{\"a\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}", 16);
    check(LIST,
          "{\"a\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\",\"13\",\"14\",\"15\","
          "\"16\",\"17\"]}",
          NULL, 0);
}

void test_repair__says_what_it_changed(void **state)
{
    struct fixture f;

    (void)state;
    repair(&f,
           "{\"properties\":{\"a/b\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"allOf\":[" INT
           "]}},\"z\":{\"type\":\"string\"}}}",
           "{\"z\":null,\"a/b\":[{\"n\":1},\"{\\\"n\\\": \\\"7\\\"}\"]}");
    assert_non_null(f.repaired);
    assert_int_equal(f.n, 3);
    assert_str(f.changes[0].path, "/z");
    assert_str(f.changes[0].from, "null");
    assert_null(f.changes[0].to.p);
    assert_str(f.changes[1].path, "/a~1b/1");
    assert_str(f.changes[1].from, "\"{\\\"n\\\": \\\"7\\\"}\"");
    assert_str(f.changes[1].to, "{\"n\": \"7\"}");
    assert_str(f.changes[2].path, "/a~1b/1/n");
    assert_str(f.changes[2].to, "7");
    assert_str(tc_json_text(&f.test.arena, f.repaired), "{\"a/b\":[{\"n\":1},{\"n\":7}]}");
    finish(&f);
}

void test_repair__does_nothing_where_other_faults_remain(void **state)
{
    (void)state;
    check("{\"required\":[\"m\"],\"properties\":{\"n\":{\"type\":\"integer\"}}}", "{\"n\":\"5\"}", NULL, 0);
    check("{\"additionalProperties\":false,\"properties\":{\"n\":{\"type\":\"integer\"}}}", "{\"n\":\"5\",\"x\":1}",
          NULL, 0);
}
