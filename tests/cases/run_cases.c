/*
 * Runs case files: each on the store in memory, again on SQLite, or under
 * torture, where every allocation and every store operation fails once in its
 * turn. Exits 1 when a case failed.
 *
 *     run_cases [--memory | --sqlite | --torture[=STRIDE]] FILE…
 *
 * A stride tries only every so manieth fault, for builds that are slow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/loop.h"
#include "outline.h"
#include "step.h"
#include "support/test.h"

enum { EACH = 300, RUNS_MAX = 450, WALL_MS = 1700000000 };

static void case_task(struct tc_cx *cx, void *arg)
{
    struct world *w = arg;
    struct outline *step = outline_read(cx->arena, w->path);
    enum tc_err e;

    if (!step) {
        w->failures++;
        return;
    }
    e = world_open(cx, w);
    if (e)
        world_fail(w, "the start failed: %s: %.*s", tc_err_info(e)->name, TC_STR_ARG(cx->err.message));
    for (; !e && step; step = step->next)
        step_run(w, step);
    if (!e)
        step_finish(w);
    world_close(w);
}

/* True when it went well; *ret_fired: the fault was reached. */
static bool run(const char *path, struct world_options options, bool *ret_fired)
{
    struct world w = {.path = path, .options = options};
    struct test_cx test;

    test_cx_init(&test);
    w.dir = test_tmpdir(&test.arena);
    if (tc_loop_create_virtual(&test.cx, (int64_t)WALL_MS * 1000, &w.loop) ||
        tc_task_spawn(&test.cx, w.loop, NULL, "case", case_task, &w)) {
        fprintf(stderr, "%s: no loop\n", path);
        exit(70);
    }
    tc_loop_run(w.loop);
    tc_loop_destroy(w.loop);
    test_rmtree(w.dir);
    test_cx_finish(&test);
    *ret_fired = w.fired || w.store.fired;
    return w.failures == 0;
}

static bool run_plain(const char *path, enum world_store store)
{
    bool fired;

    if (run(path, (struct world_options){.store = store}, &fired))
        return true;
    fprintf(stderr, "%s: failed on %s\n", path, store == WORLD_MEMORY ? "memory" : "sqlite");
    return false;
}

/* Each of the first 300, then one in twenty more. */
static size_t next(size_t nth, size_t stride)
{
    return nth < EACH ? nth + stride : nth + nth * stride / 20;
}

struct torment {
    size_t stride;
    bool from_start;
};

static bool torture(const char *path, enum world_fault fault, struct torment torment)
{
    static const char *const names[] = {"", "allocation", "store operation"};
    bool fired = true, ok = true;
    size_t nth = 1;
    int runs;

    for (runs = 0; fired && runs < RUNS_MAX; runs++, nth = next(nth, torment.stride)) {
        if (run(path, (struct world_options){WORLD_MEMORY, fault, nth, torment.from_start}, &fired))
            continue;
        fprintf(stderr, "%s: failed with %s %zu%s\n", path, names[fault], nth,
                torment.from_start ? " from the start" : "");
        ok = false;
    }
    printf("%s: %d runs, %s up to %zu\n", path, runs, names[fault], nth);
    fflush(stdout);
    return ok;
}

static bool torture_all(const char *mode, int n, char **paths)
{
    struct torment torment = {mode[9] == '=' ? strtoul(mode + 10, NULL, 10) : 1, true};
    bool ok = true;

    if (!tc_mem_fail_at(0, false)) {
        printf("not run: built without TC_FAULTS\n");
        return true;
    }
    for (int i = 0; i < n && torment.stride; i++, torment.from_start = false) {
        ok &= torture(paths[i], WORLD_STORE_FAULT, torment);
        ok &= torture(paths[i], WORLD_MEMORY_FAULT, torment);
    }
    return ok;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 && strncmp(argv[1], "--", 2) == 0 ? argv[1] : "";
    int first = *mode ? 2 : 1;
    bool ok = true;

    if (first >= argc) {
        fprintf(stderr, "usage: run_cases [--memory | --sqlite | --torture[=STRIDE]] FILE...\n");
        return 2;
    }
    if (strncmp(mode, "--torture", 9) == 0)
        return torture_all(mode, argc - first, argv + first) ? 0 : 1;
    for (int i = first; i < argc; i++) {
        if (strcmp(mode, "--sqlite") != 0)
            ok &= run_plain(argv[i], WORLD_MEMORY);
        if (strcmp(mode, "--memory") != 0)
            ok &= run_plain(argv[i], WORLD_SQLITE);
    }
    return ok ? 0 : 1;
}
