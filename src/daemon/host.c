/*
 * Attaching takes the lock and composes a daemon without TCP, or waits for the
 * socket of whoever holds it. Serving is the same daemon with TCP, told to people.
 */
#include "daemon/host.h"

#include <signal.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "api/openapi.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "daemon/daemon.h"
#include "daemon/interface.h"
#include "daemon/welcome.h"
#include "io/loop.h"
#include "io/signal.h"

enum { WAIT_MS = 5000, STEP_MS = 50 };

struct tc_host {
    struct tc_cli_host cli; /* first */
    struct tc_loop *loop;
    const struct tc_interface *interface;
    struct tc_arena arena;  /* of the configuration in use */
    struct tc_config config;
    struct tc_daemon *daemon; /* composed here, or NULL */
    struct tc_signal *signals[2];
    struct tc_event stop;
};

static struct tc_host *host_of(struct tc_cli_host *cli)
{
    return (struct tc_host *)cli;
}

/* --- configuration --- */

static enum tc_err read_config(struct tc_cx *cx, struct tc_host *host, const struct tc_cli_place *place)
{
    struct tc_config_options options = {place->data, place->config, place->listen};
    struct tc_cx inner = {.arena = &host->arena, .clock = cx->clock, .task = cx->task};
    char *level;
    enum tc_err e;

    tc_arena_finish(&host->arena);
    e = tc_config_read(&inner, &options, &host->config);
    if (e) { /* in the caller's arena: ours goes with the next try */
        struct tc_error fault = inner.err;
        tc_fail(cx, e, "%.*s", TC_STR_ARG(fault.message));
        if (fault.hint.n)
            tc_fail_hint(cx, "%.*s", TC_STR_ARG(fault.hint));
        return fault.field.n ? tc_fail_field(cx, fault.field) : e;
    }
    level = tc_arena_cstr(cx->arena, host->config.log_level);
    if (level)
        tc_log_set_level((enum tc_log_level)tc_log_level_of(level));
    return TC_OK;
}

/* --- attaching --- */

static bool answers(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd, rc;

    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    rc = connect(fd, (struct sockaddr *)&address, sizeof address);
    close(fd);
    return rc == 0;
}

static enum tc_err attach(struct tc_cx *cx, struct tc_cli_host *cli, const struct tc_cli_place *place,
                          struct tc_str *ret_socket)
{
    struct tc_host *host = host_of(cli);
    struct tc_daemon_options options = {host->loop, &host->config, false, false, NULL};
    struct tc_str socket;
    int64_t until;
    enum tc_err e;

    if (host->daemon) {
        *ret_socket = tc_daemon_socket(cx, &host->config);
        return ret_socket->p ? TC_OK : tc_fail_memory(cx);
    }
    e = read_config(cx, host, place);
    if (e)
        return e;
    socket = tc_daemon_socket(cx, &host->config);
    if (!socket.p)
        return tc_fail_memory(cx);
    *ret_socket = socket;
    until = tc_clock_mono_us(cx->clock) + (int64_t)WAIT_MS * 1000;
    for (;;) {
        struct tc_error locked;
        if (answers(socket.p))
            return TC_OK;
        e = tc_daemon_start(cx, &options, &host->daemon);
        if (e != TC_E_STORE_LOCKED)
            return e;
        locked = cx->err;
        if (tc_clock_mono_us(cx->clock) >= until) {
            cx->err = locked;
            return e;
        }
        e = tc_task_sleep(cx, STEP_MS);
        if (e)
            return e;
    }
}

static void detach(struct tc_cx *cx, struct tc_cli_host *cli)
{
    struct tc_host *host = host_of(cli);

    tc_daemon_stop(cx, host->daemon);
    host->daemon = NULL;
}

/* --- serving --- */

static void on_signal(void *arg)
{
    struct tc_host *host = arg;

    tc_event_set(&host->stop);
}

static enum tc_err watch_signals(struct tc_cx *cx, struct tc_host *host)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    enum tc_err e = TC_OK;

    for (int i = 0; !e && i < 2; i++)
        e = tc_signal_open(cx, host->loop, numbers[i], on_signal, host, &host->signals[i]);
    return e;
}

static void unwatch_signals(struct tc_host *host)
{
    for (int i = 0; i < 2; i++) {
        tc_signal_close(host->signals[i]);
        host->signals[i] = NULL;
    }
}

static enum tc_err serve(struct tc_cx *cx, struct tc_cli_host *cli, const struct tc_cli_place *place)
{
    struct tc_host *host = host_of(cli);
    struct tc_daemon_options options = {host->loop, &host->config, true, true, host->interface};
    enum tc_err e = read_config(cx, host, place);

    if (!e)
        e = watch_signals(cx, host);
    if (!e)
        e = tc_daemon_start(cx, &options, &host->daemon);
    if (!e)
        e = tc_welcome_print(cx, tc_daemon_runtime(host->daemon), &host->config, tc_daemon_port(host->daemon),
                             host->interface->n > 0);
    if (!e) {
        tc_log(TC_LOG_INFO, "daemon.started", "listening on %.*s, port %d, data in %.*s",
               TC_STR_ARG(host->config.listen), tc_daemon_port(host->daemon), TC_STR_ARG(host->config.data_dir));
        e = tc_task_wait(cx, &host->stop, -1);
        tc_log(TC_LOG_INFO, "daemon.stopping", "%s", e ? "cancelled" : "asked by a signal");
        e = TC_OK;
    }
    detach(cx, cli);
    unwatch_signals(host);
    return e;
}

static enum tc_err describe(struct tc_cx *cx, struct tc_cli_host *cli, struct tc_jsonw *w)
{
    (void)cli;
    return tc_openapi_write(cx, w);
}

static const struct tc_cli_host_ops ops = {attach, detach, serve, describe};

enum tc_err tc_host_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_interface *interface,
                           struct tc_host **ret_host)
{
    struct tc_host *host = tc_mem_zalloc(1, sizeof *host);

    if (!host)
        return tc_fail_memory(cx);
    host->cli.ops = &ops;
    host->loop = loop;
    host->interface = interface;
    tc_arena_init(&host->arena, 0);
    *ret_host = host;
    return TC_OK;
}

void tc_host_destroy(struct tc_host *host)
{
    if (!host)
        return;
    tc_arena_finish(&host->arena);
    tc_mem_free(host);
}

struct tc_cli_host *tc_host_cli(struct tc_host *host)
{
    return &host->cli;
}
