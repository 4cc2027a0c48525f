#include "support/task.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/offload.h"
#include "io/timer.h"

static struct tc_loop *make_loop(struct test_cx *test)
{
    struct tc_loop *loop;

    test_cx_init(test);
    assert_int_equal(tc_loop_create(&test->cx, &loop), TC_OK);
    return loop;
}

static void end_loop(struct test_cx *test, struct tc_loop *loop)
{
    tc_loop_destroy(loop);
    test_cx_finish(test);
    test_expect_end();
}

void test_loop__without_tasks_returns_at_once(void **state)
{
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    int fds = test_fd_count();
    (void)state;

    tc_loop_run(loop);
    tc_loop_run(loop);
    assert_false(tc_loop_stopping(loop));
    assert_ptr_equal(tc_loop_clock(loop)->mono_us, tc_clock_system.mono_us);
    tc_loop_destroy(NULL);
    end_loop(&test, loop);
    assert_true(test_fd_count() < fds);
}

/* Stopping */

static void do_nothing(void *arg)
{
    (void)arg;
}

static void sleep_until_stop(struct tc_cx *cx, void *arg)
{
    expect_int(tc_task_sleep(cx, 3600 * 1000), TC_E_SHUTDOWN);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "late", sleep_until_stop, arg), TC_E_SHUTDOWN);
    tc_task_shield(cx); /* cleanup may still park */
    expect_int(tc_task_sleep(cx, 2), TC_OK);
    expect_int(tc_offload(cx, do_nothing, NULL), TC_OK);
    tc_task_unshield(cx);
    ++*(int *)arg;
}

static void stop_soon(struct tc_cx *cx, void *arg)
{
    (void)arg;
    expect_int(tc_task_sleep(cx, 5), TC_OK);
    tc_loop_stop(tc_task_loop(cx));
    tc_loop_stop(tc_task_loop(cx));
    expect(tc_loop_stopping(tc_task_loop(cx)));
    expect_int(tc_task_yield(cx), TC_E_SHUTDOWN);
}

void test_loop__stop_ends_parked_tasks_and_refuses_new_ones(void **state)
{
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    int n = 0;
    (void)state;

    for (int i = 0; i < 50; i++)
        assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "sleeper", sleep_until_stop, &n), TC_OK);
    assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "stopper", stop_soon, NULL), TC_OK);
    tc_loop_run(loop);
    assert_int_equal(n, 50);
    assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "late", stop_soon, NULL), TC_E_SHUTDOWN);
    assert_int_equal(test.cx.err.code, TC_E_SHUTDOWN);
    end_loop(&test, loop);
}

/* Offloading */

struct work {
    pthread_t thread;
    int ms;
    bool ran;
};

static void work_on_pool(void *arg)
{
    struct work *work = arg;

    work->thread = pthread_self();
    usleep((useconds_t)work->ms * 1000);
    work->ran = true;
}

static void offload_slow(struct tc_cx *cx, void *arg)
{
    struct work *work = arg;

    expect_int(tc_offload(cx, work_on_pool, work), TC_OK); /* waits for its end though stopped meanwhile */
    expect(work->ran);
    expect(!pthread_equal(work->thread, pthread_self()));
    expect_int(tc_task_check(cx), TC_E_SHUTDOWN);
}

void test_loop__stop_waits_for_offloaded_work(void **state)
{
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    struct work works[6];
    (void)state;

    for (int i = 0; i < 6; i++) { /* more than the pool has threads */
        works[i] = (struct work){.ms = 30};
        assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "worker", offload_slow, &works[i]), TC_OK);
    }
    assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "stopper", stop_soon, NULL), TC_OK);
    tc_loop_run(loop);
    for (int i = 0; i < 6; i++)
        assert_true(works[i].ran);
    end_loop(&test, loop);
}

/* Posting */

enum { THREADS = 4, POSTS = 500 };

struct mailbox {
    struct tc_loop *loop;
    pthread_t loop_thread;
    struct tc_event full;
    int n; /* the loop's thread only */
};

static void count_post(void *arg)
{
    struct mailbox *box = arg;

    expect(pthread_equal(pthread_self(), box->loop_thread));
    if (++box->n == THREADS * POSTS)
        tc_event_set(&box->full);
}

static void *post_many(void *arg)
{
    struct mailbox *box = arg;

    for (int i = 0; i < POSTS; i++)
        if (!tc_loop_post(box->loop, count_post, box))
            return NULL;
    return box;
}

static void wait_full(struct tc_cx *cx, void *arg)
{
    expect_int(tc_task_wait(cx, &((struct mailbox *)arg)->full, 60 * 1000), TC_OK);
}

void test_loop__posts_from_other_threads_arrive_on_its_own(void **state)
{
    struct test_cx test;
    struct mailbox box = {.loop = make_loop(&test), .loop_thread = pthread_self()};
    pthread_t threads[THREADS];
    void *result;
    (void)state;

    assert_int_equal(tc_task_spawn(&test.cx, box.loop, NULL, "waiter", wait_full, &box), TC_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, post_many, &box), 0);
    tc_loop_run(box.loop);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        assert_non_null(result);
    }
    assert_int_equal(box.n, THREADS * POSTS);
    end_loop(&test, box.loop);
}

struct step {
    int number, *last;
};

static void post_in_order(void *arg)
{
    struct step *step = arg;

    expect_int(step->number, *step->last + 1);
    *step->last = step->number;
}

static void set_flag(void *arg)
{
    *(bool *)arg = true;
}

void test_loop__posts_before_run_and_before_destroy_are_called(void **state)
{
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    bool early = false, late = false;
    int last = 0;
    struct step steps[] = {{1, &last}, {2, &last}, {3, &last}};
    (void)state;

    assert_true(tc_loop_post(loop, set_flag, &early));
    for (int i = 0; i < 3; i++)
        assert_true(tc_loop_post(loop, post_in_order, &steps[i]));
    assert_false(early);
    tc_loop_run(loop);
    assert_true(early);
    assert_int_equal(last, 3);
    assert_true(tc_loop_post(loop, set_flag, &late));
    assert_false(late);
    end_loop(&test, loop);
    assert_true(late);
}

static void stop_posted(void *arg)
{
    tc_loop_stop(arg);
}

static void *post_stop(void *arg)
{
    usleep(10 * 1000);
    tc_loop_post(arg, stop_posted, arg);
    return NULL;
}

static void sleep_for_stop(struct tc_cx *cx, void *arg)
{
    (void)arg;
    expect_int(tc_task_wait(cx, &(struct tc_event){0}, -1), TC_E_SHUTDOWN);
}

void test_loop__can_be_stopped_by_a_post(void **state)
{
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    pthread_t thread;
    (void)state;

    assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "sleeper", sleep_for_stop, NULL), TC_OK);
    assert_int_equal(pthread_create(&thread, NULL, post_stop, loop), 0);
    tc_loop_run(loop);
    pthread_join(thread, NULL);
    end_loop(&test, loop);
}

/* Timers */

struct bell {
    struct tc_timer timer;
    struct tc_cx *cx;
    int64_t rang_us;
    int n;
    struct tc_event rang;
};

static void ring(struct tc_timer *timer)
{
    struct bell *bell = (struct bell *)timer;

    bell->n++;
    bell->rang_us = tc_clock_mono_us(bell->cx->clock);
    tc_event_set(&bell->rang);
}

static void timers(struct tc_cx *cx, void *arg)
{
    enum { N = 200 };
    struct bell *bells = TC_ARENA_NEW_N(cx->arena, struct bell, N);
    int64_t now = tc_clock_mono_us(cx->clock);

    (void)arg;
    for (int i = 0; i < N; i++) {
        bells[i].cx = cx;
        expect(tc_timer_init(&bells[i].timer, tc_task_loop(cx), ring));
        tc_timer_set(&bells[i].timer, now + 3600 * (int64_t)1000000);
        tc_timer_set(&bells[i].timer, now + (i * 7919 % N) * 100); /* replaces */
    }
    for (int i = 0; i < N; i += 4)
        tc_timer_stop(&bells[i].timer);
    for (int i = 0; i < N; i++) {
        if (i % 4)
            expect_int(tc_task_wait(cx, &bells[i].rang, 10 * 1000), TC_OK);
        expect_int(bells[i].n, i % 4 != 0);
        if (i % 4)
            expect(bells[i].rang_us >= now + (i * 7919 % N) * 100);
        tc_timer_finish(&bells[i].timer);
        tc_timer_finish(&bells[i].timer);
    }
}

void test_loop__timers_fire_once_not_early_and_can_be_stopped(void **state)
{
    (void)state;
    test_task_run(timers, NULL);
}

/* Turns */

struct turns {
    struct tc_loop_hook hook;
    struct tc_event woken;
    int asked, calls, asked_at_call;
};

static void end_of_turn(struct tc_loop_hook *hook)
{
    struct turns *turns = (struct turns *)hook;

    turns->calls++;
    turns->asked_at_call = turns->asked;
    tc_event_set(&turns->woken);
}

static void ask_for_a_call(struct tc_cx *cx, void *arg)
{
    struct turns *turns = arg;

    turns->asked++;
    tc_loop_after_turn(tc_task_loop(cx), &turns->hook);
    expect_int(tc_task_wait(cx, &turns->woken, 60 * 1000), TC_OK);
}

static void ask_again(struct tc_cx *cx, void *arg)
{
    struct turns *turns = arg;
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 20; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "asker", ask_for_a_call, turns), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(turns->calls, 1);
    expect_int(turns->asked_at_call, 20);
    tc_event_clear(&turns->woken);
    ask_for_a_call(cx, turns);
    expect_int(turns->calls, 2);
    expect_int(turns->asked_at_call, 21);
}

void test_loop__calls_a_hook_once_when_the_turn_of_all_is_over(void **state)
{
    struct turns turns = {.hook = {.fn = end_of_turn}};
    struct test_cx test;
    struct tc_loop *loop = make_loop(&test);
    (void)state;

    assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "turns", ask_again, &turns), TC_OK);
    tc_loop_run(loop);
    assert_int_equal(turns.calls, 2);
    end_loop(&test, loop);
}

static void count_poll(uv_check_t *check)
{
    ++*(int *)check->data;
}

static void forget_check(uv_handle_t *handle)
{
    handle->data = NULL;
}

static void wait_for_hooks(struct tc_cx *cx, void *arg)
{
    struct turns turns = {.hook = {.fn = end_of_turn}};
    uv_check_t check;
    int polls = 0;

    (void)arg;
    uv_check_init(tc_loop_uv(tc_task_loop(cx)), &check);
    check.data = &polls;
    uv_check_start(&check, count_poll);
    for (int i = 0; i < 50; i++) {
        tc_event_clear(&turns.woken);
        ask_for_a_call(cx, &turns);
    }
    expect_int(turns.calls, 50);
    expect_int(polls, 0);
    for (int i = 0; i < 1000; i++) {
        tc_event_clear(&turns.woken);
        ask_for_a_call(cx, &turns);
    }
    expect(polls > 0); /* but not for ever */
    uv_close((uv_handle_t *)&check, forget_check);
    while (check.data)
        tc_task_yield(cx);
}

void test_loop__runs_what_a_hook_wakes_before_it_polls(void **state)
{
    (void)state;
    test_task_run(wait_for_hooks, NULL);
}

static void set_event_from_uv(uv_timer_t *timer)
{
    tc_event_set(timer->data);
}

static void note_closed(uv_handle_t *handle)
{
    handle->data = NULL;
}

/* libuv runs its timers before it polls: what they wake must not wait for the poll. */
static void wait_for_uv_timer(struct tc_cx *cx, void *arg)
{
    uv_timer_t timer;
    struct tc_event event;

    (void)arg;
    uv_timer_init(tc_loop_uv(tc_task_loop(cx)), &timer);
    for (unsigned ms = 0; ms < 3; ms++) {
        event = (struct tc_event){0};
        timer.data = &event;
        uv_timer_start(&timer, set_event_from_uv, ms, 0);
        expect_int(tc_task_wait(cx, &event, -1), TC_OK);
    }
    uv_close((uv_handle_t *)&timer, note_closed);
    while (timer.data)
        tc_task_yield(cx);
}

void test_loop__runs_at_once_what_a_timer_of_libuv_wakes(void **state)
{
    (void)state;
    test_task_run(wait_for_uv_timer, NULL);
}

static void spin(struct tc_cx *cx, void *arg)
{
    while (!atomic_load((atomic_bool *)arg))
        tc_task_yield(cx);
}

static void stop_spinner(void *arg)
{
    atomic_store((atomic_bool *)arg, true);
}

static void sleep_beside_spinner(struct tc_cx *cx, void *arg)
{
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "spinner", spin, arg), TC_OK);
    expect_int(tc_task_sleep(cx, 5), TC_OK);
    expect_int(tc_offload(cx, stop_spinner, arg), TC_OK);
}

void test_loop__a_busy_task_does_not_starve_timers_and_io(void **state)
{
    atomic_bool stop = false;
    (void)state;

    test_task_run(sleep_beside_spinner, &stop);
}

static void idle(struct tc_cx *cx, void *arg)
{
    (void)arg;
    expect_int(tc_task_sleep(cx, 200), TC_OK);
}

void test_loop__takes_no_processor_time_while_all_wait(void **state)
{
    struct rusage before, after;
    (void)state;

    getrusage(RUSAGE_SELF, &before);
    test_task_run(idle, NULL);
    getrusage(RUSAGE_SELF, &after);
    assert_true((after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 + after.ru_utime.tv_usec -
                    before.ru_utime.tv_usec < 150 * 1000);
}

static void on_sigpipe(int signal)
{
    (void)signal;
}

void test_loop__keeps_a_sigpipe_handling_that_was_set(void **state)
{
    struct test_cx test;
    struct sigaction action = {.sa_handler = SIG_DFL}, now;
    (void)state;

    sigaction(SIGPIPE, &action, NULL);
    end_loop(&test, make_loop(&test));
    sigaction(SIGPIPE, NULL, &now);
    assert_ptr_equal(now.sa_handler, SIG_IGN);
    action.sa_handler = on_sigpipe;
    sigaction(SIGPIPE, &action, NULL);
    end_loop(&test, make_loop(&test));
    sigaction(SIGPIPE, NULL, &now);
    assert_ptr_equal(now.sa_handler, on_sigpipe);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

/* Failures */

void test_loop__reports_missing_memory(void **state)
{
    struct test_cx test;
    struct tc_loop *loop;
    int n = 0;
    (void)state;

    test_cx_init(&test);
    if (!tc_mem_fail_at(1, true))
        return;
    assert_int_equal(tc_loop_create(&test.cx, &loop), TC_E_NO_MEMORY);
    tc_mem_fail_at(0, false);
    assert_int_equal(tc_loop_create(&test.cx, &loop), TC_OK);
    for (size_t nth = 1; nth <= 2; nth++) { /* the task, the first timer slots */
        tc_mem_fail_at(nth, false);
        assert_int_equal(tc_task_spawn(&test.cx, loop, NULL, "none", sleep_until_stop, &n), TC_E_NO_MEMORY);
    }
    tc_mem_fail_at(1, false);
    assert_false(tc_loop_post(loop, set_flag, &n));
    tc_mem_fail_at(0, false);
    tc_loop_run(loop);
    end_loop(&test, loop);
}

void test_loop__reports_missing_descriptors(void **state)
{
    struct rlimit limit, few;
    struct test_cx test;
    struct tc_loop *loop;
    (void)state;

    test_cx_init(&test);
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t n = 3; n < 7; n++) {
        few = (struct rlimit){n, limit.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        if (tc_loop_create(&test.cx, &loop) == TC_OK)
            tc_loop_destroy(loop);
        else
            assert_int_equal(test.cx.err.code, TC_E_IO);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    test_cx_finish(&test);
}
