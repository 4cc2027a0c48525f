/*
 * Waits as servers ask for them, and our own.
 */
#include "models/retry.h"

#include "support/test.h"

static const int64_t wall_ms = 784111717000; /* Sun, 06 Nov 1994 08:48:37 GMT */

static struct tc_retry_advice read_one(const char *name, const char *value)
{
    struct tc_header header = {tc_str_of(name), tc_str_of(value)};
    struct tc_header_list list = {&header, 1};

    return tc_retry_read(list, wall_ms);
}

void test_retry__reads_what_is_asked(void **state)
{
    static const struct {
        const char *name, *value;
        int64_t ms;
    } cases[] = {
        {"retry-after-ms", "250", 250},
        {"Retry-After-Ms", "250.6", 251},
        {"retry-after", "3", 3000},
        {"retry-after", " 0.5 ", 500},
        {"retry-after", "0", 0},
        {"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", 60000},
        {"retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", 0},
        {"retry-after", "soon", -1},
        {"retry-after", "", -1},
        {"retry-after", "-1", -1},
        {"retry-after", "99999999999999999999", -1},
        {"x-ratelimit-reset-requests", "6m0s", -1}, /* something may remain */
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(read_one(cases[i].name, cases[i].value).wait_ms, cases[i].ms);
}

void test_retry__a_limit_that_is_used_up_is_waited_for(void **state)
{
    static const struct {
        const char *reset;
        int64_t ms;
    } cases[] = {{"6m0s", 360000}, {"1.5s", 1500}, {"20ms", 20}, {"1h2m3s", 3723000}, {"12", -1}, {"s", -1}, {"", -1}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tc_header headers[] = {{TC_STR("x-ratelimit-remaining-tokens"), TC_STR("0")},
                                      {TC_STR("x-ratelimit-reset-tokens"), tc_str_of(cases[i].reset)},
                                      {TC_STR("x-ratelimit-remaining-requests"), TC_STR("9")},
                                      {TC_STR("x-ratelimit-reset-requests"), TC_STR("9h")}};

        assert_int_equal(tc_retry_read((struct tc_header_list){headers, 4}, wall_ms).wait_ms, cases[i].ms);
    }
}

void test_retry__a_limit_may_begin_anew_at_a_time(void **state)
{
    struct tc_header headers[] = {{TC_STR("anthropic-ratelimit-input-tokens-remaining"), TC_STR("0")},
                                  {TC_STR("anthropic-ratelimit-input-tokens-reset"), TC_STR("1994-11-06T08:49:00Z")},
                                  {TC_STR("anthropic-ratelimit-requests-remaining"), TC_STR("3")},
                                  {TC_STR("anthropic-ratelimit-requests-reset"), TC_STR("1994-11-06T09:00:00Z")}};

    (void)state;
    assert_int_equal(tc_retry_read((struct tc_header_list){headers, 4}, wall_ms).wait_ms, 23000);
    headers[1].value = TC_STR("1994-11-06T08:00:00Z");
    assert_int_equal(tc_retry_read((struct tc_header_list){headers, 4}, wall_ms).wait_ms, 0);
    headers[1].value = TC_STR("tomorrow");
    assert_int_equal(tc_retry_read((struct tc_header_list){headers, 4}, wall_ms).wait_ms, -1);
}

void test_retry__the_longest_counts(void **state)
{
    struct tc_header headers[] = {{TC_STR("retry-after"), TC_STR("2")},
                                  {TC_STR("x-ratelimit-remaining-tokens"), TC_STR("0")},
                                  {TC_STR("x-ratelimit-reset-tokens"), TC_STR("3s")}};

    (void)state;
    assert_int_equal(tc_retry_read((struct tc_header_list){headers, 3}, wall_ms).wait_ms, 3000);
}

void test_retry__should_and_should_not(void **state)
{
    (void)state;
    assert_true(read_one("x-should-retry", "true").forced);
    assert_true(read_one("x-should-retry", "false").forbidden);
    assert_false(read_one("x-should-retry", "perhaps").forced);
    assert_false(read_one("x-should-retry", "perhaps").forbidden);
}

void test_retry__our_own_wait_doubles_and_spreads(void **state)
{
    (void)state;
    assert_int_equal(tc_retry_wait(1, -1, 500), 500);
    assert_int_equal(tc_retry_wait(1, -1, 0), 375);
    assert_int_equal(tc_retry_wait(1, -1, 1000), 625);
    assert_int_equal(tc_retry_wait(2, -1, 500), 1000);
    assert_int_equal(tc_retry_wait(5, -1, 500), 8000);
    assert_int_equal(tc_retry_wait(60, -1, 1000), 10000);
    assert_int_equal(tc_retry_wait(3, 1234, 7), 1234);
}
