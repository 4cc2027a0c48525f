/*
 * The interpreter, as a child that is confined already calls it.
 */
#ifndef TC_WORKER_SHELL_RUN_H
#define TC_WORKER_SHELL_RUN_H

#include "sandbox/wire.h"
#include "worker/shell_answer.h"

struct tc_sh_start;

struct shell_job {
    struct tc_sh_start *start; /* of shell_begin; NULL */
    const struct tc_sandbox_request *request; /* with its descriptors, which are taken */
    int tmp;                     /* of /tmp, or -1; taken */
    int stop;                    /* readable: whoever called does not wait any more */
    struct shell_answer *answer; /* NULL: the descriptors 0 to 2 are the script's */

    /* of a terminal or a pipe; the rest is empty for a call of the daemon */
    bool unlimited;
    bool interactive;
    int lines;                   /* where the lines of an interactive shell are asked for */
    struct tc_str name, *args;   /* $0, $1 … */
    bool file;                   /* the script is that of the file `name` */
    size_t args_n;
};

/* What the first script of a process would pay for is paid. */
void shell_warm_up(void);
/* What a script begins with, made before it has come; NULL: it is made then. */
struct tc_sh_start *shell_begin(void);
/* Runs it to its end, and the process has nothing to do after it. Texts of *ret_end are of the arena. */
void shell_run(struct tc_arena *arena, const struct shell_job *job, struct tc_sandbox_end *ret_end);

#endif
