/*
 * Tasks: stackful fibers on a loop. A task reads top to bottom; it gives way to
 * others only inside a function marked PARKS. Cancelling, a deadline and
 * shutdown arrive as ordinary errors (TC_E_CANCELED, TC_E_TIMEOUT,
 * TC_E_SHUTDOWN) from the call that parks, so cleanup has one path.
 *
 * Rules: no lock and no pointer into a table that others change is held across
 * a parking call; take a reference or an id. A task has its own arena, freed at
 * its end, and a 256 KiB stack with a guard page: no alloca, no large locals,
 * no recursion over input without a depth limit.
 */
#ifndef TC_IO_TASK_H
#define TC_IO_TASK_H

#include "toolcrib/cx.h"

struct tc_loop;
struct tc_task;

typedef void tc_task_fn(struct tc_cx *cx, void *arg);

/* A set of tasks that end together: spawn into it, then join. */
struct tc_task_group {
    struct tc_loop *loop;
    struct tc_task *first;
    struct tc_task *joiner; /* the task that waits in tc_task_join */
    size_t alive;
    enum tc_err reason; /* of its cancellation: until it was joined, what is spawned into it gets it too */
};

void tc_task_group_init(struct tc_task_group *group, struct tc_loop *loop);

/* Starts fn(cx, arg) soon, never inside this call; on the loop's thread only.
 * group NULL: the loop's own, for work whose end nobody waits for but shutdown.
 * name is a literal shown in diagnostics. A deadline is not handed on. Fails
 * with TC_E_NO_MEMORY, or TC_E_SHUTDOWN when stopping. */
enum tc_err tc_task_spawn(struct tc_cx *cx, struct tc_loop *loop, struct tc_task_group *group, const char *name,
                          tc_task_fn *fn, void *arg);
/* The same with the new task handed out, for tc_task_cancel. The pointer is
 * valid until fn has returned: fn's side must tell. */
enum tc_err tc_task_spawn_ref(struct tc_cx *cx, struct tc_loop *loop, struct tc_task_group *group, const char *name,
                              tc_task_fn *fn, void *arg, struct tc_task **ret_task);

/* Asks the task to end: its present or next parking call returns `reason`, and
 * each one after it, until the task ends. Not inside a shield. Repeats keep the
 * first reason. */
void tc_task_cancel(struct tc_task *task, enum tc_err reason);
void tc_task_group_cancel(struct tc_task_group *group, enum tc_err reason);
/* Waits until every task of the group has ended. Always waits; when the caller
 * is cancelled meanwhile it cancels the group, goes on waiting, and then
 * returns that reason. */
PARKS enum tc_err tc_task_join(struct tc_cx *cx, struct tc_task_group *group);

/* The pending cancellation or passed deadline of the caller, or TC_OK, as it is
 * outside a task. */
enum tc_err tc_task_check(struct tc_cx *cx);
/* While depth > 0 parking calls neither return early for cancellation nor for
 * the deadline: for the few lines that must finish, such as writing a record. */
void tc_task_shield(struct tc_cx *cx);
void tc_task_unshield(struct tc_cx *cx);

/* The instant (tc_clock_mono_us) after which parking calls return TC_E_TIMEOUT;
 * INT64_MAX: none. Set keeps the earlier of old and new and returns the old one,
 * which restore puts back. */
int64_t tc_task_deadline_set(struct tc_cx *cx, int64_t mono_us);
void tc_task_deadline_restore(struct tc_cx *cx, int64_t mono_us);

PARKS enum tc_err tc_task_sleep(struct tc_cx *cx, int64_t ms);
PARKS enum tc_err tc_task_yield(struct tc_cx *cx); /* lets ready tasks run first */

/* A latch that tasks wait for. A zeroed struct is unset. */
struct tc_event {
    bool set;
    struct tc_task *waiters;
};
void tc_event_set(struct tc_event *event);   /* wakes all that wait; stays set */
void tc_event_clear(struct tc_event *event);
/* Until it is set, at most timeout_ms (negative: no limit of its own):
 * TC_E_TIMEOUT, or the reason of a cancellation. The event must outlive the wait. */
PARKS enum tc_err tc_task_wait(struct tc_cx *cx, struct tc_event *event, int64_t timeout_ms);

struct tc_loop *tc_task_loop(struct tc_cx *cx);
const char *tc_task_name(const struct tc_task *task);

#endif
