/*
 * Timers on a loop's own clock, so that a virtual clock moves them too. A timer
 * is a struct inside its owner; a task has one for its waits, and what has no
 * task (an idle connection) may have one of its own.
 */
#ifndef TC_IO_TIMER_H
#define TC_IO_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tc_loop;

struct tc_timer {
    struct tc_loop *loop;
    void (*fn)(struct tc_timer *timer);
    int64_t due;  /* tc_clock_mono_us */
    uint64_t seq; /* of two that are due at once, the one set first fires first */
    size_t at;    /* its place in the heap, from 1; 0 when not set */
};

/* fn is called on the loop's thread and must not park. False without memory;
 * setting it later needs none. */
bool tc_timer_init(struct tc_timer *timer, struct tc_loop *loop, void (*fn)(struct tc_timer *timer));
/* Stops it; safe on a zeroed struct and twice. */
void tc_timer_finish(struct tc_timer *timer);
/* Fires once, at that instant of the loop's clock or soon after; replaces what
 * was set. An instant that has passed fires soon, never inside this call. */
void tc_timer_set(struct tc_timer *timer, int64_t mono_us);
void tc_timer_stop(struct tc_timer *timer);

/* The loop's side. */
struct tc_timer_heap {
    struct tc_timer **items; /* binary heap, the earliest first */
    size_t n, cap, reserved; /* set ones; room; initialised ones */
    uint64_t seq;
};
/* When the earliest fires; INT64_MAX: none is set. */
int64_t tc_timer_heap_due(const struct tc_timer_heap *heap);
/* Takes the earliest out and calls its function. One must be set. */
void tc_timer_heap_fire(struct tc_timer_heap *heap);

#endif
