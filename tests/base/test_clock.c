#include "base/clock.h"
#include "support/test.h"

void test_clock__reads_times_as_iso_has_them(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"1970-01-01", 0},
        {"1970-01-01T00:00", 0},
        {"2026-01-02T03:04:05.006Z", 1767323045006},
        {"2026-01-02T03:04:05.006", 1767323045006},
        {"2026-01-02 03:04:05.0064Z", 1767323045006},
        {"2026-01-02T03:04:05.5Z", 1767323045500},
        {"2026-01-02T03:04Z", 1767323040000},
        {"2026-01-02T11:04:05+08:00", 1767323045000},
        {"2026-01-01T22:34:05-04:30", 1767323045000},
        {"2024-02-29", 1709164800000},
        {"1969-12-31T23:59:59Z", -1000},
    };
    int64_t ms;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ms = 7;
        if (!tc_clock_parse_iso(tc_str_of(cases[i].text), &ms) || ms != cases[i].ms)
            fail_msg("%s is %lld", cases[i].text, (long long)ms);
    }
}

void test_clock__refuses_what_is_no_time(void **state)
{
    static const char *const cases[] = {
        "", "2026", "2026-01", "2026-1-2", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31", "2026-01-00",
        "2026-01-02T", "2026-01-02T3:04", "2026-01-02T24:00", "2026-01-02T03:60", "2026-01-02T03:04:", "2026-01-02Z",
        "2026-01-02T03:04:05.", "2026-01-02T03:04:05.1234567890", "2026-01-02T03:04:05z", "2026-01-02T03:04:05+8",
        "2026-01-02T03:04:05+0800", "2026-01-02T03:04:05Z ", " 2026-01-02", "2026-01-02T03:04:61Z", "-026-01-02",
    };
    int64_t ms = 7;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tc_clock_parse_iso(tc_str_of(cases[i]), &ms))
            fail_msg("\"%s\" is taken for a time", cases[i]);
    assert_int_equal(ms, 7);
}
