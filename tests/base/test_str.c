#include "support/test.h"

void test_str__glob_matches_runs_without_recursion(void **state)
{
    (void)state;
    assert_true(tc_str_glob(TC_STR("mcp/*:read_*"), TC_STR("mcp/x:read_file")));
    assert_true(tc_str_glob(TC_STR("*"), TC_STR("")));
    assert_true(tc_str_glob(TC_STR("a?c"), TC_STR("abc")));
    assert_false(tc_str_glob(TC_STR("a?c"), TC_STR("ac")));
    assert_false(tc_str_glob(TC_STR("read_*x"), TC_STR("read_file")));
    assert_false(tc_str_glob(TC_STR("*a*a*a*a*a*a*a*a*b"), TC_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")));
}

void test_str__int_takes_the_whole_range_and_nothing_else(void **state)
{
    int64_t v;
    (void)state;
    assert_true(tc_str_int(TC_STR("9223372036854775807"), &v) && v == INT64_MAX);
    assert_true(tc_str_int(TC_STR("-9223372036854775808"), &v) && v == INT64_MIN);
    assert_false(tc_str_int(TC_STR("9223372036854775808"), &v));
    assert_false(tc_str_int(TC_STR(""), &v));
    assert_false(tc_str_int(TC_STR("-"), &v));
    assert_false(tc_str_int(TC_STR("1 "), &v));
}

void test_str__distance_stops_at_its_limit(void **state)
{
    (void)state;
    assert_int_equal(tc_str_distance(TC_STR("listn"), TC_STR("listen"), 3), 1);
    assert_int_equal(tc_str_distance(TC_STR("kitten"), TC_STR("sitting"), 9), 3);
    assert_int_equal(tc_str_distance(TC_STR("abc"), TC_STR("xyzuvw"), 2), 3);
}
