/*
 * Traps: texts that run when the shell ends, a command fails, before each command, when
 * a function returns, or when the process gets a signal. The table is shared by forks.
 * A subshell still lists its parent's traps but does not run them; its first own `trap`
 * forgets all but the ignored ones, as bash does.
 */
#ifndef TC_SHELL_TRAP_H
#define TC_SHELL_TRAP_H

#include "shell/exec.h"

enum { TC_SH_TRAP_EXIT, TC_SH_TRAP_ERR = 65, TC_SH_TRAP_DEBUG, TC_SH_TRAP_RETURN, TC_SH_TRAPS }; /* 1…64 signals */

struct tc_sh_traps {
    int refs;
    bool inherited;          /* of the parent: listed, only the ignored ones hold */
    char *text[TC_SH_TRAPS]; /* owned; NULL default, "" ignored */
};

struct tc_sh_traps *tc_sh_traps_fork(struct tc_sh_env *env); /* for a subshell; NULL: there are none */
void tc_sh_traps_unref(struct tc_sh_traps *traps);
/* What is to run; NULL when none is, "" for an ignored one. Borrowed. */
const char *tc_sh_trap_get(const struct tc_sh_env *env, int which);
const char *tc_sh_trap_listed(const struct tc_sh_env *env, int which);
/* text NULL: the default again. False without memory. */
bool tc_sh_trap_set(struct tc_sh_env *env, int which, const char *text);
void tc_sh_traps_drop(struct tc_sh_env *env); /* all of them */
/* "INT", "SIGINT", "2", "EXIT", "0", "ERR" …: the number, -1 for none. */
int tc_sh_trap_number(struct tc_str name);
/* "SIGINT", "EXIT"; NULL for a number that has none. */
const char *tc_sh_trap_name(int which);

/* After a subshell of this process ended that had told the scheduler of its own. */
void tc_sh_trap_rearm(struct tc_sh_env *env);

void tc_sh_trap_list_names(struct tc_cmd_out *out); /* as `kill -l` */

/* Runs the traps of signals that came; PARKS. */
enum tc_sh_flow tc_sh_trap_pending(struct tc_sh_env *env);
/* Those that a function or subshell does not inherit are put away while it runs. */
struct tc_sh_trap_saved {
    char *text[3]; /* ERR, DEBUG, RETURN; owned */
    bool active;
};
void tc_sh_trap_hold(struct tc_sh_env *env, bool traced, struct tc_sh_trap_saved *saved);
void tc_sh_trap_restore(struct tc_sh_env *env, struct tc_sh_trap_saved *saved);

#endif
