/*
 * What one call of the virtual shell costs: `echo hi` through the pool of workers as the
 * daemon asks it, in microseconds, back to back and with a pause between two; then
 * through a new process, as `toolcrib shell -c` and as the worker alone.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "sandbox/pool.h"

enum { ROUNDS = 1000, COLD_ROUNDS = 100, WARM_UP = 20, PAUSE_MS = 2 };

static char root[] = "/tmp/bench-shell-XXXXXX";
static const char *worker, *command;

static int by_time(const void *a, const void *b)
{
    return *(const int64_t *)a < *(const int64_t *)b ? -1 : *(const int64_t *)a > *(const int64_t *)b;
}

static void report(const char *what, int64_t *us, size_t n)
{
    qsort(us, n, sizeof *us, by_time);
    printf("%-40s %6lld us median, %6lld us p95, %6lld us p99\n", what, (long long)us[n / 2],
           (long long)us[n * 95 / 100], (long long)us[n * 99 / 100]);
}

static int64_t call(struct tc_cx *cx, struct tc_sandbox *sandbox, int fd)
{
    struct tc_sandbox_grant grant = {TC_STR("/"), TC_SANDBOX_WRITE | TC_SANDBOX_MOUNT, fd};
    struct tc_sandbox_request request = {.script = TC_STR("echo hi"),
                                         .cwd = TC_STR("/"),
                                         .wall_ms = 30000,
                                         .stream_bytes = 128 * 1024,
                                         .own_tmp = true,
                                         .grants = &grant,
                                         .grants_n = 1};
    struct tc_arena *before = cx->arena, arena;
    struct tc_sandbox_result result;
    int64_t began = tc_clock_mono_us(cx->clock), us;

    tc_arena_init(&arena, 0);
    cx->arena = &arena;
    if (sandbox->ops->shell(cx, sandbox, &request, &result) || result.how != TC_SANDBOX_EXITED ||
        !tc_str_is(result.out, "hi\n"))
        abort();
    us = tc_clock_mono_us(cx->clock) - began;
    cx->arena = before;
    tc_arena_finish(&arena);
    return us;
}

static void warm(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_pool_options options = {
        .loop = tc_task_loop(cx), .path = worker, .tmp = tc_arena_printf(cx->arena, "%s/calls", root).p};
    static int64_t us[ROUNDS];
    struct tc_sandbox_pool *pool;
    int fd;

    (void)arg;
    if (mkdir(tc_arena_printf(cx->arena, "%s/home", root).p, 0700) != 0 ||
        tc_sandbox_pool_create(cx, &options, &pool))
        abort();
    fd = open(tc_arena_printf(cx->arena, "%s/home", root).p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < WARM_UP; i++)
        call(cx, tc_sandbox_pool_port(pool), fd);
    for (int i = 0; i < ROUNDS; i++) {
        tc_task_sleep(cx, PAUSE_MS);
        us[i] = call(cx, tc_sandbox_pool_port(pool), fd);
    }
    report("warm, a call every 2 ms", us, ROUNDS);
    for (int i = 0; i < ROUNDS; i++)
        us[i] = call(cx, tc_sandbox_pool_port(pool), fd);
    report("warm, back to back", us, ROUNDS);
    tc_sandbox_pool_close(cx, pool);
    close(fd);
}

static void cold(const char *what, const char *const *argv)
{
    static int64_t us[COLD_ROUNDS];
    posix_spawn_file_actions_t actions;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (int i = 0; i < COLD_ROUNDS; i++) {
        int64_t began = tc_clock_mono_us(&tc_clock_system);
        int status;
        pid_t pid;
        if (posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)argv, environ) != 0 ||
            waitpid(pid, &status, 0) != pid || status != 0)
            abort();
        us[i] = tc_clock_mono_us(&tc_clock_system) - began;
    }
    posix_spawn_file_actions_destroy(&actions);
    report(what, us, COLD_ROUNDS);
}

int main(int argc, char **argv)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    if (argc < 3 || !mkdtemp(root))
        return 2;
    command = argv[1];
    worker = argv[2];
    tc_arena_init(&arena, 0);
    if (tc_loop_create(&cx, &loop) || tc_task_spawn(&cx, loop, NULL, "bench", warm, NULL))
        return 1;
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    cold("cold, the worker", (const char *const[]){worker, "--once", "-c", "echo hi", NULL});
    cold("cold, toolcrib shell -c", (const char *const[]){command, "shell", "-c", "echo hi", NULL});
    cold("bash -c", (const char *const[]){"/bin/bash", "-c", "echo hi", NULL});
    if (system(tc_arena_printf(&arena, "rm -rf %s", root).p) != 0)
        return 1;
    tc_arena_finish(&arena);
    return 0;
}
