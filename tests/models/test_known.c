/*
 * What is known of models by their names.
 */
#include "models/known.h"

#include "support/test.h"

void test_known__models_by_their_names(void **state)
{
    struct tc_model_known known;

    (void)state;
    assert_true(tc_known_find(TC_STR("gpt-5-mini"), &known));
    assert_true(known.image_input);
    assert_int_equal(known.context_window, 400000);
    assert_true(tc_known_find(TC_STR("openai/gpt-4o"), &known));
    assert_int_equal(known.max_output, 16384);
    assert_true(tc_known_find(TC_STR("models/gemini-2.5-flash"), &known));
    assert_int_equal(known.context_window, 1048576);
    assert_true(tc_known_find(TC_STR("deepseek-chat"), &known));
    assert_false(known.image_input);
    assert_true(tc_known_find(TC_STR("Qwen/Qwen3-Coder-30B"), &known));
    assert_int_equal(known.context_window, 262144);
    assert_false(tc_known_find(TC_STR("my-model"), &known));
    assert_false(tc_known_find(TC_STR(""), &known));
}
