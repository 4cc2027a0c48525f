#include "support/test.h"

#include "base/tokens.h"

void test_tokens__four_bytes_or_one_cjk_character_are_one(void **state)
{
    (void)state;
    assert_int_equal(tc_tokens_estimate(TC_STR("")), 0);
    assert_int_equal(tc_tokens_estimate(TC_STR("a")), 1);
    assert_int_equal(tc_tokens_estimate(TC_STR("abcd")), 1);
    assert_int_equal(tc_tokens_estimate(TC_STR("abcde")), 2);
    assert_int_equal(tc_tokens_estimate(TC_STR("天气")), 2);
    assert_int_equal(tc_tokens_estimate(TC_STR("天气ab")), 3);
    assert_int_equal(tc_tokens_estimate(TC_STR("한국어")), 3);
    assert_int_equal(tc_tokens_estimate(TC_STR("éééé")), 2); /* two bytes each */
    assert_int_equal(tc_tokens_estimate(TC_STR("\xe5\xff\xff")), 1);
}
