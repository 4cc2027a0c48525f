#include "support/test.h"

#include <fenv.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fiber.h"

struct walker {
    struct tc_fiber fiber;
    int start, steps;
    double sum;
};

static void walk(void *arg)
{
    struct walker *walker = arg;
    double x = walker->start;
    uint64_t a = (uint64_t)walker->start, b = a + 1, c = a + 2, d = a + 3, e = a + 4;

    for (; walker->steps < 100; walker->steps++) {
        x = x * 1.5 - 1;
        a += b ^ c;
        b += c ^ d;
        c += d ^ e;
        d += e ^ a;
        e += a ^ b;
        tc_fiber_suspend(&walker->fiber);
    }
    walker->sum = x + (double)((a ^ b ^ c ^ d ^ e) % 1000);
}

void test_fiber__keeps_the_locals_of_each(void **state)
{
    enum { N = 50 };
    struct tc_fiber_pool pool = {0};
    struct walker *walkers = calloc(2 * N, sizeof *walkers);
    (void)state;

    for (int i = 0; i < 2 * N; i++) {
        walkers[i].start = i % N;
        assert_true(tc_fiber_init(&walkers[i].fiber, &pool, walk, &walkers[i]));
    }
    for (int step = 0; step < 100; step++) /* the first half in turns */
        for (int i = 0; i < N; i++) {
            tc_fiber_resume(&walkers[i].fiber);
            assert_int_equal(walkers[i].steps, step);
        }
    for (int i = N; i < 2 * N; i++) /* the second half one after the other */
        while (!walkers[i].fiber.ended)
            tc_fiber_resume(&walkers[i].fiber);
    for (int i = 0; i < N; i++) {
        tc_fiber_resume(&walkers[i].fiber);
        assert_true(walkers[i].fiber.ended);
        assert_true(walkers[i].sum == walkers[N + i].sum);
    }
    for (int i = 0; i < 2 * N; i++)
        tc_fiber_finish(&walkers[i].fiber, &pool);
    tc_fiber_pool_finish(&pool);
    free(walkers);
}

struct rounder {
    struct tc_fiber fiber;
    int before, after;
};

static void set_rounding(void *arg)
{
    struct rounder *rounder = arg;

    fesetround(FE_UPWARD);
    rounder->before = fegetround();
    tc_fiber_suspend(&rounder->fiber);
    rounder->after = fegetround();
}

void test_fiber__has_a_floating_point_environment_of_its_own(void **state)
{
    struct tc_fiber_pool pool = {0};
    struct rounder rounder = {0};
    (void)state;

    assert_true(tc_fiber_init(&rounder.fiber, &pool, set_rounding, &rounder));
    tc_fiber_resume(&rounder.fiber);
    assert_int_equal(rounder.before, FE_UPWARD);
    assert_int_equal(fegetround(), FE_TONEAREST);
    tc_fiber_resume(&rounder.fiber);
    assert_true(rounder.fiber.ended);
    assert_int_equal(rounder.after, FE_UPWARD);
    assert_int_equal(fegetround(), FE_TONEAREST);
    tc_fiber_finish(&rounder.fiber, &pool);
    tc_fiber_pool_finish(&pool);
}

static void end(void *arg)
{
    *(void **)arg = __builtin_frame_address(0);
}

void test_fiber__stacks_are_used_again_and_excess_ones_returned(void **state)
{
    enum { N = 300 };
    struct tc_fiber_pool pool = {0};
    struct tc_fiber *fibers = calloc(N, sizeof *fibers);
    void *first = NULL, *again = NULL;
    (void)state;

    for (int i = 0; i < N; i++)
        assert_true(tc_fiber_init(&fibers[i], &pool, end, &first));
    for (int i = 0; i < N; i++) {
        if (i % 2)
            tc_fiber_resume(&fibers[i]); /* the others never run */
        tc_fiber_finish(&fibers[i], &pool);
    }
    assert_true(pool.n > 0 && pool.n < N);
    assert_true(tc_fiber_init(&fibers[0], &pool, end, &first));
    tc_fiber_resume(&fibers[0]);
    tc_fiber_finish(&fibers[0], &pool);
    assert_true(tc_fiber_init(&fibers[0], &pool, end, &again));
    tc_fiber_resume(&fibers[0]);
    tc_fiber_finish(&fibers[0], &pool);
    assert_ptr_equal(first, again);
    tc_fiber_pool_finish(&pool);
    assert_int_equal(pool.n, 0);
    free(fibers);
}

struct sized {
    struct tc_fiber fiber;
    size_t at_start, deeper;
};

static void measure_deeper(struct sized *sized)
{
    volatile char frame[100 * 1024];

    frame[0] = 1;
    sized->deeper = tc_fiber_left(&sized->fiber) + (size_t)frame[0] - 1;
}

static void measure(void *arg)
{
    struct sized *sized = arg;

    sized->at_start = tc_fiber_left(&sized->fiber);
    measure_deeper(sized);
}

void test_fiber__a_pool_says_how_large_stacks_are_and_each_what_is_left(void **state)
{
    enum { KIB = 1024 };
    struct tc_fiber_pool usual = {0}, large = {.size = 1024 * KIB};
    struct sized sized[2];
    (void)state;

    assert_true(tc_fiber_init(&sized[0].fiber, &usual, measure, &sized[0]));
    assert_true(tc_fiber_init(&sized[1].fiber, &large, measure, &sized[1]));
    for (int i = 0; i < 2; i++) {
        tc_fiber_resume(&sized[i].fiber);
        assert_true(sized[i].deeper <= sized[i].at_start - 100 * KIB);
    }
    assert_int_equal(sized[1].fiber.size, 4 * sized[0].fiber.size);
    assert_true(sized[1].at_start > sized[1].fiber.size - 24 * KIB); /* but for the margin of 16 */
    assert_true(sized[1].at_start < sized[1].fiber.size - 16 * KIB);
    tc_fiber_finish(&sized[0].fiber, &usual);
    tc_fiber_finish(&sized[1].fiber, &large);
    tc_fiber_pool_finish(&usual);
    tc_fiber_pool_finish(&large);
}

static int recurse(int n)
{
    volatile char frame[1024];

    frame[n % 1024] = 1;
    return n == 0 ? 0 : recurse(n - 1) + frame[n % 1024];
}

static void overflow(void *arg)
{
    *(int *)arg = recurse(1000000);
}

/* Runs in a child: the end of the process is what is expected. */
static void overflow_and_exit(void)
{
    struct tc_fiber_pool pool = {0};
    struct tc_fiber fiber;
    int result;

    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    close(STDERR_FILENO);
    if (tc_fiber_init(&fiber, &pool, overflow, &result))
        tc_fiber_resume(&fiber);
    _exit(0);
}

void test_fiber__overflow_hits_the_guard_page(void **state)
{
    int status = 0;
    pid_t pid;
    (void)state;

    pid = fork();
    if (pid == 0)
        overflow_and_exit();
    assert_int_equal(waitpid(pid, &status, 0), pid);
    /* A sanitizer reports and exits; else it is a signal. */
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0));
}

void test_fiber__a_stack_can_be_there_beforehand(void **state)
{
    struct tc_fiber_pool pool = {.size = 64 * 1024};
    struct tc_fiber fiber;
    void *x;
    (void)state;

    assert_true(tc_fiber_pool_add(&pool, 16 * 1024));
    assert_true(tc_fiber_pool_add(&pool, SIZE_MAX)); /* no more than there is */
    assert_int_equal(pool.n, 2);
    assert_true(tc_fiber_init(&fiber, &pool, end, &x));
    assert_int_equal(pool.n, 1);
    tc_fiber_resume(&fiber);
    tc_fiber_finish(&fiber, &pool);
    assert_int_equal(pool.n, 2);
    tc_fiber_pool_finish(&pool);
    assert_int_equal(pool.n, 0);
}

void test_fiber__fails_without_memory_for_a_stack(void **state)
{
    struct tc_fiber_pool pool = {0};
    struct tc_fiber fiber;
    struct rlimit limit;
    void *x;
    (void)state;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* they need the address space */
    skip();
#endif
    getrlimit(RLIMIT_AS, &limit);
    setrlimit(RLIMIT_AS, &(struct rlimit){1024 * 1024, limit.rlim_max});
    assert_false(tc_fiber_init(&fiber, &pool, end, &x));
    setrlimit(RLIMIT_AS, &limit);
    assert_true(tc_fiber_init(&fiber, &pool, end, &x));
    tc_fiber_finish(&fiber, &pool);
    tc_fiber_pool_finish(&pool);
}
