/*
 * One uv_poll each. It is started by the first wait and goes on until the descriptor is
 * ready with nobody waiting, so that a reader that keeps up costs no epoll_ctl.
 */
#include "io/watch.h"

#include <assert.h>

#include "base/mem.h"
#include "io/sched.h"

struct tc_watch {
    uv_poll_t poll;
    unsigned refs; /* of the handle, and of the call that waits */
    bool started, closed;
    struct tc_event ready; /* never set but by closing: who waits */
};

static void unref(struct tc_watch *watch)
{
    if (--watch->refs == 0)
        tc_mem_free(watch);
}

static void on_closed(uv_handle_t *handle)
{
    unref(handle->data);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct tc_watch *watch = poll->data;

    (void)events;
    if (status < 0) /* libuv has let it go: the read will tell why */
        watch->started = false;
    if (watch->ready.waiters) {
        tc_sched_wake_first(&watch->ready);
    } else if (watch->started) {
        uv_poll_stop(poll);
        watch->started = false;
    }
}

enum tc_err tc_watch_open(struct tc_cx *cx, struct tc_loop *loop, int fd, struct tc_watch **ret_watch)
{
    struct tc_watch *watch = tc_mem_zalloc(1, sizeof *watch);
    int rc;

    if (!watch)
        return tc_fail_memory(cx);
    rc = uv_poll_init(tc_loop_uv(loop), &watch->poll, fd);
    if (rc != 0) {
        tc_mem_free(watch);
        return tc_fail(cx, TC_E_IO, "A descriptor cannot be watched: %s.", tc_sched_errno(-rc));
    }
    watch->poll.data = watch;
    watch->refs = 1;
    *ret_watch = watch;
    return TC_OK;
}

void tc_watch_close(struct tc_watch *watch)
{
    if (!watch || watch->closed)
        return;
    watch->closed = true;
    uv_close((uv_handle_t *)&watch->poll, on_closed);
    tc_event_set(&watch->ready);
}

enum tc_err tc_watch_readable(struct tc_cx *cx, struct tc_watch *watch, int64_t timeout_ms)
{
    enum tc_err e;

    assert(!watch->ready.waiters);
    if (watch->closed)
        return tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The descriptor is not watched any more."));
    if (!watch->started && uv_poll_start(&watch->poll, UV_READABLE, on_ready) != 0)
        return tc_sched_fail(cx, TC_E_IO, TC_STR("A descriptor cannot be watched."));
    watch->started = true;
    watch->refs++;
    e = tc_task_wait(cx, &watch->ready, timeout_ms);
    if (!e && watch->closed)
        e = tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The descriptor is not watched any more."));
    unref(watch);
    return e;
}
