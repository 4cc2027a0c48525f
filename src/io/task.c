/*
 * Tasks: spawning, parking, waking, cancelling, groups and events.
 *
 * Ownership: a task struct is on the heap from spawn until its function has
 * returned and the loop has the thread again. Its links (ready queue, event,
 * group, all tasks) are inside it, so parking and waking take no memory.
 */
#include "io/task.h"

#include <assert.h>

#include "base/mem.h"
#include "io/sched.h"

static struct tc_task *current(struct tc_cx *cx)
{
    struct tc_task *task = cx->task;

    assert(task && task == task->loop->running); /* only a running task may park */
    return task;
}

enum tc_err tc_sched_fail(struct tc_cx *cx, enum tc_err code, struct tc_str literal)
{
    cx->err = (struct tc_error){.code = code, .message = literal};
    return code;
}

static enum tc_err fail_interrupted(struct tc_cx *cx, enum tc_err code)
{
    switch (code) {
    case TC_E_TIMEOUT:
        return tc_sched_fail(cx, code, TC_STR("The time for this ran out."));
    case TC_E_CANCELED:
        return tc_sched_fail(cx, code, TC_STR("The work was cancelled."));
    case TC_E_SHUTDOWN:
        return tc_sched_fail(cx, code, TC_STR("The program is shutting down."));
    default:
        return tc_sched_fail(cx, code, TC_STR("The work was ended from outside."));
    }
}

/* Ready queue */

static void push_ready(struct tc_task *task)
{
    struct tc_loop *loop = task->loop;

    task->state = TC_SCHED_READY;
    task->ready_next = NULL;
    if (loop->ready)
        loop->ready_last->ready_next = task;
    else
        loop->ready = task;
    loop->ready_last = task;
    if (loop->polling)
        uv_stop(&loop->uv); /* a callback that comes before the poll made it ready: do not block */
}

static void join_waiters(struct tc_event *event, struct tc_task *task)
{
    struct tc_task *first = event->waiters;

    task->event = event;
    if (!first) {
        task->wait_prev = task->wait_next = task;
        event->waiters = task;
        return;
    }
    task->wait_next = first;
    task->wait_prev = first->wait_prev;
    first->wait_prev->wait_next = task;
    first->wait_prev = task;
}

static void leave_waiters(struct tc_task *task)
{
    struct tc_event *event = task->event;

    if (!event)
        return;
    task->event = NULL;
    if (task->wait_next == task) {
        event->waiters = NULL;
        return;
    }
    if (event->waiters == task)
        event->waiters = task->wait_next;
    task->wait_prev->wait_next = task->wait_next;
    task->wait_next->wait_prev = task->wait_prev;
}

static void wake(struct tc_task *task, enum tc_err result)
{
    assert(task->state == TC_SCHED_PARKED);
    leave_waiters(task);
    tc_timer_stop(&task->timer);
    task->result = result;
    push_ready(task);
}

static void on_timer(struct tc_timer *timer)
{
    wake((struct tc_task *)((char *)timer - offsetof(struct tc_task, timer)), TC_E_TIMEOUT);
}

static enum tc_err park(struct tc_task *task, struct tc_event *event, int64_t due)
{
    if (due != INT64_MAX)
        tc_timer_set(&task->timer, due);
    if (event)
        join_waiters(event, task);
    task->state = TC_SCHED_PARKED;
    tc_fiber_suspend(&task->fiber);
    return task->result;
}

/* Birth and end */

static void link_task(struct tc_task *task, struct tc_task_group *group)
{
    struct tc_loop *loop = task->loop;

    task->all_next = loop->tasks;
    if (loop->tasks)
        loop->tasks->all_prev = task;
    loop->tasks = task;
    loop->alive++;

    task->group = group;
    task->group_next = group->first;
    if (group->first)
        group->first->group_prev = task;
    group->first = task;
    group->alive++;
}

static void unlink_task(struct tc_task *task)
{
    struct tc_loop *loop = task->loop;
    struct tc_task_group *group = task->group;

    *(task->all_prev ? &task->all_prev->all_next : &loop->tasks) = task->all_next;
    if (task->all_next)
        task->all_next->all_prev = task->all_prev;
    loop->alive--;

    *(task->group_prev ? &task->group_prev->group_next : &group->first) = task->group_next;
    if (task->group_next)
        task->group_next->group_prev = task->group_prev;
    group->alive--;
    if (group->alive == 0 && group->joiner && group->joiner->state == TC_SCHED_PARKED)
        wake(group->joiner, TC_OK);
}

static void task_main(void *arg)
{
    struct tc_task *task = arg;

    task->fn(&task->cx, task->arg);
    assert(task->shield == 0);
    tc_arena_finish(&task->arena);
}

static void free_task(struct tc_task *task)
{
    tc_fiber_finish(&task->fiber, &task->loop->stacks);
    tc_timer_finish(&task->timer);
    tc_mem_free(task);
}

void tc_sched_run_one(struct tc_loop *loop)
{
    struct tc_task *task = loop->ready;

    loop->ready = task->ready_next;
    task->state = TC_SCHED_RUNNING;
    loop->running = task;
    tc_fiber_resume(&task->fiber);
    loop->running = NULL;
    if (task->fiber.ended) {
        unlink_task(task);
        free_task(task);
    }
}

enum tc_err tc_task_spawn_ref(struct tc_cx *cx, struct tc_loop *loop, struct tc_task_group *group, const char *name,
                              tc_task_fn *fn, void *arg, struct tc_task **ret_task)
{
    struct tc_task *task;

    assert(!group || group->loop == loop);
    if (loop->stopping)
        return fail_interrupted(cx, TC_E_SHUTDOWN);
    task = tc_mem_zalloc(1, sizeof *task);
    if (!task)
        return tc_fail_memory(cx);
    if (!tc_timer_init(&task->timer, loop, on_timer)) {
        tc_mem_free(task);
        return tc_fail_memory(cx);
    }
    if (!tc_fiber_init(&task->fiber, &loop->stacks, task_main, task)) {
        tc_timer_finish(&task->timer);
        tc_mem_free(task);
        return tc_fail_memory(cx);
    }
    tc_arena_init(&task->arena, 0);
    task->cx = (struct tc_cx){.arena = &task->arena, .clock = &loop->clock.clock, .task = task};
    task->loop = loop;
    task->name = name;
    task->fn = fn;
    task->arg = arg;
    task->deadline = INT64_MAX;
    if (!group)
        group = &loop->group;
    task->reason = group->reason;
    link_task(task, group);
    push_ready(task);
    *ret_task = task;
    return TC_OK;
}

enum tc_err tc_task_spawn(struct tc_cx *cx, struct tc_loop *loop, struct tc_task_group *group, const char *name,
                          tc_task_fn *fn, void *arg)
{
    struct tc_task *task;

    return tc_task_spawn_ref(cx, loop, group, name, fn, arg, &task);
}

/* Cancelling and groups */

void tc_task_cancel(struct tc_task *task, enum tc_err reason)
{
    assert(reason != TC_OK);
    if (task->reason != TC_OK)
        return;
    task->reason = reason;
    if (task->state == TC_SCHED_PARKED && task->shield == 0)
        wake(task, reason);
}

void tc_task_group_init(struct tc_task_group *group, struct tc_loop *loop)
{
    *group = (struct tc_task_group){.loop = loop};
}

void tc_task_group_cancel(struct tc_task_group *group, enum tc_err reason)
{
    assert(reason != TC_OK);
    if (group->reason == TC_OK)
        group->reason = reason;
    for (struct tc_task *task = group->first; task; task = task->group_next)
        tc_task_cancel(task, reason);
}

enum tc_err tc_task_join(struct tc_cx *cx, struct tc_task_group *group)
{
    struct tc_task *task = current(cx);
    enum tc_err code = tc_task_check(cx);

    assert(!group->joiner && task->group != group);
    if (code != TC_OK)
        tc_task_group_cancel(group, code);
    group->joiner = task;
    if (group->alive && code == TC_OK) {
        code = park(task, NULL, task->shield ? INT64_MAX : task->deadline);
        if (code != TC_OK)
            tc_task_group_cancel(group, code);
    }
    task->shield++; /* one more cancellation must not end the wait */
    while (group->alive)
        park(task, NULL, INT64_MAX);
    task->shield--;
    group->joiner = NULL;
    group->reason = TC_OK;
    return code == TC_OK ? TC_OK : fail_interrupted(cx, code);
}

enum tc_err tc_task_check(struct tc_cx *cx)
{
    struct tc_task *task = cx->task;

    if (!task || task->shield)
        return TC_OK;
    assert(task == task->loop->running);
    if (task->reason != TC_OK)
        return fail_interrupted(cx, task->reason);
    if (task->deadline != INT64_MAX && tc_sched_now(task->loop) >= task->deadline)
        return fail_interrupted(cx, TC_E_TIMEOUT);
    return TC_OK;
}

void tc_task_shield(struct tc_cx *cx)
{
    current(cx)->shield++;
}

void tc_task_unshield(struct tc_cx *cx)
{
    assert(current(cx)->shield > 0);
    cx->task->shield--;
}

int64_t tc_task_deadline_set(struct tc_cx *cx, int64_t mono_us)
{
    struct tc_task *task = current(cx);
    int64_t old = task->deadline;

    if (mono_us < old)
        task->deadline = mono_us;
    return old;
}

void tc_task_deadline_restore(struct tc_cx *cx, int64_t mono_us)
{
    current(cx)->deadline = mono_us;
}

/* Waiting */

void tc_event_set(struct tc_event *event)
{
    event->set = true;
    while (event->waiters)
        wake(event->waiters, TC_OK);
}

void tc_event_clear(struct tc_event *event)
{
    event->set = false;
}

void tc_sched_wake_first(struct tc_event *event)
{
    if (event->waiters)
        wake(event->waiters, TC_OK);
}

enum tc_err tc_sched_wait(struct tc_cx *cx, struct tc_event *event, int64_t due)
{
    struct tc_task *task = current(cx);
    enum tc_err code = tc_task_check(cx);

    if (code != TC_OK || event->set)
        return code;
    if (task->shield == 0 && task->deadline < due)
        due = task->deadline;
    if (due != INT64_MAX && due <= tc_sched_now(task->loop))
        return fail_interrupted(cx, TC_E_TIMEOUT);
    code = park(task, event, due);
    return code == TC_OK ? TC_OK : fail_interrupted(cx, code);
}

enum tc_err tc_task_wait(struct tc_cx *cx, struct tc_event *event, int64_t timeout_ms)
{
    return tc_sched_wait(cx, event, tc_sched_due(current(cx)->loop, timeout_ms));
}

enum tc_err tc_task_sleep(struct tc_cx *cx, int64_t ms)
{
    struct tc_task *task = current(cx);
    int64_t due, limit = task->shield ? INT64_MAX : task->deadline;
    enum tc_err code;

    if (ms <= 0)
        return tc_task_yield(cx);
    code = tc_task_check(cx);
    if (code != TC_OK)
        return code;
    due = tc_sched_due(task->loop, ms);
    code = park(task, NULL, due < limit ? due : limit);
    if (code == TC_E_TIMEOUT && due <= limit && (task->shield || task->reason == TC_OK))
        return TC_OK; /* slept to its end */
    return fail_interrupted(cx, code);
}

enum tc_err tc_task_yield(struct tc_cx *cx)
{
    struct tc_task *task = current(cx);

    push_ready(task);
    tc_fiber_suspend(&task->fiber);
    return tc_task_check(cx);
}

struct tc_loop *tc_task_loop(struct tc_cx *cx)
{
    return cx->task->loop;
}

const char *tc_task_name(const struct tc_task *task)
{
    return task->name;
}
