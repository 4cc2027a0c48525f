/*
 * Work for libuv's thread pool. The request lives on the waiting task's stack,
 * which stays as it is until the loop has heard of the end.
 */
#include "io/offload.h"

#include "io/sched.h"

struct job {
    uv_work_t work;
    void (*fn)(void *arg);
    void *arg;
    struct tc_event done;
};

static void on_pool(uv_work_t *work)
{
    struct job *job = work->data;

    job->fn(job->arg);
}

static void on_done(uv_work_t *work, int status)
{
    struct job *job = work->data;

    (void)status; /* nobody cancels it */
    tc_event_set(&job->done);
}

enum tc_err tc_offload(struct tc_cx *cx, void (*fn)(void *arg), void *arg)
{
    struct job job = {.fn = fn, .arg = arg};
    enum tc_err code = tc_task_check(cx);
    int rc;

    if (code != TC_OK)
        return code;
    job.work.data = &job;
    rc = uv_queue_work(tc_loop_uv(tc_task_loop(cx)), &job.work, on_pool, on_done);
    if (rc != 0)
        return tc_fail(cx, TC_E_IO, "The thread pool did not take the work: %s.", tc_sched_errno(-rc));
    tc_task_shield(cx);
    tc_task_wait(cx, &job.done, -1);
    tc_task_unshield(cx);
    return TC_OK;
}
