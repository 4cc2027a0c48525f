/*
 * URLs from base URLs as people write them, and fields.
 */
#include "models/endpoint.h"

#include "support/test.h"

static void assert_url(const char *provider, const char *base, const char *path, const char *expected)
{
    struct tc_model_target target = {.provider = tc_str_of(provider), .base_url = tc_str_of(base)};
    struct test_cx test;
    struct tc_row row;
    struct tc_str url;

    test_cx_init(&test);
    assert_int_equal(tc_rows_find(&test.cx, target.provider, target.base_url, &row), TC_OK);
    assert_int_equal(tc_endpoint_url(&test.cx, &row, &target, tc_str_of(path), &url), TC_OK);
    assert_str(url, expected);
    test_cx_finish(&test);
}

void test_endpoint__base_urls_may_be_written_in_several_ways(void **state)
{
    static const char chat[] = "/chat/completions", messages[] = "/v1/messages";

    (void)state;
    assert_url("openai", "", chat, "https://api.openai.com/v1/chat/completions");
    assert_url("openai", "https://api.openai.com", chat, "https://api.openai.com/v1/chat/completions");
    assert_url("openai", "https://api.openai.com/", chat, "https://api.openai.com/v1/chat/completions");
    assert_url("openai", "http://models.example", chat, "http://models.example/v1/chat/completions");
    assert_url("openai", "http://models.example/api/v3/", chat, "http://models.example/api/v3/chat/completions");
    assert_url("openai", "http://models.example/v1/chat/completions", chat, "http:"
               "//models.example/v1/chat/completions");
    assert_url("ollama", "http://127.0.0.1:11434", chat, "http://127.0.0.1:11434/v1/chat/completions");
    assert_url("deepseek", "", chat, "https://api.deepseek.com/chat/completions");
    assert_url("deepseek", "https://api.deepseek.com/beta", chat, "https://api.deepseek.com/beta/chat/completions");
    assert_url("anthropic", "", messages, "https://api.anthropic.com/v1/messages");
    assert_url("anthropic", "https://api.anthropic.com/v1", messages, "https://api.anthropic.com/v1/messages");
    assert_url("anthropic", "https://proxy.example/a/v1/messages", messages, "https://proxy.example/a/v1/messages");
    assert_url("gemini", "https://generativelanguage.googleapis.com/v1beta/", "/v1beta/models/m:x?alt=sse",
               "https://generativelanguage.googleapis.com/v1beta/models/m:x?alt=sse");
}

void test_endpoint__what_is_no_base_url(void **state)
{
    static const char *const bases[] = {"ftp://x", "x", "https://u:p@x", "https://x?key=1", "https://x#y"};
    struct tc_model_target target = {.provider = TC_STR("openai-compatible")};
    struct test_cx test;
    struct tc_row row;
    struct tc_str url;
    size_t i;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_rows_find(&test.cx, target.provider, target.base_url, &row), TC_OK);
    assert_int_equal(tc_endpoint_url(&test.cx, &row, &target, TC_STR("/x"), &url), TC_E_CHANNEL_INVALID);
    assert_str(test.cx.err.message, "The provider \"openai-compatible\" needs a base URL.");
    for (i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        target.base_url = tc_str_of(bases[i]);
        assert_int_equal(tc_endpoint_url(&test.cx, &row, &target, TC_STR("/x"), &url), TC_E_CHANNEL_INVALID);
    }
    test_cx_finish(&test);
}

void test_endpoint__fields_of_the_channel_win(void **state)
{
    struct tc_model_header own[] = {{TC_STR("authorization"), TC_STR("Basic x")}, {TC_STR("X-Own"), TC_STR("1")}};
    struct tc_model_target target = {.headers = own, .headers_n = 2};
    struct tc_model_wire wire = {.headers = {{TC_STR("Authorization"), TC_STR("Bearer k")}}, .headers_n = 1};
    struct tc_header_list list;
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_endpoint_headers(&test.cx, &target, &wire, true, &list), TC_OK);
    assert_str(tc_header_get(list, TC_STR("authorization")), "Basic x");
    assert_str(tc_header_get(list, TC_STR("x-own")), "1");
    assert_str(tc_header_get(list, TC_STR("accept")), "text/event-stream, application/json");
    assert_int_equal(tc_endpoint_headers(&test.cx, &target, &wire, false, &list), TC_OK);
    assert_str(tc_header_get(list, TC_STR("accept")), "application/json");
    test_cx_finish(&test);
}
