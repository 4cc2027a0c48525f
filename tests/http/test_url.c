/*
 * URLs that others hand in.
 */
#include "http/url.h"
#include "support/test.h"

void test_url__parts_are_told_apart(void **state)
{
    struct tc_url u;

    (void)state;
    assert_true(tc_url_parse(TC_STR("https://Example.com:8443/a/b?x=1&y#z"), &u));
    assert_true(u.https);
    assert_str(u.host, "Example.com");
    assert_str(u.origin, "https://Example.com:8443");
    assert_int_equal(u.port, 8443);
    assert_str(u.path, "/a/b");
    assert_str(u.query, "x=1&y");
    assert_str(u.fragment, "z");
    assert_true(tc_url_parse(TC_STR("http://[::1]"), &u));
    assert_false(u.https);
    assert_str(u.host, "::1");
    assert_str(u.path, "");
    assert_int_equal(u.port, 80);
    assert_false(u.has_query || u.has_fragment);
    assert_true(tc_url_parse(TC_STR("HTTPS://a?b"), &u));
    assert_str(u.path, "");
    assert_str(u.query, "b");
    assert_int_equal(u.port, 443);
}

void test_url__anything_odd_is_refused(void **state)
{
    static const char *const odd[] = {
        "",
        "http://",
        "https:///x",
        "ftp://a/",
        "//a/b",
        "/a",
        "http://u@h/",
        "http://u:p@h/",
        "http://h:0/",
        "http://h:65536/",
        "http://h:/",
        "http://h:8a/",
        "http://h:-1/",
        "http://h:+80/",
        "http://a b/",
        "http://a/\n",
        "http://a\\b/",
        "http://[::1",
        "http://[zz]/",
        "http://[::1]x/",
        "http://a%2eb/",
        "http://\xc3\xa4/",
        "http://h:080000/",
    };
    struct tc_url u;

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (tc_url_parse(tc_str_of(odd[i]), &u))
            fail_msg("taken: %s", odd[i]);
}

static bool same(const char *a, const char *b)
{
    struct tc_url x, y;

    assert_true(tc_url_parse(tc_str_of(a), &x) && tc_url_parse(tc_str_of(b), &y));
    return tc_url_same_origin(&x, &y);
}

void test_url__origins_compare_scheme_host_and_port(void **state)
{
    (void)state;
    assert_true(same("https://A.example/x", "https://a.example:443/y"));
    assert_true(same("http://a", "http://a:80"));
    assert_false(same("https://a", "http://a"));
    assert_false(same("https://a", "https://a:8443"));
    assert_false(same("https://a.example", "https://a.example.evil"));
}

void test_url__loopback_is_known_by_its_name(void **state)
{
    static const char *const yes[] = {"http://localhost:1/", "http://LOCALHOST", "http://127.0.0.1/",
                                      "http://127.9.9.9", "http://[::1]:80/"};
    static const char *const no[] = {"http://localhost.evil/", "http://128.0.0.1/", "http://127.0.0.1.nip/",
                                     "http://127.1/", "http://[::2]/"};
    struct tc_url u;

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(tc_url_parse(tc_str_of(yes[i]), &u) && tc_url_is_loopback(&u));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_true(tc_url_parse(tc_str_of(no[i]), &u) && !tc_url_is_loopback(&u));
}
