#include "support/task.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/queue.h"

enum { ITEMS = 1000 };

struct pipe {
    struct tc_queue queue;
    int items[ITEMS];
    int sent, received, most;
};

static void produce(struct tc_cx *cx, void *arg)
{
    struct pipe *pipe = arg;

    for (int i = 0; i < ITEMS; i++) {
        pipe->items[i] = i;
        expect_int(tc_queue_send(cx, &pipe->queue, &pipe->items[i]), TC_OK);
        pipe->sent++;
        if (pipe->sent - pipe->received > pipe->most)
            pipe->most = pipe->sent - pipe->received;
    }
    tc_queue_close(&pipe->queue);
}

static void consume(struct tc_cx *cx, void *arg)
{
    struct pipe *pipe = arg;
    void *item;

    expect_int(tc_queue_init(cx, &pipe->queue, 4), TC_OK);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "producer", produce, pipe), TC_OK);
    while (tc_queue_recv(cx, &pipe->queue, -1, &item) == TC_OK) {
        expect_int(*(int *)item, pipe->received);
        pipe->received++;
        if (pipe->received % 100 == 0)
            tc_task_sleep(cx, 1);
    }
    expect_int(cx->err.code, TC_E_CLOSED);
    expect_int(pipe->received, ITEMS);
    expect(pipe->most <= 5); /* four in the queue and one that is being looked at */
    expect_int(tc_queue_recv(cx, &pipe->queue, 0, &item), TC_E_CLOSED);
    tc_queue_finish(&pipe->queue);
}

void test_queue__keeps_order_and_holds_the_sender_back(void **state)
{
    struct pipe pipe = {0};
    (void)state;

    test_task_run(consume, &pipe);
}

struct sender {
    struct tc_queue *queue;
    enum tc_err code;
};

static void send_one(struct tc_cx *cx, void *arg)
{
    struct sender *sender = arg;

    sender->code = tc_queue_send(cx, sender->queue, sender);
}

static void receive_one(struct tc_cx *cx, void *arg)
{
    struct sender *receiver = arg;
    void *item;

    receiver->code = tc_queue_recv(cx, receiver->queue, -1, &item);
}

static void close_wakes(struct tc_cx *cx, void *arg)
{
    struct tc_queue full, empty;
    struct sender senders[3], receivers[3];
    struct tc_task_group group;
    int x;
    void *item;

    (void)arg;
    expect_int(tc_queue_init(cx, &full, 1), TC_OK);
    expect_int(tc_queue_init(cx, &empty, 1), TC_OK);
    expect(tc_queue_try_send(&full, &x));
    expect(!tc_queue_try_send(&full, &x));
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 3; i++) {
        senders[i] = (struct sender){&full, TC_OK};
        receivers[i] = (struct sender){&empty, TC_OK};
        expect_int(tc_task_spawn(cx, group.loop, &group, "sender", send_one, &senders[i]), TC_OK);
        expect_int(tc_task_spawn(cx, group.loop, &group, "receiver", receive_one, &receivers[i]), TC_OK);
    }
    tc_task_yield(cx);
    tc_queue_close(&full);
    tc_queue_close(&empty);
    expect_int(tc_task_join(cx, &group), TC_OK);
    for (int i = 0; i < 3; i++) {
        expect_int(senders[i].code, TC_E_CLOSED);
        expect_int(receivers[i].code, TC_E_CLOSED);
    }
    expect(!tc_queue_try_send(&empty, &x));
    expect_int(tc_queue_recv(cx, &full, -1, &item), TC_OK); /* what was in it is still there */
    expect(item == &x);
    expect(tc_queue_try_recv(&full) == NULL);
    tc_queue_finish(&full);
    tc_queue_finish(&empty);
}

void test_queue__close_wakes_all_and_keeps_what_is_inside(void **state)
{
    (void)state;
    test_task_run(close_wakes, NULL);
}

static void recv_timeout(struct tc_cx *cx, void *arg)
{
    struct tc_queue queue;
    int64_t before = tc_clock_mono_us(cx->clock);
    void *item = NULL;

    (void)arg;
    expect_int(tc_queue_init(cx, &queue, 1), TC_OK);
    expect_int(tc_queue_recv(cx, &queue, 15, &item), TC_E_TIMEOUT);
    expect(tc_clock_mono_us(cx->clock) - before >= 15000);
    expect_int(tc_queue_recv(cx, &queue, 0, &item), TC_E_TIMEOUT);
    expect(item == NULL);
    tc_queue_finish(&queue);
}

void test_queue__recv_keeps_its_timeout(void **state)
{
    (void)state;
    test_task_run(recv_timeout, NULL);
}

/* A cancelled receiver must not swallow the wake-up of the item that came. */
static void no_lost_wake(struct tc_cx *cx, void *arg)
{
    struct tc_queue queue;
    struct sender receivers[2];
    struct tc_task *first;
    struct tc_task_group group;
    int x;

    (void)arg;
    expect_int(tc_queue_init(cx, &queue, 1), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    receivers[0] = receivers[1] = (struct sender){&queue, TC_OK};
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "first", receive_one, &receivers[0], &first), TC_OK);
    expect_int(tc_task_spawn(cx, group.loop, &group, "second", receive_one, &receivers[1]), TC_OK);
    tc_task_yield(cx);
    tc_task_cancel(first, TC_E_CANCELED);
    expect(tc_queue_try_send(&queue, &x));
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(receivers[0].code, TC_E_CANCELED);
    expect_int(receivers[1].code, TC_OK);
    /* And in the other order: woken by the item, then cancelled, it still takes it. */
    receivers[0].code = TC_E_INTERNAL;
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "first", receive_one, &receivers[0], &first), TC_OK);
    tc_task_yield(cx);
    expect(tc_queue_try_send(&queue, &x));
    tc_task_cancel(first, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(receivers[0].code, TC_OK);
    expect(tc_queue_try_recv(&queue) == NULL);
    tc_queue_finish(&queue);
}

void test_queue__loses_no_item_to_a_cancelled_receiver(void **state)
{
    (void)state;
    test_task_run(no_lost_wake, NULL);
}

void test_queue__init_fails_without_memory(void **state)
{
    struct test_cx test;
    struct tc_queue queue;
    (void)state;

    if (!tc_mem_fail_at(1, true))
        return;
    test_cx_init(&test);
    assert_int_equal(tc_queue_init(&test.cx, &queue, 8), TC_E_NO_MEMORY);
    tc_mem_fail_at(0, false);
    test_cx_finish(&test);
}
