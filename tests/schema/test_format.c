#include "schema/format.h"

#include "schema/punycode.h"
#include "support/test.h"

static bool is(const char *format, const char *text)
{
    unsigned number = tc_format_find(tc_str_of(format), TC_SCHEMA_DRAFT_2020_12);

    assert_int_not_equal(number, 0);
    return tc_format_check(number, tc_str_of(text));
}

void test_format__knows_formats_by_draft(void **state)
{
    (void)state;
    assert_int_equal(tc_format_find(TC_STR("uuid"), TC_SCHEMA_DRAFT_7), 0);
    assert_int_not_equal(tc_format_find(TC_STR("uuid"), TC_SCHEMA_DRAFT_2019_09), 0);
    assert_int_equal(tc_format_find(TC_STR("nonsense"), TC_SCHEMA_DRAFT_2020_12), 0);
    assert_int_equal(tc_format_find(TC_STR(""), TC_SCHEMA_DRAFT_2020_12), 0);
    assert_true(tc_format_check(0, TC_STR("anything")));
}

void test_format__knows_the_calendar(void **state)
{
    (void)state;
    assert_true(is("date", "2024-02-29"));
    assert_false(is("date", "2023-02-29"));
    assert_false(is("date", "1900-02-29"));
    assert_false(is("date", "2024-04-31"));
    assert_true(is("date-time", "2016-12-31T23:59:60Z"));
    assert_true(is("date-time", "2016-12-31t18:59:60.5-05:00"));
    assert_false(is("date-time", "2016-12-31T18:59:60Z"));
    assert_false(is("time", "12:00:00"));
    assert_false(is("time", "12:00:00.Z"));
    assert_true(is("duration", "P1Y2M3DT4H5M6S"));
    assert_true(is("duration", "P4W"));
    assert_false(is("duration", "P1Y3D"));
    assert_false(is("duration", "PT"));
    assert_false(is("duration", "P1W2D"));
}

void test_format__reads_addresses_and_mailboxes(void **state)
{
    (void)state;
    assert_true(is("ipv4", "10.0.255.1"));
    assert_false(is("ipv4", "10.0.256.1"));
    assert_false(is("ipv4", "10.0.01.1"));
    assert_false(is("ipv4", ""));
    assert_true(is("ipv6", "1::8"));
    assert_false(is("ipv6", "1:2:3:4:5:6:7::8:9"));
    assert_false(is("ipv6", ":"));
    assert_true(is("email", "a.b+c@example.org"));
    assert_true(is("email", "\"a \\\" b\"@[IPv6:::1]"));
    assert_false(is("email", "a b@example.org"));
    assert_false(is("email", "\"a\\\"@example.org"));
    assert_false(is("email", "a@-b.org"));
}

void test_format__reads_uris_and_templates(void **state)
{
    (void)state;
    assert_true(is("uri", "https://u:p@[2001:db8::1]:8080/a%20b?c=d#e"));
    assert_true(is("uri", "mailto:a@b"));
    assert_false(is("uri", "//host/path"));
    assert_false(is("uri", "http://a b"));
    assert_false(is("uri", "http://h/%zz"));
    assert_false(is("uri", "http://h:8o/"));
    assert_true(is("uri-reference", "../a?b#c"));
    assert_false(is("uri-reference", "a:b:c/%"));
    assert_true(is("iri", "http://\xe4\xbe\x8b/\xc3\xa9"));
    assert_false(is("uri", "http://h/\xc3\xa9"));
    assert_true(is("uri-template", "/{a,b*}{?c:3}"));
    assert_false(is("uri-template", "/{a"));
    assert_false(is("uri-template", "/{a:0}"));
}

void test_format__judges_international_labels(void **state)
{
    (void)state;
    assert_true(is("idn-hostname", "b\xc3\xbc" "cher.example"));
    assert_true(is("hostname", "xn--bcher-kva.example"));
    assert_false(is("hostname", "xn--bcher-kv"));
    assert_false(is("hostname", "b\xc3\xbc" "cher.example"));
    assert_false(is("idn-hostname", "\xef\xbd\x81")); /* a fullwidth letter */
    assert_false(is("hostname", "a_b"));
    assert_false(is("idn-hostname", "\xd7\x90" "a")); /* both directions */
}

void test_format__punycode_goes_both_ways(void **state)
{
    static const struct {
        const char *text;
        uint32_t label[8], n;
    } rows[] = {
        {"bcher-kva", {'b', 0xfc, 'c', 'h', 'e', 'r'}, 6},
        {"1lq90i", {0x5317, 0x4eac}, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t label[TC_PUNYCODE_MAX], n = 0;
        char text[TC_PUNYCODE_MAX];
        size_t size;
        assert_true(tc_punycode_decode(tc_str_of(rows[i].text), label, &n));
        assert_int_equal(n, rows[i].n);
        assert_memory_equal(label, rows[i].label, n * sizeof label[0]);
        size = tc_punycode_encode(label, n, text);
        assert_str(tc_str_n(text, size), rows[i].text);
    }
}

void test_format__punycode_refuses_what_is_no_label(void **state)
{
    static const char *const rows[] = {"", "abc-", "X", "kva!", "99999999", "-kva", "a\x80"};
    uint32_t label[TC_PUNYCODE_MAX], n;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_false(tc_punycode_decode(tc_str_of(rows[i]), label, &n));
}

void test_format__reads_pointers_patterns_and_uuids(void **state)
{
    (void)state;
    assert_true(is("json-pointer", "/a~0b/~1"));
    assert_false(is("json-pointer", "/a~b"));
    assert_true(is("relative-json-pointer", "2/a"));
    assert_false(is("relative-json-pointer", "02/a"));
    assert_true(is("regex", "^(a|b)+$"));
    assert_false(is("regex", "(a"));
    assert_true(is("uuid", "123e4567-e89b-12d3-a456-426614174000"));
    assert_false(is("uuid", "123e4567-e89b-12d3-a456-42661417400g"));
}
