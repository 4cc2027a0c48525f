/*
 * See prison.h.
 */
#include "support/prison.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void prison_open(struct tc_cx *cx, struct prison *prison)
{
    struct tc_sandbox_pool_options options = {.loop = tc_task_loop(cx), .path = TC_TEST_PRISONER};
    const char *path;
    FILE *file;

    prison->grants = NULL;
    prison->dir = test_tmpdir(cx->arena);
    path = tc_arena_printf(cx->arena, "%s/home", prison->dir).p;
    mkdir(path, 0700);
    prison->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 2; i++) {
        file = fopen(tc_arena_printf(cx->arena, "%s/%s", prison->dir, i ? "home/inside" : "outside").p, "we");
        fputs("secret\n", file);
        fclose(file);
    }
    options.tmp = tc_arena_printf(cx->arena, "%s/calls", prison->dir).p;
    expect_int(tc_sandbox_pool_create(cx, &options, &prison->pool), TC_OK);
    prison->port = tc_sandbox_pool_port(prison->pool);
}

void prison_close(struct tc_cx *cx, struct prison *prison)
{
    tc_sandbox_pool_close(cx, prison->pool);
    close(prison->root);
    test_rmtree(prison->dir);
}

enum tc_err prison_run_for(struct tc_cx *cx, struct prison *prison, const char *script, int64_t wall_ms,
                           struct tc_sandbox_result *ret_result)
{
    struct tc_sandbox_grant grant = {TC_STR("/"), TC_SANDBOX_WRITE | TC_SANDBOX_MOUNT, prison->root};
    struct tc_sandbox_request request = {
        .script = tc_str_of(script),
        .cwd = TC_STR("/"),
        .wall_ms = wall_ms,
        .stream_bytes = 128 * 1024,
        .own_tmp = true,
        .grants = prison->grants ? prison->grants : &grant,
        .grants_n = prison->grants ? prison->grants_n : 1,
    };

    return prison->port->ops->shell(cx, prison->port, &request, ret_result);
}

enum tc_err prison_run(struct tc_cx *cx, struct prison *prison, const char *script,
                       struct tc_sandbox_result *ret_result)
{
    return prison_run_for(cx, prison, script, 5000, ret_result);
}

int prison_folders(const struct prison *prison)
{
    char path[4096];
    DIR *dir;
    int n = -2; /* "." and ".." */

    snprintf(path, sizeof path, "%s/calls", prison->dir);
    dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}
