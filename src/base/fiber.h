/*
 * A stack of its own for a function, and the switch to and from it. The tasks of
 * io and the processes of the shell are made of them; everything else sees those.
 *
 * Fibers are asymmetric: a scheduler resumes one, which runs until it suspends
 * itself or its function returns. All of it happens on one thread. A stack is
 * memory that is taken page by page as it is touched, above a guard page; under
 * AddressSanitizer and ThreadSanitizer, whose frames are larger, eight times of
 * what was asked for.
 */
#ifndef TC_BASE_FIBER_H
#define TC_BASE_FIBER_H

#include <stdbool.h>
#include <stddef.h>

/* Stacks that wait for their next fiber. A zeroed struct is an empty pool. */
struct tc_fiber_pool {
    size_t size; /* of each, whole pages; 0 for 256 KiB; set once, before the first */
    char *free; /* the lowest usable byte of the first one */
    size_t n;
};
void tc_fiber_pool_finish(struct tc_fiber_pool *pool);
/* Puts a stack in whose first `touched` bytes, as a fiber uses them, are memory already. False without memory. */
bool tc_fiber_pool_add(struct tc_fiber_pool *pool, size_t touched);

struct tc_fiber {
    void *sp;   /* where it stands while suspended */
    void *back; /* where its resumer stands while it runs */
    char *low;  /* the lowest usable byte of its stack; the guard page is below */
    size_t size;
    void (*fn)(void *arg);
    void *arg;
    bool ended;
    /* Bookkeeping of the sanitizers; unused without them. */
    void *fake, *back_fake, *tsan, *back_tsan;
    const void *back_low;
    size_t back_size;
};

/* Gets it a stack, so that the first resume calls fn(arg). False without memory. */
bool tc_fiber_init(struct tc_fiber *fiber, struct tc_fiber_pool *pool, void (*fn)(void *arg), void *arg);
/* Gives the stack back. It has ended or was never resumed. Debug builds assert
 * that it stayed 16 KiB away from its guard page, as suspending does. */
void tc_fiber_finish(struct tc_fiber *fiber, struct tc_fiber_pool *pool);

/* Bytes that the stack may still grow by, but for those 16 KiB. Called on the fiber itself. */
size_t tc_fiber_left(const struct tc_fiber *fiber);

/* Runs it until it suspends or ends (fiber->ended). */
void tc_fiber_resume(struct tc_fiber *fiber);
/* Back to the resumer. Called on the fiber itself. */
void tc_fiber_suspend(struct tc_fiber *fiber);

#endif
