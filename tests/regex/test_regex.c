/* What patterns match, dialect by dialect. */
#include <stdio.h>

#include "regex/regex.h"
#include "support/test.h"
#include "toolcrib/buf.h"

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

void test_regex__expressions_of_awk(void **state)
{
    static const struct row rows[] = {
        {"\\x41", "A", "0,1"},        {"\\101", "A", "0,1"},       {"[\\t]", "a\tb", "1,2"},
        {"[a\\]b]+", "x]a", "1,3"},   {"\\/", "a/b", "1,2"},       {"\\\"", "a\"b", "1,2"},
        {"\\xc3\\xa9", "\u00e9", "0,2"}, {"\\303\\251", "\u00e9", "0,2"}, {"\\y.", "-a", "1,2"},
        {"{2}", "a{2}", "1,4"},       {"a{2}", "aaa", "0,2"},      {"+a", "+a", "0,2"},
        {"a|*", "*", "0,1"},          {"\\52", "a*", "1,2"},       {"\\&", "a&", "1,2"},
        {"\\q", "q", "0,1"},          {"[[:alpha:]\\]]", "]", "0,1"}, {"\\bx", "\bx", "0,2"},
        {"a{x}", "a{x}", "0,4"},      {"a)", "a)", "0,2"},         {"^*b", "*b", "0,2"},
        {"a\\>", "ab a", "3,4"},      {"[z-a]", "", "Invalid range end"},
        {"(a", "", "Unmatched ( or \\("},
    };

    (void)state;
    CHECK(rows, TC_REGEX_AWK, 0);
}

void test_regex__plain_strings(void **state)
{
    static const struct row rows[] = {
        {"a.b", "axb a.b", "4,7"}, {"a.b\nc", "xca.b", "1,2"},  {"he\nshe\nhers", "ushers", "1,4"},
        {"", "abc", "0,0"},        {"he\nhers", "hers", "0,4"}, {"abc\nabd\nab", "abd", "0,3"},
        {"a\n", "ba", "0,0"},      {"(", "a(", "1,2"},
    };
    static const struct row cases[] = {
        {"\u00c9A", "x\u00e9a", "1,4"}, {"abc\nABD", "xAbD", "1,4"}, {"\u03c3", "\u03a3\u03c2", "0,2"},
        {"k", "K", "0,1"},            {"s", "\u017f", "0,2"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_FIXED, 0);
    CHECK(cases, TC_REGEX_FIXED, TC_REGEX_ICASE);
}

/* The right column is what GNU grep 3.8 finds. */
void test_regex__words_lines_and_leniency_of_grep(void **state)
{
    static const struct row words[] = {
        {"foo", "foobar foo", "7,10"},  {"foo|foobar", "foobar", "0,6"}, {"a.*b", "a_b axb", "0,7"},
        {"a*", "b a", "2,3"},           {"fo+", "foo_", "no"},           {"\u00e9", "a\u00e9 \u00e9", "4,6"},
        {"\\.b", "a.b", "no"},          {"a(.b)?", "a_b", "0,3 1,3"},    {"a|ab|abc", "abc ab", "0,3"},
        {"foo\nbar", "xfoo bar", "5,8"}, {"foo$|fo", "foo fo", "4,6"},
    };
    static const struct row wholes[] = {
        {"a|ab", "ab", "0,2"}, {"a", "aa", "no"}, {"a|b*", "bbb", "0,3"}, {"", "", "0,0"}, {"", "a", "no"},
    };
    static const struct row lenient[] = {
        {"a\nb", "xb", "1,2"},          {"ab\nabc", "xabcd", "1,4"},   {"(a)(b)\n(c)\\1", "xcc", "1,3 - - 1,2"},
        {"*b", "a*b", "2,3"},           {"a|*b", "b", "0,1"},          {"x{", "ax{", "1,3"},
        {"x{1", "ax{1", "1,4"},         {"{1}x", "1}x", "0,3"},        {"a)", "a)", "0,2"},
        {"^*ab", "ab", "0,2"},          {"a{1,2}{2}", "aaaaa", "0,4"}, {"(a\nb)", "", "Unmatched ( or \\("},
        {"[:space:]", "", "character class syntax is [[:space:]], not [:space:]"},
        {"a{2,1}", "", "Invalid content of \\{\\}"},
    };
    static const struct row basic[] = {
        {"^b\na$", "ba", "0,1"},
        {"a**", "aab", "0,2"},
        {"\\{1\\}", "{1}", "0,3"},
        {"a\\{1", "", "Unmatched \\{"},
    };

    (void)state;
    CHECK(words, TC_REGEX_EXTENDED, TC_REGEX_WORD | TC_REGEX_OR_LINES);
    CHECK(wholes, TC_REGEX_EXTENDED, TC_REGEX_WHOLE | TC_REGEX_OR_LINES);
    CHECK(lenient, TC_REGEX_EXTENDED, TC_REGEX_OR_LINES);
    CHECK(basic, TC_REGEX_BASIC, TC_REGEX_OR_LINES);
}

void test_regex__strictness_of_sed(void **state)
{
    static const struct row extended[] = {
        {"a)", "", "Unmatched ) or \\)"},
        {"a|*b", "", "Invalid preceding regular expression"},
        {"a{", "", "Unmatched \\{"},
        {"[:space:]", "", "character class syntax is [[:space:]], not [:space:]"},
    };
    static const struct row basic[] = {{"\\)", "", "Unmatched ) or \\)"},
                                       {"a**", "", "Invalid preceding regular expression"}};

    (void)state;
    CHECK(extended, TC_REGEX_EXTENDED, TC_REGEX_STRICT);
    CHECK(basic, TC_REGEX_BASIC, TC_REGEX_STRICT);
}

void test_regex__lines_within_a_subject(void **state)
{
    static const struct row rows[] = {
        {"^b$", "a\nb\nc", "2,3"}, {"a.b", "a\nb", "no"},      {"a[^x]b", "a\nb", "no"}, {"a$", "a\nb", "0,1"},
        {"\\`b", "a\nb", "no"},     {"a\\'", "a\nb", "no"},     {"a\nb", "a\nb", "0,3"},  {"^", "\n", "0,0"},
        {"a[[:space:]]b", "a\nb", "0,3"},
    };
    static const struct row whole[] = {{"b", "a\nb\nc", "2,3"}, {"b", "a\nbb\nc", "no"}};

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, TC_REGEX_LINES);
    CHECK(whole, TC_REGEX_EXTENDED, TC_REGEX_LINES | TC_REGEX_WHOLE);
}

void test_regex__case_is_ignored(void **state)
{
    static const struct row rows[] = {
        {"stra\u00dfe", "STRA\u00dfE", "0,7"}, {"[^a]", "A", "no"},           {"[a-c]+", "xAbC", "1,4"},
        {"[[:upper:]]+", "ab", "0,2"},         {"(a)\\1", "aA", "0,2 0,1"},    {"\u0436", "\u0416", "0,2"},
        {"[\u03b1-\u03c9]+", "\u0391\u03a9", "0,4"}, {"i", "\u0131", "0,2"}, {"i", "\u0130", "no"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, TC_REGEX_ICASE);
}

void test_regex__bytes_that_are_no_characters(void **state)
{
    static const struct row rows[] = {
        {"a.b", "a\xff""b", "no"},       {"a[^x]b", "a\xff""b", "no"}, {"a\\Wb", "a\xff""b", "no"},
        {"a\xff", "a\xff""b", "0,2"},    {"[\xfe\xff]b", "a\xff""b", "1,3"},
        {"\xc3", "\xc3\xa9", "no"},      {"\xa9", "\xc3\xa9", "no"},  {"\xc3", "a\xc3", "1,2"},
        {"b", "\xff""b", "1,2"},         {"x*", "\xff", "0,0"},       {"\\<b", "\xff""b", "1,2"},
        {".", "\xed\xa0\x80\u00e9", "3,5"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, 0);
}

void test_regex__perl(void **state)
{
    static const struct row rows[] = {
        {"(?<=a)b", "bab", "2,3"},     {"(a)|(b)", "b", "0,1 - 0,1"}, {"a+?", "aaa", "0,1"},
        {"\\d+(?=x)", "12 34x", "3,5"}, {".", "\xff\u00e9", "1,3"},   {"\\p{L}+", "1\u00e9a", "1,4"},
        {"a$", "a\n", "no"},           {"(", "", "missing closing parenthesis at byte 1"},
    };
    static const struct row words[] = {{"foo|foobar", "foobar", "0,6"}, {"fo", "foo fo", "4,6"}};
    static const struct row wholes[] = {{"a|ab", "ab", "0,2"}, {"a", "ab", "no"}};
    static const struct row grep[] = {{"a\nb", "", "the -P option only supports a single pattern"}};
    static const struct row limit[] = {{"(a*)*(a*)*(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", "no"},
                                       {"(x+x+)+y", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy!", "0,47 0,46"},
                                       {"(?:(x+)x+)+\\1z", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyz", "limit"}};

    (void)state;
    CHECK(rows, TC_REGEX_PERL, 0);
    CHECK(words, TC_REGEX_PERL, TC_REGEX_WORD);
    CHECK(wholes, TC_REGEX_PERL, TC_REGEX_WHOLE);
    CHECK(grep, TC_REGEX_PERL, TC_REGEX_OR_LINES);
    CHECK(limit, TC_REGEX_PERL, 0);
}

void test_regex__what_is_too_big(void **state)
{
    static const struct row rows[] = {
        {"(((((x{1,100}){1,100}){1,100})))", "", "Regular expression too big"},
        {"a{32768}", "", "Regular expression too big"},
        {"a{32767}", "a", "no"},
        {"(a{1000}){66}", "", "Regular expression too big"},
    };
    struct test_cx test;
    struct tc_buf buf;

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, 0);
    test_cx_init(&test);
    tc_buf_init(&buf, 10000);
    for (int i = 0; i < 101; i++)
        tc_buf_char(&buf, '(');
    tc_buf_char(&buf, 'a');
    for (int i = 0; i < 101; i++)
        tc_buf_char(&buf, ')');
    assert_str(outcome(&test.cx, tc_buf_get(&buf), TC_REGEX_EXTENDED, 0, TC_STR("a")), "Regular expression too big");
    tc_buf_clear(&buf);
    for (int i = 0; i <= TC_REGEX_GROUPS_MAX; i++)
        tc_buf_cstr(&buf, "(a)");
    assert_str(outcome(&test.cx, tc_buf_get(&buf), TC_REGEX_EXTENDED, 0, TC_STR("a")), "Regular expression too big");
    tc_buf_clear(&buf);
    tc_buf_char(&buf, 'a');
    for (int i = 0; i < 1000; i++)
        tc_buf_cstr(&buf, "{2}");
    assert_str(outcome(&test.cx, tc_buf_get(&buf), TC_REGEX_EXTENDED, 0, TC_STR("a")), "Regular expression too big");
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_regex__back_references_have_a_budget(void **state)
{
    static const struct row rows[] = {
        {"(a*)*\\1b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", "no"}, /* the b is missed first */
        {"(a|b)*\\1(a|b)*\\2c", "abababababababababababababababababababababab", "no"},
        {"(.)(.)(.)(.)(.)(.)\\6\\5\\4\\3\\2\\1", "xabcdeffedcbay", "1,13 1,2 2,3 3,4 4,5 5,6 6,7"},
        {"(.*)(.*)(.*)(.*)(.*)x\\5\\4\\3\\2\\1y\\1",
         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzxabcdefghijklmnopqrstuvwxyz0123456789"
         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzxabcdefghijklmnopqrstuvwxyz0123456789zy0", "limit"},
    };

    (void)state;
    CHECK(rows, TC_REGEX_EXTENDED, 0);
}
