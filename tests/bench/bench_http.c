/*
 * The server with a handler that echoes the body.
 *
 *   bench_http          drives itself: 32 connections from a second thread, one
 *                       request of 347 bytes each in turn; prints the CPU time
 *                       that the server's thread took for a request
 *   bench_http PORT     serves on 127.0.0.1 and prints the same once a second while
 *                       there is load, as from
 *                       wrk -t1 -c32 -d10 -s post.lua http://127.0.0.1:PORT/
 *                       where post.lua sets wrk.method, wrk.body and a JSON type
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/server.h"
#include "io/loop.h"

enum { CONNECTIONS = 32, REQUESTS = 300 * 1000, BODY = 347 };

struct bench {
    struct tc_loop *loop;
    int port;
    bool drive;
    size_t requests;
    struct tc_event over;
    struct tc_arena arena;
};

static void die(const char *why)
{
    fprintf(stderr, "bench_http: %s\n", why);
    exit(1);
}

static int64_t cpu_us(void)
{
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void echo(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct bench *bench = arg;

    bench->requests++;
    tc_exchange_json(cx, ex, 200, tc_exchange_body(ex));
}

static void over(void *arg)
{
    tc_event_set(&((struct bench *)arg)->over);
}

static int connect_to(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    return fd;
}

static void *driver(void *arg)
{
    struct bench *bench = arg;
    char request[1024], answer[4096];
    int fds[CONNECTIONS], n;

    n = snprintf(request, sizeof request,
                 "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                 "Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%0*d",
                 bench->port, BODY, BODY, 0);
    for (int i = 0; i < CONNECTIONS; i++)
        fds[i] = connect_to(bench->port);
    for (int round = 0; round < REQUESTS / CONNECTIONS; round++) {
        for (int i = 0; i < CONNECTIONS; i++)
            if (write(fds[i], request, (size_t)n) != n)
                die("write");
        for (int i = 0; i < CONNECTIONS; i++)
            if (read(fds[i], answer, sizeof answer) <= BODY)
                die("read");
    }
    for (int i = 0; i < CONNECTIONS; i++)
        close(fds[i]);
    tc_loop_post(bench->loop, over, bench);
    return NULL;
}

static void report(size_t requests, int64_t cpu, int64_t wall)
{
    if (requests > 100)
        printf("%zu requests, %.0f a second, %.2f us of CPU each\n", requests, (double)requests * 1e6 / (double)wall,
               (double)cpu / (double)requests);
    fflush(stdout);
}

static void wait_for_driver(struct tc_cx *cx, struct bench *bench)
{
    int64_t cpu = cpu_us(), wall = tc_clock_mono_us(cx->clock);
    pthread_t thread;

    if (pthread_create(&thread, NULL, driver, bench) != 0)
        die("no thread");
    tc_task_wait(cx, &bench->over, -1);
    pthread_join(thread, NULL);
    report(bench->requests, cpu_us() - cpu, tc_clock_mono_us(cx->clock) - wall);
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct bench *bench = arg;
    struct tc_server_options options = {.handler = echo, .arg = bench, .connections = 20000};
    struct tc_server *server;

    if (tc_server_create(cx, bench->loop, &options, &server) ||
        tc_server_listen_tcp(cx, server, "127.0.0.1", bench->port, &bench->port))
        die(tc_arena_cstr(cx->arena, cx->err.message));
    if (bench->drive)
        wait_for_driver(cx, bench);
    while (!bench->drive) {
        int64_t cpu = cpu_us(), wall = tc_clock_mono_us(cx->clock);

        bench->requests = 0;
        if (tc_task_sleep(cx, 1000))
            break;
        report(bench->requests, cpu_us() - cpu, tc_clock_mono_us(cx->clock) - wall);
    }
    tc_server_stop(cx, server, 0);
    tc_server_destroy(server);
}

int main(int argc, char **argv)
{
    struct bench bench = {.drive = argc < 2, .port = argc < 2 ? 0 : atoi(argv[1])};
    struct tc_cx cx = {.arena = &bench.arena, .clock = &tc_clock_system};

    tc_arena_init(&bench.arena, 0);
    if (tc_loop_create(&cx, &bench.loop) || tc_task_spawn(&cx, bench.loop, NULL, "bench", main_task, &bench))
        die("no loop");
    tc_loop_run(bench.loop);
    tc_loop_destroy(bench.loop);
    tc_arena_finish(&bench.arena);
    return 0;
}
