#include "stores/audit_sum.h"

#include <stdio.h>

#include "support/test.h"

/* More times than are kept: what is counted stays exact, percentiles are those of an even sample. */
void test_audit_sum__thins_out_what_is_too_much(void **state)
{
    enum { CALLS = 2500000 };
    const struct tc_store_audit_filter span = {.is_error = -1, .from = 1, .to = 1 + CALLS};
    const struct tc_audit_sums_query query = {.filter = &span, .buckets = 2, .by = TC_AUDIT_BY_AGENT, .limit = 10};
    struct tc_audit_sums sums;
    struct tc_audit_sum sum;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    tc_audit_sum_init(&sum, &t.cx, &query);
    for (int64_t i = 0; i < CALLS; i++)
        assert_int_equal(tc_audit_sum_add(&sum, &(struct tc_audit_call){1 + i, i * 7919 % CALLS, TC_AUDIT_OK, false,
                                                                        TC_STR("alice")}),
                         TC_OK);
    assert_in_range(sum.samples_n, TC_AUDIT_SUM_SAMPLES / 2, TC_AUDIT_SUM_SAMPLES);
    assert_int_equal(tc_audit_sum_end(&sum, &sums), TC_OK);
    assert_int_equal(sums.totals.calls, CALLS);
    assert_int_equal(sums.series[0].figures.calls, CALLS / 2);
    assert_int_equal(sums.groups[0].figures.calls, CALLS);
    assert_in_range(sums.totals.p50_us, CALLS / 2 - CALLS / 100, CALLS / 2 + CALLS / 100);
    assert_in_range(sums.totals.p95_us, CALLS / 100 * 94, CALLS / 100 * 96);
    assert_in_range(sums.series[1].figures.p50_us, CALLS / 2 - CALLS / 100, CALLS / 2 + CALLS / 100);
    tc_audit_sum_finish(&sum);
    test_cx_finish(&t);
}

/* Each of many keys is found again, past every growth of the table. */
void test_audit_sum__finds_each_of_many_groups(void **state)
{
    enum { KEYS = 5000, ROUNDS = 3 };
    const struct tc_store_audit_filter span = {.is_error = -1, .from = 1, .to = 10};
    const struct tc_audit_sums_query query = {.filter = &span, .by = TC_AUDIT_BY_TOOL, .limit = 20000};
    struct tc_audit_sums sums;
    struct tc_audit_sum sum;
    struct test_cx t;
    char key[32];

    (void)state;
    test_cx_init(&t);
    tc_audit_sum_init(&sum, &t.cx, &query);
    for (int i = 0; i < KEYS * ROUNDS; i++) {
        snprintf(key, sizeof key, "host:tool-%04d", i % KEYS);
        assert_int_equal(tc_audit_sum_add(&sum, &(struct tc_audit_call){5, i % KEYS, TC_AUDIT_OK, false,
                                                                        tc_str_of(key)}),
                         TC_OK);
    }
    assert_int_equal(tc_audit_sum_end(&sum, &sums), TC_OK);
    assert_int_equal(sums.groups_total, KEYS);
    for (int i = 0; i < KEYS; i++) { /* all have as many calls, so they stand by key */
        snprintf(key, sizeof key, "host:tool-%04d", i);
        assert_str(sums.groups[i].key, key);
        assert_int_equal(sums.groups[i].figures.calls, ROUNDS);
        assert_int_equal(sums.groups[i].figures.p50_us, i);
    }
    tc_audit_sum_finish(&sum);
    test_cx_finish(&t);
}

/* Of more groups than are asked for the first ones by calls, then by key, whatever order they came in. */
void test_audit_sum__lists_the_groups_with_most_calls(void **state)
{
    enum { KEYS = 997, LIMIT = 25, MOST = 40 };
    const struct tc_store_audit_filter span = {.is_error = -1, .from = 1, .to = 10};
    const struct tc_audit_sums_query query = {.filter = &span, .by = TC_AUDIT_BY_TOOL, .limit = LIMIT};
    struct tc_audit_sums sums;
    struct tc_audit_sum sum;
    struct test_cx t;
    size_t listed = 0;
    char key[32];

    (void)state;
    test_cx_init(&t);
    tc_audit_sum_init(&sum, &t.cx, &query);
    for (int i = 0; i < KEYS; i++) {
        snprintf(key, sizeof key, "host:tool-%04d", i);
        for (int calls = i * 389 % KEYS % MOST; calls >= 0; calls--)
            assert_int_equal(tc_audit_sum_add(&sum, &(struct tc_audit_call){5, 1, TC_AUDIT_OK, false, tc_str_of(key)}),
                             TC_OK);
    }
    assert_int_equal(tc_audit_sum_end(&sum, &sums), TC_OK);
    assert_int_equal(sums.groups_total, KEYS);
    assert_int_equal(sums.groups_n, LIMIT);
    for (int calls = MOST - 1; calls >= 0 && listed < LIMIT; calls--)
        for (int i = 0; i < KEYS && listed < LIMIT; i++)
            if (i * 389 % KEYS % MOST == calls) {
                snprintf(key, sizeof key, "host:tool-%04d", i);
                assert_str(sums.groups[listed].key, key);
                assert_int_equal(sums.groups[listed++].figures.calls, calls + 1);
            }
    assert_int_equal(listed, LIMIT);
    tc_audit_sum_finish(&sum);
    test_cx_finish(&t);
}
