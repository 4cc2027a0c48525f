/*
 * Who is found by name and place, what single models take.
 */
#include "models/rows.h"

#include "support/test.h"

static struct tc_row find(struct test_cx *test, const char *name, const char *base_url)
{
    struct tc_row row;

    assert_int_equal(tc_rows_find(&test->cx, tc_str_of(name), tc_str_of(base_url), &row), TC_OK);
    assert_non_null(row.provider);
    assert_string_equal(row.provider->name, row.protocol);
    return row;
}

void test_rows__a_place_says_who_it_is(void **state)
{
    static const struct {
        const char *url, *name;
    } places[] = {
        {"https://api.openai.com/v1", "openai"},
        {"https://API.OpenAI.com", "openai"},
        {"https://api.anthropic.com", "anthropic"},
        {"https://generativelanguage.googleapis.com", "gemini"},
        {"https://generativelanguage.googleapis.com/v1beta/openai/", "gemini-chat"},
        {"https://api.deepseek.com/beta", "deepseek"},
        {"https://openrouter.ai/api/v1", "openrouter"},
        {"https://api.mistral.ai/v1", "mistral"},
        {"https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen"},
        {"http://127.0.0.1:11434", "ollama"},
        {"http://gpu.example:11434/v1", "ollama"},
        {"https://models.example/v1", "openai"},
        {"nonsense", "openai"},
        {"", "openai"},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof places / sizeof places[0]; i++)
        assert_str(tc_rows_name_of(tc_str_of(places[i].url)), places[i].name);
}

void test_rows__a_name_is_found_and_chat_is_told_apart_by_its_place(void **state)
{
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    assert_string_equal(find(&test, "", "").name, "openai");
    assert_string_equal(find(&test, "openai", "").name, "openai");
    assert_string_equal(find(&test, "openai", "https://api.deepseek.com").name, "deepseek");
    assert_string_equal(find(&test, "openai", "https://models.example/v1").name, "openai-compatible");
    assert_string_equal(find(&test, "openai", "https://api.anthropic.com").name, "openai-compatible");
    assert_string_equal(find(&test, "", "https://api.anthropic.com").name, "anthropic");
    assert_string_equal(find(&test, "", "https://models.example/v1").name, "openai-compatible");
    assert_string_equal(find(&test, "mistral", "https://proxy.example").name, "mistral");
    assert_string_equal(find(&test, "responses", "https://proxy.example").name, "responses");
    test_cx_finish(&test);
}

void test_rows__an_unknown_name_gets_the_names(void **state)
{
    struct test_cx test;
    struct tc_row row;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_rows_find(&test.cx, TC_STR("opnai"), TC_STR(""), &row), TC_E_CHANNEL_PROVIDER);
    assert_str(test.cx.err.message, "There is no provider \"opnai\".");
    assert_true(tc_str_starts(test.cx.err.hint, TC_STR("There are anthropic, gemini, openai, responses, deepseek, ")));
    assert_true(tc_str_ends(test.cx.err.hint, TC_STR("openai-compatible, scripted.")));
    test_cx_finish(&test);
}

void test_rows__single_models_differ_from_their_row(void **state)
{
    struct test_cx test;
    struct tc_row row;

    (void)state;
    test_cx_init(&test);
    row = find(&test, "openai", "");
    assert_false(tc_rows_caps(&row, TC_STR("gpt-5.2")).old_limit);
    assert_true(tc_rows_caps(&row, TC_STR("gpt-4-turbo")).old_limit);
    assert_false(tc_rows_caps(&row, TC_STR("o3-mini")).parallel_switch);
    assert_true(tc_rows_caps(&row, TC_STR("o3")).parallel_switch);
    assert_false(tc_rows_caps(&row, TC_STR("o3-mini")).image_input);
    row = find(&test, "anthropic", "");
    assert_true(tc_rows_caps(&row, TC_STR("claude-sonnet-4-5")).forced_choice);
    assert_false(tc_rows_caps(&row, TC_STR("claude-opus-5-5")).forced_choice);
    assert_true(tc_rows_caps(&row, TC_STR("claude-opus-5-5")).native_deferral);
    assert_false(tc_rows_caps(&row, TC_STR("claude-3-5-haiku-latest")).native_deferral);
    row = find(&test, "gemini", "");
    assert_int_equal(tc_rows_caps(&row, TC_STR("gemini-2.5-pro")).result_images, TC_RESULT_IMAGES_USER_MESSAGE);
    assert_int_equal(tc_rows_caps(&row, TC_STR("gemini-3-pro")).result_images, TC_RESULT_IMAGES_NATIVE);
    assert_true(tc_rows_caps(&row, TC_STR("gemini-3-pro")).signed_calls);
    assert_false(tc_rows_caps(&row, TC_STR("gemini-2.5-pro")).signed_calls);
    row = find(&test, "mistral", "");
    assert_int_equal(tc_rows_caps(&row, TC_STR("mistral-large-latest")).ids, TC_ID_NINE);
    row = find(&test, "vllm", ""); /* row 61: whoever serves it, its template takes no other */
    assert_int_equal(tc_rows_caps(&row, TC_STR("mistralai/Mistral-Small-3.2-24B-Instruct")).ids, TC_ID_NINE);
    assert_int_equal(tc_rows_caps(&row, TC_STR("meta-llama/Llama-3.3-70B")).ids, TC_ID_ANY);
    row = find(&test, "qwen", "");
    assert_true(tc_rows_caps(&row, TC_STR("qwen3.7-plus")).replays_reasoning);
    assert_false(tc_rows_caps(&row, TC_STR("qwen3-coder-plus")).replays_reasoning);
    test_cx_finish(&test);
}
