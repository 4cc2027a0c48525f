/*
 * What the workspace costs: reading and writing a small file, and searching a
 * thousand files, in microseconds, the median of the rounds; as a measure of the
 * way over the thread pool, the same files read by plain system calls.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "runtime/workspace.h"

enum { ROUNDS = 201, FILES = 1000, BYTES = 4096 };

static char root[] = "/tmp/bench-workspace-XXXXXX", text[BYTES];

static int by_time(const void *a, const void *b)
{
    return *(const int64_t *)a < *(const int64_t *)b ? -1 : *(const int64_t *)a > *(const int64_t *)b;
}

static void report(const char *what, int64_t *us, size_t n)
{
    qsort(us, n, sizeof *us, by_time);
    printf("%-34s %6lld us median, %6lld us p99\n", what, (long long)us[n / 2], (long long)us[n * 99 / 100]);
}

static struct tc_str file_name(struct tc_cx *cx, int i)
{
    return tc_arena_printf(cx->arena, "d%d/f%d", i % 10, i);
}

static void plain_read(const char *name)
{
    char path[128], got[BYTES];
    int fd;

    snprintf(path, sizeof path, "%s/%s", root, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, got, sizeof got) != BYTES)
        abort();
    close(fd);
}

static void measure(struct tc_cx *cx, struct tc_workspace_service *ws)
{
    struct tc_workspace_query query = {
        .pattern = TC_STR("ne+dle"), .max_depth = 8, .max_files = FILES, .max_lines = 100, .max_chars = 300};
    static int64_t us[4][ROUNDS];
    struct tc_workspace_written written;
    struct tc_workspace_file file;
    struct tc_workspace_found found;

    for (int i = 0; i < ROUNDS; i++) {
        int64_t at[5] = {tc_clock_mono_us(cx->clock)};
        bool bad = tc_workspace_read(cx, ws, file_name(cx, i), BYTES, &file);
        at[1] = tc_clock_mono_us(cx->clock);
        plain_read(file_name(cx, i).p);
        at[2] = tc_clock_mono_us(cx->clock);
        bad |= tc_workspace_write(cx, ws, file_name(cx, i), file.bytes, TC_WORKSPACE_IF_SAME, file.sha256, &written);
        at[3] = tc_clock_mono_us(cx->clock);
        bad |= i % 10 == 0 && tc_workspace_search(cx, ws, &query, &found);
        at[4] = tc_clock_mono_us(cx->clock);
        if (bad)
            abort();
        for (int k = 0; k < 4; k++)
            us[k][k == 3 ? i / 10 : i] = i % 10 == 0 || k < 3 ? at[k + 1] - at[k] : us[k][i / 10];
    }
    report("read of 4 KiB with its hash", us[0], ROUNDS);
    report("the same by open, read, close", us[1], ROUNDS);
    report("compare and swap of 4 KiB", us[2], ROUNDS);
    report("search of 1000 files of 4 KiB", us[3], ROUNDS / 10 + 1);
}

static void run(struct tc_cx *cx, void *arg)
{
    struct tc_workspace_options options = {.path = tc_str_of(root)};
    struct tc_workspace_service ws = {0};
    (void)arg;

    if (tc_workspace_create(cx, &options, &ws.workspace))
        abort();
    for (int i = 0; i < FILES; i++)
        if (tc_workspace_put(cx, ws.workspace, file_name(cx, i), tc_str_n(text, BYTES)))
            abort();
    measure(cx, &ws);
    tc_workspace_unref(ws.workspace);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

int main(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    for (int i = 0; i < BYTES; i++)
        text[i] = i % 64 == 63 ? '\n' : (char)('a' + i % 26);
    tc_arena_init(&arena, 0);
    if (!mkdtemp(root) || tc_loop_create(&cx, &loop) || tc_task_spawn(&cx, loop, NULL, "bench", run, NULL))
        abort();
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS) ? 1 : 0;
}
