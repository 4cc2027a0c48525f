/*
 * A ring of pointers. An item that arrives wakes one receiver and a place that
 * becomes free one sender, in the order in which they came; both look again
 * when they run, since another task may have been faster.
 */
#include "io/queue.h"

#include <assert.h>

#include "base/mem.h"
#include "io/sched.h"

enum tc_err tc_queue_init(struct tc_cx *cx, struct tc_queue *queue, size_t cap)
{
    void **items;

    assert(cap > 0);
    items = tc_mem_zalloc(cap, sizeof *items);
    if (!items)
        return tc_fail_memory(cx);
    *queue = (struct tc_queue){.items = items, .cap = cap};
    return TC_OK;
}

void tc_queue_finish(struct tc_queue *queue)
{
    assert(!queue->room.waiters && !queue->filled.waiters);
    tc_mem_free(queue->items);
    *queue = (struct tc_queue){.closed = true};
}

bool tc_queue_try_send(struct tc_queue *queue, void *item)
{
    assert(item);
    if (queue->closed || queue->n == queue->cap)
        return false;
    queue->items[(queue->head + queue->n++) % queue->cap] = item;
    tc_sched_wake_first(&queue->filled);
    return true;
}

void *tc_queue_try_recv(struct tc_queue *queue)
{
    void *item;

    if (queue->n == 0)
        return NULL;
    item = queue->items[queue->head];
    queue->head = (queue->head + 1) % queue->cap;
    queue->n--;
    tc_sched_wake_first(&queue->room);
    return item;
}

static enum tc_err fail_closed(struct tc_cx *cx)
{
    return tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The queue was closed."));
}

enum tc_err tc_queue_send(struct tc_cx *cx, struct tc_queue *queue, void *item)
{
    enum tc_err code = tc_task_check(cx);

    while (code == TC_OK && !queue->closed) {
        if (tc_queue_try_send(queue, item))
            return TC_OK;
        code = tc_sched_wait(cx, &queue->room, INT64_MAX);
    }
    return code == TC_OK ? fail_closed(cx) : code;
}

enum tc_err tc_queue_recv(struct tc_cx *cx, struct tc_queue *queue, int64_t timeout_ms, void **ret_item)
{
    enum tc_err code = tc_task_check(cx);
    int64_t due = INT64_MAX;
    void *item;

    if (code == TC_OK && queue->n == 0)
        due = tc_sched_due(tc_task_loop(cx), timeout_ms);
    while (code == TC_OK) {
        item = tc_queue_try_recv(queue);
        if (item) {
            *ret_item = item;
            return TC_OK;
        }
        if (queue->closed)
            return fail_closed(cx);
        code = tc_sched_wait(cx, &queue->filled, due);
    }
    return code;
}

void tc_queue_close(struct tc_queue *queue)
{
    queue->closed = true;
    tc_event_set(&queue->room);
    tc_event_set(&queue->filled);
}
