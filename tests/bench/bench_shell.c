/*
 * Scripts in the sandbox's pool, warm, beside bash, dash and busybox, each a fresh
 * process, in turns; and `toolcrib shell`, cold. bench_shell.mjs makes the data, runs
 * this and adds just-bash.
 *
 * Usage: bench_shell WORKER TOOLCRIB FOLDER SCRIPT…
 * Prints a line of JSON a script: medians in milliseconds, the minimum behind each.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "io/task.h"
#include "sandbox/pool.h"

enum { ROUNDS = 11, ROUNDS_SHORT = 201, PEERS = 4 };

extern char **environ;

struct bench {
    int argc;
    char **argv;
    struct tc_loop *loop;
    const char *folder;
    double ms[PEERS + 1][ROUNDS_SHORT];
};

static const char *const names[PEERS + 1] = {"bash", "dash", "busybox", "cold", "warm"};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double run_process(char *const *argv)
{
    posix_spawn_file_actions_t actions;
    double began = now();
    int status = 0;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid || status) {
        fprintf(stderr, "bench_shell: %s %s ended with %d\n", argv[0], argv[1], status);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&actions);
    return now() - began;
}

static double run_peer(struct bench *b, int peer, char *script)
{
    char *const commands[PEERS][8] = {
        {"bash", script, NULL},
        {"dash", script, NULL},
        {"busybox", "ash", script, NULL},
        {b->argv[2], "shell", "--workspace", (char *)b->folder, script, NULL},
    };

    return run_process(commands[peer]);
}

static double run_warm(struct tc_cx *cx, struct bench *b, struct tc_sandbox *sandbox, struct tc_str text, int fd)
{
    struct tc_sandbox_grant root = {.path = TC_STR("/"), .flags = TC_SANDBOX_WRITE | TC_SANDBOX_MOUNT, .fd = fd};
    struct tc_sandbox_request request = {
        .script = text, .cwd = TC_STR("/"), .wall_ms = 30000, .stream_bytes = 128 * 1024, .own_tmp = true,
        .grants = &root, .grants_n = 1,
    };
    struct tc_arena_mark mark = tc_arena_mark(cx->arena);
    struct tc_sandbox_result result;
    double began = now(), took;
    enum tc_err err = sandbox->ops->shell(cx, sandbox, &request, &result);

    took = now() - began;
    (void)b;
    if (err || result.how != TC_SANDBOX_EXITED || result.end.status != 0) {
        fprintf(stderr, "bench_shell: ours: %.*s %.*s\n", TC_STR_ARG(err ? cx->err.message : result.end.message),
                TC_STR_ARG(err ? TC_STR("") : result.err));
        exit(1);
    }
    tc_arena_rewind(cx->arena, &mark);
    return took;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static struct tc_str read_script(struct tc_cx *cx, const char *path)
{
    char *text = tc_arena_alloc(cx->arena, 65536);
    FILE *in = fopen(path, "r");
    size_t n = in && text ? fread(text, 1, 65536, in) : 0;

    if (in)
        fclose(in);
    return tc_str_n(text, n);
}

static void one_script(struct tc_cx *cx, struct bench *b, struct tc_sandbox *sandbox, char *path, int fd)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    int rounds = strncmp(name, "00", 2) == 0 || strncmp(name, "08", 2) == 0 ? ROUNDS_SHORT : ROUNDS;
    struct tc_str text = read_script(cx, path);

    for (int round = 0; round < rounds; round++) {
        for (int peer = 0; peer < PEERS; peer++)
            b->ms[peer][round] = run_peer(b, peer, path);
        tc_task_sleep(cx, 3); /* the pool makes another child ready */
        b->ms[PEERS][round] = run_warm(cx, b, sandbox, text, fd);
    }
    printf("{\"script\":\"%s\"", name);
    for (int peer = 0; peer <= PEERS; peer++) {
        qsort(b->ms[peer], (size_t)rounds, sizeof(double), by_value);
        printf(",\"%s\":[%.3f,%.3f]", names[peer], b->ms[peer][rounds / 2], b->ms[peer][0]);
    }
    printf("}\n");
    fflush(stdout);
}

static void run(struct tc_cx *cx, void *arg)
{
    struct bench *b = arg;
    struct tc_sandbox_pool_options options = {.loop = b->loop, .path = b->argv[1], .tmp = "/tmp"};
    struct tc_sandbox_pool *pool = NULL;
    char tmp[] = "/tmp/bench-shell-XXXXXX";
    int fd = open(b->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

    options.tmp = mkdtemp(tmp);
    if (fd < 0 || chdir(b->folder) != 0 || !options.tmp || tc_sandbox_pool_create(cx, &options, &pool)) {
        fprintf(stderr, "bench_shell: cannot begin: %.*s\n", TC_STR_ARG(cx->err.message));
        exit(1);
    }
    for (int i = 4; i < b->argc; i++)
        one_script(cx, b, tc_sandbox_pool_port(pool), b->argv[i], fd);
    tc_sandbox_pool_close(cx, pool);
    close(fd);
    rmdir(tmp);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};

    if (argc < 5) {
        fprintf(stderr, "usage: bench_shell WORKER TOOLCRIB FOLDER SCRIPT…\n");
        return 2;
    }
    tc_arena_init(&arena, 0);
    bench.argc = argc;
    bench.argv = argv;
    bench.folder = argv[3];
    if (tc_loop_create(&cx, &bench.loop) || tc_task_spawn(&cx, bench.loop, NULL, "bench", run, &bench))
        return 1;
    tc_loop_run(bench.loop);
    tc_loop_destroy(bench.loop);
    tc_arena_finish(&arena);
    return 0;
}
