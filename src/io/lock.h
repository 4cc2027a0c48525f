/*
 * Mutual exclusion between tasks of one loop, for a critical section that
 * parks: first come, first served. It excludes tasks, not threads.
 */
#ifndef TC_IO_LOCK_H
#define TC_IO_LOCK_H

#include "io/task.h"

struct tc_lock_waiter;

/* A zeroed struct is free. It must outlive its waiters. */
struct tc_lock {
    bool held;
    struct tc_lock_waiter *first, *last;
};

/* Waits at most timeout_ms (negative: no limit of its own): TC_E_TIMEOUT, or the
 * reason of a cancellation; then the lock is not held. */
PARKS enum tc_err tc_lock_take(struct tc_cx *cx, struct tc_lock *lock, int64_t timeout_ms);
/* Hands it to the task that has waited longest. Never parks. */
void tc_lock_give(struct tc_lock *lock);

#endif
