/*
 * The loop: runs ready tasks in batches, lets libuv poll in between, fires the
 * timers that are due, calls what other threads posted.
 *
 * Everything here is the loop's thread's, but for the post list, which a mutex
 * guards and uv_async_send announces. A loop that was stopped still runs until
 * its last task has ended, so cleanup may park under a shield.
 */
#include "io/loop.h"

#include <assert.h>
#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "io/sched.h"

enum {
    BATCH = 128,                   /* tasks that run before I/O is polled again */
    VIRTUAL_START_US = 1000 * 1000 /* a virtual clock does not start at 0, as no real one does */
};

/* Clock */

static int64_t virtual_wall_ms(const struct tc_clock *clock)
{
    const struct tc_sched_clock *virtual = (const struct tc_sched_clock *)clock;

    return virtual->wall_base_ms + atomic_load(&virtual->now_us) / 1000;
}

static int64_t virtual_mono_us(const struct tc_clock *clock)
{
    return atomic_load(&((const struct tc_sched_clock *)clock)->now_us);
}

const struct tc_clock *tc_loop_clock(const struct tc_loop *loop)
{
    return &loop->clock.clock;
}

int64_t tc_loop_lately_us(const struct tc_loop *loop)
{
    return loop->clock.is_virtual ? tc_clock_mono_us(&loop->clock.clock) : (int64_t)uv_now(&loop->uv) * 1000;
}

int64_t tc_sched_due(struct tc_loop *loop, int64_t timeout_ms)
{
    int64_t now;

    if (timeout_ms < 0)
        return INT64_MAX;
    now = tc_sched_now(loop);
    return timeout_ms > (INT64_MAX - now) / 1000 ? INT64_MAX : now + timeout_ms * 1000;
}

void tc_loop_advance(struct tc_loop *loop, int64_t ms)
{
    int64_t to = tc_sched_due(loop, ms), due;

    assert(loop->clock.is_virtual && ms >= 0);
    while (loop->timers.n && (due = tc_timer_heap_due(&loop->timers)) <= to) {
        if (due > tc_sched_now(loop))
            atomic_store(&loop->clock.now_us, due);
        tc_timer_heap_fire(&loop->timers);
    }
    atomic_store(&loop->clock.now_us, to);
}

static void fire_due(struct tc_loop *loop)
{
    int64_t now;

    if (loop->timers.n == 0)
        return;
    now = tc_sched_now(loop);
    while (tc_timer_heap_due(&loop->timers) <= now)
        tc_timer_heap_fire(&loop->timers);
}

static void on_alarm(uv_timer_t *alarm)
{
    uv_stop(alarm->loop); /* without it libuv, which runs timers first, would block in the same round */
}

/* Sees to it that the next poll ends when the earliest timer is due. */
static void set_alarm(struct tc_loop *loop)
{
    int64_t due = tc_timer_heap_due(&loop->timers), ms;

    if (loop->clock.is_virtual || (due == loop->alarm_us && uv_is_active((uv_handle_t *)&loop->alarm)))
        return;
    loop->alarm_us = due;
    if (due == INT64_MAX) {
        uv_timer_stop(&loop->alarm);
        return;
    }
    ms = (due - tc_sched_now(loop) + 999) / 1000;
    uv_update_time(&loop->uv);
    uv_timer_start(&loop->alarm, on_alarm, ms > 0 ? (uint64_t)ms : 0, 0);
}

/* Posts */

static struct tc_sched_post *take_posts(struct tc_loop *loop)
{
    struct tc_sched_post *posts;

    pthread_mutex_lock(&loop->lock);
    posts = loop->posts;
    loop->posts = loop->posts_last = NULL;
    pthread_mutex_unlock(&loop->lock);
    return posts;
}

static void call_posts(struct tc_loop *loop)
{
    struct tc_sched_post *post = take_posts(loop);

    while (post) {
        struct tc_sched_post *next = post->next;
        post->fn(post->arg);
        tc_mem_free(post);
        post = next;
    }
}

static void on_doorbell(uv_async_t *doorbell)
{
    call_posts(doorbell->data);
}

bool tc_loop_post(struct tc_loop *loop, void (*fn)(void *), void *arg)
{
    struct tc_sched_post *post = tc_mem_alloc(sizeof *post);

    if (!post)
        return false;
    *post = (struct tc_sched_post){.fn = fn, .arg = arg};
    pthread_mutex_lock(&loop->lock);
    if (loop->closing) {
        pthread_mutex_unlock(&loop->lock);
        tc_mem_free(post);
        return false;
    }
    if (loop->posts_last)
        loop->posts_last->next = post;
    else
        loop->posts = post;
    loop->posts_last = post;
    uv_async_send(&loop->doorbell); /* inside the lock: not after the handle was closed */
    pthread_mutex_unlock(&loop->lock);
    return true;
}

/* Hooks */

void tc_loop_after_turn(struct tc_loop *loop, struct tc_loop_hook *hook)
{
    if (hook->queued)
        return;
    hook->queued = true;
    hook->next = loop->hooks;
    loop->hooks = hook;
}

bool tc_loop_has_ready(const struct tc_loop *loop)
{
    return loop->ready != NULL;
}

static void call_hooks(struct tc_loop *loop)
{
    struct tc_loop_hook *hook;

    while ((hook = loop->hooks)) {
        loop->hooks = hook->next;
        hook->queued = false;
        hook->fn(hook);
    }
}

/* Life */

/* A peer that is gone is reported by the write that finds out, never by a signal.
 * A program that set its own handling keeps it. */
static void ignore_sigpipe(void)
{
    struct sigaction action;

    if (sigaction(SIGPIPE, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL) {
        action.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &action, NULL);
    }
}

const char *tc_sched_errno(int err)
{
    const char *text = strerrordesc_np(err);

    return text ? text : "unknown error";
}

static enum tc_err open_uv(struct tc_cx *cx, struct tc_loop *loop)
{
    int rc = uv_loop_init(&loop->uv);

    if (rc == 0) {
        rc = uv_async_init(&loop->uv, &loop->doorbell, on_doorbell);
        if (rc != 0)
            uv_loop_close(&loop->uv);
    }
    if (rc == UV_ENOMEM)
        return tc_fail_memory(cx);
    if (rc != 0)
        return tc_fail(cx, TC_E_IO, "The event loop could not be opened: %s.", tc_sched_errno(-rc));
    uv_timer_init(&loop->uv, &loop->alarm);
    loop->doorbell.data = loop;
    loop->alarm_us = INT64_MAX;
    return TC_OK;
}

static enum tc_err create(struct tc_cx *cx, struct tc_sched_clock clock, struct tc_loop **ret_loop)
{
    struct tc_loop *loop = tc_mem_zalloc(1, sizeof *loop);
    enum tc_err code;

    if (!loop)
        return tc_fail_memory(cx);
    code = open_uv(cx, loop);
    if (code != TC_OK) {
        tc_mem_free(loop);
        return code;
    }
    ignore_sigpipe();
    pthread_mutex_init(&loop->lock, NULL);
    loop->clock = clock;
    tc_task_group_init(&loop->group, loop);
    *ret_loop = loop;
    return TC_OK;
}

enum tc_err tc_loop_create(struct tc_cx *cx, struct tc_loop **ret_loop)
{
    return create(cx, (struct tc_sched_clock){.clock = tc_clock_system}, ret_loop);
}

enum tc_err tc_loop_create_virtual(struct tc_cx *cx, int64_t wall_ms, struct tc_loop **ret_loop)
{
    struct tc_sched_clock clock = {
        .clock = {virtual_wall_ms, virtual_mono_us},
        .is_virtual = true,
        .wall_base_ms = wall_ms - VIRTUAL_START_US / 1000,
        .now_us = VIRTUAL_START_US,
    };

    return create(cx, clock, ret_loop);
}

void tc_loop_destroy(struct tc_loop *loop)
{
    int rc;

    if (!loop)
        return;
    assert(loop->alive == 0 && !loop->running);
    loop->stopping = true;
    pthread_mutex_lock(&loop->lock);
    loop->closing = true;
    pthread_mutex_unlock(&loop->lock);
    call_posts(loop);
    while (loop->lingering) /* killed processes: they end at once */
        uv_run(&loop->uv, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&loop->doorbell, NULL);
    uv_close((uv_handle_t *)&loop->alarm, NULL);
    for (int i = 0; (rc = uv_loop_close(&loop->uv)) == UV_EBUSY && i < BATCH; i++)
        uv_run(&loop->uv, UV_RUN_NOWAIT); /* the calls of those that are closing */
    assert(rc == 0);                      /* else a stream or another handle was left open */
    tc_fiber_pool_finish(&loop->stacks);
    tc_mem_free(loop->timers.items);
    pthread_mutex_destroy(&loop->lock);
    tc_mem_free(loop);
}

/* What a hook makes ready still belongs to the turn, within the bound of all turns. */
static void run_turn(struct tc_loop *loop)
{
    for (int i = 0; i < BATCH && loop->ready; i++) {
        tc_sched_run_one(loop);
        if (!loop->ready)
            call_hooks(loop);
    }
    call_hooks(loop);
}

void tc_loop_run(struct tc_loop *loop)
{
    assert(!loop->running);
    for (;;) {
        call_posts(loop);
        run_turn(loop);
        if (loop->alive == 0)
            return;
        set_alarm(loop);
        loop->polling = true;
        uv_run(&loop->uv, loop->ready ? UV_RUN_NOWAIT : UV_RUN_ONCE);
        loop->polling = false;
        fire_due(loop);
    }
}

void tc_loop_stop(struct tc_loop *loop)
{
    if (loop->stopping)
        return;
    loop->stopping = true;
    for (struct tc_task *task = loop->tasks; task; task = task->all_next)
        tc_task_cancel(task, TC_E_SHUTDOWN);
}

bool tc_loop_stopping(const struct tc_loop *loop)
{
    return loop->stopping;
}

struct uv_loop_s *tc_loop_uv(struct tc_loop *loop)
{
    return &loop->uv;
}
