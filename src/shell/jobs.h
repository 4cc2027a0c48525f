/*
 * Background jobs of one environment, and what `wait` may still ask of those that it
 * was told of. A subshell lists the jobs of its parent but cannot wait for them.
 */
#ifndef TC_SHELL_JOBS_H
#define TC_SHELL_JOBS_H

#include "shell/exec.h"

struct tc_sh_job {
    int number, pid; /* number 0: a process substitution, or one that was waited for; only its pid names it */
    struct tc_sh_proc *proc;
    struct tc_str text; /* owned */
    bool disowned;  /* not listed */
    bool waited;    /* its status is kept for `wait PID` */
    bool inherited; /* of the parent */
    bool told;      /* that it has ended; only its pid names it */
};

/* Takes the reference to proc; copies the text. Sets $!. False without memory. */
bool tc_sh_jobs_add(struct tc_sh_env *env, struct tc_sh_proc *proc, struct tc_str text, bool hidden);
bool tc_sh_jobs_copy(struct tc_sh_env *to, const struct tc_sh_env *from); /* for a subshell */
void tc_sh_jobs_finish(struct tc_sh_env *env);
/* After a command that the shell waited for: what ended meanwhile is not listed any more, and what a signal
 * killed is told of on stderr. PARKS. */
void tc_sh_jobs_notify(struct tc_sh_env *env);
/* "LINE: PID Killed  TEXT" for an ended job that a signal killed which scripts tell of. PARKS. */
void tc_sh_jobs_tell_killed(struct tc_sh_env *env, const struct tc_sh_job *job);
/* After a `wait` for all: none of those that it may wait for has a status to tell any more. */
void tc_sh_jobs_forget(struct tc_sh_env *env);
/* "%1", "%+", "%-", "%%", "%name", "%?text": its index; SIZE_MAX when there is none. */
size_t tc_sh_jobs_find(struct tc_sh_env *env, struct tc_str spec);
size_t tc_sh_jobs_of_pid(struct tc_sh_env *env, int pid);
/* The newest job that is listed, and the one before: + and - of `jobs`. SIZE_MAX when there is none. */
size_t tc_sh_jobs_current(struct tc_sh_env *env);
size_t tc_sh_jobs_previous(struct tc_sh_env *env);

#endif
