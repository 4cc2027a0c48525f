#include "cli/form.h"
#include "support/test.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *value;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &value), TC_OK);
    return value;
}

void test_form__takes_what_somebody_types(void **state)
{
    static const struct {
        const char *field, *typed, *json; /* json NULL: no value of it */
    } rows[] = {
        {"{\"type\":\"string\"}", "Ann \"A\"", "\"Ann \\\"A\\\"\""},
        {"{\"type\":\"string\",\"maxLength\":3}", "four", NULL},
        {"{\"type\":\"string\",\"format\":\"email\"}", "a@b.org", "\"a@b.org\""},
        {"{\"type\":\"string\",\"format\":\"email\"}", "a.b.org", NULL},
        {"{\"type\":\"integer\"}", "30", "30"},
        {"{\"type\":\"integer\"}", "30.5", NULL},
        {"{\"type\":\"integer\"}", "thirty", NULL},
        {"{\"type\":\"integer\",\"minimum\":18}", "17", NULL},
        {"{\"type\":\"number\"}", "-1.50", "-1.50"},
        {"{\"type\":\"number\"}", "\"1\"", NULL},
        {"{\"type\":\"boolean\"}", "y", "true"},
        {"{\"type\":\"boolean\"}", "FALSE", "false"},
        {"{\"type\":\"boolean\"}", "perhaps", NULL},
        {"{\"type\":\"string\",\"enum\":[\"red\",\"green\"]}", "green", "\"green\""},
        {"{\"type\":\"string\",\"enum\":[\"red\",\"green\"]}", "2", "\"green\""},
        {"{\"type\":\"string\",\"enum\":[\"red\",\"green\"]}", "3", NULL},
        {"{\"type\":\"string\",\"enum\":[\"red\",\"green\"]}", "blue", NULL},
        {"{\"type\":\"string\",\"enum\":[\"r\",\"g\"],\"enumNames\":[\"Red\",\"Green\"]}", "red", "\"r\""},
        {"{\"type\":\"string\",\"oneOf\":[{\"const\":\"r\",\"title\":\"Red\"}]}", "Red", "\"r\""},
        {"{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\",\"c\"]}}", "1, c", "[\"a\",\"c\"]"},
        {"{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"r\",\"title\":\"Red\"}]}}", "red", "[\"r\"]"},
        {"{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},\"maxItems\":1}", "a,b", NULL},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tc_str json = tc_form_read(&test.cx, parse(&test, rows[i].field), tc_str_of(rows[i].typed));

        if (rows[i].json)
            assert_str(json, rows[i].json);
        else
            assert_null(json.p);
    }
    test_cx_finish(&test);
}

void test_form__defaults_are_all_there_are_or_nothing(void **state)
{
    static const struct {
        const char *schema, *content; /* content NULL: a required field has no default */
    } rows[] = {
        {"{\"type\":\"object\",\"properties\":{}}", "{}"},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"x\"},\"b\":{\"type\":"
         "\"number\",\"default\":95.5},\"c\":{\"type\":\"boolean\"}},\"required\":[\"a\"]}",
         "{\"a\":\"x\",\"b\":95.5}"},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}", NULL},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"boolean\",\"default\":false}},\"required\":[\"a\"]}",
         "{\"a\":false}"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tc_jsonw w;
        struct tc_buf buf;

        tc_buf_init(&buf, 4096);
        tc_jsonw_init(&w, &buf);
        assert_int_equal(tc_form_defaults(parse(&test, rows[i].schema), &w), rows[i].content != NULL);
        if (rows[i].content)
            assert_str(tc_buf_get(&buf), rows[i].content);
        tc_buf_finish(&buf);
    }
    test_cx_finish(&test);
}

void test_form__asks_with_title_choices_and_default(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_str(tc_form_prompt(&test.arena, TC_STR("age"),
                              parse(&test, "{\"type\":\"integer\",\"default\":30}"), true),
               "age [30]: ");
    assert_str(tc_form_prompt(&test.arena, TC_STR("c"),
                              parse(&test, "{\"type\":\"string\",\"title\":\"Colour\",\"description\":\"Of the wall\","
                                           "\"oneOf\":[{\"const\":\"r\",\"title\":\"Red\"}]}"),
                              false),
               "Colour - Of the wall\n  1) Red (may stay empty): ");
    assert_str(tc_form_prompt(&test.arena, TC_STR("ok"), parse(&test, "{\"type\":\"boolean\"}"), true), "ok [y/n]: ");
    test_cx_finish(&test);
}
