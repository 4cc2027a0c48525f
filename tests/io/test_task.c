#include "support/task.h"

#include <stdlib.h>

#include "base/clock.h"
#include "io/offload.h"
#include "io/queue.h"

/* What one task does and how its call came back. */
struct probe {
    enum tc_err code;
    int64_t at_ms;
    int order;
    struct tc_event *event;
    struct tc_task_group *group;
    struct probe *other;
};

static int64_t now_ms(struct tc_cx *cx)
{
    return tc_clock_mono_us(cx->clock) / 1000;
}

static void set_flag(struct tc_cx *cx, void *arg)
{
    (void)cx;
    *(bool *)arg = true;
}

static void spawn_does_not_run_inside(struct tc_cx *cx, void *arg)
{
    bool ran = false;

    (void)arg;
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "flag", set_flag, &ran), TC_OK);
    expect(!ran);
    expect_int(tc_task_yield(cx), TC_OK);
    expect(ran);
}

void test_task__starts_from_the_loop_never_inside_spawn(void **state)
{
    (void)state;
    test_task_run(spawn_does_not_run_inside, NULL);
}

/* Cancelling */

static void wait_event(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg;

    probe->code = tc_task_wait(cx, probe->event, -1);
    if (probe->code)
        expect_int(cx->err.code, probe->code);
}

static void sleep_long(struct tc_cx *cx, void *arg)
{
    ((struct probe *)arg)->code = tc_task_sleep(cx, 3600 * 1000);
}

static void recv_empty(struct tc_cx *cx, void *arg)
{
    struct tc_queue queue;
    void *item;

    expect_int(tc_queue_init(cx, &queue, 1), TC_OK);
    ((struct probe *)arg)->code = tc_queue_recv(cx, &queue, -1, &item);
    tc_queue_finish(&queue);
}

static void send_full(struct tc_cx *cx, void *arg)
{
    struct tc_queue queue;

    expect_int(tc_queue_init(cx, &queue, 1), TC_OK);
    expect_int(tc_queue_send(cx, &queue, arg), TC_OK);
    ((struct probe *)arg)->code = tc_queue_send(cx, &queue, arg);
    expect(tc_queue_try_recv(&queue) == arg);
    expect(tc_queue_try_recv(&queue) == NULL);
    tc_queue_finish(&queue);
}

static void yield_until_told(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg;

    while (probe->code == TC_OK)
        probe->code = tc_task_yield(cx);
}

static void join_sleeper(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg, inner = {0};
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, group.loop, &group, "inner", sleep_long, &inner), TC_OK);
    probe->code = tc_task_join(cx, &group);
    expect_int(inner.code, probe->code);
    expect_int(group.alive, 0);
}

static void cancel_each(struct tc_cx *cx, void *arg)
{
    tc_task_fn *fns[] = {wait_event, sleep_long, recv_empty, send_full, yield_until_told, join_sleeper};
    struct tc_event never = {0};

    (void)arg;
    for (size_t i = 0; i < sizeof fns / sizeof *fns; i++) {
        struct probe probe = {.event = &never};
        struct tc_task *task;
        struct tc_task_group group;

        tc_task_group_init(&group, tc_task_loop(cx));
        expect_int(tc_task_spawn_ref(cx, group.loop, &group, "parked", fns[i], &probe, &task), TC_OK);
        expect_int(tc_task_yield(cx), TC_OK);
        expect_int(tc_task_yield(cx), TC_OK);
        expect_int(probe.code, TC_OK);
        expect_int(group.alive, 1);
        tc_task_cancel(task, TC_E_CANCELED);
        tc_task_cancel(task, TC_E_TIMEOUT); /* the first reason stays */
        expect_int(tc_task_join(cx, &group), TC_OK);
        expect_int(probe.code, TC_E_CANCELED);
    }
    expect(never.waiters == NULL);
}

void test_task__cancel_ends_the_wait_in_each_primitive(void **state)
{
    (void)state;
    test_task_run(cancel_each, NULL);
}

static void park_again_and_again(struct tc_cx *cx, void *arg)
{
    struct tc_event set = {.set = true};
    struct tc_queue queue;
    void *item;

    (void)arg;
    expect_int(tc_queue_init(cx, &queue, 2), TC_OK);
    expect(tc_queue_try_send(&queue, arg));
    for (int i = 0; i < 3; i++) {
        expect_int(tc_task_check(cx), TC_E_CANCELED);
        expect_int(tc_task_wait(cx, &set, 0), TC_E_CANCELED);
        expect_int(tc_task_sleep(cx, 10), TC_E_CANCELED);
        expect_int(tc_task_yield(cx), TC_E_CANCELED);
        expect_int(tc_queue_recv(cx, &queue, 0, &item), TC_E_CANCELED);
        expect_int(tc_queue_send(cx, &queue, arg), TC_E_CANCELED);
        expect_int(tc_offload(cx, (void (*)(void *))abort, NULL), TC_E_CANCELED);
    }
    tc_queue_finish(&queue);
}

static void cancel_unstarted(struct tc_cx *cx, void *arg)
{
    struct tc_task *task;
    int x;

    (void)arg;
    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), NULL, "unstarted", park_again_and_again, &x, &task), TC_OK);
    expect(strcmp(tc_task_name(task), "unstarted") == 0);
    tc_task_cancel(task, TC_E_CANCELED);
}

void test_task__cancelled_before_its_start_fails_in_every_parking_call(void **state)
{
    (void)state;
    test_task_run(cancel_unstarted, NULL);
}

static void shielded(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg;

    tc_task_shield(cx);
    tc_task_shield(cx);
    expect_int(tc_task_wait(cx, probe->event, -1), TC_OK);
    expect_int(tc_task_check(cx), TC_OK);
    tc_task_unshield(cx);
    expect_int(tc_task_sleep(cx, 1), TC_OK);
    expect_int(tc_task_wait(cx, &(struct tc_event){0}, 1), TC_E_TIMEOUT); /* its own limit still holds */
    tc_task_unshield(cx);
    probe->code = tc_task_yield(cx);
}

static void cancel_shielded(struct tc_cx *cx, void *arg)
{
    struct tc_event event = {0};
    struct probe probe = {.event = &event};
    struct tc_task *task;
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "shielded", shielded, &probe, &task), TC_OK);
    expect_int(tc_task_yield(cx), TC_OK);
    tc_task_cancel(task, TC_E_CANCELED);
    expect_int(tc_task_sleep(cx, 2), TC_OK);
    expect_int(group.alive, 1);
    tc_event_set(&event);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(probe.code, TC_E_CANCELED);
}

void test_task__shield_holds_a_cancellation_back(void **state)
{
    (void)state;
    test_task_run(cancel_shielded, NULL);
}

/* Deadlines and time */

static void deadline(struct tc_cx *cx, void *arg)
{
    int64_t start = tc_clock_mono_us(cx->clock), old;
    struct tc_event never = {0};

    (void)arg;
    old = tc_task_deadline_set(cx, start + 20 * 1000);
    expect_int(old, INT64_MAX);
    expect_int(tc_task_deadline_set(cx, start + 40 * 1000), start + 20 * 1000); /* the earlier stays */
    expect_int(tc_task_sleep(cx, 5), TC_OK);
    expect_int(tc_task_wait(cx, &never, 60 * 1000), TC_E_TIMEOUT);
    expect(tc_clock_mono_us(cx->clock) >= start + 20 * 1000);
    expect(tc_clock_mono_us(cx->clock) < start + 5000 * 1000);
    expect_int(tc_task_check(cx), TC_E_TIMEOUT);
    expect_int(tc_task_sleep(cx, 1), TC_E_TIMEOUT);
    expect_int(tc_task_yield(cx), TC_E_TIMEOUT);
    tc_task_shield(cx);
    expect_int(tc_task_sleep(cx, 1), TC_OK);
    tc_task_unshield(cx);
    tc_task_deadline_restore(cx, old);
    expect_int(tc_task_sleep(cx, 1), TC_OK);
}

void test_task__deadline_ends_waits_until_it_is_restored(void **state)
{
    (void)state;
    test_task_run(deadline, NULL);
}

static void join_with_deadline(struct tc_cx *cx, void *arg)
{
    int64_t old = tc_task_deadline_set(cx, tc_clock_mono_us(cx->clock) + 5000);
    struct probe probe = {0};

    (void)arg;
    join_sleeper(cx, &probe);
    expect_int(probe.code, TC_E_TIMEOUT);
    tc_task_deadline_restore(cx, old);
}

void test_task__join_passes_the_deadline_on_to_the_group(void **state)
{
    (void)state;
    test_task_run(join_with_deadline, NULL);
}

static void cancelled_by_timeout(struct tc_cx *cx, void *arg)
{
    struct probe probe = {0};
    struct tc_task *task;

    (void)arg;
    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), NULL, "sleeper", sleep_long, &probe, &task), TC_OK);
    tc_task_yield(cx);
    tc_task_cancel(task, TC_E_TIMEOUT);
    tc_task_yield(cx);
    expect_int(probe.code, TC_E_TIMEOUT);
}

void test_task__a_sleep_cancelled_with_timeout_is_not_a_full_sleep(void **state)
{
    (void)state;
    test_task_run(cancelled_by_timeout, NULL);
}

struct sleeper {
    int64_t ms;
    int id, *log, *n;
};

static void sleep_and_log(struct tc_cx *cx, void *arg)
{
    struct sleeper *sleeper = arg;

    expect_int(tc_task_sleep(cx, sleeper->ms), TC_OK);
    sleeper->log[(*sleeper->n)++] = sleeper->id;
}

static void virtual_order(struct tc_cx *cx, void *arg)
{
    int64_t ms[] = {500, 100, 900, 100, 300, 1000}, start = now_ms(cx);
    int log[6], n = 0;
    struct sleeper sleepers[6];
    struct tc_loop *loop = tc_task_loop(cx);

    (void)arg;
    expect_int(tc_clock_wall_ms(cx->clock), 1000000);
    for (int i = 0; i < 6; i++) {
        sleepers[i] = (struct sleeper){ms[i], i, log, &n};
        expect_int(tc_task_spawn(cx, loop, NULL, "sleeper", sleep_and_log, &sleepers[i]), TC_OK);
    }
    tc_task_yield(cx);
    tc_loop_advance(loop, 99);
    tc_task_yield(cx);
    expect_int(n, 0);
    tc_loop_advance(loop, 1);
    tc_task_yield(cx);
    expect_int(n, 2);
    tc_loop_advance(loop, 800);
    expect_int(n, 2); /* they run only when this task gives way */
    tc_task_yield(cx);
    expect_int(n, 5);
    tc_loop_advance(loop, 1000);
    tc_task_yield(cx);
    expect_int(n, 6);
    expect_int(now_ms(cx) - start, 1900);
    expect_int(tc_clock_wall_ms(cx->clock), 1001900);
    for (int i = 0, right[] = {1, 3, 4, 0, 2, 5}; i < 6; i++)
        expect_int(log[i], right[i]);
    tc_loop_advance(loop, INT64_MAX);
}

void test_task__virtual_clock_fires_timers_in_order_of_time_then_of_setting(void **state)
{
    (void)state;
    test_task_run_virtual(virtual_order, NULL);
}

static void timeouts(struct tc_cx *cx, void *arg)
{
    struct tc_event event = {0};
    int64_t before = now_ms(cx);

    (void)arg;
    expect_int(tc_task_wait(cx, &event, 0), TC_E_TIMEOUT);
    expect_int(tc_task_wait(cx, &event, 20), TC_E_TIMEOUT);
    expect(now_ms(cx) - before >= 20);
    tc_event_set(&event);
    expect_int(tc_task_wait(cx, &event, 0), TC_OK);
    expect_int(tc_task_wait(cx, &event, -1), TC_OK);
    tc_event_clear(&event);
    expect_int(tc_task_wait(cx, &event, 0), TC_E_TIMEOUT);
    expect_int(tc_task_sleep(cx, 0), TC_OK);
    expect_int(tc_task_sleep(cx, -5), TC_OK);
}

void test_task__wait_keeps_its_timeout(void **state)
{
    (void)state;
    test_task_run(timeouts, NULL);
}

static void fail_often(struct tc_cx *cx, void *arg)
{
    struct tc_event event = {0};
    size_t used;

    (void)arg;
    expect_int(tc_task_wait(cx, &event, 0), TC_E_TIMEOUT);
    used = cx->arena->used;
    for (int i = 0; i < 100000; i++)
        tc_task_wait(cx, &event, 0);
    expect_int(cx->arena->used, used);
    expect(cx->err.message.n > 0);
}

void test_task__timeouts_take_no_memory(void **state)
{
    (void)state;
    test_task_run(fail_often, NULL);
}

/* Events and groups */

static void note_order(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg;

    probe->code = tc_task_wait(cx, probe->event, -1);
    probe->order = ++probe->other->order;
}

static void wake_many(struct tc_cx *cx, void *arg)
{
    enum { N = 100 };
    struct tc_event event = {0};
    struct probe probes[N], counter = {0};
    struct tc_task *tasks[N];
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < N; i++) {
        probes[i] = (struct probe){.event = &event, .other = &counter};
        expect_int(tc_task_spawn_ref(cx, group.loop, &group, "waiter", note_order, &probes[i], &tasks[i]), TC_OK);
    }
    tc_task_yield(cx);
    for (int i = 0; i < N; i += 10)
        tc_task_cancel(tasks[i], TC_E_CANCELED);
    tc_event_set(&event);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect(event.set && !event.waiters);
    for (int i = 0; i < N; i++) {
        expect_int(probes[i].code, i % 10 == 0 ? TC_E_CANCELED : TC_OK);
        if (i % 10 == 0)
            expect_int(probes[i].order, i / 10 + 1);
        else
            expect_int(probes[i].order, 10 + i - i / 10);
    }
}

void test_task__event_wakes_all_in_the_order_they_came(void **state)
{
    (void)state;
    test_task_run(wake_many, NULL);
}

static void set_event(struct tc_cx *cx, void *arg)
{
    (void)cx;
    tc_event_set(arg);
}

static void spawn_late(struct tc_cx *cx, void *arg)
{
    struct probe *probe = arg;

    expect_int(tc_task_sleep(cx, 3600 * 1000), TC_E_CANCELED);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), probe->group, "late", sleep_long, probe), TC_OK);
}

static void cancel_group(struct tc_cx *cx, void *arg)
{
    struct tc_event event = {0};
    struct probe probes[3] = {{0}};
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 2; i++)
        expect_int(tc_task_spawn(cx, group.loop, &group, "sleeper", sleep_long, &probes[i]), TC_OK);
    probes[2].group = &group;
    expect_int(tc_task_spawn(cx, group.loop, &group, "spawner", spawn_late, &probes[2]), TC_OK);
    tc_task_yield(cx);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK); /* the caller itself was not cancelled */
    for (int i = 0; i < 3; i++)
        expect_int(probes[i].code, TC_E_CANCELED);
    expect_int(tc_task_spawn(cx, group.loop, &group, "after", set_event, &event), TC_OK);
    expect_int(tc_task_wait(cx, &event, -1), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK); /* of an empty group */
}

void test_task__group_cancel_reaches_what_is_spawned_later(void **state)
{
    (void)state;
    test_task_run(cancel_group, NULL);
}

struct tree {
    int depth;
    int *n;
};

static void grow(struct tc_cx *cx, void *arg)
{
    struct tree *tree = arg, children[3];
    struct tc_task_group group;

    ++*tree->n;
    if (tree->depth == 0)
        return;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 3; i++) {
        children[i] = (struct tree){tree->depth - 1, tree->n};
        expect_int(tc_task_spawn(cx, group.loop, &group, "child", grow, &children[i]), TC_OK);
    }
    expect_int(tc_task_join(cx, &group), TC_OK);
}

void test_task__nests_groups_of_groups(void **state)
{
    int n = 0;
    struct tree tree = {6, &n};
    (void)state;

    test_task_run(grow, &tree);
    assert_int_equal(n, 1 + 3 + 9 + 27 + 81 + 243 + 729);
}

/* Many */

#if defined(__SANITIZE_THREAD__)
enum { MANY = 2000 }; /* ThreadSanitizer knows at most 8,000 stacks */
#else
enum { MANY = 10000 };
#endif

struct crowd {
    struct tc_event go;
    int arrived, left;
};

static void one_of_many(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;
    volatile char *p = tc_arena_alloc(cx->arena, 100);

    p[99] = 1;
    crowd->arrived++;
    expect_int(tc_task_wait(cx, &crowd->go, 600 * 1000), TC_OK);
    expect_int(tc_task_yield(cx), TC_OK);
    crowd->left++;
}

static void run_many(struct tc_cx *cx, void *arg)
{
    struct crowd crowd = {0};
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < MANY; i++)
        expect_int(tc_task_spawn(cx, group.loop, &group, "one", one_of_many, &crowd), TC_OK);
    while (crowd.arrived < MANY)
        tc_task_yield(cx);
    expect_int(group.alive, MANY);
    tc_event_set(&crowd.go);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(crowd.left, MANY);
}

void test_task__ten_thousand_at_once(void **state)
{
    (void)state;
    test_task_run(run_many, NULL);
}

static void append(void *arg)
{
    ++*(int *)arg;
}

static void defers(struct tc_cx *cx, void *arg)
{
    expect(tc_arena_defer(cx->arena, append, arg));
    expect_int(*(int *)arg, 0);
}

static void check_defer(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, group.loop, &group, "defers", defers, arg), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(*(int *)arg, 1);
}

void test_task__arena_is_finished_before_the_joiner_wakes(void **state)
{
    int n = 0;
    (void)state;

    test_task_run(check_defer, &n);
}

static double sum_deep(struct tc_cx *cx, int depth, double x)
{
    volatile char frame[1024];
    double y;

    frame[depth % 1024] = 1;
    if (depth == 0) {
        tc_task_yield(cx);
        return x;
    }
    y = sum_deep(cx, depth - 1, x * 1.0000001);
    return y + frame[depth % 1024];
}

static void use_stack(struct tc_cx *cx, void *arg)
{
    *(double *)arg = sum_deep(cx, 120, 1.0); /* well over 120 KiB */
}

static void use_stacks(struct tc_cx *cx, void *arg)
{
    double results[20] = {0};
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 20; i++)
        expect_int(tc_task_spawn(cx, group.loop, &group, "deep", use_stack, &results[i]), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    for (int i = 0; i < 20; i++)
        expect(results[i] > 121.0 && results[i] < 121.1);
}

void test_task__has_room_for_deep_calls(void **state)
{
    (void)state;
    test_task_run(use_stacks, NULL);
}
