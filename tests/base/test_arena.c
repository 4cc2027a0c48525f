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

void test_arena__formats_at_the_end_of_a_chunk_as_elsewhere(void **state)
{
    static const char text[] = "0123456789abcdef0123456789abcdef";
    struct tc_arena arena;
    struct tc_str former, made;
    (void)state;

    for (size_t left = 0; left < 64; left++) {
        tc_arena_init(&arena, 0);
        assert_non_null(tc_arena_alloc(&arena, 1));
        while ((size_t)(arena.end - arena.at) > left)
            assert_non_null(tc_arena_alloc(&arena, 1));
        former = tc_arena_printf(&arena, "%s", "before");
        made = tc_arena_printf(&arena, "%.*s|%s", TC_STR_ARG(former), text);
        assert_str(former, "before");
        assert_int_equal(made.n, strlen("before|") + strlen(text));
        assert_int_equal(made.p[made.n], '\0');
        assert_memory_equal(made.p, "before|", 7);
        assert_memory_equal(made.p + 7, text, sizeof text);
        tc_arena_finish(&arena);
    }
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

void test_arena__goes_back_to_a_mark(void **state)
{
    struct tc_arena arena;
    char log[8] = {0}, *at = log, *kept;
    struct tc_arena_mark empty, mark;
    size_t used;
    (void)state;

    tc_arena_init(&arena, 0);
    empty = tc_arena_mark(&arena);
    kept = tc_arena_cstr(&arena, TC_STR("kept"));
    assert_non_null(tc_arena_alloc(&arena, 100 * 1024)); /* a chunk of its own, behind */
    assert_true(tc_arena_defer(&arena, append, &at));
    mark = tc_arena_mark(&arena);
    used = arena.used;
    for (size_t round = 0; round < 3; round++) {
        for (size_t n = 1; n < 3000; n++)
            assert_non_null(tc_arena_alloc(&arena, n));
        assert_non_null(tc_arena_alloc(&arena, 300 * 1024));
        assert_true(tc_arena_defer(&arena, append, &at));
        tc_arena_rewind(&arena, &mark);
        assert_int_equal(arena.used, used);
        assert_int_equal(strlen(log), round + 1);
    }
    assert_string_equal(kept, "kept");
    tc_arena_rewind(&arena, &empty);
    assert_string_equal(log, "xxxx");
    tc_arena_finish(&arena);
}
