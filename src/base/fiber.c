/*
 * Stacks and the switch between them, with what AddressSanitizer and
 * ThreadSanitizer must be told. The processor's part is fiber_switch.c.
 *
 * A stack is one mapping: guard page, then the bytes that its pool says. Free ones
 * are linked through their last word, which is touched anyway. Up to POOL_MAX are
 * kept; the others are unmapped.
 */
#include "base/fiber.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fiber_switch.h"

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN
#elif defined(__SANITIZE_THREAD__)
#define FIBER_TSAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN
#elif __has_feature(thread_sanitizer)
#define FIBER_TSAN
#endif
#endif

#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define NO_ASAN __attribute__((no_sanitize("address")))
#else
#define NO_ASAN
#endif
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum {
    SIZE_DEFAULT = 256 * 1024,
#if defined(FIBER_ASAN) || defined(FIBER_TSAN) /* frames are larger */
    SANITIZED = 8,
#else
    SANITIZED = 1,
#endif
    MARGIN = 16 * 1024, /* a task that comes so near to its guard page is a bug: debug builds assert */
    POOL_MAX = 256,
};

static size_t guard_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t stack_size(const struct tc_fiber_pool *pool)
{
    return (pool->size ? pool->size : (size_t)SIZE_DEFAULT) * SANITIZED;
}

static char **pool_link(const struct tc_fiber_pool *pool, char *low)
{
    return (char **)(void *)(low + stack_size(pool)) - 1;
}

static char *stack_take(struct tc_fiber_pool *pool)
{
    char *low = pool->free, *base;
    size_t guard, size = stack_size(pool);

    if (low) {
        pool->free = *pool_link(pool, low);
        pool->n--;
        return low;
    }
    guard = guard_size();
    base = mmap(NULL, guard + size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base, guard, PROT_NONE) != 0) {
        munmap(base, guard + size);
        return NULL;
    }
    return base + guard;
}

static void stack_unmap(const struct tc_fiber_pool *pool, char *low)
{
    munmap(low - guard_size(), guard_size() + stack_size(pool));
}

static void stack_give(struct tc_fiber_pool *pool, char *low)
{
#ifdef FIBER_ASAN
    ASAN_UNPOISON_MEMORY_REGION(low, stack_size(pool)); /* the last frames never returned */
#endif
    if (pool->n == POOL_MAX) {
        stack_unmap(pool, low);
        return;
    }
    *pool_link(pool, low) = pool->free;
    pool->free = low;
    pool->n++;
}

void tc_fiber_pool_finish(struct tc_fiber_pool *pool)
{
    while (pool->free) {
        char *low = pool->free;
        pool->free = *pool_link(pool, low);
        stack_unmap(pool, low);
    }
    pool->n = 0;
}

bool tc_fiber_pool_add(struct tc_fiber_pool *pool, size_t touched)
{
    struct tc_fiber_pool fresh = {.size = pool->size};
    char *low = stack_take(&fresh);

    if (!low)
        return false;
    for (size_t at = guard_size(); at <= touched && at <= stack_size(pool); at += guard_size())
        *(volatile char *)(low + stack_size(pool) - at) = 0;
    stack_give(pool, low);
    return true;
}

/* Said on the stack that is left; `last` for the one that is left for ever. */
static inline void leave_to_fiber(struct tc_fiber *fiber)
{
#if defined(FIBER_ASAN)
    __sanitizer_start_switch_fiber(&fiber->back_fake, fiber->low, fiber->size);
#elif defined(FIBER_TSAN)
    fiber->back_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber->tsan, 0);
#else
    (void)fiber;
#endif
}

static inline void leave_to_resumer(struct tc_fiber *fiber, bool last)
{
#if defined(FIBER_ASAN)
    __sanitizer_start_switch_fiber(last ? NULL : &fiber->fake, fiber->back_low, fiber->back_size);
#elif defined(FIBER_TSAN)
    __tsan_switch_to_fiber(fiber->back_tsan, 0);
#endif
    (void)fiber, (void)last;
}

/* Said on the stack that goes on. */
static inline void arrived_at_fiber(struct tc_fiber *fiber)
{
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(fiber->fake, &fiber->back_low, &fiber->back_size);
#endif
    (void)fiber;
}

static inline void arrived_at_resumer(struct tc_fiber *fiber)
{
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(fiber->back_fake, NULL, NULL);
#endif
    (void)fiber;
}

static void fiber_main(void *arg)
{
    struct tc_fiber *fiber = arg;

    arrived_at_fiber(fiber);
    fiber->fn(fiber->arg);
    fiber->ended = true;
    leave_to_resumer(fiber, true);
    tc_fiber_switch_jump(&fiber->sp, fiber->back);
}

#ifndef NDEBUG
/* New stacks are all zero, so what is not was in use by this fiber or an earlier one. */
NO_ASAN static bool margin_untouched(const char *low)
{
    const uint64_t *word = (const uint64_t *)(const void *)low;

    for (size_t i = 0; i < MARGIN / sizeof *word; i++)
        if (word[i] != 0)
            return false;
    return true;
}
#endif

bool tc_fiber_init(struct tc_fiber *fiber, struct tc_fiber_pool *pool, void (*fn)(void *arg), void *arg)
{
    *fiber = (struct tc_fiber){.low = stack_take(pool), .size = stack_size(pool), .fn = fn, .arg = arg};
    if (!fiber->low)
        return false;
    fiber->sp = tc_fiber_switch_prepare(fiber->low + fiber->size, fiber_main, fiber);
#ifdef FIBER_TSAN
    fiber->tsan = __tsan_create_fiber(0);
#endif
    return true;
}

void tc_fiber_finish(struct tc_fiber *fiber, struct tc_fiber_pool *pool)
{
    assert(margin_untouched(fiber->low));
#ifdef FIBER_TSAN
    __tsan_destroy_fiber(fiber->tsan);
#endif
    stack_give(pool, fiber->low);
    fiber->low = NULL;
}

void tc_fiber_resume(struct tc_fiber *fiber)
{
    assert(!fiber->ended);
    leave_to_fiber(fiber);
    tc_fiber_switch_jump(&fiber->back, fiber->sp);
    arrived_at_resumer(fiber);
}

void tc_fiber_suspend(struct tc_fiber *fiber)
{
    assert((char *)__builtin_frame_address(0) > fiber->low + MARGIN);
    leave_to_resumer(fiber, false);
    tc_fiber_switch_jump(&fiber->sp, fiber->back);
    arrived_at_fiber(fiber);
}

size_t tc_fiber_left(const struct tc_fiber *fiber)
{
    char *here = __builtin_frame_address(0), *end = fiber->low + MARGIN;

    return here > end ? (size_t)(here - end) : 0;
}
