/*
 * The inside of a loop and of a task, for the files of io/ only.
 *
 * A task is READY (in the loop's queue), RUNNING, or PARKED. Whoever wakes a
 * parked task decides what its parking call returns; the first one wins, since a
 * woken task is READY. Tasks are resumed by tc_loop_run alone, never from inside
 * a callback or another task.
 */
#ifndef TC_IO_SCHED_H
#define TC_IO_SCHED_H

#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/clock.h"
#include "base/fiber.h"
#include "io/loop.h"
#include "io/task.h"
#include "io/timer.h"

enum tc_sched_state { TC_SCHED_READY, TC_SCHED_RUNNING, TC_SCHED_PARKED };

struct tc_task {
    struct tc_fiber fiber;
    struct tc_cx cx;
    struct tc_arena arena;
    struct tc_loop *loop;
    const char *name;
    tc_task_fn *fn;
    void *arg;

    enum tc_sched_state state;
    enum tc_err result; /* of the parking call that was woken */
    enum tc_err reason; /* of the cancellation; TC_OK: none */
    unsigned shield;
    int64_t deadline; /* INT64_MAX: none */
    struct tc_timer timer;

    struct tc_task *ready_next;
    struct tc_event *event;              /* it waits for this one */
    struct tc_task *wait_prev, *wait_next; /* a ring, the event's first waiter in it */
    struct tc_task_group *group;
    struct tc_task *group_prev, *group_next;
    struct tc_task *all_prev, *all_next;
};

struct tc_sched_clock {
    struct tc_clock clock;
    bool is_virtual;
    int64_t wall_base_ms;      /* wall time when now_us was 0 */
    _Atomic int64_t now_us;    /* pool threads may ask for the time */
};

struct tc_sched_post {
    struct tc_sched_post *next;
    void (*fn)(void *);
    void *arg;
};

struct tc_loop {
    uv_loop_t uv;
    uv_async_t doorbell; /* something was posted */
    uv_timer_t alarm;    /* wakes uv when the earliest timer is due */
    int64_t alarm_us;    /* for when it is set; INT64_MAX: not set */
    struct tc_sched_clock clock;
    struct tc_timer_heap timers;
    struct tc_fiber_pool stacks;

    struct tc_task *ready, *ready_last;
    struct tc_task *tasks; /* all that are alive */
    size_t alive;
    size_t lingering; /* processes that were killed and are not reaped yet */
    struct tc_task_group group;
    struct tc_task *running;
    struct tc_loop_hook *hooks;
    bool stopping;
    bool polling; /* inside uv_run */

    pthread_mutex_t lock; /* of the three below */
    struct tc_sched_post *posts, *posts_last;
    bool closing;
};

static inline int64_t tc_sched_now(struct tc_loop *loop)
{
    return tc_clock_mono_us(&loop->clock.clock);
}

/* The instant timeout_ms from now; negative: INT64_MAX, never. */
int64_t tc_sched_due(struct tc_loop *loop, int64_t timeout_ms);
/* Runs the first ready task until it parks or ends. There is one. */
void tc_sched_run_one(struct tc_loop *loop);
/* As tc_task_wait, with an instant. */
PARKS enum tc_err tc_sched_wait(struct tc_cx *cx, struct tc_event *event, int64_t due);
/* Wakes the one that waits longest, if any, and leaves the event unset. */
void tc_sched_wake_first(struct tc_event *event);
/* tc_fail with a literal: takes no memory, so a task may fail this way for ever. */
enum tc_err tc_sched_fail(struct tc_cx *cx, enum tc_err code, struct tc_str literal);
/* The text of an errno value, never NULL, the same on every thread. */
const char *tc_sched_errno(int err);

#endif
