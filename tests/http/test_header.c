#include "support/test.h"

#include "http/header.h"

static bool takes(const char *value)
{
    return tc_header_takes(tc_str_of(value), TC_STR("gzip"));
}

void test_header__a_weight_of_nothing_is_a_refusal(void **state)
{
    (void)state;
    assert_true(takes("gzip"));
    assert_true(takes("br, GZIP"));
    assert_true(takes(" gzip ; q=0.001, br"));
    assert_true(takes("gzip;x=0;q=1.0"));
    assert_true(takes("gzip;Q=0.5"));
    assert_false(takes("gzip;q=0"));
    assert_false(takes("br, gzip ; x=1 ; Q=0.000"));
    assert_false(takes("xgzip, gzipx, br;gzip"));
    assert_false(takes("*"));
    assert_false(takes(""));
    assert_false(tc_header_takes(tc_str_n(NULL, 0), TC_STR("gzip")));
}
