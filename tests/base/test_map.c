#include "support/test.h"

#include <stdio.h>

#include "base/map.h"

void test_map__keeps_finds_and_forgets_thousands(void **state)
{
    struct tc_map map = {0};
    char key[16];
    static int values[5000];
    (void)state;

    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_true(tc_map_put(&map, tc_str_of(key), &values[i]));
    }
    for (int i = 0; i < 5000; i += 2) {
        snprintf(key, sizeof key, "k%d", i);
        assert_ptr_equal(tc_map_remove(&map, tc_str_of(key)), &values[i]);
    }
    assert_int_equal(map.n, 2500);
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_ptr_equal(tc_map_get(&map, tc_str_of(key)), i % 2 ? &values[i] : NULL);
    }
    tc_map_finish(&map);
}

void test_map__a_key_that_comes_back_takes_no_further_place(void **state)
{
    struct tc_map map = {0};
    int value = 0, other = 0;
    (void)state;

    assert_true(tc_map_put(&map, TC_STR("stays"), &other));
    for (int i = 0; i < 1000; i++) {
        assert_true(tc_map_put(&map, TC_STR("comes and goes"), &value));
        assert_int_equal(map.n, 2);
        assert_ptr_equal(tc_map_get(&map, TC_STR("comes and goes")), &value);
        assert_ptr_equal(tc_map_remove(&map, TC_STR("comes and goes")), &value);
        assert_null(tc_map_get(&map, TC_STR("comes and goes")));
        assert_null(tc_map_remove(&map, TC_STR("comes and goes")));
        assert_int_equal(map.n, 1);
    }
    assert_int_equal(map.used, 2);
    assert_int_equal(map.cap, 8);
    assert_ptr_equal(tc_map_get(&map, TC_STR("stays")), &other);
    tc_map_finish(&map);
}
