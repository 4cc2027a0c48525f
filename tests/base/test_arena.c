#include "support/test.h"

#include "base/mem.h"

void test_arena__gives_aligned_memory_and_honours_its_maximum(void **state)
{
    struct tc_arena arena;
    (void)state;

    tc_arena_init(&arena, 64 * 1024);
    for (size_t n = 1; n < 200; n++)
        assert_int_equal((uintptr_t)tc_arena_alloc(&arena, n) % 16, 0);
    assert_null(tc_arena_alloc(&arena, 128 * 1024));
    assert_null(tc_arena_zalloc(&arena, SIZE_MAX / 4, 8));
    assert_non_null(tc_arena_alloc(&arena, 8 * 1024));
    tc_arena_finish(&arena);
}

static void append(void *arg)
{
    char **at = arg;
    *(*at)++ = 'x';
}

void test_arena__runs_hooks_on_reset_newest_first(void **state)
{
    struct tc_arena arena;
    char log[8] = {0}, *at = log;
    (void)state;

    tc_arena_init(&arena, 0);
    assert_true(tc_arena_defer(&arena, append, &at));
    assert_true(tc_arena_defer(&arena, append, &at));
    tc_arena_reset(&arena);
    assert_string_equal(log, "xx");
    assert_str(tc_arena_printf(&arena, "%s-%d", "a", 7), "a-7");
    tc_arena_finish(&arena);
}

void test_arena__fails_when_the_system_has_no_memory(void **state)
{
    struct tc_arena arena;
    (void)state;

    if (!tc_mem_fail_at(1, true)) /* built without fault counters */
        return;
    tc_arena_init(&arena, 0);
    assert_null(tc_arena_alloc(&arena, 10));
    tc_mem_fail_at(0, false);
    assert_non_null(tc_arena_alloc(&arena, 10));
    tc_arena_finish(&arena);
}
