#include "support/test.h"

#include "base/utf8.h"

void test_utf8__refuses_overlong_surrogate_and_out_of_range(void **state)
{
    static const char *const bad[] = {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",    "\xf4\x90\x80\x80",
                                      "\xff",     "\xe2\x82",     "\xf0\x80\x80\x80"};
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tc_utf8_valid(tc_str_of(bad[i])), 0);
    assert_int_equal(tc_utf8_valid(TC_STR("0123456789a\xe4\xb8\xad\xf0\x9f\x98\x80")), 18);
    assert_int_equal(tc_utf8_valid(TC_STR("0123456789\x80")), 10);
}

void test_utf8__clean_replaces_and_drops_what_must_not_enter(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_str(tc_utf8_cleaned(&t.arena, TC_STR("a\0b\xff" "c\xf3\xa0\x81\xa1" "d")), "ab\xef\xbf\xbd" "cd");
    struct tc_str same = TC_STR("plain \xe4\xb8\xad");
    assert_ptr_equal(tc_utf8_cleaned(&t.arena, same).p, same.p);
    test_cx_finish(&t);
}

void test_utf8__measures_count_characters_not_bytes(void **state)
{
    struct tc_str s = TC_STR("\xe4\xbd\xa0\xe5\xa5\xbd, world 42");
    (void)state;

    assert_int_equal(tc_utf8_count(s), 12);
    assert_int_equal(tc_utf8_words(s), 4);
    assert_str(tc_utf8_head(s, 2), "\xe4\xbd\xa0\xe5\xa5\xbd");
    assert_str(tc_utf8_tail(s, 2), "42");
}
