/*
 * The daemon's side of toolcrib-guard, the helper that starts MCP servers and
 * ends them with all they have started, also when this process is killed.
 *
 * Wire: a Unix stream socket, descriptor 3 of the guard, lines of decimal
 * numbers. To the guard:
 *   spawn ID     with four descriptors (SCM_RIGHTS): a file with the launch
 *                block (worker/guard_launch.h), the child's stdin, stdout, stderr
 *   end ID       SIGTERM to all of the server's processes, after 3 s SIGKILL
 * From the guard:
 *   pid ID PID             it runs
 *   failed ID ERRNO STAGE  it did not start; stage launch, fork, cwd or exec
 *   exit ID STATUS         the program itself ended, as waitpid gives it
 *   gone ID                nothing of it is left
 *
 * A guard that died is started anew at the next spawn; the servers of the dead
 * one are ended by their keepers and reported as gone.
 */
#ifndef TC_MCP_CLIENT_GUARD_H
#define TC_MCP_CLIENT_GUARD_H

#include "io/task.h"

struct tc_guard;
struct tc_guard_run;

struct tc_guard_launch {
    const char *const *argv; /* NULL-terminated; argv[0] without a slash is looked up in PATH of env */
    const char *const *env;  /* NULL-terminated "K=V", the whole environment */
    const char *cwd;         /* NULL: the daemon's */
};

/* A child in the caller's memory; it must stay until tc_guard_child_finish. */
struct tc_guard_child {
    int in, out, err;        /* this side's pipe ends: the caller's from spawn on */
    int pid;
    int status;              /* as waitpid gives it; -1 when it cannot be known */
    struct tc_event started; /* pid or failure is known */
    struct tc_event exited;  /* the program itself has ended */
    struct tc_event gone;    /* nothing of it is left; comes last */
    void (*on_exit)(void *arg); /* called with exited, on the loop; must not park; may be NULL */
    void *arg;
    /* guard.c's own */
    int64_t id;
    struct tc_guard_run *run;
    struct tc_guard_child *next;
    int error;
    char stage[8];
};

/* path: the guard program. It is started at the first spawn. */
enum tc_err tc_guard_create(struct tc_cx *cx, struct tc_loop *loop, const char *path, struct tc_guard **ret_guard);
/* Ends the guard and with it every child; waits for it at most 6 s, shielded.
 * No child may be in use any more. NULL is fine. */
PARKS void tc_guard_close(struct tc_cx *cx, struct tc_guard *guard);

/* Starts a program as leader of its own session. child is zeroed but for
 * on_exit and arg. TC_E_MCP_START_FAILED with the reason (no such program, …);
 * nothing is left to finish on failure. */
PARKS enum tc_err tc_guard_spawn(struct tc_cx *cx, struct tc_guard *guard, const struct tc_guard_launch *launch,
                                 struct tc_guard_child *child);
/* Asks for its end, see `exited` and `gone`. No effect when it is gone. */
void tc_guard_child_end(struct tc_guard_child *child);
/* Forgets it, ending it first when it is not gone. Leaves the pipe ends alone. */
void tc_guard_child_finish(struct tc_guard_child *child);

/* Starts of the guard program so far; 0 or 1 when all is well. */
int tc_guard_starts(const struct tc_guard *guard);
int tc_guard_pid(const struct tc_guard *guard); /* 0: not running */

#endif
