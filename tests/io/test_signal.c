#include "io/signal.h"

#include <signal.h>

#include "support/task.h"

struct heard {
    int times;
    struct tc_event event;
};

static void hear(void *arg)
{
    struct heard *heard = arg;

    heard->times++;
    tc_event_set(&heard->event);
}

static void await(struct tc_cx *cx, struct heard *heard)
{
    expect_int(tc_task_wait(cx, &heard->event, 5000), TC_OK);
    tc_event_clear(&heard->event);
}

static void watch_twice(struct tc_cx *cx, void *arg)
{
    struct heard one = {0}, other = {0};
    struct tc_signal *first, *second;

    (void)arg;
    expect_int(tc_signal_open(cx, tc_task_loop(cx), SIGUSR1, hear, &one, &first), TC_OK);
    raise(SIGUSR1);
    await(cx, &one);
    expect_int(tc_signal_open(cx, tc_task_loop(cx), SIGUSR1, hear, &other, &second), TC_OK);
    raise(SIGUSR1);
    await(cx, &one);
    await(cx, &other);
    tc_signal_close(first);
    raise(SIGUSR1);
    await(cx, &other);
    expect_int(one.times, 2);
    expect_int(other.times, 2);
    tc_signal_close(second);
    tc_signal_close(NULL);
}

void test_signal__each_watch_hears_it_until_it_is_closed(void **state)
{
    (void)state;
    test_task_run(watch_twice, NULL);
}

static void close_again(struct tc_cx *cx, void *arg)
{
    struct tc_signal *watch;
    struct heard heard = {0};
    struct sigaction now;

    (void)arg;
    expect_int(tc_signal_open(cx, tc_task_loop(cx), SIGUSR2, hear, &heard, &watch), TC_OK);
    tc_signal_close(watch);
    expect_int(sigaction(SIGUSR2, NULL, &now), 0);
    expect(now.sa_handler == SIG_DFL);
}

void test_signal__the_default_is_back_afterwards(void **state)
{
    (void)state;
    test_task_run(close_again, NULL);
}
