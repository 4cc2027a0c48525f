/*
 * One handle of libuv a watch; its memory goes when the loop has let go of it.
 */
#include "io/signal.h"

#include <uv.h>

#include "base/mem.h"
#include "io/loop.h"

struct tc_signal {
    uv_signal_t handle; /* first */
    void (*fn)(void *arg);
    void *arg;
};

static void on_signal(uv_signal_t *handle, int number)
{
    struct tc_signal *signal = (struct tc_signal *)handle;

    (void)number;
    signal->fn(signal->arg);
}

static void on_closed(uv_handle_t *handle)
{
    tc_mem_free(handle);
}

enum tc_err tc_signal_open(struct tc_cx *cx, struct tc_loop *loop, int number, void (*fn)(void *arg), void *arg,
                           struct tc_signal **ret_signal)
{
    struct tc_signal *signal = tc_mem_zalloc(1, sizeof *signal);

    if (!signal)
        return tc_fail_memory(cx);
    if (uv_signal_init(tc_loop_uv(loop), &signal->handle) != 0) {
        tc_mem_free(signal);
        return tc_fail(cx, TC_E_IO, "Signals cannot be watched.");
    }
    uv_unref((uv_handle_t *)&signal->handle);
    signal->fn = fn;
    signal->arg = arg;
    if (uv_signal_start(&signal->handle, on_signal, number) != 0) {
        tc_signal_close(signal);
        return tc_fail(cx, TC_E_IO, "Signals cannot be watched.");
    }
    *ret_signal = signal;
    return TC_OK;
}

void tc_signal_close(struct tc_signal *signal)
{
    if (signal)
        uv_close((uv_handle_t *)&signal->handle, on_closed);
}
