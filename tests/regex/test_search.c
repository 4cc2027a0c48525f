/* Searches from within a subject, by lines, over long texts, and without memory. */
#include <stdio.h>

#include "base/mem.h"
#include "regex/regex.h"
#include "support/test.h"
#include "toolcrib/buf.h"

/* Compiles what must be right. */
static struct tc_regex *compile(struct tc_cx *cx, const char *pattern, enum tc_regex_syntax syntax, unsigned flags)
{
    struct tc_regex *regex;

    assert_int_equal(tc_regex_compile(cx, tc_str_of(pattern), syntax, flags, &regex), TC_OK);
    return regex;
}

void test_search__a_search_from_within_sees_what_is_before(void **state)
{
    struct tc_str subject = TC_STR("foo foo");
    struct tc_regex_match match;
    struct tc_regex *regex;
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    regex = compile(&test.cx, "^foo", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_search(regex, subject, 0, &match, 1), TC_REGEX_FOUND);
    assert_int_equal(tc_regex_search(regex, subject, 4, &match, 1), TC_REGEX_NONE);
    assert_int_equal(tc_regex_search(regex, subject, 4, NULL, 0), TC_REGEX_NONE);
    tc_regex_destroy(regex);
    regex = compile(&test.cx, "\\<o*", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_search(regex, subject, 1, &match, 1), TC_REGEX_FOUND);
    assert_int_equal(match.start, 4);
    assert_int_equal(match.end, 4);
    tc_regex_destroy(regex);
    regex = compile(&test.cx, "x*", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_search(regex, subject, 7, &match, 1), TC_REGEX_FOUND);
    assert_int_equal(match.start, 7);
    assert_int_equal(tc_regex_search(regex, subject, 8, &match, 1), TC_REGEX_NONE);
    tc_regex_destroy(regex);
    test_cx_finish(&test);
}

void test_search__more_groups_than_there_are_take_no_part(void **state)
{
    struct tc_regex_match match[4];
    struct tc_regex *regex;
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    regex = compile(&test.cx, "a(b)", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_groups(regex), 1);
    assert_int_equal(tc_regex_search(regex, TC_STR("xab"), 0, match, 4), TC_REGEX_FOUND);
    assert_int_equal(match[1].start, 2);
    assert_int_equal(match[2].start, SIZE_MAX);
    assert_int_equal(match[3].end, SIZE_MAX);
    tc_regex_destroy(regex);
    test_cx_finish(&test);
}

void test_search__the_first_line_with_a_match(void **state)
{
    static const struct {
        const char *pattern, *text;
        size_t from, line;
        enum tc_regex_syntax syntax;
        unsigned flags;
    } rows[] = {
        {"b", "a\nab\nb\n", 0, 2, TC_REGEX_EXTENDED, 0},
        {"b", "a\nab\nb\n", 5, 5, TC_REGEX_EXTENDED, 0},
        {"c", "a\nab\nb\n", 0, SIZE_MAX, TC_REGEX_EXTENDED, 0},
        {"^b", "ab\nb", 0, 3, TC_REGEX_EXTENDED, 0},
        {"a$", "ab\nba\n", 0, 3, TC_REGEX_EXTENDED, 0},
        {"^$", "a\n\nb\n", 0, 2, TC_REGEX_EXTENDED, 0},
        {"^$", "a\nb\n", 0, SIZE_MAX, TC_REGEX_EXTENDED, 0},
        {"a[^x]b", "a\nb\na b", 0, 4, TC_REGEX_EXTENDED, 0},
        {"[0-9]{2}", "1\n2\n34\n", 0, 4, TC_REGEX_EXTENDED, 0},
        {"^[0-9]{2}$", "341\n2\n34", 0, 6, TC_REGEX_EXTENDED, 0},
        {"(a)\\1", "ab\nba\nbaa\n", 0, 6, TC_REGEX_EXTENDED, 0},
        {"([ab])\\1", "ab\nba\nbb\n", 0, 6, TC_REGEX_EXTENDED, 0},
        {"(?<=b)a", "a\nb\nba", 0, 4, TC_REGEX_PERL, 0},
        {"b\na", "c\nb\n", 0, SIZE_MAX, TC_REGEX_EXTENDED, 0},
        {"\\bx", "ax\nx", 0, 3, TC_REGEX_EXTENDED, 0},
        {"\u00e9$", "\u00e9a\na\u00e9\n", 0, 4, TC_REGEX_EXTENDED, 0},
        {"", "a\n", 0, 0, TC_REGEX_EXTENDED, 0},
        {"", "", 0, SIZE_MAX, TC_REGEX_EXTENDED, 0},
        {"a", "ba\nab\na\n", 0, 6, TC_REGEX_EXTENDED, TC_REGEX_WHOLE},
        {"x.y", "xzy\nx.y", 0, 4, TC_REGEX_FIXED, 0},
    };
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tc_regex *regex = compile(&test.cx, rows[i].pattern, rows[i].syntax, rows[i].flags);
        size_t line = tc_regex_line(regex, tc_str_of(rows[i].text), rows[i].from);
        if (line != rows[i].line)
            fail_msg("/%s/ in \"%s\": %zd, should be %zd", rows[i].pattern, rows[i].text, (ssize_t)line,
                     (ssize_t)rows[i].line);
        tc_regex_destroy(regex);
    }
    test_cx_finish(&test);
}

/* A match of a megabyte is walked in segments, a small cache being emptied on the way. */
void test_search__groups_of_a_long_match(void **state)
{
    enum { PAIRS = 300000 };
    struct tc_regex_match match[4];
    struct tc_regex *regex;
    struct test_cx test;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 4 * PAIRS);
    tc_buf_cstr(&buf, "x<");
    for (int i = 0; i < PAIRS; i++)
        tc_buf_cstr(&buf, i % 3 ? "ab" : "\u00e9");
    tc_buf_cstr(&buf, ">cd");
    regex = compile(&test.cx, "<((a|b|\u00e9)*)>(c)", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_search(regex, tc_buf_get(&buf), 0, match, 4), TC_REGEX_FOUND);
    assert_int_equal(match[0].start, 1);
    assert_int_equal(match[0].end, buf.n - 1);
    assert_int_equal(match[1].start, 2);
    assert_int_equal(match[1].end, buf.n - 3);
    assert_int_equal(match[2].start, buf.n - 4);
    assert_int_equal(match[2].end, buf.n - 3);
    assert_int_equal(match[3].start, buf.n - 2);
    tc_regex_destroy(regex);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

/* Each state is large and seldom met twice: the cache is emptied again and again. */
void test_search__a_cache_that_is_always_full(void **state)
{
    struct tc_regex_match match[2];
    struct tc_regex *regex;
    struct test_cx test;
    struct tc_buf buf;
    uint64_t seed = 1;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 1 << 20);
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        tc_buf_char(&buf, (char)('a' + (seed >> 40) % 2));
    }
    tc_buf_cstr(&buf, "a");
    for (int i = 0; i < 1500; i++)
        tc_buf_char(&buf, 'b');
    tc_buf_char(&buf, 'c');
    regex = compile(&test.cx, "(a)[ab]{1500}c", TC_REGEX_EXTENDED, 0);
    assert_int_equal(tc_regex_search(regex, tc_buf_get(&buf), 0, match, 2), TC_REGEX_FOUND);
    assert_int_equal(match[0].start, 20000);
    assert_int_equal(match[0].end, buf.n);
    assert_int_equal(match[1].end, 20001);
    tc_regex_destroy(regex);
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

struct memory_kind {
    const char *pattern;
    enum tc_regex_syntax syntax;
    unsigned flags;
    enum tc_regex_found found;
    size_t line;
};

/* One round in which the nth allocation fails; false when there were fewer. */
static bool fail_nth(const struct memory_kind *kind, size_t nth)
{
    struct tc_regex_match match[3];
    struct tc_regex *regex = NULL;
    struct test_cx test;
    bool reached;

    test_cx_init(&test);
    tc_mem_fail_at(nth, false);
    if (tc_regex_compile(&test.cx, tc_str_of(kind->pattern), kind->syntax, kind->flags, &regex)) {
        assert_int_equal(test.cx.err.code, TC_E_NO_MEMORY);
    } else {
        enum tc_regex_found found = tc_regex_search(regex, TC_STR("-aa abab c aa"), 0, match, 3);
        size_t line = tc_regex_line(regex, TC_STR("x\n-aa abab c aa"), 0);
        assert_true(found == kind->found || found == TC_REGEX_LIMIT);
        assert_true(line == kind->line || line == SIZE_MAX - 1);
    }
    reached = tc_mem_count() >= nth;
    tc_mem_fail_at(0, false);
    tc_regex_destroy(regex);
    test_cx_finish(&test);
    return reached;
}

void test_search__memory_may_fail_anywhere(void **state)
{
    static const struct memory_kind kinds[] = {
        {"(a|b)*[[:alpha:]]{2,3} \\<c", TC_REGEX_EXTENDED, TC_REGEX_ICASE, TC_REGEX_FOUND, 2},
        {"(a)\\1", TC_REGEX_EXTENDED, 0, TC_REGEX_FOUND, 2},
        {"a\nbc\nbd\naa", TC_REGEX_FIXED, TC_REGEX_WORD, TC_REGEX_FOUND, 2},
        {"(a)b?", TC_REGEX_PERL, TC_REGEX_WORD, TC_REGEX_NONE, SIZE_MAX},
    };

    (void)state;
    if (!tc_mem_fail_at(0, false)) {
        print_message("not run: memory cannot be made to fail in this build\n");
        return;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t nth = 1;
        while (fail_nth(&kinds[k], nth))
            nth++;
        assert_true(nth > 5);
    }
}
