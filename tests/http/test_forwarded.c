#include "http/forwarded.h"

#include "support/test.h"

#define FOR "X-Forwarded-For"
#define PROTO "X-Forwarded-Proto"
#define HOST "X-Forwarded-Host"
#define BOTH "Forwarded"

static struct tc_address_range ranges[2];
static const struct tc_forwarded_trust any = {.any = true}, some = {.ranges = ranges, .n = 2};

static void prepare(struct test_cx *test)
{
    test_cx_init(test);
    assert_true(tc_address_range_parse(TC_STR("10.0.0.0/8"), &ranges[0]));
    assert_true(tc_address_range_parse(TC_STR("fd00::/8"), &ranges[1]));
}

/* Fields as pairs of texts, NULL at the end. */
static enum tc_err read_fields(struct test_cx *test, const struct tc_forwarded_trust *trust, const char *const *fields,
                               struct tc_forwarded *ret)
{
    struct tc_header items[8];
    size_t n = 0;

    tc_fail_clear(&test->cx);
    for (; *fields; fields += 2)
        items[n++] = (struct tc_header){tc_str_of(fields[0]), tc_str_of(fields[1])};
    return tc_forwarded_read(&test->cx, trust, (struct tc_header_list){items, n}, ret);
}

void test_forwarded__the_client_is_the_last_hop_that_is_not_trusted(void **state)
{
    static const struct {
        const struct tc_forwarded_trust *trust;
        const char *fields[8];
        const char *address, *proto, *host;
    } rows[] = {
        {&any, {NULL}, "", "", ""},
        {&any, {FOR, "192.0.2.1", PROTO, "https", HOST, "crib.example:84"}, "192.0.2.1", "https", "crib.example:84"},
        /* what the client wrote itself stands before what the proxy added */
        {&any, {FOR, "127.0.0.1, 192.0.2.1"}, "192.0.2.1", "", ""},
        {&some, {FOR, "127.0.0.1, 192.0.2.1"}, "192.0.2.1", "", ""},
        {&some, {FOR, "6.6.6.6, 192.0.2.1,10.1.2.3 , fd00::7"}, "192.0.2.1", "", ""},
        {&some, {FOR, "6.6.6.6", "x-forwarded-for", "192.0.2.1", FOR, "10.0.0.1"}, "192.0.2.1", "", ""},
        {&some, {FOR, "10.0.0.2, 10.0.0.1"}, "10.0.0.2", "", ""},
        {&some, {FOR, "192.0.2.1, 10.0.0.1", PROTO, "https, http", HOST, "out.example, in.example"},
         "192.0.2.1", "https", "out.example"},
        {&some, {FOR, "192.0.2.1, 10.0.0.1", PROTO, "https"}, "192.0.2.1", "https", ""},
        {&any, {FOR, "192.0.2.1:4711"}, "192.0.2.1", "", ""},
        {&any, {FOR, "[2001:db8::1]:4711"}, "2001:db8::1", "", ""},
        {&any, {FOR, "2001:db8::1"}, "2001:db8::1", "", ""},
        {&any, {BOTH, "for=192.0.2.1;proto=https;host=crib.example;by=_x"}, "192.0.2.1", "https", "crib.example"},
        {&any, {BOTH, "For=\"[2001:db8::1]:47\" ; Proto=HTTPS"}, "2001:db8::1", "HTTPS", ""},
        {&some, {BOTH, "for=6.6.6.6;host=evil.example, for=192.0.2.1;host=a.example", BOTH, "for=10.0.0.1;host=b"},
         "192.0.2.1", "", "a.example"},
        {&some, {BOTH, "for=6.6.6.6, for=unknown, for=10.0.0.1"}, "unknown", "", ""},
        {&any, {BOTH, "for=_hidden"}, "_hidden", "", ""},
        {&any, {BOTH, "proto=https", FOR, "192.0.2.1"}, "192.0.2.1", "https", ""},
        {&any, {BOTH, "for=192.0.2.1;proto=https", FOR, "192.0.2.1", PROTO, "https"}, "192.0.2.1", "https", ""},
    };
    struct tc_forwarded client;
    struct test_cx test;

    (void)state;
    prepare(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(read_fields(&test, rows[i].trust, rows[i].fields, &client), TC_OK);
        assert_str(client.address, rows[i].address);
        assert_str(client.proto, rows[i].proto);
        assert_str(client.host, rows[i].host);
    }
    test_cx_finish(&test);
}

void test_forwarded__what_is_malformed_or_disagrees_is_refused(void **state)
{
    static const char *const rows[][5] = {
        {FOR, ""},
        {FOR, "192.0.2.1,"},
        {FOR, "[::1]x"},
        {FOR, "192.0.2.1,,192.0.2.2"},
        {FOR, "192.0.2.1 10.0.0.1"},
        {FOR, "[::1"},
        {FOR, "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
              "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
              "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1"},
        {HOST, "crib.example/path"},
        {HOST, "crib.example\""},
        {PROTO, "https;"},
        {BOTH, "for"},
        {BOTH, "for=1.1.1.1;for=2.2.2.2"},
        {BOTH, "for=\"1.1.1.1"},
        {BOTH, "for=\"[::1]\\\"\""},
        {BOTH, "host=\"a,b\""},
        {FOR, "192.0.2.1", BOTH, "for=192.0.2.2"},
        {PROTO, "http", BOTH, "proto=https"},
        {HOST, "a.example", BOTH, "host=b.example"},
    };
    struct tc_forwarded client;
    struct test_cx test;

    (void)state;
    prepare(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (read_fields(&test, &any, rows[i], &client) != TC_E_HTTP_BAD_REQUEST)
            fail_msg("%s: %s is taken", rows[i][0], rows[i][1]);
    test_cx_finish(&test);
}

void test_forwarded__only_those_that_are_named_are_trusted(void **state)
{
    static const struct tc_forwarded_trust none = {0};
    struct test_cx test;

    (void)state;
    prepare(&test);
    assert_true(tc_forwarded_trusts(&any, TC_STR("192.0.2.1")));
    assert_false(tc_forwarded_trusts(&none, TC_STR("127.0.0.1")));
    assert_true(tc_forwarded_trusts(&some, TC_STR("10.255.0.1")));
    assert_true(tc_forwarded_trusts(&some, TC_STR("::ffff:10.255.0.1")));
    assert_true(tc_forwarded_trusts(&some, TC_STR("fdff::1")));
    assert_false(tc_forwarded_trusts(&some, TC_STR("11.0.0.1")));
    assert_false(tc_forwarded_trusts(&some, TC_STR("fe00::1")));
    assert_false(tc_forwarded_trusts(&some, TC_STR("")));
    assert_false(tc_forwarded_trusts(&some, TC_STR("unknown")));
    test_cx_finish(&test);
}
