/*
 * Background jobs of one environment. A job's process is referenced until it was
 * waited for or told of; subshells do not inherit jobs.
 */
#ifndef TC_SHELL_JOBS_H
#define TC_SHELL_JOBS_H

#include "shell/exec.h"

struct tc_sh_job {
    int number, pid; /* number 0: a process substitution, which only `wait PID` knows */
    struct tc_sh_proc *proc;
    struct tc_str text; /* owned */
    bool disowned, told;
};

/* Takes the reference to proc; copies the text. Sets $!. False without memory. */
bool tc_sh_jobs_add(struct tc_sh_env *env, struct tc_sh_proc *proc, struct tc_str text, bool hidden);
void tc_sh_jobs_finish(struct tc_sh_env *env);
/* Forgets job i. */
void tc_sh_jobs_remove(struct tc_sh_env *env, size_t i);
/* "%1", "%+", "%-", "%%", "%name", "%?text": its index; SIZE_MAX when there is none. */
size_t tc_sh_jobs_find(struct tc_sh_env *env, struct tc_str spec);
size_t tc_sh_jobs_of_pid(struct tc_sh_env *env, int pid);
/* The newest job that is listed, and the one before: + and - of `jobs`. SIZE_MAX when there is none. */
size_t tc_sh_jobs_current(struct tc_sh_env *env);
size_t tc_sh_jobs_previous(struct tc_sh_env *env);

#endif
