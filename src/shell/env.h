/*
 * One execution environment: what a subshell copies of its parent. `struct tc_sh` is
 * what all environments of a call share.
 */
#ifndef TC_SHELL_ENV_H
#define TC_SHELL_ENV_H

#include "shell/ast.h"
#include "shell/file.h"
#include "shell/options.h"
#include "shell/parser.h"
#include "shell/vars.h"
#include "shell/vfs.h"

/* A parsed text: nodes, and the bytes that they borrow from. Functions keep it alive. */
struct tc_sh_code {
    int refs;
    struct tc_arena arena;
    struct tc_str text, name; /* name: of the file or function for messages and BASH_SOURCE */
};

struct tc_sh {
    struct tc_sh_budget budget;
    struct tc_sh_sched *sched;
    struct tc_sh_vfs *vfs;
    struct timespec (*now)(void *arg); /* of the wall clock, so that tests can set it */
    void *now_arg;
    int64_t began; /* monotonic ns: SECONDS */
    bool interactive;
    struct tc_sh_regexes *regexes; /* cond.h */
    struct tc_sh_history *history; /* history.h; NULL */
    int pids; /* the last one that a subshell without a process of its own got */
    unsigned char *used; /* used.h; NULL */
};

/* What running a node leads to; the status is env->status. */
enum tc_sh_flow {
    TC_SH_NEXT,
    TC_SH_BREAK, TC_SH_CONTINUE, /* env->levels more loops */
    TC_SH_RETURN, /* from a function or a sourced file */
    TC_SH_EXIT,   /* of this environment */
    TC_SH_ABORT,  /* an expansion failed: back to the top level of the script, which goes on with the next line */
    TC_SH_STOP    /* killed or out of budget: unwind */
};

struct tc_sh_frame { /* a function or sourced file that runs; newest first; shared by forks */
    int refs;
    struct tc_sh_frame *outer;
    struct tc_sh_code *code;    /* keeps the names alive */
    struct tc_str name, source; /* FUNCNAME, BASH_SOURCE */
    int line;                   /* BASH_LINENO: where it was called */
    bool sourced, function, options_local; /* `local -`: `options` come back when it ends */
    unsigned options;
};

struct tc_sh_args { /* positional parameters, shared until set */
    int refs;
    size_t n;
    struct tc_str *v; /* from 1 on: v[0] is $1 */
};

struct tc_sh_table; /* env_table.h */
struct tc_sh_traps; /* trap.h */
struct tc_sh_job;   /* jobs.h */

struct tc_sh_env {
    struct tc_sh *sh;
    struct tc_sh_proc *proc;
    struct tc_sh_vars *vars;
    struct tc_sh_table *functions, *aliases, *disabled, *hashed; /* NULL: empty */
    uint64_t hashed_path;       /* the PATH that `hashed` is of */
    bool hashed_forced, forked; /* hashed.h: its names hold before others; a subshell of any kind */
    struct tc_sh_args *args;
    struct tc_str arg0; /* owned */
    struct tc_sh_fds fds;
    char *cwd; /* logical, absolute */
    mode_t umask;
    unsigned options, shopt;
    int status, levels;
    int status_before; /* $? when the builtin at hand began */
    int last_background; /* $!: a pid, 0 none */
    int pid, subshell;   /* BASHPID, where $$ is 1; BASH_SUBSHELL */
    int depth, nested;   /* of functions, sources, evals, substitutions; how often xtrace repeats PS4's first byte */
    int loops, line;
    int captured;        /* the status of the last $( ) of the command that runs; -1 there was none */
    bool in_condition, in_trap; /* in_condition: set -e and ERR hold back */
    bool abandon; /* with TC_SH_ABORT: eval, source and -c do not go on with their next line either */
    bool syntax_error, keep_redirects; /* the last text ended with one; of the command at hand: `exec >file` */
    struct tc_str command; /* BASH_COMMAND */
    struct tc_str last_arg; /* $_, in memory of last_arg_cap bytes */
    size_t last_arg_cap;
    struct tc_sh_frame *frame;
    struct tc_sh_traps *traps; /* NULL: none */
    uint64_t caught;          /* signals for which a trap is to run */
    struct tc_sh_job *jobs;
    size_t jobs_n;
    char **dirs; /* pushd, below cwd */
    size_t dirs_n;
    int *pipestatus, pipestatus_few[4]; /* those few or on the heap */
    size_t pipestatus_n;
    int substituted[16]; /* descriptors of <( ) that the command at hand has open */
    size_t substituted_n;
    int getopts_at, getopts_in; /* where getopts stands: OPTIND's argument, offset in it */
    uint32_t random, random_last, random_pid; /* RANDOM: its state, what it gave last, whom it was seeded for */
    int64_t seconds;     /* what an assignment to SECONDS adds */
    struct tc_str doing; /* "((", "[[", "let" …: begins messages of arithmetic; else empty */
    struct tc_sh_code *code; /* that runs, and owns the nodes at hand */
    const struct tc_sh_assign **arrays; /* of the arguments of declare: x=(…) by index; NULL */
};

/* A copy for a subshell; NULL without memory (the budget is then poisoned). Traps but ignored ones are
 * reset as bash does; jobs are not inherited. */
struct tc_sh_env *tc_sh_env_fork(struct tc_sh_env *env);
struct tc_sh_env *tc_sh_env_create(struct tc_sh *sh);
void tc_sh_env_destroy(struct tc_sh_env *env);
/* Of destroying it what others can see: its descriptors are closed. The memory goes with the process. */
void tc_sh_env_leave(struct tc_sh_env *env);
/* The variables of a new shell: those of "NAME=value", NULL at the end, and bash's own. False without memory. */
bool tc_sh_env_start(struct tc_sh_env *env, char *const *environ);

struct tc_sh_args *tc_sh_args_create(const struct tc_str *v, size_t n); /* copies */
void tc_sh_args_unref(struct tc_sh_args *args);
struct tc_sh_frame *tc_sh_frame_push(struct tc_sh_env *env, struct tc_sh_code *code, struct tc_str name);
void tc_sh_frame_pop(struct tc_sh_env *env);

/* These copy what they are given; false without memory. */
bool tc_sh_env_set_arg0(struct tc_sh_env *env, struct tc_str name);
bool tc_sh_env_set_cwd(struct tc_sh_env *env, const char *path);
bool tc_sh_env_set_last(struct tc_sh_env *env, struct tc_str text); /* $_ */
bool tc_sh_env_set_pipestatus(struct tc_sh_env *env, const int *status, size_t n);
int tc_sh_env_next_pid(struct tc_sh_env *env);
/* The path from the root, into PATH_MAX bytes; false when it is too long or has a NUL. */
bool tc_sh_env_path(const struct tc_sh_env *env, struct tc_str path, char *absolute);
struct tc_str tc_sh_env_script(const struct tc_sh_env *env); /* the name that messages begin with */

struct tc_sh_code *tc_sh_code_create(struct tc_str text, struct tc_str name); /* copies */
struct tc_sh_code *tc_sh_code_ref(struct tc_sh_code *code);
void tc_sh_code_unref(struct tc_sh_code *code);

/* "bash: line 3: TEXT\n" to descriptor 2. PARKS. */
void tc_sh_warn(struct tc_sh_env *env, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Poisons the budget for memory; TC_SH_STOP. */
enum tc_sh_flow tc_sh_out_of_memory(struct tc_sh_env *env);
bool tc_sh_tick(struct tc_sh_env *env, unsigned units);
/* The scratch arena of the process that runs. Whoever starts work on it marks and rewinds. */
struct tc_arena *tc_sh_arena(struct tc_sh_env *env);
/* Enough stack and depth for one level more; else poisons the budget (TC_SH_LIMIT_DEPTH). */
bool tc_sh_deeper(struct tc_sh_env *env);

#endif
