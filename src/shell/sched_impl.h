/*
 * What the two files of the scheduler share: sched.c turns and waits, process.c
 * begins, ends, finds and kills. A process is in the list of all from spawn to its
 * end; besides it is running, in the run queue, or waiting for any of a queue, a
 * time and a descriptor.
 */
#ifndef TC_SHELL_SCHED_IMPL_H
#define TC_SHELL_SCHED_IMPL_H

#include <poll.h>

#include "base/fiber.h"
#include "shell/sched.h"

struct tc_sh_proc {
    struct tc_sh_sched *sched;
    struct tc_fiber fiber;
    struct tc_arena arena;
    struct tc_sh_env *env; /* NULL when it is not ours to destroy */
    struct tc_sh_env *runs_in;
    int (*fn)(struct tc_sh_env *env, void *arg);
    void *arg;
    int refs, pid, parent, status;
    int signal;       /* that killed it */
    bool ended, waiting;
    uint64_t ended_as; /* counts the ends, from 1 on */
    uint64_t mask, *caught;
    struct tc_sh_proc *prev, *next;           /* of all that live */
    struct tc_sh_proc *queue_prev, *queue_next; /* of `queue`, or of the run queue */
    struct tc_sh_queue *queue;
    int64_t due; /* 0 never */
    int fd;      /* -1 none */
    short events;
    struct {
        int64_t at; /* 0 never */
        int signal;
        int64_t again_ns;
        bool *fired;
    } kill;
};

struct tc_sh_sched {
    struct tc_sh_budget *budget;
    void (*destroy)(struct tc_sh_env *env);
    struct tc_fiber_pool stacks;
    struct tc_arena arena; /* of what runs outside of processes */
    struct tc_sh_proc *all, *current;
    struct tc_sh_queue run;
    struct tc_sh_queue ends; /* those that wait for the end of any of several */
    int64_t live, pids;
    uint64_t ends_n;
    int64_t credit;    /* units until the clock is looked at */
    int64_t slice_end; /* 0: not yet known */
    int64_t next_look;
    unsigned turns;    /* since the clock was looked at */
    int64_t skipped;
    bool skip_waits, told;
    int cancel; /* -1 none */
    struct pollfd *polled;
    struct tc_sh_proc **pollers; /* by index of `polled` */
    size_t polled_max;
};

enum { TC_SH_SLICE_NS = 1000 * 1000 };

void tc_sh_queue_add(struct tc_sh_queue *queue, struct tc_sh_proc *proc);
void tc_sh_queue_remove(struct tc_sh_queue *queue, struct tc_sh_proc *proc);
/* Ends the wait of a process, if it waits. */
void tc_sh_proc_resume(struct tc_sh_proc *proc);
/* Takes an ended process out; on the stack of the scheduler. */
void tc_sh_proc_finish(struct tc_sh_proc *proc);
/* Kills the processes whose time has come. */
void tc_sh_proc_fire(struct tc_sh_proc *proc, int64_t now);

#endif
