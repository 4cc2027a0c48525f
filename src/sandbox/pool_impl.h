/*
 * What the pool and a call of it share.
 */
#ifndef TC_SANDBOX_POOL_IMPL_H
#define TC_SANDBOX_POOL_IMPL_H

#include "io/loop.h"
#include "io/watch.h"
#include "sandbox/pool.h"
#include "sandbox/wire.h"

struct tc_pool_run;

struct tc_pool_child {
    struct tc_pool_child *next; /* of its run: all that are alive or in use */
    struct tc_pool_run *run;    /* NULL: the zygote is gone */
    int pid, socket, pidfd;
    struct tc_watch *watch;
    bool ready;                 /* nobody has taken it */
    struct tc_event ended;
    int status;                 /* as waitpid gives it; -1: ended with the zygote */
};

enum { TC_POOL_MESSAGE = 40 * 1024 };
struct tc_sandbox_pool {
    struct tc_sandbox port;
    struct tc_loop *loop;
    struct tc_task_group group; /* of the tasks that read what zygotes tell */
    struct tc_pool_run *run;    /* NULL: started at the next call */
    char *path, *tmp;
    bool weak;
    size_t running, waiting;
    struct tc_pool_child *done; /* of calls that are over, until the turn ends */
    struct tc_event changed;    /* a child came, a call ended, a run ended; who waits looks again */
    struct tc_loop_hook refill; /* after a call, when its caller has gone on */
    int64_t pause_ms, start_us; /* of the next start, after one that ended */
    char message[TC_POOL_MESSAGE]; /* that was received last; not kept across a park */
};

/* A child for one call; waits for a place, for the zygote, for the child. TC_E_WS_SHELL_FAILED, or the
 * reason of a cancellation. */
PARKS enum tc_err tc_pool_take(struct tc_cx *cx, struct tc_sandbox_pool *pool, struct tc_pool_child **ret_child);
/* The call is over: the child is let go, which ends it, and another made in its place. */
void tc_pool_give(struct tc_sandbox_pool *pool, struct tc_pool_child *child);
/* One call. */
PARKS enum tc_err tc_pool_shell(struct tc_cx *cx, struct tc_sandbox *self, const struct tc_sandbox_request *request,
                                struct tc_sandbox_result *ret_result);

#endif
