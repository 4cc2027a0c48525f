#include "support/test.h"

#include <stdio.h>

#include "base/mem.h"
#include "catalog/names.h"

void test_ledger__keeps_pairs_both_ways(void **state)
{
    struct test_cx test;
    struct tc_names names = {0};
    char id[32], name[32];
    (void)state;

    test_cx_init(&test);
    for (unsigned i = 0; i < 2000; i++) {
        unsigned k = i * 7 % 2000; /* out of order */
        snprintf(id, sizeof id, "host:t%04u", k);
        snprintf(name, sizeof name, "n%u", k);
        assert_int_equal(tc_names_add(&test.cx, &names, tc_str_of(id), tc_str_of(name)), TC_OK);
    }
    assert_int_equal(names.n, 2000);
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(id, sizeof id, "host:t%04u", i);
        snprintf(name, sizeof name, "n%u", i);
        assert_str(tc_names_get(&names, tc_str_of(id)), name);
        assert_str(tc_names_owner(&names, tc_str_of(name)), id);
        assert_int_equal(tc_names_seek(&names, i < 1000 ? 0 : i, tc_str_of(id)), i);
    }
    assert_str(tc_names_get(&names, TC_STR("host:t")), "");
    assert_str(tc_names_owner(&names, TC_STR("")), "");
    assert_int_equal(tc_names_seek(&names, 3, TC_STR("zzz")), 2000);
    assert_int_equal(tc_names_seek(&names, 5, TC_STR("a")), 5);
    tc_names_finish(&names);
    tc_names_finish(&names);
    test_cx_finish(&test);
}

void test_ledger__never_moves_a_name(void **state)
{
    struct test_cx test;
    struct tc_names names = {0};
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_names_add(&test.cx, &names, TC_STR("host:a"), TC_STR("x")), TC_OK);
    assert_int_equal(tc_names_add(&test.cx, &names, TC_STR("host:a"), TC_STR("x")), TC_OK);
    assert_int_equal(tc_names_add(&test.cx, &names, TC_STR("host:a"), TC_STR("y")), TC_E_STORE_CONFLICT);
    assert_int_equal(tc_names_add(&test.cx, &names, TC_STR("host:b"), TC_STR("x")), TC_E_STORE_CONFLICT);
    assert_int_equal(names.n, 1);
    assert_str(tc_names_get(&names, TC_STR("host:a")), "x");
    assert_str(tc_names_owner(&names, TC_STR("y")), "");
    tc_names_finish(&names);
    test_cx_finish(&test);
}

void test_ledger__survives_every_lack_of_memory(void **state)
{
    struct test_cx test;
    struct tc_names names = {0};
    enum tc_err err;
    size_t nth = 0;
    (void)state;

    test_cx_init(&test);
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        tc_mem_fail_at(++nth, true);
        err = tc_names_add(&test.cx, &names, TC_STR("host:a"), TC_STR("x"));
        tc_mem_fail_at(0, false);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
        assert_int_equal(names.n, err ? 0 : 1);
    } while (err);
    assert_str(tc_names_get(&names, TC_STR("host:a")), "x");
    tc_names_finish(&names);
    test_cx_finish(&test);
}
