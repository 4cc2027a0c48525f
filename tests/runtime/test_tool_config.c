#include "runtime/tool_config.h"

#include "support/test.h"

static const struct tc_tool_setting keys[] = {
    {"depot", "Where", "{\"type\":\"string\"}", NULL},
    {"times", "How often", "{\"type\":\"integer\",\"maximum\":9}", "2"},
    {0}};
static const struct tc_tool parcel = {.name = "post.parcel", .config = keys}, plain = {.name = "post.letter"};
static const struct tc_tool *const tools[] = {&plain, &parcel, NULL};

static enum tc_err read_file(struct test_cx *test, const char *json, struct tc_setting_spec **specs, size_t *n)
{
    const struct tc_json *file;

    tc_fail_clear(&test->cx);
    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(json), NULL, &file), TC_OK);
    return tc_tool_config_specs(&test->cx, tools, file, specs, n);
}

void test_tool_config__keys_follow_the_settings_that_are_there(void **state)
{
    struct tc_setting_spec given = {.id = "listen"}, *specs = &given;
    struct test_cx test;
    size_t n = 1;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(
        read_file(&test, "{\"builtin:post.parcel\":{\"config\":{\"times\":3}},\"builtin:post.letter\":{}}", &specs, &n),
        TC_OK);
    assert_int_equal(n, 3);
    assert_string_equal(specs[0].id, "listen");
    assert_string_equal(specs[1].id, "tools.builtin:post.parcel.config.depot");
    assert_str(specs[1].value, "null");
    assert_string_equal(specs[1].source, "default");
    assert_true(specs[1].live);
    assert_string_equal(specs[2].id, "tools.builtin:post.parcel.config.times");
    assert_str(specs[2].standard, "2");
    assert_str(specs[2].value, "3");
    assert_string_equal(specs[2].source, "file");
    test_cx_finish(&test);
}

void test_tool_config__what_no_tool_takes_is_refused_by_its_place(void **state)
{
    static const struct {
        const char *json;
        enum tc_err code;
        const char *field, *hint;
    } rows[] = {
        {"{\"builtin:post.parcels\":{}}", TC_E_CONFIG_UNKNOWN_KEY, "tools.builtin:post.parcels",
         "Did you mean \"builtin:post.parcel\"?"},
        {"{\"post.parcel\":{}}", TC_E_CONFIG_UNKNOWN_KEY, "tools.post.parcel",
         "Did you mean \"builtin:post.parcel\"?"},
        {"{\"mcp/0a1b2c3d-0000-4000-8000-000000000001:x\":{}}", TC_E_CONFIG_UNKNOWN_KEY,
         "tools.mcp/0a1b2c3d-0000-4000-8000-000000000001:x", ""},
        {"{\"builtin:post.parcel\":7}", TC_E_CONFIG_INVALID, "tools.builtin:post.parcel", ""},
        {"{\"builtin:post.parcel\":{\"configs\":{}}}", TC_E_CONFIG_UNKNOWN_KEY, "tools.builtin:post.parcel.configs",
         "Did you mean \"config\"?"},
        {"{\"builtin:post.parcel\":{\"config\":[]}}", TC_E_CONFIG_INVALID, "tools.builtin:post.parcel.config", ""},
        {"{\"builtin:post.parcel\":{\"config\":{\"time\":1}}}", TC_E_CONFIG_UNKNOWN_KEY,
         "tools.builtin:post.parcel.config.time", "Did you mean \"times\"?"},
        {"{\"builtin:post.parcel\":{\"config\":{\"times\":10}}}", TC_E_CONFIG_INVALID,
         "tools.builtin:post.parcel.config.times", ""},
        {"{\"builtin:post.letter\":{\"config\":{\"times\":1}}}", TC_E_CONFIG_UNKNOWN_KEY,
         "tools.builtin:post.letter.config.times", ""},
    };
    struct tc_setting_spec *specs = NULL;
    struct test_cx test;
    size_t n = 0;

    (void)state;
    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(read_file(&test, rows[i].json, &specs, &n), rows[i].code);
        assert_str(test.cx.err.field, rows[i].field);
        assert_str(test.cx.err.hint, rows[i].hint);
    }
    assert_int_equal(n, 0);
    test_cx_finish(&test);
}
