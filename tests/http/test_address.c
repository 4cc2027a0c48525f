#include "http/address.h"
#include "support/test.h"

void test_address__public_ones_are(void **state)
{
    static const char *const addresses[] = {"1.1.1.1",        "8.8.8.8",     "172.15.255.255",       "172.32.0.0",
                                            "100.63.255.255", "100.128.0.0", "198.20.0.0",           "223.255.255.255",
                                            "2606:4700::1",   "2a00::1",     "::ffff:8.8.8.8",       "64:ff9b::808:808",
                                            "2002:808:808::", "2001:200::1", "11.0.0.0",             "192.0.1.0"};

    (void)state;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (!tc_address_text_is_public(addresses[i]))
            fail_msg("%s is public", addresses[i]);
}

void test_address__special_ones_are_not(void **state)
{
    static const char *const addresses[] = {
        "0.0.0.0",          "10.0.0.1",         "100.64.0.1",      "127.0.0.1",        "127.255.255.255",
        "169.254.169.254",  "172.16.0.1",       "172.31.255.255",  "192.0.0.1",        "192.168.1.1",
        "198.18.0.1",       "198.19.255.255",   "224.0.0.1",       "239.255.255.255",  "240.0.0.1",
        "255.255.255.255",  "::",               "::1",             "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::127.0.0.1",      "64:ff9b::a00:1",   "64:ff9b:1::1",    "100::1",           "2001:db8::1",
        "2001::1",          "2002:a00:1::",     "2002:7f00:1::",   "fc00::1",          "fd12::1",
        "fe80::1",          "fec0::1",          "ff02::1",         "3fff::1",          "4000::1",
        "",                 "example.org",      "1.1.1",           "0x7f.1",           "1.1.1.1 ",
    };

    (void)state;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (tc_address_text_is_public(addresses[i]))
            fail_msg("%s is not public", addresses[i]);
}

void test_address__link_local_ones_are_told_apart(void **state)
{
    static const char *const yes[] = {"169.254.0.0", "169.254.169.254", "169.254.255.255", "100.100.100.200",
                                      "fe80::1",     "febf::1",         "fd00:ec2::254",   "::ffff:169.254.169.254",
                                      "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"};
    static const char *const no[] = {"169.253.255.255", "169.255.0.0", "127.0.0.1", "10.0.0.1", "8.8.8.8", "::1",
                                     "fec0::1",         "fd00:ec1::1", "",          "example.org"};

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!tc_address_text_is_link_local(yes[i]))
            fail_msg("%s is link-local", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (tc_address_text_is_link_local(no[i]))
            fail_msg("%s is not link-local", no[i]);
}

void test_address__ranges_are_read_strictly(void **state)
{
    static const char *const yes[] = {"127.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "192.0.2.7/32", "::1", "fd00::/8", "::/0",
                                      "::ffff:10.0.0.0/104"};
    static const char *const no[] = {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "10.0.0/8",
                                     "fd00::/129", "fd00::1/64", "localhost", "[::1]", "10.0.0.0/8/8", "10.0.0.0/ 8"};
    struct tc_address_range range;

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!tc_address_range_parse(tc_str_of(yes[i]), &range))
            fail_msg("%s is a range", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (tc_address_range_parse(tc_str_of(no[i]), &range))
            fail_msg("%s is no range", no[i]);
    assert_true(tc_address_range_parse(TC_STR("172.16.0.0/12"), &range));
    assert_true(tc_address_range_has(&range, "172.31.255.255"));
    assert_true(tc_address_range_has(&range, "::ffff:172.16.0.1"));
    assert_false(tc_address_range_has(&range, "172.32.0.0"));
    assert_false(tc_address_range_has(&range, "172.16.0.1 "));
    assert_true(tc_address_range_parse(TC_STR("::/0"), &range));
    assert_true(tc_address_range_has(&range, "8.8.8.8"));
}
