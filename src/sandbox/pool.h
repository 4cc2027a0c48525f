/*
 * The daemon's side of toolcrib-worker-shell: a zygote that is started at the first use
 * and again when it ended, and children of it that stand ready, each for one call.
 *
 * On the loop's thread. A call is one task; what it holds of a child goes with it.
 */
#ifndef TC_SANDBOX_POOL_H
#define TC_SANDBOX_POOL_H

#include "io/task.h"
#include "ports/sandbox.h"

struct tc_sandbox_pool;

enum {
    TC_SANDBOX_READY = 3,    /* children that wait for calls */
    TC_SANDBOX_RUNNING = 32, /* calls at once; others wait for one to end */
};

struct tc_sandbox_pool_options {
    struct tc_loop *loop;
    const char *path; /* of the program; copied */
    const char *tmp;  /* a folder for those of calls, made when it is not there; copied */
    bool weak;        /* run scripts also where the kernel has no seccomp */
};

/* Starts nothing yet. */
enum tc_err tc_sandbox_pool_create(struct tc_cx *cx, const struct tc_sandbox_pool_options *options,
                                   struct tc_sandbox_pool **ret_pool);
struct tc_sandbox *tc_sandbox_pool_port(struct tc_sandbox_pool *pool);
/* Ends the zygote with all its children. No call is under way. NULL is fine. */
PARKS void tc_sandbox_pool_close(struct tc_cx *cx, struct tc_sandbox_pool *pool);

/* NULL when scripts can be run by the program at `path`, which may be NULL; else a sentence that says
 * what is missing. */
const char *tc_sandbox_pool_missing(const char *path, bool weak);
/* NULL when they are confined as well as they can be; else what is weaker, a sentence. */
const char *tc_sandbox_pool_limit(void);
/* The zygote's process id, 0 when none runs; for tests. */
int tc_sandbox_pool_pid(const struct tc_sandbox_pool *pool);

#endif
