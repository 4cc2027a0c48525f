/*
 * What one call may use: one budget for everything in it, whoever spends it. Once a
 * limit is reached the budget is poisoned: every tick, read and write from then on
 * says stop, so the whole shell unwinds, and the name of the limit is told once.
 *
 * What is stored has quotas instead: a write that would go beyond one fails, as on a full
 * disk, and the script goes on. The first that was met is told once, at the end.
 */
#ifndef TC_SHELL_BUDGET_H
#define TC_SHELL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tc_sh_limit {
    TC_SH_LIMIT_NONE,
    TC_SH_LIMIT_WALL,      /* time since the call began */
    TC_SH_LIMIT_WORK,      /* units: commands, loop passes, records, steps of expansion */
    TC_SH_LIMIT_MEMORY,    /* an allocation failed under the process's limit */
    TC_SH_LIMIT_OUTPUT,    /* bytes to the caller, both streams */
    TC_SH_LIMIT_DEPTH,     /* functions, substitutions, subshells, source: the stack */
    TC_SH_LIMIT_PROCESSES, /* stages and jobs at once */
    TC_SH_LIMIT_FIELDS,    /* words of one expansion: braces, globs, splitting */
    TC_SH_LIMIT_VARIABLES, /* names, elements and their bytes */
    TC_SH_LIMIT_FILES,     /* a quota: files in the workspace and /tmp */
    TC_SH_LIMIT_BYTES,     /* a quota: bytes in them */
    TC_SH_LIMIT_FILE_SIZE, /* a quota */
    TC_SH_LIMIT_DESCRIPTORS,
    TC_SH_LIMIT_SCRIPT,    /* bytes of a script */
    TC_SH_LIMIT_DEADLOCK,  /* all processes wait for each other, and nothing else can wake them */
    TC_SH_LIMIT_CANCELED   /* the caller no longer waits */
};

struct tc_sh_limits { /* 0 is no limit */
    int64_t wall_ns, work, memory, output;
    int64_t depth, processes, fields, variables;
    int64_t files, bytes, file_size, descriptors, script;
    int64_t cpu_ns; /* of `ulimit -t`: then SIGXCPU or, where it is the hard one too, SIGKILL */
};
/* 30 s, 2e9 units, 512 MiB, 128 KiB a stream is cut by who reads it (output 64 MiB), depth 1000,
 * 256 processes, 1e6 fields, 1e6 elements, 100,000 files, 1 GiB, 256 MiB a file, 1024, 1 MiB. */
struct tc_sh_limits tc_sh_limits_default(void);
struct tc_sh_limits tc_sh_limits_none(void); /* memory and depth stay, so that it cannot crash */

struct tc_sh_budget {
    struct tc_sh_limits max, hard; /* hard: how far `ulimit` may go */
    int64_t work, output;   /* used */
    int64_t files, bytes;   /* in the workspace and /tmp: set when a call begins, kept by the view of files */
    int64_t deadline;       /* monotonic ns, 0 none */
    int64_t cpu_end;        /* of the clock of this process, 0 none */
    enum tc_sh_limit spent; /* why it is poisoned */
    enum tc_sh_limit quota; /* the first that was met */
};

void tc_sh_budget_init(struct tc_sh_budget *budget, const struct tc_sh_limits *limits);
int64_t tc_sh_budget_now(void); /* monotonic ns */
/* As new, but for what is stored: for the next command of an interactive shell. */
void tc_sh_budget_restart(struct tc_sh_budget *budget);
/* Poisons it; the first reason stays. Always false. */
bool tc_sh_budget_spend(struct tc_sh_budget *budget, enum tc_sh_limit limit);
/* A quota was met; the first stays. */
void tc_sh_budget_met(struct tc_sh_budget *budget, enum tc_sh_limit quota);
/* "wall", "work", … and "time limit of 30 s reached": a name and a sentence. */
const char *tc_sh_limit_name(enum tc_sh_limit limit);
void tc_sh_limit_text(const struct tc_sh_budget *budget, enum tc_sh_limit limit, char *text, size_t size);

#endif
