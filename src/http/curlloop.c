/*
 * One uv_poll a socket that libcurl waits for, made and dropped as it asks.
 */
#include "http/curlloop.h"

#include <assert.h>
#include <uv.h>

#include "base/mem.h"
#include "io/loop.h"

struct tc_curlloop {
    CURLM *multi;
    uv_loop_t *uv;
    uv_timer_t timer;
    struct tc_curlloop_events events;
};

struct watch {
    uv_poll_t poll;
    struct tc_curlloop *curlloop;
    curl_socket_t fd;
};

static void drive(struct tc_curlloop *curlloop, curl_socket_t fd, int events)
{
    CURLMsg *message;
    int unused;

    curl_multi_socket_action(curlloop->multi, fd, events, &unused);
    while ((message = curl_multi_info_read(curlloop->multi, &unused))) {
        void *transfer = NULL;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        curlloop->events.done(transfer, message->data.result);
    }
}

static void on_timer(uv_timer_t *timer)
{
    drive(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct watch *watch = poll->data;
    int action = status < 0 ? CURL_CSELECT_ERR : 0;

    if (events & UV_READABLE)
        action |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        action |= CURL_CSELECT_OUT;
    drive(watch->curlloop, watch->fd, action);
}

static int set_timer(CURLM *multi, long ms, void *arg)
{
    struct tc_curlloop *curlloop = arg;

    (void)multi;
    if (ms < 0) {
        uv_timer_stop(&curlloop->timer);
    } else {
        uv_update_time(curlloop->uv); /* a task may have run for long since the last poll */
        uv_timer_start(&curlloop->timer, on_timer, (uint64_t)ms, 0);
    }
    return 0;
}

static void on_watch_closed(uv_handle_t *handle)
{
    tc_mem_free(handle->data);
}

static void end_watch(struct watch *watch)
{
    curl_multi_assign(watch->curlloop->multi, watch->fd, NULL);
    uv_poll_stop(&watch->poll);
    uv_close((uv_handle_t *)&watch->poll, on_watch_closed);
}

static struct watch *begin_watch(struct tc_curlloop *curlloop, curl_socket_t fd)
{
    struct watch *watch = tc_mem_zalloc(1, sizeof *watch);

    if (!watch)
        return NULL;
    if (uv_poll_init_socket(curlloop->uv, &watch->poll, fd) != 0) {
        tc_mem_free(watch);
        return NULL;
    }
    watch->poll.data = watch;
    watch->curlloop = curlloop;
    watch->fd = fd;
    curl_multi_assign(curlloop->multi, fd, watch);
    return watch;
}

static void leave(struct tc_curlloop *curlloop, CURL *easy, curl_socket_t fd)
{
    void *transfer = NULL;

    if (easy && curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer) == CURLE_OK && transfer)
        curlloop->events.left(transfer, fd);
}

static int set_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket_arg)
{
    struct watch *watch = socket_arg;
    int events = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);

    if (what == CURL_POLL_REMOVE) {
        leave(arg, easy, fd);
        if (watch)
            end_watch(watch);
        return 0;
    }
    if (!watch)
        watch = begin_watch(arg, fd);
    return watch && uv_poll_start(&watch->poll, events, on_ready) == 0 ? 0 : -1;
}

static void on_closed(uv_handle_t *handle)
{
    tc_mem_free(handle->data);
}

enum tc_err tc_curlloop_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_curlloop_events *events,
                               struct tc_curlloop **ret_curlloop)
{
    struct tc_curlloop *curlloop = tc_mem_zalloc(1, sizeof *curlloop);

    if (!curlloop)
        return tc_fail_memory(cx);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(curlloop->multi = curl_multi_init())) {
        tc_mem_free(curlloop);
        return tc_fail_memory(cx);
    }
    curlloop->uv = tc_loop_uv(loop);
    curlloop->events = *events;
    uv_timer_init(curlloop->uv, &curlloop->timer);
    curlloop->timer.data = curlloop;
    curl_multi_setopt(curlloop->multi, CURLMOPT_SOCKETFUNCTION, set_socket);
    curl_multi_setopt(curlloop->multi, CURLMOPT_SOCKETDATA, curlloop);
    curl_multi_setopt(curlloop->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(curlloop->multi, CURLMOPT_TIMERDATA, curlloop);
    *ret_curlloop = curlloop;
    return TC_OK;
}

void tc_curlloop_destroy(struct tc_curlloop *curlloop)
{
    if (!curlloop)
        return;
    curl_multi_cleanup(curlloop->multi); /* drops the connections that are kept, and their watches */
    curl_global_cleanup();
    uv_close((uv_handle_t *)&curlloop->timer, on_closed);
}

bool tc_curlloop_add(struct tc_curlloop *curlloop, CURL *easy)
{
    return curl_multi_add_handle(curlloop->multi, easy) == CURLM_OK;
}

void tc_curlloop_remove(struct tc_curlloop *curlloop, CURL *easy)
{
    curl_multi_remove_handle(curlloop->multi, easy);
}
