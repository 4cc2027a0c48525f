#include "schema/uri.h"

#include "support/test.h"

static void check(const char *base, const char *reference, const char *expected)
{
    struct test_cx test;

    test_cx_init(&test);
    assert_str(tc_uri_resolve(&test.arena, tc_str_of(base), tc_str_of(reference)), expected);
    test_cx_finish(&test);
}

void test_uri__resolves_against_a_base(void **state)
{
    static const char base[] = "http://host/one/two/three;x?y=1#old";

    (void)state;
    check(base, "four", "http://host/one/two/four");
    check(base, "./four/", "http://host/one/two/four/");
    check(base, "/four", "http://host/four");
    check(base, "//other/four", "http://other/four");
    check(base, "?z", "http://host/one/two/three;x?z");
    check(base, "#frag", "http://host/one/two/three;x?y=1#frag");
    check(base, "", "http://host/one/two/three;x?y=1");
    check(base, "..", "http://host/one/");
    check(base, "../../four", "http://host/four");
    check(base, "../../../four", "http://host/four");
    check(base, "a/./b/../c", "http://host/one/two/a/c");
    check(base, "urn:x:y#z", "urn:x:y#z");
    check("http://host", "four", "http://host/four");
    check("urn:example:a", "#b", "urn:example:a#b");
    check("", "a.json", "a.json");
    check("", "#/x", "#/x");
}

void test_uri__decodes_percent_escapes(void **state)
{
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    assert_str(tc_uri_decode(&test.arena, TC_STR("a%25b%2Fc")), "a%b/c");
    assert_str(tc_uri_decode(&test.arena, TC_STR("100%")), "100%");
    assert_str(tc_uri_decode(&test.arena, TC_STR("%zz%4")), "%zz%4");
    test_cx_finish(&test);
}
