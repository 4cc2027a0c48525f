/*
 * The processes of the shell: fibers that take turns on one thread. A stage of a
 * pipeline, a job, a subshell that must not hold up its parent is one. A process runs
 * until it waits (for a pipe, a time, another process, a real descriptor) or until its
 * slice of a millisecond is over at a tick. When none can run the scheduler sleeps in
 * poll(2) until a time or a real descriptor is due. Nothing here is a process of the
 * host.
 */
#ifndef TC_SHELL_SCHED_H
#define TC_SHELL_SCHED_H

#include "shell/budget.h"
#include "toolcrib/cx.h"

struct tc_sh_sched;
struct tc_sh_proc;
struct tc_sh_env;

/* Where processes wait; a zeroed struct is an empty queue. */
struct tc_sh_queue {
    struct tc_sh_proc *first, *last;
};

/* destroy is called with the environment of each process that was spawned, at its end. */
struct tc_sh_sched *tc_sh_sched_create(struct tc_sh_budget *budget, void (*destroy)(struct tc_sh_env *env));
/* After the budget was spent in an interactive shell: it is as new, processes other than this one are killed,
 * and what canceled the call is read away. */
void tc_sh_sched_restart(struct tc_sh_sched *sched);
/* Once there is something to read at `fd`, or its other end is gone, the call is canceled. -1: never. */
void tc_sh_sched_cancel_on(struct tc_sh_sched *sched, int fd);
/* The stacks of a script and of a short pipeline are there before they begin. False without memory. */
bool tc_sh_sched_make_ready(struct tc_sh_sched *sched);
/* All processes have ended. */
void tc_sh_sched_destroy(struct tc_sh_sched *sched);

/* A new process that will run fn(arg) with `env`, which is taken in any case; its parent is the one
 * that runs. fn's result is its status. NULL without memory or over the limit (the budget is then
 * poisoned). The reference that is returned is the caller's: tc_sh_proc_unref. fn is always called,
 * also when the process was killed before its turn came: it owns what arg points to. */
struct tc_sh_proc *tc_sh_sched_spawn(struct tc_sh_sched *sched, struct tc_sh_env *env,
                                     int (*fn)(struct tc_sh_env *env, void *arg), void *arg);
/* Runs fn(arg) as the first process, on this thread, until it and all others have ended. Its `env`
 * stays the caller's. Without memory the budget is poisoned. */
int tc_sh_sched_run(struct tc_sh_sched *sched, struct tc_sh_env *env,
                    int (*fn)(struct tc_sh_env *env, void *arg), void *arg);

int64_t tc_sh_sched_live(const struct tc_sh_sched *sched); /* how many processes there are */
struct tc_sh_proc *tc_sh_sched_current(struct tc_sh_sched *sched);
int tc_sh_proc_pid(const struct tc_sh_proc *proc); /* from 1 on; the first is 1 */
int tc_sh_proc_parent(const struct tc_sh_proc *proc);
bool tc_sh_proc_ended(const struct tc_sh_proc *proc, int *ret_status); /* 128 + signal when killed */
int tc_sh_proc_signal(const struct tc_sh_proc *proc); /* that killed it; 0 none */
struct tc_sh_proc *tc_sh_proc_ref(struct tc_sh_proc *proc);
void tc_sh_proc_unref(struct tc_sh_proc *proc);
/* The scratch memory of the process that runs; rewound by whoever marks it. */
struct tc_arena *tc_sh_sched_arena(struct tc_sh_sched *sched);
/* Bytes of stack left to the process that runs. */
size_t tc_sh_sched_stack_left(struct tc_sh_sched *sched);
struct tc_sh_budget *tc_sh_sched_budget(struct tc_sh_sched *sched);
/* Monotonic ns; in a test whose waits are skipped, with them. */
int64_t tc_sh_sched_now(const struct tc_sh_sched *sched);
/* From now on no time is slept: the clock goes on at once to when something is due. */
void tc_sh_sched_skip_waits(struct tc_sh_sched *sched);

/* PARKS, all of these. False: stop (killed, budget). until: monotonic ns, 0 for ever; true as well when
 * that time is reached. A wait also ends early, with true, when a caught signal comes: wait in a loop. */
bool tc_sh_sched_tick(struct tc_sh_sched *sched, unsigned units);
bool tc_sh_sched_stopped(struct tc_sh_sched *sched);
bool tc_sh_sched_sleep(struct tc_sh_sched *sched, int64_t ns);
bool tc_sh_sched_wait(struct tc_sh_sched *sched, struct tc_sh_queue *queue, int64_t until); /* until woken */
bool tc_sh_sched_poll(struct tc_sh_sched *sched, int fd, short events, int64_t until); /* a real descriptor */
void tc_sh_sched_wake(struct tc_sh_queue *queue); /* all of them; does not park */
/* *ret_status is -1 when a caught signal ended the wait. */
bool tc_sh_sched_join(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int *ret_status);
/* Which of these has ended, the first that did; n when a caught signal ended the wait. False when stopped. */
bool tc_sh_sched_join_any(struct tc_sh_sched *sched, struct tc_sh_proc **procs, size_t n, size_t *ret_which);

/* It and its descendants: from now on their ticks and waits say stop, their status is 128 + signal.
 * A process that asked for it (tc_sh_sched_catch) is told instead, and goes on; none catches KILL. */
void tc_sh_sched_kill(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int signal);
struct tc_sh_proc *tc_sh_sched_find(struct tc_sh_sched *sched, int pid); /* borrowed; NULL */
/* Of the process that runs: *caught gets bit 1 << signal for signals of the mask. */
void tc_sh_sched_catch(struct tc_sh_sched *sched, uint64_t mask, uint64_t *caught);
/* Kills `proc` with `signal` after ns, and `again_ns` later (0 never) with KILL; *fired tells. */
void tc_sh_sched_kill_after(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int64_t ns, int signal,
                            int64_t again_ns, bool *fired);

#endif
