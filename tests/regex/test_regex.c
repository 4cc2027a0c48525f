/* What patterns match, dialect by dialect. */
#include <stdio.h>

#include "regex/regex.h"
#include "support/test.h"

enum { GROUPS = 10 };

struct row {
    const char *pattern, *subject, *bounds; /* "0,3 1,2 -": bounds of the whole and of each group; "no"; or an error */
};

/* The outcome of a search as rows have it. */
static struct tc_str outcome(struct tc_cx *cx, struct tc_str pattern, enum tc_regex_syntax syntax, unsigned flags,
                             struct tc_str subject)
{
    struct tc_regex_match groups[GROUPS];
    struct tc_str text = TC_STR("");
    struct tc_regex *regex;
    size_t n;

    if (tc_regex_compile(cx, pattern, syntax, flags, &regex)) {
        assert_int_equal(cx->err.code, TC_E_REGEX_PATTERN);
        return cx->err.message;
    }
    n = tc_regex_groups(regex) + 1;
    assert_true(n <= GROUPS);
    switch (tc_regex_search(regex, subject, 0, groups, n)) {
    case TC_REGEX_NONE:
        text = TC_STR("no");
        break;
    case TC_REGEX_LIMIT:
        text = TC_STR("limit");
        break;
    case TC_REGEX_FOUND:
        for (size_t i = 0; i < n; i++)
            text = groups[i].start == SIZE_MAX
                       ? tc_arena_printf(cx->arena, "%.*s%s-", TC_STR_ARG(text), i ? " " : "")
                       : tc_arena_printf(cx->arena, "%.*s%s%zu,%zu", TC_STR_ARG(text), i ? " " : "", groups[i].start,
                                         groups[i].end);
    }
    tc_regex_destroy(regex);
    return text;
}

static void check(const struct row *rows, size_t n, enum tc_regex_syntax syntax, unsigned flags)
{
    struct test_cx test;

    test_cx_init(&test);
    for (size_t i = 0; i < n; i++) {
        struct tc_str got =
            outcome(&test.cx, tc_str_of(rows[i].pattern), syntax, flags, tc_str_of(rows[i].subject));
        if (!tc_str_is(got, rows[i].bounds))
            fail_msg("/%s/ on \"%s\": %.*s, should be %s", rows[i].pattern, rows[i].subject, TC_STR_ARG(got),
                     rows[i].bounds);
    }
    test_cx_finish(&test);
}
#define CHECK(rows, syntax, flags) check(rows, sizeof rows / sizeof *rows, syntax, flags)

void test_regex__extended_expressions(void **state)
{
    static const struct row rows[] = {
        {"abc", "xabcy", "1,4"},
        {"a|ab|abc", "abcd", "0,3"},
        {"a.c", "a\nc", "0,3"},
        {"x*", "aaa", "0,0"},
        {"x+", "aaa", "no"},
        {"ab?c", "ac abc", "0,2"},
        {"(a+)(b+)", "xaabb", "1,5 1,3 3,5"},
        {"(a)|(b)", "b", "0,1 - 0,1"},
        {"^$", "", "0,0"},
        {"^b", "ab", "no"},
        {"a{2,3}", "aaaa", "0,3"},
        {"a{,2}b", "aaab", "1,4"},
        {"(ab){2}", "ababab", "0,4 2,4"},
        {"[^a-c]+", "abcdefabc", "3,6"},
        {"[]a]+", "x]a", "1,3"},
        {"[a-]+", "b-a", "1,3"},
        {"[[:digit:]]+", "ab123", "2,5"},
        {"[[.-.]x]+", "a-x", "1,3"},
        {"[[=a=]b]+", "xab", "1,3"},
        {"\\<b", "ab b", "3,4"},
        {"\\w+\\W\\w+", "!ab cd", "1,6"},
        {"\\bb", "ab b", "3,4"},
        {"\\Bb", "b ab", "3,4"},
        {"\\`a|b\\'", "xab", "2,3"},
        {"(a*)b\\1", "aabaa", "0,5 0,2"},
        {"()", "a", "0,0 0,0"},
        {"a||b", "b", "0,1"},
        {"a)", "a)", "0,2"},
        {"", "abc", "0,0"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, 0);
}

void test_regex__basic_expressions(void **state)
{
    static const struct row rows[] = {
        {"*a", "a*a", "1,3"},       {"\\(*a\\)", "*a", "0,2 0,2"}, {"^*a", "*a", "0,2"},
        {"a\\|*b", "*b", "0,2"},    {"a\\+", "aaa", "0,3"},        {"a+", "a+", "0,2"},
        {"a\\?b", "ab", "0,2"},     {"a\\{2\\}", "aaa", "0,2"},    {"a^b", "a^b", "0,3"},
        {"a$b", "a$b", "0,3"},      {"\\(^a\\)", "ba", "no"},      {"\\(a$\\)", "aba", "2,3 2,3"},
        {"a|b", "a|b", "0,3"},      {"(a)", "(a)", "0,3"},         {"a{2}", "a{2}", "0,4"},
        {"\\(a\\)\\1", "baa", "1,3 1,2"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_BASIC, 0);
}
