/*
 * The event loop: one thread, libuv below, tasks above. It owns the pooled
 * stacks, the timers and every task that runs on it.
 *
 * Lifetime: create, spawn first tasks, run until stopped and empty, destroy.
 */
#ifndef TC_IO_LOOP_H
#define TC_IO_LOOP_H

#include "toolcrib/cx.h"

struct tc_loop;
struct uv_loop_s;

/* Real time, or a virtual clock that stands still until tc_loop_advance. Where
 * SIGPIPE has its default handling it is ignored from here on. */
enum tc_err tc_loop_create(struct tc_cx *cx, struct tc_loop **ret_loop);
enum tc_err tc_loop_create_virtual(struct tc_cx *cx, int64_t wall_ms, struct tc_loop **ret_loop);
/* The loop must have ended: no task alive, no stream or other handle open. Calls
 * what was posted last, and waits for the end of processes that were destroyed
 * while they ran. NULL is fine. */
void tc_loop_destroy(struct tc_loop *loop);

/* Runs until tc_loop_stop was called and the last task has ended, or until no
 * task is left. */
void tc_loop_run(struct tc_loop *loop);
/* Cancels every task with TC_E_SHUTDOWN; new ones are refused. From the loop's
 * own thread; from elsewhere post it. */
void tc_loop_stop(struct tc_loop *loop);
/* True from tc_loop_stop on. */
bool tc_loop_stopping(const struct tc_loop *loop);

/* Calls fn(arg) on the loop's thread soon. The one call that is safe from any
 * thread. False without memory or after destruction began. */
bool tc_loop_post(struct tc_loop *loop, void (*fn)(void *), void *arg);
/* Calls hook->fn(hook) once, before the loop waits for I/O again: when the tasks
 * that are ready now have had their turn. For what is cheaper for many at once. Tasks
 * that it wakes go on before that wait, too. The hook is the caller's and stays until
 * it is called; a second time before that is nothing. On the loop's thread. */
struct tc_loop_hook {
    void (*fn)(struct tc_loop_hook *hook);
    struct tc_loop_hook *next;
    bool queued;
};
void tc_loop_after_turn(struct tc_loop *loop, struct tc_loop_hook *hook);
/* Other tasks than the one that runs are to run in this turn. */
bool tc_loop_has_ready(const struct tc_loop *loop);
/* Moves a virtual clock forward; due timers fire in order. From a task of the
 * loop or before it runs. A bug on a real-time loop. */
void tc_loop_advance(struct tc_loop *loop, int64_t ms);

const struct tc_clock *tc_loop_clock(const struct tc_loop *loop);
/* The time of that clock (mono_us) as of when the loop last polled, in whole
 * milliseconds: for limits of seconds, at no cost. The present time where the clock is
 * virtual. */
int64_t tc_loop_lately_us(const struct tc_loop *loop);
/* For io/ and http/ only. */
struct uv_loop_s *tc_loop_uv(struct tc_loop *loop);

#endif
