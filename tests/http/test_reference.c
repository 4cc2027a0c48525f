#include "http/reference.h"
#include "support/test.h"

static void resolves(struct tc_arena *arena, const char *base, const char *reference, const char *expected)
{
    struct tc_url url;
    struct tc_str text;

    assert_true(tc_url_parse(tc_str_of(base), &url));
    text = tc_reference_resolve(arena, &url, tc_str_of(reference));
    if (expected)
        assert_str(text, expected);
    else
        assert_null(text.p);
}

void test_reference__every_form_is_resolved(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    resolves(&t.arena, "https://h:8/a/b?q", "https://other/x", "https://other/x");
    resolves(&t.arena, "https://h:8/a/b?q", "HTTP://h/x", "HTTP://h/x");
    resolves(&t.arena, "https://h:8/a/b?q", "//other/x", "https://other/x");
    resolves(&t.arena, "http://h:8/a/b?q", "//other/x", "http://other/x");
    resolves(&t.arena, "https://h:8/a/b?q", "/x?y=1", "https://h:8/x?y=1");
    resolves(&t.arena, "https://h:8/a/b?q", "?y=a:b", "https://h:8/a/b?y=a:b");
    resolves(&t.arena, "https://h:8/a/b?q", "c", "https://h:8/a/c");
    resolves(&t.arena, "https://h:8/a/b?q", "../c", "https://h:8/a/../c");
    resolves(&t.arena, "https://h:8", "c", "https://h:8/c");
    resolves(&t.arena, "https://h:8?q", "c/d", "https://h:8/c/d");
    resolves(&t.arena, "http://[::1]:8/a", "/x", "http://[::1]:8/x");
    test_cx_finish(&t);
}

void test_reference__what_is_no_web_address_is_refused(void **state)
{
    static const char *const bad[] = {"javascript:alert(1)", "ftp://h/x", "file:///etc/passwd", "//", "https://",
                                      "//user:pw@h/x", "/a b", "/a\r\nX: y", "/a\\b", "//h:99999/"};
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        resolves(&t.arena, "https://h/a", bad[i], NULL);
    test_cx_finish(&t);
}
