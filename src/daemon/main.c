/*
 * The program: one loop, one task that runs the command line, its exit code.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "daemon/host.h"
#include "daemon/interface.h"
#include "io/loop.h"
#include "stores/db.h"

enum { EXIT_INTERNAL = 70, HEAP_KEEP = 4 * 1024 * 1024 };

struct start {
    struct tc_host *host;
    int argc;
    char **argv;
    int code;
};

static void command_task(struct tc_cx *cx, void *arg)
{
    struct start *start = arg;

    start->code = tc_cli_main(cx, tc_host_cli(start->host), start->argc, start->argv);
}

int main(int argc, char **argv)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;
    struct start start = {.argc = argc, .argv = argv, .code = EXIT_INTERNAL};

    mallopt(M_TRIM_THRESHOLD, HEAP_KEEP); /* large messages come and go: keep their pages */
    mallopt(M_MMAP_THRESHOLD, HEAP_KEEP);
    tc_db_own_process();
    tc_arena_init(&arena, 0);
    if (tc_loop_create(&cx, &loop) || tc_host_create(&cx, loop, &tc_interface_built_in, &start.host) ||
        tc_task_spawn(&cx, loop, NULL, "command", command_task, &start)) {
        fprintf(stderr, "error: %.*s\n", TC_STR_ARG(cx.err.message));
        return EXIT_INTERNAL;
    }
    tc_loop_run(loop);
    tc_host_destroy(start.host);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
    return start.code;
}
