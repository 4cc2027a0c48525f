/* The tables are what the C library's own C.UTF-8 says, character by character. */
#include <locale.h>
#include <stdio.h>
#include <wctype.h>

#include "base/ctype.h"
#include "support/test.h"

enum { LAST = 0x10ffff };

static locale_t c_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

    assert_true(locale != (locale_t)0);
    return locale;
}

void test_ctype__classes_are_those_of_the_c_library(void **state)
{
    static const char *const names[] = {"alpha", "digit", "alnum", "upper", "lower", "space",
                                        "blank", "punct", "graph", "print", "cntrl", "xdigit"};
    locale_t locale = c_utf8();

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        wctype_t theirs = wctype_l(names[i], locale);
        enum tc_ctype ours;
        assert_true(tc_ctype_find(tc_str_of(names[i]), &ours));
        for (uint32_t c = 0; c <= LAST; c++)
            if (tc_ctype_is(c, ours) != (iswctype_l(c, theirs, locale) != 0))
                fail_msg("U+%04X and %s", c, names[i]);
    }
    freelocale(locale);
}

void test_ctype__case_is_that_of_the_c_library(void **state)
{
    locale_t locale = c_utf8();

    (void)state;
    for (uint32_t c = 0; c <= LAST; c++) {
        assert_int_equal(tc_ctype_to_upper(c), towupper_l(c, locale));
        assert_int_equal(tc_ctype_to_lower(c), towlower_l(c, locale));
    }
    freelocale(locale);
}

void test_ctype__cases_are_all_that_share_an_upper_case(void **state)
{
    uint32_t others[TC_CTYPE_CASES_MAX];

    (void)state;
    assert_int_equal(tc_ctype_cases('a', others), 1);
    assert_int_equal(others[0], 'A');
    assert_int_equal(tc_ctype_cases('7', others), 0);
    assert_int_equal(tc_ctype_cases(0x3c3, others), 2); /* sigma: the capital and the final one */
    assert_int_equal(others[0], 0x3a3);
    assert_int_equal(others[1], 0x3c2);
    for (uint32_t c = 0; c <= LAST; c++) {
        size_t n = tc_ctype_to_upper(c) == c && c > 0x500 && c % 64 ? 0 : tc_ctype_cases(c, others);
        assert_true(n < TC_CTYPE_CASES_MAX);
        for (size_t i = 0; i < n; i++) {
            assert_int_not_equal(others[i], c);
            assert_int_equal(tc_ctype_to_upper(others[i]), tc_ctype_to_upper(c));
        }
    }
}

void test_ctype__names_that_are_none_are_not_found(void **state)
{
    enum tc_ctype type;

    (void)state;
    assert_false(tc_ctype_find(TC_STR("alphabet"), &type));
    assert_false(tc_ctype_find(TC_STR(""), &type));
}
