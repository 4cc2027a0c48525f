/* Sets of characters: what they hold beyond ASCII is what the classes say. */
#include "regex/set.h"
#include "support/test.h"

enum { CLASSES = TC_CTYPE_XDIGIT + 1 };

static bool has(const struct tc_regex_set *set, uint32_t c)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (c >= set->ranges[i].first && c <= set->ranges[i].last)
            return true;
    return c >= 0x80 && set->kinds >> tc_regex_set_kind(c) & 1;
}

void test_set__classes_hold_what_they_are_said_to(void **state)
{
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    for (int type = 0; type < CLASSES; type++) {
        struct tc_regex_set set = {.n = 0};
        tc_regex_set_add_class(&test.arena, &set, (enum tc_ctype)type);
        tc_regex_set_tidy(&set);
        for (uint32_t c = 0; c <= TC_REGEX_LAST; c++)
            if (has(&set, c) != tc_ctype_is(c, (enum tc_ctype)type))
                fail_msg("U+%04X in class %d", c, type);
    }
    test_cx_finish(&test);
}

void test_set__is_tidy_whatever_the_order_of_additions(void **state)
{
    struct tc_regex_set set = {.n = 0};
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    tc_regex_set_add(&test.arena, &set, 'x', 'z');
    tc_regex_set_add(&test.arena, &set, 'a', 'c');
    tc_regex_set_add(&test.arena, &set, 'd', 'd');
    tc_regex_set_add(&test.arena, &set, 'b', 'm');
    tc_regex_set_add(&test.arena, &set, 'y', 'y');
    tc_regex_set_tidy(&set);
    assert_int_equal(set.n, 2);
    assert_int_equal(set.ranges[0].first, 'a');
    assert_int_equal(set.ranges[0].last, 'm');
    assert_int_equal(set.ranges[1].first, 'x');
    assert_int_equal(set.ranges[1].last, 'z');
    test_cx_finish(&test);
}

void test_set__without_memory_it_has_failed(void **state)
{
    struct tc_regex_set set = {.n = 0};
    struct tc_arena arena;

    (void)state;
    tc_arena_init(&arena, 4096);
    for (uint32_t c = 0; c < 10000; c += 2)
        tc_regex_set_add(&arena, &set, c, c);
    assert_true(set.failed);
    tc_regex_set_tidy(&set);
    tc_arena_finish(&arena);
}
