/*
 * Calls a second through one stdio connection, at 1 and at 32 calls in flight.
 * Usage: bench_mcp GUARD COMMAND [ARG…]   (a server with a tool "echo")
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "io/loop.h"
#include "mcp/client/link_stdio.h"
#include "mcp/client/peer.h"

enum { CALLS = 60000 };

struct bench {
    const char *const *argv;
    struct tc_guard *guard;
    struct tc_peer *peer;
    int left, failed;
};

static void caller(struct tc_cx *cx, void *arg)
{
    struct bench *bench = arg;
    struct tc_source_reply reply;
    struct tc_source_call call = {.tool = TC_STR("echo"), .timeout_ms = 30000};
    struct tc_arena arena;
    struct tc_cx call_cx = *cx;

    tc_arena_init(&arena, 0);
    call_cx.arena = &arena;
    while (bench->left-- > 0) {
        if (tc_json_parse_root(&call_cx, TC_STR("{\"message\":\"hello, world\"}"), NULL, &call.arguments) != TC_OK ||
            tc_peer_call(&call_cx, bench->peer, &call, &reply) != TC_OK || reply.outcome != TC_OUTCOME_RESULT)
            bench->failed++;
        tc_arena_reset(&arena);
    }
    tc_arena_finish(&arena);
}

static void measure(struct tc_cx *cx, struct bench *bench, int parallel)
{
    struct tc_task_group group;
    int64_t start = tc_clock_mono_us(cx->clock);
    double s;

    tc_task_group_init(&group, tc_task_loop(cx));
    bench->left = CALLS;
    for (int i = 0; i < parallel; i++)
        tc_task_spawn(cx, tc_task_loop(cx), &group, "caller", caller, bench);
    tc_task_join(cx, &group);
    s = (double)(tc_clock_mono_us(cx->clock) - start) / 1e6;
    printf("%3d in flight: %8.0f calls/s, %6.2f us a call, %d failed\n", parallel, CALLS / s, s * 1e6 / CALLS,
           bench->failed);
}

static enum tc_err dial(struct tc_cx *cx, void *arg, const struct tc_link_events *events, struct tc_link **ret_link)
{
    const struct bench *bench = arg;
    const char *path = getenv("PATH");
    const char *const env[] = {tc_arena_printf(cx->arena, "PATH=%s", path ? path : "").p, NULL};
    struct tc_guard_launch launch = {.argv = bench->argv + 2, .env = env};
    struct tc_link_stdio_options options = {.loop = tc_task_loop(cx), .guard = bench->guard, .launch = &launch};

    return tc_link_stdio_open(cx, &options, events, ret_link);
}

static void run(struct tc_cx *cx, void *arg)
{
    struct bench *bench = arg;
    struct tc_peer_options options = {.loop = tc_task_loop(cx), .dial = dial, .dial_arg = bench};

    if (tc_guard_create(cx, tc_task_loop(cx), bench->argv[1], &bench->guard) != TC_OK)
        return;
    if (tc_peer_open(cx, &options, &bench->peer) == TC_OK) {
        measure(cx, bench, 1);
        measure(cx, bench, 32);
        measure(cx, bench, 256);
        tc_peer_close(bench->peer);
        tc_peer_join(cx, bench->peer, -1);
        tc_peer_unref(bench->peer);
    } else {
        printf("%.*s\n", TC_STR_ARG(cx->err.message));
    }
    tc_guard_close(cx, bench->guard);
}

int main(int argc, char **argv)
{
    struct bench bench = {.argv = (const char *const *)argv};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    if (argc < 3) {
        fprintf(stderr, "usage: bench_mcp GUARD COMMAND [ARG…]\n");
        return 2;
    }
    tc_arena_init(&arena, 0);
    if (tc_loop_create(&cx, &loop) != TC_OK || tc_task_spawn(&cx, loop, NULL, "bench", run, &bench) != TC_OK)
        return 1;
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
    return 0;
}
