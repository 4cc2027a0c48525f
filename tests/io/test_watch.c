#include "support/task.h"

#include <fcntl.h>
#include <unistd.h>

#include "io/watch.h"

struct pair {
    int fds[2];
    struct tc_watch *watch;
    enum tc_err e;
};

static void open_pair(struct tc_cx *cx, struct pair *pair)
{
    expect_int(pipe2(pair->fds, O_CLOEXEC | O_NONBLOCK), 0);
    expect_int(tc_watch_open(cx, tc_task_loop(cx), pair->fds[0], &pair->watch), TC_OK);
}

static void write_late(struct tc_cx *cx, void *arg)
{
    struct pair *pair = arg;

    tc_task_sleep(cx, 20);
    expect_int(write(pair->fds[1], "x", 1), 1);
}

static void run_wait(struct tc_cx *cx, void *arg)
{
    struct pair pair;
    char byte;

    (void)arg;
    open_pair(cx, &pair);
    expect_int(tc_watch_readable(cx, pair.watch, 10), TC_E_TIMEOUT);
    for (int i = 0; i < 3; i++) {
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "late", write_late, &pair), TC_OK);
        expect_int(tc_watch_readable(cx, pair.watch, 2000), TC_OK);
        expect_int(read(pair.fds[0], &byte, 1), 1);
        tc_task_sleep(cx, i); /* nobody waits meanwhile */
    }
    close(pair.fds[1]);
    expect_int(tc_watch_readable(cx, pair.watch, 2000), TC_OK); /* the end is something to read */
    expect_int(read(pair.fds[0], &byte, 1), 0);
    tc_watch_close(pair.watch);
    close(pair.fds[0]);
}

void test_watch__waits_until_there_is_something_to_read(void **state)
{
    (void)state;
    test_task_run(run_wait, NULL);
}

static void wait_long(struct tc_cx *cx, void *arg)
{
    struct pair *pair = arg;

    pair->e = tc_watch_readable(cx, pair->watch, -1);
}

static void run_close(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;
    struct pair pair;

    (void)arg;
    open_pair(cx, &pair);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "wait", wait_long, &pair), TC_OK);
    tc_task_yield(cx);
    tc_watch_close(pair.watch);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(pair.e, TC_E_CLOSED);
    close(pair.fds[0]);
    close(pair.fds[1]);
}

void test_watch__closing_wakes_who_waits(void **state)
{
    (void)state;
    test_task_run(run_close, NULL);
}
