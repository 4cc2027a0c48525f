/*
 * What a model said as the pipeline gets it, and results as a model reads them.
 */
#include "runtime/said.h"

#include "support/test.h"

static void assert_arguments(struct tc_item item, const struct tc_schema_projection *projection, const char *expected)
{
    struct test_cx test;
    const struct tc_json *arguments;

    test_cx_init(&test);
    item.kind = TC_ITEM_CALL;
    assert_int_equal(tc_said_arguments(&test.cx, &item, projection, &arguments), TC_OK);
    if (expected)
        assert_str(tc_json_text(test.cx.arena, arguments), expected);
    else
        assert_null(arguments);
    test_cx_finish(&test);
}

void test_said__arguments_reach_the_pipeline_as_they_came(void **state)
{
    (void)state;
    assert_arguments((struct tc_item){0}, NULL, NULL);
    assert_arguments((struct tc_item){.arguments = TC_STR("{\"a\":1.0}"), .is_object = true}, NULL, "{\"a\":1.0}");
    assert_arguments((struct tc_item){.arguments = TC_STR("[1]"), .is_object = true}, NULL, "[1]");
    assert_arguments((struct tc_item){.arguments = TC_STR("{\"a\":1}")}, NULL, "\"{\\\"a\\\":1}\"");
    assert_arguments((struct tc_item){.arguments = TC_STR("")}, NULL, "\"\"");
    assert_arguments((struct tc_item){.arguments = TC_STR("```{}")}, NULL, "\"```{}\"");
}

void test_said__renamed_parameters_get_their_names_back(void **state)
{
    struct test_cx test;
    struct tc_schema_projection projection;
    const struct tc_json *schema;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx,
                                        TC_STR("{\"type\":\"object\",\"properties\":{\"-n\":{\"type\":\"integer\"}}}"),
                                        NULL, &schema),
                     TC_OK);
    assert_int_equal(tc_schema_project(&test.cx, schema, TC_SCHEMA_GEMINI_JSON, &projection), TC_OK);
    assert_int_equal(projection.renames_n, 1);
    assert_str(projection.renames[0].wire, "_n");
    assert_arguments((struct tc_item){.arguments = TC_STR("{\"_n\":3}"), .is_object = true}, &projection, "{\"-n\":3}");
    assert_arguments((struct tc_item){.arguments = TC_STR("{\"_n\":3}")}, &projection, "{\"-n\":3}");
    /* what is no object is for the pipeline to refuse, as it came */
    assert_arguments((struct tc_item){.arguments = TC_STR("{\"_n\":")}, &projection, "\"{\\\"_n\\\":\"");
    test_cx_finish(&test);
}

static void assert_result(const char *content, const char *structured, const char *text, size_t images)
{
    struct test_cx test;
    struct tc_call_result result = {.is_error = true};
    struct tc_part part;

    result.content = tc_str_of(content);
    result.structured = tc_str_of(structured);
    test_cx_init(&test);
    assert_int_equal(tc_said_result(&test.cx, &result, &part), TC_OK);
    assert_str(part.text, text);
    assert_int_equal(part.images_n, images);
    assert_true(part.is_error);
    if (images) {
        assert_str(part.images[0].mime, "image/png");
        assert_str(part.images[0].base64, "AAAA");
    }
    test_cx_finish(&test);
}

void test_said__a_result_is_its_texts_and_images(void **state)
{
    (void)state;
    assert_result("[{\"type\":\"text\",\"text\":\"a\"},"
                  "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"AAAA\"},"
                  "{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"text\":\"b\"}},"
                  "{\"type\":\"resource_link\",\"uri\":\"toolcrib://results/1\"},{\"type\":\"text\",\"text\":\"\"}]",
                  "{\"x\":1}", "a\n\nb\n\ntoolcrib://results/1", 1);
    assert_result("[]", "{\"x\":1}", "{\"x\":1}", 0);
    assert_result("[]", "", "(no output)", 0);
    assert_result("[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"AAAA\"}]", "", "(an image)", 1);
}
