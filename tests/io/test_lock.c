/*
 * The lock of tasks: exclusion, order, giving up.
 */
#include "support/task.h"

#include "io/lock.h"

struct shared {
    struct tc_lock lock;
    int inside, most, n;
    int order[64];
};

struct one {
    struct shared *shared;
    int number;
    enum tc_err err;
};

static void enter(struct tc_cx *cx, void *arg)
{
    struct one *one = arg;
    struct shared *shared = one->shared;

    one->err = tc_lock_take(cx, &shared->lock, -1);
    if (one->err)
        return;
    shared->inside++;
    if (shared->inside > shared->most)
        shared->most = shared->inside;
    tc_task_yield(cx);
    tc_task_sleep(cx, 1);
    shared->inside--;
    shared->order[shared->n++] = one->number;
    tc_lock_give(&shared->lock);
}

static void exclusion(struct tc_cx *cx, void *arg)
{
    struct shared shared = {0};
    struct one ones[64];
    struct tc_task_group group;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 64; i++) {
        ones[i] = (struct one){&shared, i, TC_OK};
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "one", enter, &ones[i]), TC_OK);
    }
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(shared.most, 1);
    expect_int(shared.n, 64);
    for (int i = 0; i < 64; i++)
        expect_int(shared.order[i], i);
    expect(!shared.lock.held);
}

void test_lock__lets_one_in_at_a_time_first_come_first_served(void **state)
{
    (void)state;
    test_task_run(exclusion, NULL);
}

static void giving_up(struct tc_cx *cx, void *arg)
{
    struct shared shared = {0};
    struct one ones[3];
    struct tc_task *second;
    struct tc_task_group group;
    (void)arg;

    expect_int(tc_lock_take(cx, &shared.lock, 0), TC_OK);
    expect_int(tc_lock_take(cx, &shared.lock, 5), TC_E_TIMEOUT);
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 3; i++) {
        ones[i] = (struct one){&shared, i, TC_OK};
        expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), &group, "one", enter, &ones[i],
                                     i == 1 ? &second : &(struct tc_task *){0}),
                   TC_OK);
    }
    tc_task_sleep(cx, 5);
    tc_task_cancel(second, TC_E_CANCELED);
    tc_task_sleep(cx, 5);
    tc_lock_give(&shared.lock);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(ones[1].err, TC_E_CANCELED);
    expect_int(shared.n, 2);
    expect_int(shared.order[0], 0);
    expect_int(shared.order[1], 2);
    expect(!shared.lock.held && !shared.lock.first && !shared.lock.last);
}

void test_lock__goes_on_when_a_waiter_gives_up(void **state)
{
    (void)state;
    test_task_run(giving_up, NULL);
}

static void given_and_cancelled(struct tc_cx *cx, void *arg)
{
    struct shared shared = {0};
    struct one ones[2];
    struct tc_task *first;
    struct tc_task_group group;
    (void)arg;

    expect_int(tc_lock_take(cx, &shared.lock, -1), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    ones[0] = (struct one){&shared, 0, TC_OK};
    ones[1] = (struct one){&shared, 1, TC_OK};
    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), &group, "one", enter, &ones[0], &first), TC_OK);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "one", enter, &ones[1]), TC_OK);
    tc_task_sleep(cx, 5);
    tc_task_cancel(first, TC_E_CANCELED); /* in the same turn as it gets the lock, both ways round */
    tc_lock_give(&shared.lock);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(shared.most, 1);
    expect(!shared.lock.held);
    expect_int(shared.order[shared.n - 1], 1);
}

void test_lock__is_not_lost_with_a_task_that_is_cancelled_as_it_gets_it(void **state)
{
    (void)state;
    test_task_run(given_and_cancelled, NULL);
}
