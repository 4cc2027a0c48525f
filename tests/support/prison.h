/*
 * A pool of workers that run tests/support/shell_prisoner.c instead of a shell, with a
 * workspace for their scripts: <dir>/home, beside which lies a file "outside".
 */
#ifndef TESTS_SUPPORT_PRISON_H
#define TESTS_SUPPORT_PRISON_H

#include "sandbox/pool.h"
#include "support/task.h"

struct prison {
    struct tc_sandbox_pool *pool;
    struct tc_sandbox *port;
    char *dir;
    int root; /* of the workspace */
    struct tc_sandbox_grant *grants; /* of the next scripts; NULL: the workspace as "/", writable */
    size_t grants_n;
};

void prison_open(struct tc_cx *cx, struct prison *prison);
PARKS void prison_close(struct tc_cx *cx, struct prison *prison);
/* A script with a /tmp of its own; 5 s. */
PARKS enum tc_err prison_run(struct tc_cx *cx, struct prison *prison, const char *script,
                             struct tc_sandbox_result *ret_result);
PARKS enum tc_err prison_run_for(struct tc_cx *cx, struct prison *prison, const char *script, int64_t wall_ms,
                                 struct tc_sandbox_result *ret_result);
/* How many entries the folder of the calls' /tmp has. */
int prison_folders(const struct prison *prison);

#endif
