#include "support/test.h"

#include "mcp/codec/page.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *v;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

#define PAGE "{\"mode\":\"url\",\"elicitationId\":\"e\",\"url\":\"https://a.b/c\",\"message\":\"Go\"}"

void test_page__data_of_the_error_is_checked(void **state)
{
    static const struct {
        const char *data;
        bool good;
    } rows[] = {
        {"{\"elicitations\":[" PAGE "]}", true},
        {"{\"elicitations\":[" PAGE "," PAGE "],\"more\":1}", true},
        {"{\"elicitations\":[" PAGE ",7]}", false},
        {"{\"elicitations\":[]}", false},
        {"{\"elicitations\":" PAGE "}", false},
        {"{}", false},
        {"7", false},
        {"{\"elicitations\":[{\"mode\":\"url\",\"url\":\"https://a.b/c\",\"message\":\"Go\"}]}", false},
        {"{\"elicitations\":[{\"mode\":\"url\",\"elicitationId\":\"e\",\"message\":\"Go\"}]}", false},
        {"{\"elicitations\":[{\"mode\":\"url\",\"elicitationId\":\"e\",\"url\":\"https://a.b/c\"}]}", false},
        {"{\"elicitations\":[{\"elicitationId\":\"e\",\"url\":\"https://a.b/c\",\"message\":\"Go\"}]}", false},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(tc_mcp_pages(parse(&test, rows[i].data)) != NULL, rows[i].good);
    assert_null(tc_mcp_pages(NULL));
    test_cx_finish(&test);
}

void test_page__more_than_a_person_would_open_are_none(void **state)
{
    struct test_cx test;
    struct tc_buf buf;
    (void)state;

    test_cx_init(&test);
    for (int n = TC_MCP_PAGES_MAX; n <= TC_MCP_PAGES_MAX + 1; n++) {
        tc_buf_init(&buf, 1 << 20);
        for (int i = 0; i < n; i++)
            tc_buf_printf(&buf, "%s" PAGE, i ? "," : "{\"elicitations\":[");
        tc_buf_str(&buf, TC_STR("]}"));
        tc_buf_char(&buf, '\0');
        assert_int_equal(tc_mcp_pages(parse(&test, buf.p)) != NULL, n == TC_MCP_PAGES_MAX);
        tc_buf_finish(&buf);
    }
    test_cx_finish(&test);
}

void test_page__has_an_id_where_the_revision_has_them(void **state)
{
    static const char bare[] = "{\"mode\":\"url\",\"url\":\"https://a.b/c\",\"message\":\"Go\"}";
    static const struct {
        const char *revision, *params, *written;
    } rows[] = {
        {"2025-11-25", PAGE, PAGE},
        {"2025-11-25", bare,
         "{\"mode\":\"url\",\"url\":\"https://a.b/c\",\"message\":\"Go\",\"elicitationId\":\"new\"}"},
        {"2025-11-25", "{\"message\":\"Who?\"}", "{\"message\":\"Who?\"}"},
        {"2026-07-28", PAGE, bare},
        {"2026-07-28", bare, bare},
        {"2026-07-28", "{\"elicitationId\":\"x\",\"mode\":\"form\"}", "{\"elicitationId\":\"x\",\"mode\":\"form\"}"},
    };
    struct test_cx test;
    struct tc_jsonw w;
    struct tc_buf buf;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tc_buf_init(&buf, 1024);
        tc_jsonw_init(&w, &buf);
        tc_mcp_page_write(&w, parse(&test, rows[i].params), tc_mcp_revision_find(tc_str_of(rows[i].revision)),
                          TC_STR("new"));
        assert_str(tc_buf_get(&buf), rows[i].written);
        tc_buf_finish(&buf);
    }
    test_cx_finish(&test);
}
