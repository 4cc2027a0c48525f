#include "support/test.h"

#include "catalog/tool_id.h"

void test_tool_id__splits_at_the_first_colon(void **state)
{
    struct test_cx test;
    struct tc_tool_id id;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_tool_id_parse(&test.cx, TC_STR("builtin:workspace.read_file"), &id), TC_OK);
    assert_int_equal(id.provider, TC_PROVIDER_BUILTIN);
    assert_str(id.provider_text, "builtin");
    assert_str(id.subject, "");
    assert_str(id.native, "workspace.read_file");
    assert_int_equal(tc_tool_id_parse(&test.cx, TC_STR("host:a:b: c/*"), &id), TC_OK);
    assert_int_equal(id.provider, TC_PROVIDER_HOST);
    assert_str(id.native, "a:b: c/*");
    assert_int_equal(tc_tool_id_parse(&test.cx, TC_STR("mcp/0a1b2c3d-0000-4000-8000-00000000000f:读"), &id), TC_OK);
    assert_int_equal(id.provider, TC_PROVIDER_MCP);
    assert_str(id.subject, "0a1b2c3d-0000-4000-8000-00000000000f");
    assert_str(id.native, "读");
    assert_int_equal(tc_tool_id_parse(&test.cx, TC_STR("extension/third-party/maps:find"), &id), TC_OK);
    assert_int_equal(id.provider, TC_PROVIDER_EXTENSION);
    assert_str(id.subject, "third-party/maps");
    test_cx_finish(&test);
}

void test_tool_id__names_what_is_wrong(void **state)
{
    static const struct {
        const char *text;
        enum tc_err err;
    } cases[] = {
        {"", TC_E_TOOL_ID_INVALID},
        {"dice_roll", TC_E_TOOL_ID_INVALID},
        {"host:\xff", TC_E_TOOL_ID_INVALID},
        {":x", TC_E_TOOL_PROVIDER_EMPTY},
        {":", TC_E_TOOL_PROVIDER_EMPTY},
        {"builtin:", TC_E_TOOL_NAME_EMPTY},
        {"Builtin:x", TC_E_TOOL_PROVIDER_INVALID},
        {"mcp:x", TC_E_TOOL_PROVIDER_INVALID},
        {"mcp/:x", TC_E_TOOL_PROVIDER_INVALID},
        {"mcp/0A1B2C3D-0000-4000-8000-00000000000F:x", TC_E_TOOL_PROVIDER_INVALID},
        {"mcp/0a1b2c3d-0000-4000-8000-00000000000:x", TC_E_TOOL_PROVIDER_INVALID},
        {"mcp/0a1b2c3d00000-4000-8000-00000000000f:x", TC_E_TOOL_PROVIDER_INVALID},
        {"extension/:x", TC_E_TOOL_PROVIDER_INVALID},
        {"extension/a b:x", TC_E_TOOL_PROVIDER_INVALID},
        {"builtin/x:y", TC_E_TOOL_PROVIDER_INVALID},
    };
    struct test_cx test;
    struct tc_tool_id id = {.native = TC_STR("untouched")};
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum tc_err err = tc_tool_id_parse(&test.cx, tc_str_of(cases[i].text), &id);
        if (err != cases[i].err)
            fail_msg("%s: got %s", cases[i].text, tc_err_info(err)->name);
        assert_true(test.cx.err.message.n > 0);
    }
    assert_str(id.native, "untouched");
    test_cx_finish(&test);
}

void test_tool_id__has_a_maximum(void **state)
{
    char text[TC_TOOL_ID_MAX + 2];
    struct test_cx test;
    struct tc_tool_id id;
    (void)state;

    test_cx_init(&test);
    memset(text, 'x', sizeof text);
    memcpy(text, "host:", 5);
    assert_int_equal(tc_tool_id_parse(&test.cx, tc_str_n(text, TC_TOOL_ID_MAX), &id), TC_OK);
    assert_int_equal(tc_tool_id_parse(&test.cx, tc_str_n(text, TC_TOOL_ID_MAX + 1), &id), TC_E_TOOL_ID_INVALID);
    test_cx_finish(&test);
}
