#include "support/test.h"

#include <stdlib.h>
#include <time.h>

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

static bool fits(struct tc_str s, size_t at, struct tc_str needle)
{
    return at + needle.n <= s.n && tc_str_eq_nocase(tc_str_n(s.p + at, needle.n), needle);
}

static size_t first_fit(struct tc_str s, struct tc_str needle)
{
    for (size_t at = 0; at + needle.n <= s.n; at++)
        if (fits(s, at, needle))
            return at;
    return SIZE_MAX;
}

/* Texts of few letters, long enough that both ways of looking have their turn. */
void test_str__finds_what_repeats_itself_as_what_does_not(void **state)
{
    static char text[6000], needle[900];
    unsigned seed = 7;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t n = 1, whole = sizeof text, period;
        seed = seed * 1103515245u + 12345u;
        n += (seed >> 8) % (round % 3 ? 12 : sizeof needle - 1);
        period = 1 + (seed >> 20) % 5;
        for (size_t i = 0; i < whole; i++)
            text[i] = "abAB"[i % period < period - 1 || (i * 7 + (size_t)round) % 97 ? i % period % 2 * 3 : 1];
        for (size_t i = 0; i < n; i++)
            needle[i] = "aBAb"[i % period < period - 1 || i != n - 1 ? i % period % 2 : (unsigned)round % 2];
        assert_int_equal(tc_str_find_nocase(tc_str_n(text, whole), tc_str_n(needle, n)),
                         first_fit(tc_str_n(text, whole), tc_str_n(needle, n)));
    }
    for (int round = 0; round < 20000; round++) {
        size_t n, whole;
        for (size_t i = 0; i < 400; i++) {
            seed = seed * 1103515245u + 12345u;
            text[i] = "aaab"[seed >> 30];
        }
        for (size_t i = 0; i < 1600; i++) /* what it begins with comes again and again */
            text[400 + i] = text[i % (1 + (unsigned)round % 40)];
        n = 1 + (seed >> 12) % 300;
        whole = 600 + (seed >> 3) % 1400;
        memcpy(needle, text + (seed >> 7) % 300, n);
        needle[(seed >> 9) % n] = "ab"[round % 2];
        assert_int_equal(tc_str_find_nocase(tc_str_n(text, whole), tc_str_n(needle, n)),
                         first_fit(tc_str_n(text, whole), tc_str_n(needle, n)));
    }
}

void test_str__a_search_made_to_be_slow_is_not(void **state)
{
    enum { N = 4 * 1024 * 1024 };
    char *text = malloc(N), *needle = malloc(N / 2);
    struct timespec from, to;

    (void)state;
    memset(text, 'a', N);
    memset(needle, 'A', N / 2);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    needle[N / 2 - 1] = 'b';
    assert_int_equal(tc_str_find_nocase(tc_str_n(text, N), tc_str_n(needle, N / 2)), SIZE_MAX);
    needle[N / 2 - 1] = 'a';
    needle[N / 4] = 'b';
    assert_int_equal(tc_str_find_nocase(tc_str_n(text, N), tc_str_n(needle, N / 2)), SIZE_MAX);
    text[N - N / 4] = 'B';
    assert_int_equal(tc_str_find_nocase(tc_str_n(text, N), tc_str_n(needle, N / 2)), N / 2);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    assert_true(to.tv_sec - from.tv_sec < 10); /* by the product of both it would be hours */
    free(text);
    free(needle);
}
