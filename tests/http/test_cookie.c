#include "support/test.h"

#include "http/cookie.h"

static struct tc_str get(const char *first, const char *second, const char *name)
{
    struct tc_header fields[] = {{TC_STR("Host"), TC_STR("a=host")},
                                 {TC_STR("cookie"), tc_str_of(first)},
                                 {TC_STR("Cookie"), tc_str_of(second)}};

    return tc_cookie_get((struct tc_header_list){fields, second ? 3 : 2}, tc_str_of(name));
}

void test_cookie__is_found_among_others(void **state)
{
    (void)state;
    assert_str(get("a=1; bb=2;c=3", NULL, "a"), "1");
    assert_str(get("a=1; bb=2;c=3", NULL, "bb"), "2");
    assert_str(get("a=1; bb=2;c=3", NULL, "c"), "3");
    assert_str(get("a=1", "b=x=y", "b"), "x=y");
    assert_str(get("a=1; a=2", NULL, "a"), "1");
    assert_str(get(" \ta = 1; b= 2 ", NULL, "b"), "2");
    assert_str(get("a=", NULL, "a"), "");
}

void test_cookie__of_another_name_is_none(void **state)
{
    static const char *const others[] = {"", ";", "=", "a", "aa=1", "ba=1", "A=1", "b=a=1", "b; =a", "; ;=1;"};
    (void)state;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(get(others[i], NULL, "a").p);
    assert_null(tc_cookie_get((struct tc_header_list){NULL, 0}, TC_STR("a")).p);
}
