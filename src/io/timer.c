/*
 * A binary heap of pointers. Each initialised timer owns a slot of the array
 * whether it is set or not, so a wait never fails for want of memory.
 */
#include "io/timer.h"

#include <assert.h>

#include "base/mem.h"
#include "io/sched.h"

enum { CAP_FIRST = 64 };

bool tc_timer_init(struct tc_timer *timer, struct tc_loop *loop, void (*fn)(struct tc_timer *timer))
{
    struct tc_timer_heap *heap = &loop->timers;

    if (heap->reserved == heap->cap) {
        size_t cap = heap->cap ? heap->cap * 2 : CAP_FIRST;
        struct tc_timer **items = tc_mem_realloc(heap->items, cap * sizeof(struct tc_timer *));

        if (!items)
            return false;
        heap->items = items;
        heap->cap = cap;
    }
    heap->reserved++;
    *timer = (struct tc_timer){.loop = loop, .fn = fn};
    return true;
}

void tc_timer_finish(struct tc_timer *timer)
{
    if (!timer->loop)
        return;
    tc_timer_stop(timer);
    timer->loop->timers.reserved--;
    timer->loop = NULL;
}

static bool before(const struct tc_timer *a, const struct tc_timer *b)
{
    return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

static void place(struct tc_timer_heap *heap, size_t at, struct tc_timer *timer)
{
    heap->items[at - 1] = timer;
    timer->at = at;
}

static void sift_up(struct tc_timer_heap *heap, size_t at, struct tc_timer *timer)
{
    for (; at > 1 && before(timer, heap->items[at / 2 - 1]); at /= 2)
        place(heap, at, heap->items[at / 2 - 1]);
    place(heap, at, timer);
}

static void sift_down(struct tc_timer_heap *heap, size_t at, struct tc_timer *timer)
{
    for (size_t child = at * 2; child <= heap->n; at = child, child *= 2) {
        if (child < heap->n && before(heap->items[child], heap->items[child - 1]))
            child++;
        if (before(timer, heap->items[child - 1]))
            break;
        place(heap, at, heap->items[child - 1]);
    }
    place(heap, at, timer);
}

void tc_timer_set(struct tc_timer *timer, int64_t mono_us)
{
    struct tc_timer_heap *heap = &timer->loop->timers;

    tc_timer_stop(timer);
    timer->due = mono_us;
    timer->seq = heap->seq++;
    sift_up(heap, ++heap->n, timer);
    if (timer->at == 1 && timer->loop->polling)
        uv_stop(&timer->loop->uv); /* the poll that may come next in this round does not know of it */
}

void tc_timer_stop(struct tc_timer *timer)
{
    struct tc_timer_heap *heap = &timer->loop->timers;
    size_t at = timer->at;
    struct tc_timer *last;

    if (at == 0)
        return;
    timer->at = 0;
    last = heap->items[--heap->n];
    if (last == timer)
        return;
    if (at > 1 && before(last, heap->items[at / 2 - 1]))
        sift_up(heap, at, last);
    else
        sift_down(heap, at, last);
}

int64_t tc_timer_heap_due(const struct tc_timer_heap *heap)
{
    return heap->n ? heap->items[0]->due : INT64_MAX;
}

void tc_timer_heap_fire(struct tc_timer_heap *heap)
{
    struct tc_timer *timer = heap->items[0];

    assert(heap->n > 0);
    tc_timer_stop(timer);
    timer->fn(timer);
}
