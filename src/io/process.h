/*
 * Child processes: posix_spawn and a pidfd, no SIGCHLD handler (an embedding
 * program may own that signal), no fork of a large parent.
 */
#ifndef TC_IO_PROCESS_H
#define TC_IO_PROCESS_H

#include "io/task.h"

struct tc_process;

struct tc_process_options {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH of env */
    const char *const *env;  /* NULL-terminated "K=V"; NULL inherits */
    const char *cwd;         /* NULL keeps */
    int fds[4];              /* become 0 to 3 of the child; -1: /dev/null, for 3 nothing. Stay the caller's */
    bool own_group;          /* leads a new process group */
};

/* Every other descriptor is closed in the child, its signals are at their
 * defaults and unblocked. Errors: TC_E_IO naming the command and the reason. */
enum tc_err tc_process_spawn(struct tc_cx *cx, struct tc_loop *loop, const struct tc_process_options *options,
                             struct tc_process **ret_process);
/* Until it has ended; *ret_status as waitpid gives it. */
PARKS enum tc_err tc_process_wait(struct tc_cx *cx, struct tc_process *process, int64_t timeout_ms, int *ret_status);
/* To the process, or to its group when it leads one: then, after its own end,
 * still to what is left of the group. */
void tc_process_signal(struct tc_process *process, int signal);
int tc_process_pid(const struct tc_process *process);
/* Kills it, or the whole group that it leads, if something still runs (SIGKILL),
 * reaps it, frees. Until here an ended process stays a zombie, so that its
 * number cannot come to mean another. Nobody may wait for it. NULL is fine. */
void tc_process_destroy(struct tc_process *process);

/* The path of a program that is installed with this one: beside it, else in ../libexec/toolcrib, whether
 * it is there or not. NULL without memory, or when this program's own path is not known. */
const char *tc_process_helper(struct tc_arena *arena, const char *name);

#endif
