/*
 * Ends every descendant of this process, which must be a child subreaper: a
 * child that calls setsid() or forks twice stays its descendant.
 *
 * No recycled pid is ever signalled. A process is signalled through a pidfd,
 * and only once /proc has named, after the pidfd was opened, a parent that is
 * itself held by a pidfd and not reaped yet; the root of that chain is this
 * process, which alone reaps its children and does not do so meanwhile.
 */
#ifndef TC_WORKER_GUARD_TREE_H
#define TC_WORKER_GUARD_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum guard_phase { GUARD_RUNNING, GUARD_TERM, GUARD_KILL };

enum { GUARD_TERM_MS = 3000 }; /* between SIGTERM and SIGKILL */

struct guard_proc {
    pid_t pid, ppid, pgrp;
    int fd; /* pidfd */
    char state;
};

struct guard_tree {
    enum guard_phase phase;
    pid_t group;                             /* leader of a group, not reaped yet; 0: none */
    bool (*skip)(const void *arg, pid_t pid); /* children to leave alone with all below them; may be NULL */
    const void *skip_arg;
    int64_t kill_at;                         /* monotonic ms */
    int pause_ms;                            /* between rounds of SIGKILL */
    size_t alive;                            /* descendants seen by the last round */
    struct guard_proc *procs;                /* scratch: the processes of the machine */
    size_t cap;
};

/* Sends SIGTERM once to each descendant; no effect when that was done already. */
void guard_tree_end(struct guard_tree *tree);
/* As guard_tree_end, but with SIGKILL at once. */
void guard_tree_kill(struct guard_tree *tree);
/* Does what is due and returns the milliseconds until the next step, -1 for
 * none. The caller reaps between the steps and stops when no child is left. */
int guard_tree_step(struct guard_tree *tree);
/* Back to GUARD_RUNNING, for a process that lives on. */
void guard_tree_rest(struct guard_tree *tree);

void guard_tree_finish(struct guard_tree *tree); /* frees its scratch */

int64_t guard_tree_now(void); /* monotonic ms */

#endif
