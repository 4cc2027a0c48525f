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

/* Every pattern against every text over a small alphabet, by the definition. */
static bool matches(const char *pattern, const char *s)
{
    if (*pattern == '*')
        return matches(pattern + 1, s) || (*s && matches(pattern, s + 1));
    if (*pattern == '\0' || *s == '\0')
        return *pattern == *s;
    return (*pattern == '?' || *pattern == *s) && matches(pattern + 1, s + 1);
}

static void spell(unsigned code, const char *alphabet, unsigned letters, char *to)
{
    for (; code > 0; code /= letters)
        *to++ = alphabet[code % letters];
    *to = '\0';
}

void test_str__glob_agrees_with_its_definition(void **state)
{
    char pattern[8], s[12];
    (void)state;

    for (unsigned p = 0; p < 4 * 4 * 4 * 4 * 4 * 4; p++) {
        spell(p, "a*?b", 4, pattern);
        for (unsigned k = 0; k < 3 * 3 * 3 * 3 * 3; k++) {
            spell(k, "abc", 3, s);
            if (tc_str_glob(tc_str_of(pattern), tc_str_of(s)) != matches(pattern, s))
                fail_msg("glob \"%s\" on \"%s\" must be %d", pattern, s, matches(pattern, s));
        }
    }
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

void test_str__finds_ignoring_the_case_of_ascii_letters(void **state)
{
    (void)state;
    assert_int_equal(tc_str_find_nocase(TC_STR("a Red file"), TC_STR("rED")), 2);
    assert_int_equal(tc_str_find_nocase(TC_STR("aab"), TC_STR("AB")), 1);
    assert_int_equal(tc_str_find_nocase(TC_STR("red"), TC_STR("redder")), SIZE_MAX);
    assert_int_equal(tc_str_find_nocase(TC_STR("\xC3\x84"), TC_STR("\xC3\xA4")), SIZE_MAX); /* only ASCII */
    assert_int_equal(tc_str_find_nocase(TC_STR("red"), TC_STR("")), 0);
    assert_int_equal(tc_str_find_nocase(TC_STR(""), TC_STR("")), 0);
}
