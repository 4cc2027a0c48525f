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
