/*
 * The lock is handed from its holder to the first waiter, so `held` stays true
 * in between and no late comer can slip in. A waiter lives on the stack of its
 * task; one that gives up unlinks itself, or passes the lock on when it was
 * given it in the same moment.
 */
#include "io/lock.h"

#include <assert.h>

struct tc_lock_waiter {
    struct tc_lock_waiter *next;
    struct tc_event turn;
};

static void unlink_waiter(struct tc_lock *lock, struct tc_lock_waiter *gone)
{
    struct tc_lock_waiter *before = NULL, *at = lock->first;

    for (; at != gone; at = at->next)
        before = at;
    if (before)
        before->next = gone->next;
    else
        lock->first = gone->next;
    if (lock->last == gone)
        lock->last = before;
}

enum tc_err tc_lock_take(struct tc_cx *cx, struct tc_lock *lock, int64_t timeout_ms)
{
    struct tc_lock_waiter self = {0};
    enum tc_err err;

    if (!lock->held) {
        lock->held = true;
        return TC_OK;
    }
    if (lock->last)
        lock->last->next = &self;
    else
        lock->first = &self;
    lock->last = &self;
    err = tc_task_wait(cx, &self.turn, timeout_ms);
    if (!err)
        return TC_OK;
    if (self.turn.set)
        tc_lock_give(lock);
    else
        unlink_waiter(lock, &self);
    return err;
}

void tc_lock_give(struct tc_lock *lock)
{
    struct tc_lock_waiter *next = lock->first;

    assert(lock->held);
    if (!next) {
        lock->held = false;
        return;
    }
    lock->first = next->next;
    if (!lock->first)
        lock->last = NULL;
    tc_event_set(&next->turn);
}
