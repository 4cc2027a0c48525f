/*
 * What tasks cost, in nanoseconds and as a ratio to a peer measured in the same
 * run: a switch to a call, handing over between tasks to handing over between
 * threads, spawning a task to creating a thread, offloading to a thread's answer.
 * Each figure is the best of ROUNDS rounds, the rounds of all figures interleaved.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fiber.h"
#include "io/loop.h"
#include "io/offload.h"
#include "io/queue.h"
#include "io/task.h"

enum { ROUNDS = 7, CALLS = 5 * 1000 * 1000, SWITCHES = 1000 * 1000, SPAWNS = 20 * 1000, TRIPS = 20 * 1000 };

static void must(enum tc_err code)
{
    if (code != TC_OK) {
        fprintf(stderr, "bench_task: %s\n", tc_err_info(code)->name);
        exit(1);
    }
}

/* Peers */

static void nothing(void *arg)
{
    ++*(volatile int *)arg;
}

static void (*volatile called)(void *) = nothing;

static void direct_call(struct tc_cx *cx, int n)
{
    int count = 0;

    (void)cx;
    while (n--)
        called(&count);
}

struct ends {
    sem_t there, back;
    int n;
};

static void *answer(void *arg)
{
    struct ends *ends = arg;

    for (int i = 0; i < ends->n; i++) {
        sem_wait(&ends->there);
        sem_post(&ends->back);
    }
    return NULL;
}

static void thread_trip(struct tc_cx *cx, int n)
{
    struct ends ends = {.n = n};
    pthread_t thread;

    (void)cx;
    sem_init(&ends.there, 0, 0);
    sem_init(&ends.back, 0, 0);
    must(pthread_create(&thread, NULL, answer, &ends) ? TC_E_INTERNAL : TC_OK);
    while (n--) {
        sem_post(&ends.there);
        sem_wait(&ends.back);
    }
    pthread_join(thread, NULL);
}

static void *thread_body(void *arg)
{
    nothing(arg);
    return NULL;
}

static void thread_spawn(struct tc_cx *cx, int n)
{
    int count = 0;

    (void)cx;
    while (n--) {
        pthread_t thread;

        must(pthread_create(&thread, NULL, thread_body, &count) ? TC_E_INTERNAL : TC_OK);
        pthread_join(thread, NULL);
    }
}

/* Ours */

static void suspend_always(void *arg)
{
    struct tc_fiber **fiber = arg;

    while (*fiber)
        tc_fiber_suspend(*fiber);
}

static void fiber_switch(struct tc_cx *cx, int n)
{
    struct tc_fiber_pool pool = {0};
    struct tc_fiber fiber, *running = &fiber;

    (void)cx;
    must(tc_fiber_init(&fiber, &pool, suspend_always, &running) ? TC_OK : TC_E_NO_MEMORY);
    while (n--)
        tc_fiber_resume(&fiber);
    running = NULL;
    tc_fiber_resume(&fiber);
    tc_fiber_finish(&fiber, &pool);
    tc_fiber_pool_finish(&pool);
}

static void task_yield(struct tc_cx *cx, int n)
{
    while (n--)
        must(tc_task_yield(cx));
}

struct table {
    struct tc_queue there, back;
    int n;
};

static void answer_task(struct tc_cx *cx, void *arg)
{
    struct table *table = arg;
    void *item;

    while (tc_queue_recv(cx, &table->there, -1, &item) == TC_OK)
        must(tc_queue_send(cx, &table->back, item));
}

static void task_trip(struct tc_cx *cx, int n)
{
    struct table table = {0};
    struct tc_task_group group;
    void *item;

    must(tc_queue_init(cx, &table.there, 1));
    must(tc_queue_init(cx, &table.back, 1));
    tc_task_group_init(&group, tc_task_loop(cx));
    must(tc_task_spawn(cx, group.loop, &group, "answer", answer_task, &table));
    while (n--) {
        must(tc_queue_send(cx, &table.there, &table));
        must(tc_queue_recv(cx, &table.back, -1, &item));
    }
    tc_queue_close(&table.there);
    must(tc_task_join(cx, &group));
    tc_queue_finish(&table.there);
    tc_queue_finish(&table.back);
}

static void task_body(struct tc_cx *cx, void *arg)
{
    (void)cx;
    nothing(arg);
}

static void spawn_batches(struct tc_cx *cx, int n, int batch)
{
    struct tc_task_group group;
    int count = 0;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 1; i <= n; i++) {
        must(tc_task_spawn(cx, group.loop, &group, "body", task_body, &count));
        if (i % batch == 0)
            must(tc_task_join(cx, &group));
    }
    must(tc_task_join(cx, &group));
}

static void task_spawn(struct tc_cx *cx, int n)
{
    spawn_batches(cx, n, 1);
}

static void task_spawn_burst(struct tc_cx *cx, int n)
{
    spawn_batches(cx, n, 5000); /* more than the pool of stacks keeps */
}

static void offload_trip(struct tc_cx *cx, int n)
{
    int count = 0;

    while (n--)
        must(tc_offload(cx, nothing, &count));
}

enum { CALL, SWITCH, YIELD, TASK_TRIP, THREAD_TRIP, TASK_SPAWN, TASK_BURST, THREAD_SPAWN, OFFLOAD, FIGURES };

static const struct {
    const char *name;
    void (*fn)(struct tc_cx *cx, int n);
    int n, peer;
} figures[FIGURES] = {
    [CALL] = {"direct call", direct_call, CALLS, CALL},
    [SWITCH] = {"fiber switch and back", fiber_switch, SWITCHES, CALL},
    [YIELD] = {"task yield", task_yield, SWITCHES, CALL},
    [THREAD_TRIP] = {"thread there and back (semaphores)", thread_trip, TRIPS, CALL},
    [TASK_TRIP] = {"task there and back (queues)", task_trip, SWITCHES, THREAD_TRIP},
    [THREAD_SPAWN] = {"thread create and join", thread_spawn, SPAWNS / 4, CALL},
    [TASK_SPAWN] = {"task spawn and join", task_spawn, SPAWNS, THREAD_SPAWN},
    [TASK_BURST] = {"task spawn and join, 5000 at once", task_spawn_burst, SPAWNS, THREAD_SPAWN},
    [OFFLOAD] = {"offload and back", offload_trip, TRIPS, THREAD_TRIP},
};

static void measure(struct tc_cx *cx, void *arg)
{
    double *best = arg;

    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < FIGURES; i++) {
            int64_t start = tc_clock_mono_us(cx->clock);
            double ns;

            figures[i].fn(cx, figures[i].n);
            ns = (double)(tc_clock_mono_us(cx->clock) - start) * 1000 / figures[i].n;
            if (round == 0 || ns < best[i])
                best[i] = ns;
        }
}

int main(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;
    double best[FIGURES];

    tc_arena_init(&arena, 0);
    must(tc_loop_create(&cx, &loop));
    must(tc_task_spawn(&cx, loop, NULL, "measure", measure, best));
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    for (int i = 0; i < FIGURES; i++)
        printf("%-36s %10.1f ns  %8.3f x %s\n", figures[i].name, best[i], best[i] / best[figures[i].peer],
               figures[figures[i].peer].name);
    tc_arena_finish(&arena);
    return 0;
}
