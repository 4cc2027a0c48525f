#include "schema/ecma.h"

#include "support/test.h"

enum { ES_NO, ES_YES, ES_REFUSED };

struct row {
    const char *pattern, *subject;
    int expected;
};

static int verdict_of(const char *pattern, struct tc_str subject)
{
    struct test_cx test;
    struct tc_ecma *regex = NULL;
    struct tc_ecma_scratch scratch = {.used = 0};
    int verdict = ES_REFUSED;

    test_cx_init(&test);
    if (tc_ecma_compile(&test.cx, tc_str_of(pattern), &regex) == TC_OK) {
        verdict = (int)tc_ecma_match(regex, &scratch, subject);
        tc_ecma_scratch_finish(&scratch);
        tc_ecma_destroy(regex);
    }
    test_cx_finish(&test);
    return verdict;
}

static void check(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int verdict = verdict_of(rows[i].pattern, tc_str_of(rows[i].subject));
        if (verdict != rows[i].expected)
            fail_msg("%s on \"%s\": %d, expected %d", rows[i].pattern, rows[i].subject, verdict, rows[i].expected);
    }
}
#define CHECK(rows) check((rows), sizeof(rows) / sizeof((rows)[0]))

void test_ecma__keeps_the_meaning_of_ecma_262(void **state)
{
    static const struct row rows[] = {
        {"^ab$", "ab", ES_YES},
        {"^ab$", "ab\n", ES_NO},
        {"b$", "ab\n", ES_NO},
        {"(^a|b)$", "b", ES_YES},
        {"^.$", "\r", ES_NO},
        {"(.)", "\r", ES_NO},
        {"(.)", "\xe2\x80\xa8", ES_NO},
        {"^.$", "\xe2\x80\xa9", ES_NO},
        {"^.$", "\xc3\xa9", ES_YES},
        {"^.$", "\xf0\x9f\x98\x80", ES_YES},
        {"(?:^.$)", "\xf0\x9f\x98\x80", ES_YES},
        {"^\\s$", "\xc2\xa0", ES_YES},
        {"^\\s$", "\xef\xbb\xbf", ES_YES},
        {"^\\s$", "\xe3\x80\x80", ES_YES},
        {"^\\s$", "\v", ES_YES},
        {"^\\s$", "x", ES_NO},
        {"^\\S$", "\xc2\xa0", ES_NO},
        {"^\\S$", "\xc3\xa9", ES_YES},
        {"^[\\S]$", "\xe2\x80\x83", ES_NO},
        {"^[\\s]$", "\xe2\x80\x83", ES_YES},
        {"^[^\\S]$", " ", ES_YES},
        {"^\\d$", "\xd9\xa3", ES_NO},
        {"^\\D$", "\xd9\xa3", ES_YES},
        {"^[\\D]$", "\xd9\xa3", ES_YES},
        {"^\\w$", "\xc3\xa9", ES_NO},
        {"^[^\\w]$", "\xc3\xa9", ES_YES},
        {"^[\\W]$", "a", ES_NO},
        {"\\bcafe\\b", "a cafe", ES_YES},
        {"^\\u0041$", "A", ES_YES},
        {"^\\u{1F600}$", "\xf0\x9f\x98\x80", ES_YES},
        {"^\\ud83d\\ude00$", "\xf0\x9f\x98\x80", ES_YES},
        {"^[\\ud83d\\ude00]$", "\xf0\x9f\x98\x80", ES_YES},
        {"^\\ud83d$", "\xf0\x9f\x98\x80", ES_NO},
        {"^[\\ud800-\\udfff]$", "a", ES_NO},
        {"^[a\\ud800]$", "a", ES_YES},
        {"^[^\\ud800]$", "a", ES_YES},
        {"^[\\u0000-\\u{10FFFF}]$", "a", ES_YES},
        {"^\\p{Letter}+$", "h\xc3\xa9", ES_YES},
        {"^\\p{Lu}$", "a", ES_NO},
        {"^\\P{L}$", "1", ES_YES},
        {"^\\p{Script=Han}$", "\xe6\xbc\xa2", ES_YES},
        {"^\\p{sc=Greek}$", "\xcf\x80", ES_YES},
        {"^\\p{scx=Greek}$", "\xcf\x80", ES_YES},
        {"^\\p{gc=Decimal_Number}$", "\xd9\xa3", ES_YES},
        {"^[\\p{L}_]$", "_", ES_YES},
        {"^\\p{Alphabetic}$", "a", ES_YES},
        {"^\\p{LC}$", "a", ES_YES},
        {"^[]$", "a", ES_NO},
        {"^(a[]?)$", "a", ES_YES},
        {"^a\\ud800*$", "a", ES_YES},
        {"^(a[^]*)$", "ab\n", ES_YES},
        {"[]", "a", ES_NO},
        {"^[^]$", "\n", ES_YES},
        {"^\\cJ$", "\n", ES_YES},
        {"^\\0$", "x", ES_NO},
        {"^[\\b]$", "\b", ES_YES},
        {"^\\x41$", "A", ES_YES},
        {"^(a)|b\\1$", "b", ES_YES},
        {"^\\1(a)$", "a", ES_YES},
        {"^(?<x>a)\\k<x>$", "aa", ES_YES},
        {"^\\k<x>(?<x>a)$", "a", ES_YES},
        {"^(?<\xc3\xa9>a)$", "a", ES_YES},
        {"(?<=\\$)\\d+", "cost $5", ES_YES},
        {"(?<!\\$)5", "$5", ES_NO},
        {"(?=a)b", "ab", ES_NO},
        {"^(?!no)", "yes", ES_YES},
        {"^[[:alpha:]]$", ":]", ES_YES},
        {"^[[:alpha:]]$", "b", ES_NO},
        {"^[.]$", "x", ES_NO},
        {"^a#b c$", "a#b c", ES_YES},
    };

    (void)state;
    CHECK(rows);
}

void test_ecma__takes_what_patterns_in_the_wild_hold(void **state)
{
    static const struct row rows[] = {
        {"^[\\w-.]+$", "a-b.c", ES_YES},
        {"^[\\w-.]+$", "a b", ES_NO},
        {"^[a-\\d]$", "-", ES_YES},
        {"^[a-\\d]$", "b", ES_NO},
        {"^\\-\\@\\/\\_$", "-@/_", ES_YES},
        {"^x{,5}$", "x{,5}", ES_YES},
        {"^x{,5}$", "xx", ES_NO},
        {"^{a}$", "{a}", ES_YES},
        {"^a{", "{", ES_NO},
        {"^a{1", "a{1", ES_YES},
        {"^a{1", "a", ES_NO},
        {"^a]$", "a]", ES_YES},
        {"^[a-]$", "-", ES_YES},
        {"^[-a]$", "-", ES_YES},
        {"^(|a)$", "", ES_YES},
        {"", "x", ES_YES},
        {"^a{2,3}?$", "aaa", ES_YES},
        {"^a{2}$", "aaa", ES_NO},
        {"^.{1,100000}$", "x", ES_YES},
    };

    (void)state;
    CHECK(rows);
}

void test_ecma__refuses_what_only_other_dialects_have(void **state)
{
    static const struct row rows[] = {
        {"(?i)a", "a", ES_REFUSED},
        {"a++", "a", ES_REFUSED},
        {"a\\Z", "a", ES_REFUSED},
        {"\\Aa", "a", ES_REFUSED},
        {"(?#x)a", "a", ES_REFUSED},
        {"\\Qa\\E", "a", ES_REFUSED},
        {"(*ACCEPT)", "a", ES_REFUSED},
        {"(*LIMIT_MATCH=1)a", "a", ES_REFUSED},
        {"(?>a)", "a", ES_REFUSED},
        {"(?P<x>a)", "a", ES_REFUSED},
        {"a**", "a", ES_REFUSED},
        {"*a", "a", ES_REFUSED},
        {"(", "a", ES_REFUSED},
        {")", "a", ES_REFUSED},
        {"[a", "a", ES_REFUSED},
        {"a\\", "a", ES_REFUSED},
        {"[b-a]", "a", ES_REFUSED},
        {"a{3,2}", "a", ES_REFUSED},
        {"\\u12", "a", ES_REFUSED},
        {"\\u{110000}", "a", ES_REFUSED},
        {"\\p{Nope}", "a", ES_REFUSED},
        {"\\p{L", "a", ES_REFUSED},
        {"\\01", "a", ES_REFUSED},
        {"\\2(a)", "a", ES_REFUSED},
        {"\\k<x>", "a", ES_REFUSED},
        {"(?<1>a)", "a", ES_REFUSED},
        {"(?<x>a)(?<x>b)", "a", ES_REFUSED},
        {"\\a", "a", ES_REFUSED},
        {"(a){70000}", "a", ES_REFUSED},
        {"^*", "a", ES_REFUSED},
        {"[a-\\", "a", ES_REFUSED},
        {"(?", "a", ES_REFUSED},
        {"\\C", "a", ES_REFUSED},
        {"\\xZ", "a", ES_REFUSED},
    };

    (void)state;
    CHECK(rows);
}

void test_ecma__reads_nul_in_text_and_pattern(void **state)
{
    (void)state;
    assert_int_equal(verdict_of("^a\\0b$", tc_str_n("a\0b", 3)), ES_YES);
    assert_int_equal(verdict_of("(a\\x00)b$", tc_str_n("a\0b", 3)), ES_YES);
    assert_int_equal(verdict_of("^a.b$", tc_str_n("a\0b", 3)), ES_YES);
}

void test_ecma__stops_at_the_match_limit(void **state)
{
    char text[64];

    (void)state;
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '!';
    assert_int_equal(verdict_of("^(a+)+$", tc_str_n(text, sizeof text)), TC_ECMA_LIMIT);
}

void test_ecma__matches_long_text_without_running_out_of_stack(void **state)
{
    static char text[20000];

    (void)state;
    memset(text, 'a', sizeof text);
    assert_int_equal(verdict_of("^(?:a|b)*$", tc_str_n(text, sizeof text)), ES_YES);
    assert_int_equal(verdict_of("^[^@]+@[^@]+$", tc_str_n(text, sizeof text)), ES_NO);
}

void test_ecma__says_what_is_wrong_and_where(void **state)
{
    struct test_cx test;
    struct tc_ecma *regex;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_ecma_compile(&test.cx, TC_STR("ab(?i)"), &regex), TC_E_SCHEMA_INVALID);
    assert_str(test.cx.err.message,
               "The pattern is not a regular expression of ECMA-262: a group that ECMA-262 does not have at byte 3.");
    test_cx_finish(&test);
}
