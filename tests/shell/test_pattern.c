#include "shell/expand.h"

#include "base/clock.h"
#include "support/test.h"

static bool matches(const char *pattern, const char *text, unsigned flags)
{
    return tc_sh_pattern_match(tc_str_of(pattern), tc_str_of(text), flags);
}

void test_pattern__plain_patterns(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        {"", "", true}, {"", "a", false}, {"*", "", true}, {"a*c", "abbc", true}, {"a*c", "abbd", false},
        {"*b*", "abc", true}, {"a?c", "a\xc3\xa9""c", true}, {"??", "\xc3\xa9", false}, {"?", "\xff", true},
        {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a-c]x", "dx", true}, {"[]a]", "]", true},
        {"[a-]", "-", true}, {"[[:digit:]]*", "5x", true}, {"[[:upper:]]", "\xc3\x89", true}, {"[\\]]", "]", true},
        {"[\xc3\xa0-\xc3\xbc]", "\xc3\xa9", true}, {"[a", "[a", true}, {"\\*", "*", true}, {"\\*", "a", false},
        {"*.txt", "a.txt.txt", true}, {"*a*b*c", "xxaxxbxxc", true}, {"*ab", "aab", true}, {"a*ab", "ab", false},
        {"[[.a.]]", "a", true}, {"+(a)", "+(a)", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (matches(rows[i].pattern, rows[i].text, 0) != rows[i].matches)
            fail_msg("%s on %s", rows[i].pattern, rows[i].text);
}

void test_pattern__extended_groups(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        {"@(a|b)c", "bc", true}, {"@(a|b)c", "cc", false}, {"?(a)b", "b", true}, {"+(ab)", "abab", true},
        {"+(ab)", "", false}, {"*(ab|c)", "abcab", true}, {"!(a)", "a", false}, {"!(a)", "b", true},
        {"!(a)", "", true}, {"!(*.c|*.h)", "x.c", false}, {"!(*.c|*.h)", "x.o", true}, {"a!(b)c", "abc", false},
        {"a!(b)c", "abbc", true}, {"!(!(a))", "a", true}, {"!(!(a))", "b", false}, {"*(a|*(b))c", "abbac", true},
        {"+([0-9]).+([0-9])", "12.34", true}, {"@(a|@(b|c)d)", "cd", true}, {"@(a\\|b)", "a|b", true},
        {"@()", "", true}, {"x@(|y)", "x", true}, {"@(a", "@(a", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (matches(rows[i].pattern, rows[i].text, TC_SH_PATTERN_EXT) != rows[i].matches)
            fail_msg("%s on %s", rows[i].pattern, rows[i].text);
}

void test_pattern__flags(void **state)
{
    (void)state;
    assert_true(matches("A[B-C]\xc3\xa9", "ac\xc3\x89", TC_SH_PATTERN_ICASE));
    assert_true(matches("*", "a/b", 0));
    assert_false(matches("*", "a/b", TC_SH_PATTERN_PATH));
    assert_true(matches("*/b", "a/b", TC_SH_PATTERN_PATH));
    assert_false(matches("a?b", "a/b", TC_SH_PATTERN_PATH));
    assert_false(matches("a[/]b", "a/b", TC_SH_PATTERN_PATH));
    assert_false(matches("*", ".a", TC_SH_PATTERN_PERIOD));
    assert_true(matches(".*", ".a", TC_SH_PATTERN_PERIOD));
    assert_false(matches("a/*", "a/.b", TC_SH_PATTERN_PERIOD | TC_SH_PATTERN_PATH));
    assert_true(matches("a/*", "a/.b", TC_SH_PATTERN_PERIOD));
    assert_false(matches("!(x)", ".a", TC_SH_PATTERN_PERIOD | TC_SH_PATTERN_EXT));
    assert_true(tc_sh_pattern_special(TC_STR("a*"), 0));
    assert_false(tc_sh_pattern_special(TC_STR("a\\*[b"), 0));
    assert_true(tc_sh_pattern_special(TC_STR("@(a)"), TC_SH_PATTERN_EXT));
    assert_false(tc_sh_pattern_special(TC_STR("@(a)"), 0));
}

void test_pattern__beginnings_ends_and_places(void **state)
{
    const unsigned ext = TC_SH_PATTERN_EXT;
    size_t start, end;

    (void)state;
    assert_int_equal(tc_sh_pattern_prefix(TC_STR("*/"), TC_STR("a/b/c"), false, 0), 2);
    assert_int_equal(tc_sh_pattern_prefix(TC_STR("*/"), TC_STR("a/b/c"), true, 0), 4);
    assert_int_equal(tc_sh_pattern_prefix(TC_STR("x*"), TC_STR("abc"), true, 0), SIZE_MAX);
    assert_int_equal(tc_sh_pattern_prefix(TC_STR("a*"), TC_STR("abc"), false, 0), 1);
    assert_int_equal(tc_sh_pattern_prefix(TC_STR("[ab]*[bc]"), TC_STR("abc"), false, 0), 2);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR(".*"), TC_STR("a.b.c"), false, 0), 3);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR(".*"), TC_STR("a.b.c"), true, 0), 1);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR("?"), TC_STR("a\xc3\xa9"), false, 0), 1);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR("+(b|c)"), TC_STR("abcb"), true, ext), 1);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR("+(b|c)"), TC_STR("abcb"), false, ext), 3);
    assert_int_equal(tc_sh_pattern_suffix(TC_STR("!(b)"), TC_STR("ab"), true, ext), 0);
    assert_true(tc_sh_pattern_find(TC_STR("b*d"), TC_STR("abcdbd"), 0, 0, &start, &end));
    assert_int_equal(start, 1);
    assert_int_equal(end, 6);
    assert_true(tc_sh_pattern_find(TC_STR("[bd]"), TC_STR("abcd"), 2, 0, &start, &end));
    assert_int_equal(start, 3);
    assert_false(tc_sh_pattern_find(TC_STR("x"), TC_STR("abcd"), 0, 0, &start, &end));
    assert_true(tc_sh_pattern_find(TC_STR("@(bcd|ab|abc)"), TC_STR("xabcd"), 0, ext, &start, &end));
    assert_int_equal(start, 1);
    assert_int_equal(end, 4);
    assert_true(tc_sh_pattern_find(TC_STR("*(b)"), TC_STR("abb"), 0, ext, &start, &end));
    assert_int_equal(end, 0);
    assert_true(tc_sh_pattern_find(TC_STR("!(a)"), TC_STR("aab"), 0, ext, &start, &end));
    assert_int_equal(start, 0);
    assert_int_equal(end, 3);
}

/* A matcher that tries all ways would not come back from any of these. */
void test_pattern__time_grows_with_the_product_of_the_lengths(void **state)
{
    static const char *const patterns[] = {
        "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "*(*(a)*(a))b", "+(+(+(a|aa)|a)|aa)b", "*(a|?(a)|*(a))+(a)b",
        "!(*a*a*a*b)!(*a*b)b", "@(*a|*aa|*aaa)*(*a)b"};
    enum { LENGTH = 1500 };
    char text[LENGTH];
    size_t start, end;
    int64_t began = tc_clock_mono_us(&tc_clock_system);

    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct tc_str all = tc_str_n(text, sizeof text), pattern = tc_str_of(patterns[i]);
        assert_false(tc_sh_pattern_match(pattern, all, TC_SH_PATTERN_EXT));
        assert_int_equal(tc_sh_pattern_prefix(pattern, all, true, TC_SH_PATTERN_EXT), SIZE_MAX);
        if (tc_str_chr(pattern, '!') == SIZE_MAX)
            assert_false(tc_sh_pattern_find(pattern, all, 0, TC_SH_PATTERN_EXT, &start, &end));
    }
    assert_true(tc_clock_mono_us(&tc_clock_system) - began < 20 * 1000000);
}
