#include "support/test.h"

#include "mcp/codec/clean.h"

/* What is left of `text` after parsing and cleaning; *ret_same: nothing was copied. */
static struct tc_str cleaned(struct test_cx *test, struct tc_str text, bool *ret_same)
{
    const struct tc_json *v, *clean;

    assert_int_equal(tc_json_parse_root(&test->cx, text, &(struct tc_json_limits){.flags = TC_JSON_CLEAN}, &v), TC_OK);
    assert_int_equal(tc_mcp_clean(&test->cx, v, &clean), TC_OK);
    *ret_same = clean == v;
    return tc_json_text(test->cx.arena, clean);
}

void test_clean__leaves_clean_values_as_they_are(void **state)
{
    static const char text[] = "{\"a\":[1.50,\"x\\ny\",null,true],\"b\":{\"\xe5\xa4\xa9\":\"\xf0\x9f\x98\x80\"}}";
    struct test_cx test;
    bool same;
    (void)state;

    test_cx_init(&test);
    assert_false(tc_mcp_clean_suspect(tc_str_of(text)));
    assert_str(cleaned(&test, tc_str_of(text), &same), text);
    assert_true(same);
    test_cx_finish(&test);
}

void test_clean__takes_out_nul_tags_and_surrogates_everywhere(void **state)
{
    static const char text[] = "{\"k\\u0000ey\":[\"a\\u0000b\",\"x\\udb40\\udc41y\",\"p\xf3\xa0\x81\x81q\","
                               "\"\\ud800\",1e5],"
                               "\"deep\":{\"e\":[[{\"f\":\"\\u0000\"}]]}}";
    struct test_cx test;
    bool same;
    (void)state;

    test_cx_init(&test);
    assert_true(tc_mcp_clean_suspect(tc_str_of(text)));
    assert_str(cleaned(&test, tc_str_of(text), &same),
               "{\"key\":[\"ab\",\"xy\",\"pq\",\"\xef\xbf\xbd\",1e5],\"deep\":{\"e\":[[{\"f\":\"\"}]]}}");
    assert_false(same);
    test_cx_finish(&test);
}

void test_clean__suspects_only_what_can_make_a_dirty_string(void **state)
{
    (void)state;

    assert_false(tc_mcp_clean_suspect(TC_STR("\"\\u00e4 \\n \\u4e2d\"")));
    assert_false(tc_mcp_clean_suspect(TC_STR("\"\\u00\"")));
    assert_false(tc_mcp_clean_suspect(TC_STR("\"\xf3\xb0\x80\x80\"")));
    assert_true(tc_mcp_clean_suspect(TC_STR("\"\\u0000\"")));
    assert_true(tc_mcp_clean_suspect(TC_STR("\"\\uDB40\\uDC20\"")));
    assert_true(tc_mcp_clean_suspect(TC_STR("\"\xf3\xa0\x80\xa0\"")));
}
