/*
 * One execution environment: what a subshell copies of its parent. `struct tc_sh` is
 * what all environments of a call share.
 */
#ifndef TC_SHELL_ENV_H
#define TC_SHELL_ENV_H

#include "base/map.h"
#include "shell/ast.h"
#include "shell/file.h"
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
};

enum tc_sh_option {
    TC_SH_O_ALLEXPORT = 1 << 0, TC_SH_O_ERREXIT = 1 << 1, TC_SH_O_NOGLOB = 1 << 2, TC_SH_O_HASHALL = 1 << 3,
    TC_SH_O_KEYWORD = 1 << 4, TC_SH_O_NOEXEC = 1 << 5, TC_SH_O_NOUNSET = 1 << 6, TC_SH_O_VERBOSE = 1 << 7,
    TC_SH_O_XTRACE = 1 << 8, TC_SH_O_BRACE = 1 << 9, TC_SH_O_NOCLOBBER = 1 << 10, TC_SH_O_ERRTRACE = 1 << 11,
    TC_SH_O_FUNCTRACE = 1 << 12, TC_SH_O_PIPEFAIL = 1 << 13, TC_SH_O_POSIX = 1 << 14, TC_SH_O_MONITOR = 1 << 15,
    TC_SH_O_PHYSICAL = 1 << 16, TC_SH_O_HISTORY = 1 << 17, TC_SH_O_INTERACTIVE = 1 << 18, TC_SH_O_ONECMD = 1 << 19,
    TC_SH_O_PRIVILEGED = 1 << 20, TC_SH_O_NOTIFY = 1 << 21, TC_SH_O_IGNOREEOF = 1 << 22
};

enum tc_sh_shopt {
    TC_SH_S_EXTGLOB = 1 << 0, TC_SH_S_GLOBSTAR = 1 << 1, TC_SH_S_NULLGLOB = 1 << 2, TC_SH_S_FAILGLOB = 1 << 3,
    TC_SH_S_DOTGLOB = 1 << 4, TC_SH_S_NOCASEGLOB = 1 << 5, TC_SH_S_NOCASEMATCH = 1 << 6, TC_SH_S_LASTPIPE = 1 << 7,
    TC_SH_S_EXPAND_ALIASES = 1 << 8, TC_SH_S_INHERIT_ERREXIT = 1 << 9, TC_SH_S_LOCALVAR_INHERIT = 1 << 10,
    TC_SH_S_SOURCEPATH = 1 << 11, TC_SH_S_XPG_ECHO = 1 << 12, TC_SH_S_PATSUB = 1 << 13, TC_SH_S_GLOBASCII = 1 << 14,
    TC_SH_S_AUTOCD = 1 << 15, TC_SH_S_EXTDEBUG = 1 << 16, TC_SH_S_GLOBSKIPDOTS = 1 << 17,
    TC_SH_S_LOCALVAR_UNSET = 1 << 18,
    TC_SH_S_CHECKWINSIZE = 1 << 19, TC_SH_S_CMDHIST = 1 << 20, TC_SH_S_ASSOC_ONCE = 1 << 21, TC_SH_S_EXECFAIL = 1 << 22
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

struct tc_sh_function {
    int refs;
    struct tc_sh_code *code;
    const struct tc_sh_node *node; /* TC_SH_FUNCTION */
    bool exported, traced;
};

struct tc_sh_frame { /* a function or sourced file that runs; newest first */
    struct tc_sh_frame *outer;
    struct tc_str name, source; /* FUNCNAME, BASH_SOURCE */
    int line;                   /* BASH_LINENO: where it was called */
    bool sourced;
};

struct tc_sh_args { /* positional parameters, shared until set */
    int refs;
    size_t n;
    struct tc_str *v; /* from 1 on: v[0] is $1 */
};

struct tc_sh_job {
    int number, pid;
    struct tc_sh_proc *proc;
    struct tc_str text;
    bool disowned, told;
};

enum { TC_SH_TRAP_EXIT, TC_SH_TRAP_ERR = 65, TC_SH_TRAP_DEBUG, TC_SH_TRAP_RETURN, TC_SH_TRAPS }; /* 1…64 signals */

struct tc_sh_env {
    struct tc_sh *sh;
    struct tc_sh_proc *proc;
    struct tc_sh_vars *vars;
    struct tc_map functions; /* struct tc_sh_function, referenced */
    struct tc_map aliases;   /* struct tc_buf-less strings: char *, owned */
    struct tc_sh_args *args;
    struct tc_str arg0;
    struct tc_sh_fds fds;
    char *cwd; /* logical, absolute */
    mode_t umask;
    unsigned options, shopt;
    int status, levels;
    int last_background; /* $!: a pid, 0 none */
    int pid;             /* BASHPID; $$ is 1 */
    int subshell;        /* BASH_SUBSHELL */
    int depth;           /* of functions, sources, evals, substitutions */
    int loops, line;
    bool in_condition, in_trap; /* in_condition: set -e and ERR hold back */
    struct tc_str command; /* BASH_COMMAND */
    struct tc_str last_arg; /* $_, owned */
    struct tc_sh_frame *frame;
    char *traps[TC_SH_TRAPS]; /* text, owned; NULL default; "" ignored */
    uint64_t caught;          /* signals for which a trap is to run */
    struct tc_sh_job *jobs;
    size_t jobs_n;
    char **dirs; /* pushd, below cwd */
    size_t dirs_n;
    int *pipestatus;
    size_t pipestatus_n;
    int getopts_at, getopts_in; /* where getopts stands: OPTIND's argument, offset in it */
    uint32_t random, random_last, random_pid; /* RANDOM: its state, what it gave last, whom it was seeded for */
    int64_t seconds;     /* what an assignment to SECONDS adds */
    struct tc_str doing; /* "((", "[[", "let" …: begins messages of arithmetic; else empty */
    struct tc_sh_code *code; /* that runs */
};

/* A copy for a subshell; NULL without memory (the budget is then poisoned). Traps but ignored ones are
 * reset as bash does; jobs are not inherited. */
struct tc_sh_env *tc_sh_env_fork(struct tc_sh_env *env);
struct tc_sh_env *tc_sh_env_create(struct tc_sh *sh);
void tc_sh_env_destroy(struct tc_sh_env *env);

struct tc_sh_args *tc_sh_args_create(const struct tc_str *v, size_t n); /* copies */
void tc_sh_args_unref(struct tc_sh_args *args);

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
