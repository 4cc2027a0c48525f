#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/number.h"

static int cmp(const char *a, const char *b)
{
    int order = tc_number_cmp(tc_str_of(a), tc_str_of(b)), back = tc_number_cmp(tc_str_of(b), tc_str_of(a));

    order = order < 0 ? -1 : order > 0;
    assert_int_equal(back < 0 ? -1 : back > 0, -order);
    return order;
}

void test_number__compares_by_value_at_any_size(void **state)
{
    static const struct {
        const char *a, *b;
        int order;
    } cases[] = {
        {"1", "1.0", 0},
        {"1", "10e-1", 0},
        {"100", "1E+2", 0},
        {"0", "-0", 0},
        {"0.000", "0e999", 0},
        {"1e400", "10e399", 0},
        {"1e400", "1e399", 1},
        {"-1e400", "1e-400", -1},
        {"-2", "-1", -1},
        {"-1", "0", -1},
        {"0", "1e-999", -1},
        {"0.1", "0.10000000000000000000000000000000001", -1},
        {"9007199254740993", "9007199254740992", 1},
        {"9007199254740993", "9007199254740993.0", 0},
        {"123456789012345678901234567890", "1.2345678901234567890123456789e29", 0},
        {"0.00123", "1.23e-3", 0},
        {"12.5", "1.25e1", 0},
        {"12.5", "12.05", 1},
        {"10", "9", 1},
        {"1e1", "9e0", 1},
        {"1e99999999999999999999999999", "1e99999999999999999999999998", 1},
        {"1e99999999999999999999999999", "10e99999999999999999999999998", 0},
        {"1e100000000000000000000", "10e99999999999999999999", 0},
        {"1e-100000000000000000000", "0.1e-99999999999999999999", 0},
        {"1e99999999999999999999", "1e-99999999999999999999", 1},
        {"-1e99999999999999999999", "-1", -1},
        {"1e00000000000000000000000001", "10", 0},
        {"1e-00000000000000000000000001", "0.1", 0},
        {"5e100000000000000000", "6e100000000000000000", -1},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cmp(cases[i].a, cases[i].b) != cases[i].order)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
}

/* A number of at most 6 digits times 10^-3 to 10^3, spelt at random; the value
 * in thousandths of thousandths is exact in 64 bits. */
static int64_t spell(unsigned *seed, char *to, size_t size)
{
    int digits = rand_r(seed) % 1000000, places = rand_r(seed) % 7, exponent = rand_r(seed) % 7 - 3;
    bool negative = rand_r(seed) & 1;
    int64_t value = digits;
    int scale = 1;

    for (int i = 0; i < places; i++)
        scale *= 10;
    snprintf(to, size, "%s%d", negative ? "-" : "", digits / scale);
    if (places)
        snprintf(to + strlen(to), size - strlen(to), ".%0*d", places, digits % scale);
    if (exponent || rand_r(seed) & 1)
        snprintf(to + strlen(to), size - strlen(to), "%c%s%0*d", rand_r(seed) & 1 ? 'e' : 'E',
                 exponent < 0       ? "-"
                 : rand_r(seed) & 1 ? "+"
                                    : "",
                 rand_r(seed) % 3 + 1, abs(exponent));
    for (int i = 0; i < 9 - places + exponent; i++)
        value *= 10;
    return negative ? -value : value;
}

void test_number__agrees_with_integers_on_random_spellings(void **state)
{
    unsigned seed = 1;
    (void)state;

    for (int i = 0; i < 200000; i++) {
        char a[64], b[64];
        int64_t x = spell(&seed, a, sizeof a), y = spell(&seed, b, sizeof b), back;
        bool whole = x % 1000000000 == 0;

        if (cmp(a, b) != (x < y ? -1 : x > y))
            fail_msg("%s and %s", a, b);
        if (tc_number_is_integer(tc_str_of(a)) != whole)
            fail_msg("%s is whole or not", a);
        if (tc_number_int(tc_str_of(a), &back) != whole || (whole && back != x / 1000000000))
            fail_msg("%s as an integer", a);
        assert_int_equal(tc_number_is_divisor(tc_str_of(b)), y > 0);
        if (y > 0 && tc_number_multiple_of(tc_str_of(a), tc_str_of(b)) != (x % y == 0))
            fail_msg("%s a multiple of %s", a, b);
    }
}

void test_number__integers_are_exact_to_the_last(void **state)
{
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"-0.0e5", true, 0},
        {"1.0", true, 1},
        {"1e2", true, 100},
        {"120e-1", true, 12},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"9223372036854775807.000", true, INT64_MAX},
        {"92233720368547758070e-1", true, INT64_MAX},
        {"9.223372036854775807e18", true, INT64_MAX},
        {"1e18", true, 1000000000000000000},
        {"1e19", false, 0},
        {"10000000000000000000", false, 0},
        {"18446744073709551617", false, 0},
        {"99999999999999999999", false, 0},
        {"1.5", false, 0},
        {"1e-1", false, 0},
        {"1e400", false, 0},
        {"1e99999999999999999999", false, 0},
        {"1e-99999999999999999999", false, 0},
        {"0e99999999999999999999", true, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 77;
        bool fits = tc_number_int(tc_str_of(cases[i].text), &value);

        if (fits != cases[i].fits || value != (fits ? cases[i].value : 77))
            fail_msg("%s", cases[i].text);
    }
}

void test_number__is_integer_at_any_size(void **state)
{
    (void)state;

    assert_true(tc_number_is_integer(TC_STR("1e400")));
    assert_true(tc_number_is_integer(TC_STR("123456789012345678901234567890.0")));
    assert_true(tc_number_is_integer(TC_STR("1.5e1")));
    assert_true(tc_number_is_integer(TC_STR("1.5e99999999999999999999")));
    assert_true(tc_number_is_integer(TC_STR("0e-5")));
    assert_false(tc_number_is_integer(TC_STR("1.5")));
    assert_false(tc_number_is_integer(TC_STR("15e-2")));
    assert_false(tc_number_is_integer(TC_STR("123456789012345678901234567890.1")));
    assert_false(tc_number_is_integer(TC_STR("1e-99999999999999999999")));
}

static bool multiple(const char *a, const char *b)
{
    return tc_number_multiple_of(tc_str_of(a), tc_str_of(b));
}

void test_number__multiple_of_is_exact(void **state)
{
    (void)state;

    assert_true(multiple("0.3", "0.1"));
    assert_true(multiple("19.99", "0.01"));
    assert_true(multiple("0.0075", "0.0001"));
    assert_false(multiple("0.00751", "0.0001"));
    assert_true(multiple("-4.5", "1.5"));
    assert_true(multiple("0", "3"));
    assert_false(multiple("1e308", "0.123456789"));
    assert_true(multiple("1e308", "0.125"));
    assert_true(multiple("1e99999999999999999999", "0.5"));
    assert_true(multiple("1e99999999999999999999", "1e-99999999999999999999"));
    assert_false(multiple("1e99999999999999999999", "3"));
    assert_true(multiple("3e99999999999999999999", "3"));
    assert_false(multiple("1e-5", "1e-4"));
    assert_true(multiple("12391239123", "1e-8"));
    assert_true(multiple("9007199254740993", "3"));
    assert_false(multiple("9007199254740993", "2"));
    /* 2^119 has 36 digits and divides 10^119 but not 10^118 */
    assert_true(multiple("1e119", "664613997892457936451903530140172288"));
    assert_false(multiple("1e118", "664613997892457936451903530140172288"));
    assert_true(multiple("1e500", "664613997892457936451903530140172288"));
    /* 37 digits, and their product with 3 */
    assert_true(multiple("3703703670370370367037037036703703701", "1234567890123456789012345678901234567"));
    assert_false(multiple("3703703670370370367037037036703703702", "1234567890123456789012345678901234567"));
    assert_true(tc_number_is_divisor(TC_STR("1234567890123456789012345678901234567")));
    assert_false(tc_number_is_divisor(TC_STR("12345678901234567890123456789012345678")));
    assert_true(tc_number_is_divisor(TC_STR("1e99999")));
    assert_false(tc_number_is_divisor(TC_STR("0.0")));
    assert_false(tc_number_is_divisor(TC_STR("-1")));
}

void test_number__doubles_are_the_nearest(void **state)
{
    static const char *const cases[] = {"0.1",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678",
                                        "9007199254740993",
                                        "1.7976931348623157e308",
                                        "2.2250738585072014e-308",
                                        "5e-324",
                                        "2e-324",
                                        "4.35",
                                        "0.000001",
                                        "1e-999",
                                        "8.5e-1",
                                        "123456789012345e22",
                                        "123456789012345e-22",
                                        "1234567890123456e-22"};
    char longest[1200];
    double value;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(tc_number_double(tc_str_of(cases[i]), &value));
        assert_true(value == strtod(cases[i], NULL));
    }
    assert_false(tc_number_double(TC_STR("1e400"), &value));
    assert_false(tc_number_double(TC_STR("-1e99999999999999999999"), &value));
    assert_true(tc_number_double(TC_STR("-0"), &value) && value == 0 && 1 / value < 0);
    /* 2^53 + 1 lies half way between two doubles; one digit far behind decides */
    memset(longest, '0', sizeof longest);
    memcpy(longest, "9007199254740993.", 17);
    assert_true(tc_number_double(tc_str_n(longest, sizeof longest), &value) && value == 9007199254740992.0);
    longest[sizeof longest - 1] = '1';
    assert_true(tc_number_double(tc_str_n(longest, sizeof longest), &value) && value == 9007199254740994.0);
}

void test_number__doubles_agree_with_strtod_on_random_lexemes(void **state)
{
    unsigned seed = 7;
    (void)state;

    for (int i = 0; i < 100000; i++) {
        char text[64];
        double value = 0, expected;

        snprintf(text, sizeof text, "%d.%d%de%d", rand_r(&seed) % 1000, rand_r(&seed), rand_r(&seed),
                 rand_r(&seed) % 700 - 350);
        expected = strtod(text, NULL);
        if (tc_number_double(tc_str_of(text), &value) != (expected - expected == 0) ||
            (expected - expected == 0 && value != expected))
            fail_msg("%s", text);
    }
}

void test_number__long_lexemes_take_linear_time(void **state)
{
    size_t n = 4 * 1024 * 1024;
    char *digits = malloc(n);
    int64_t value;
    (void)state;

    memset(digits, '9', n);
    assert_true(tc_number_is_integer(tc_str_n(digits, n)));
    assert_int_equal(tc_number_cmp(tc_str_n(digits, n), tc_str_n(digits, n - 1)), 1);
    assert_true(tc_number_multiple_of(tc_str_n(digits, n), TC_STR("9")));
    assert_false(tc_number_multiple_of(tc_str_n(digits, n), TC_STR("10")));
    assert_false(tc_number_int(tc_str_n(digits, n), &value));
    free(digits);
}
