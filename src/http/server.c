/*
 * Listeners, the sweep of all connections, stopping, and the counting of handles
 * that libuv has not let go of yet.
 */
#include "http/server.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "http/conn.h"
#include "http/deadline.h"
#include "io/offload.h"

enum { BACKLOG = 1024, SWEEP_MS = 500, ADDRESSES_MAX = 8, SETTLE_MS = 20 };

struct tc_server_listener {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct tc_server *server;
    struct tc_server_listener *next;
    bool is_unix;
    bool waiting; /* a client could not be taken for lack of memory */
};

/* Life */

void tc_server_unref(struct tc_server *server)
{
    if (--server->refs > 0)
        return;
    tc_timer_finish(&server->timer);
    tc_arena_finish(&server->arena);
    tc_mem_free(server);
}

static void set_date(struct tc_server *server)
{
    time_t now = (time_t)(tc_clock_wall_ms(tc_loop_clock(server->loop)) / 1000);
    struct tm tm;

    gmtime_r(&now, &tm);
    server->date_n = strftime(server->date, sizeof server->date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &tm);
}

static void sweep(struct tc_timer *timer)
{
    struct tc_server *server = (struct tc_server *)((char *)timer - offsetof(struct tc_server, timer));
    int64_t now_us = tc_server_now(server);

    for (struct tc_conn *conn = server->conns, *next; conn; conn = next) {
        next = conn->next;
        tc_deadline_check(conn, now_us);
    }
    for (struct tc_server_listener *l = server->listeners; l; l = l->next)
        if (l->waiting)
            l->waiting = !tc_conn_accept(server, &l->uv.stream, l->is_unix);
    set_date(server);
    tc_timer_set(timer, now_us + server->sweep_us);
}

static int64_t or_default(int64_t value, int64_t otherwise)
{
    return value > 0 ? value : otherwise;
}

static void set_options(struct tc_server *server, const struct tc_server_options *options)
{
    struct tc_server_options *o = &server->options;
    int64_t shortest;

    *o = *options;
    o->body_bytes = o->body_bytes ? o->body_bytes : tc_reqparse_limits_default.body_bytes;
    o->connections = o->connections ? o->connections : 1024;
    o->head_ms = or_default(o->head_ms, 10 * 1000);
    o->body_ms = or_default(o->body_ms, 10 * 1000);
    o->body_rate = or_default(o->body_rate, 1024);
    o->idle_ms = or_default(o->idle_ms, 60 * 1000);
    o->stall_ms = or_default(o->stall_ms, 30 * 1000);
    server->limits = tc_reqparse_limits_default;
    server->limits.body_bytes = o->body_bytes;

    shortest = o->head_ms < o->body_ms ? o->head_ms : o->body_ms;
    shortest = o->idle_ms < shortest ? o->idle_ms : shortest;
    shortest = o->stall_ms < shortest ? o->stall_ms : shortest;
    server->sweep_us = (shortest / 4 < SWEEP_MS ? shortest / 4 + 1 : SWEEP_MS) * 1000;
}

enum tc_err tc_server_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_server_options *options,
                             struct tc_server **ret_server)
{
    struct tc_server *server = tc_mem_zalloc(1, sizeof *server);

    if (!server)
        return tc_fail_memory(cx);
    if (!tc_timer_init(&server->timer, loop, sweep)) {
        tc_mem_free(server);
        return tc_fail_memory(cx);
    }
    server->loop = loop;
    server->refs = 1;
    set_options(server, options);
    tc_arena_init(&server->arena, 64 * 1024);
    server->cx = (struct tc_cx){.arena = &server->arena, .clock = tc_loop_clock(loop)};
    tc_task_group_init(&server->group, loop);
    tc_replies_init(&server->replies, loop);
    set_date(server);
    tc_timer_set(&server->timer, tc_server_now(server) + server->sweep_us);
    *ret_server = server;
    return TC_OK;
}

size_t tc_server_connections(const struct tc_server *server)
{
    return server->open;
}

/* Listening */

static void on_listener_closed(uv_handle_t *handle)
{
    struct tc_server_listener *listener = handle->data;
    struct tc_server *server = listener->server;

    tc_mem_free(listener);
    tc_server_unref(server);
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct tc_server_listener *listener = stream->data;

    if (status == 0)
        listener->waiting = !tc_conn_accept(listener->server, stream, listener->is_unix);
}

/* Not in the server's list yet. NULL without memory. */
static struct tc_server_listener *new_listener(struct tc_server *server, bool is_unix)
{
    struct tc_server_listener *listener = tc_mem_zalloc(1, sizeof *listener);

    if (!listener)
        return NULL;
    if (is_unix)
        uv_pipe_init(tc_loop_uv(server->loop), &listener->uv.pipe, 0);
    else
        uv_tcp_init(tc_loop_uv(server->loop), &listener->uv.tcp);
    listener->uv.handle.data = listener;
    listener->server = server;
    listener->is_unix = is_unix;
    server->refs++;
    return listener;
}

/* The last step: rc is the outcome of those before. */
static enum tc_err listen_or_close(struct tc_cx *cx, struct tc_server_listener *listener, int rc, const char *where)
{
    struct tc_server *server = listener->server;

    if (rc == 0)
        rc = uv_listen(&listener->uv.stream, BACKLOG, on_connection);
    if (rc == 0) {
        listener->next = server->listeners;
        server->listeners = listener;
        return TC_OK;
    }
    uv_close(&listener->uv.handle, on_listener_closed);
    tc_fail(cx, TC_E_LISTEN_FAILED, "Listening on %s failed: %s.", where, uv_strerror(rc));
    return rc == UV_EADDRINUSE ? tc_fail_hint(cx, "Another program has it; end that one or choose another address.")
                               : TC_E_LISTEN_FAILED;
}

/* *port 0 becomes the one that was given. */
static enum tc_err listen_address(struct tc_cx *cx, struct tc_server *server, const struct sockaddr *address, int *port)
{
    struct tc_server_listener *listener = new_listener(server, false);
    struct sockaddr_storage bound;
    int n = sizeof bound, rc;
    char host[TC_EXCHANGE_ADDRESS_SIZE] = "", where[TC_EXCHANGE_ADDRESS_SIZE + 16];

    if (!listener)
        return tc_fail_memory(cx);
    uv_ip_name(address, host, sizeof host);
    snprintf(where, sizeof where, address->sa_family == AF_INET6 ? "[%s]:%d" : "%s:%d", host, *port);
    rc = uv_tcp_bind(&listener->uv.tcp, address, 0);
    if (rc == 0)
        rc = uv_tcp_nodelay(&listener->uv.tcp, 1); /* the accepted sockets inherit it */
    if (rc == 0)
        rc = uv_tcp_getsockname(&listener->uv.tcp, (struct sockaddr *)&bound, &n);
    if (rc == 0) /* sin_port and sin6_port are at the same place */
        *port = ntohs(((const struct sockaddr_in *)&bound)->sin_port);
    return listen_or_close(cx, listener, rc, where);
}

struct lookup {
    const char *host;
    struct addrinfo *found;
    int rc;
};

static void look_up(void *arg)
{
    struct lookup *lookup = arg;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};

    lookup->rc = getaddrinfo(lookup->host, NULL, &hints, &lookup->found);
}

static enum tc_err listen_name(struct tc_cx *cx, struct tc_server *server, const char *host, int *port)
{
    struct lookup lookup = {.host = host};
    enum tc_err err = tc_offload(cx, look_up, &lookup);
    int n = 0;

    if (err)
        return err;
    if (lookup.rc != 0)
        return tc_fail(cx, TC_E_LISTEN_FAILED, "The address of %s was not found: %s.", host, gai_strerror(lookup.rc));
    for (struct addrinfo *a = lookup.found; a && !err && n < ADDRESSES_MAX; a = a->ai_next) {
        if (a->ai_family != AF_INET && a->ai_family != AF_INET6)
            continue;
        ((struct sockaddr_in *)a->ai_addr)->sin_port = htons((uint16_t)*port);
        err = listen_address(cx, server, a->ai_addr, port);
        n++;
    }
    freeaddrinfo(lookup.found);
    return err;
}

enum tc_err tc_server_listen_tcp(struct tc_cx *cx, struct tc_server *server, const char *host, int port, int *ret_port)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    enum tc_err err;

    if (port < 0 || port > 65535)
        return tc_fail(cx, TC_E_LISTEN_FAILED, "%d is not a port.", port);
    if (uv_ip4_addr(host, port, &v4) == 0)
        err = listen_address(cx, server, (const struct sockaddr *)&v4, &port);
    else if (uv_ip6_addr(host, port, &v6) == 0)
        err = listen_address(cx, server, (const struct sockaddr *)&v6, &port);
    else
        err = listen_name(cx, server, host, &port);
    if (!err)
        *ret_port = port;
    return err;
}

enum tc_err tc_server_listen_unix(struct tc_cx *cx, struct tc_server *server, const char *path)
{
    struct tc_server_listener *listener;
    int rc;

    if (strlen(path) >= sizeof ((struct sockaddr_un *)0)->sun_path)
        return tc_fail(cx, TC_E_LISTEN_FAILED, "The socket path %s is longer than the system allows (%zu bytes).", path,
                       sizeof ((struct sockaddr_un *)0)->sun_path - 1);
    listener = new_listener(server, true);
    if (!listener)
        return tc_fail_memory(cx);
    rc = uv_pipe_bind(&listener->uv.pipe, path);
    if (rc == 0 && chmod(path, 0600) != 0) /* before listen: nobody could connect yet */
        rc = uv_translate_sys_error(errno);
    return listen_or_close(cx, listener, rc, path);
}

/* Stopping */

static void stop_listening(struct tc_server *server)
{
    struct tc_server_listener *listener;

    while ((listener = server->listeners)) {
        server->listeners = listener->next;
        uv_close(&listener->uv.handle, on_listener_closed); /* removes a socket file as well */
    }
}

static void close_unless_busy(struct tc_server *server)
{
    for (struct tc_conn *conn = server->conns, *next; conn; conn = next) {
        next = conn->next;
        if (conn->state != TC_CONN_BUSY)
            tc_conn_close(conn);
    }
}

/* From here on nobody finds the Unix sockets any more. */
static void remove_socket_files(struct tc_server *server)
{
    for (struct tc_server_listener *l = server->listeners; l; l = l->next) {
        char path[sizeof ((struct sockaddr_un *)0)->sun_path + 1];
        size_t n = sizeof path;
        if (l->is_unix && uv_pipe_getsockname(&l->uv.pipe, path, &n) == 0 && n > 0 && n < sizeof path) {
            path[n] = '\0';
            unlink(path);
        }
    }
}

static bool expects_request(const struct tc_server *server)
{
    for (const struct tc_conn *conn = server->conns; conn; conn = conn->next)
        if (conn->is_unix && (conn->state == TC_CONN_IDLE || conn->state == TC_CONN_READING))
            return true;
    return false;
}

/* A millisecond of real time, whatever clock the loop has: it is the kernel that is waited for. */
static void pass_time(void *arg)
{
    (void)arg;
    usleep(1000);
}

/* Takes what is on its way over Unix sockets: their users are programs beside
 * this one, which cannot know that it is about to end, and whose requests would
 * be lost without a word. */
static void settle(struct tc_cx *cx, struct tc_server *server)
{
    bool waits = false;

    for (struct tc_server_listener *l = server->listeners; l; l = l->next)
        waits |= l->is_unix;
    remove_socket_files(server);
    for (int i = 0; waits && i < SETTLE_MS; i++)
        waits = tc_offload(cx, pass_time, NULL) == TC_OK && expects_request(server);
}

void tc_server_stop(struct tc_cx *cx, struct tc_server *server, int64_t grace_ms)
{
    if (server->stopping)
        return;
    settle(cx, server);
    server->stopping = true;
    stop_listening(server);
    close_unless_busy(server);
    if (server->busy > 0 && tc_task_wait(cx, &server->drained, grace_ms) != TC_OK)
        tc_task_group_cancel(&server->group, TC_E_SHUTDOWN);
    tc_task_shield(cx);
    tc_task_join(cx, &server->group);
    tc_task_unshield(cx);
    tc_fail_clear(cx);
    close_unless_busy(server);
}

void tc_server_destroy(struct tc_server *server)
{
    if (!server)
        return;
    assert(server->busy == 0);
    server->stopping = true;
    tc_timer_stop(&server->timer);
    stop_listening(server);
    close_unless_busy(server);
    tc_server_unref(server);
}
