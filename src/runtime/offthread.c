/*
 * A job is made in the task's arena and finished by its hook.
 */
#include "runtime/offthread.h"

#include "base/clock.h"
#include "io/offload.h"

struct job {
    struct tc_arena arena;
    struct tc_cx cx;
    tc_offthread_fn *fn;
    void *arg;
    enum tc_err err;
};

static void run(void *arg)
{
    struct job *job = arg;

    job->err = job->fn(&job->cx, job->arg);
}

static void finish(void *arg)
{
    tc_arena_finish(arg);
}

enum tc_err tc_offthread_run(struct tc_cx *cx, tc_offthread_fn *fn, void *arg)
{
    struct job *job = TC_ARENA_NEW(cx->arena, struct job);
    enum tc_err err;

    if (!job)
        return tc_fail_memory(cx);
    tc_arena_init(&job->arena, 0);
    if (!tc_arena_defer(cx->arena, finish, &job->arena))
        return tc_fail_memory(cx);
    job->cx = (struct tc_cx){.arena = &job->arena, .clock = &tc_clock_system};
    job->fn = fn;
    job->arg = arg;
    err = tc_offload(cx, run, job);
    if (err)
        return err;
    if (job->err)
        cx->err = job->cx.err;
    return job->err;
}
