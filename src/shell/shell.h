/*
 * The face of the shell to the worker program, the tests and the fuzzers: one call.
 */
#ifndef TC_SHELL_SHELL_H
#define TC_SHELL_SHELL_H

#include "shell/budget.h"
#include "shell/vfs.h"

/* An interpreter in which nothing has run yet: what all calls have in common, made before there is one. Of
 * `limits` those of memory and variables hold from here on, the others are those of the call. environment: NULL is
 * PATH HOME USER LANG … of the shell's own. */
struct tc_sh_start;
/* NULL without memory. */
struct tc_sh_start *tc_sh_start_create(const struct tc_sh_limits *limits, char *const *environment);
void tc_sh_start_destroy(struct tc_sh_start *start);

struct tc_sh_call {
    struct tc_sh_start *start; /* taken; NULL: made now, with `environment` */
    bool last;                 /* the process ends after it: nothing is given back that the process's end gives back */
    struct tc_sh_limits limits;
    struct tc_sh_mount *mounts;
    size_t mounts_n;
    const char *const *hidden, *const *shown; /* see vfs.h */
    size_t hidden_n, shown_n;
    const char *cwd;
    char **environment;
    struct tc_str script;     /* -c text or a file's contents */
    struct tc_str name;       /* $0; "" is bash */
    bool file;                /* `script` is that of the file `name`; else as of -c */
    struct tc_str *args;
    size_t args_n;
    struct tc_sh_file *in, *out, *err; /* taken */
    const int *cancel;        /* NULL, or a descriptor: once there is something to read the call is canceled */
    /* Interactive: the next line for a prompt, in a buffer; 1, 0 at the end, -1 to drop what was begun.
     * The limits are then those of each command, and what cancels one is read away. NULL: `script` alone. */
    int (*line)(void *arg, struct tc_str prompt, struct tc_buf *line);
    void *arg;
    struct timespec (*now)(void *arg); /* the wall clock; NULL: the system's */
    void *now_arg;
    int64_t bytes_used, files_used; /* of the workspace */
    unsigned char *used;            /* used.h; NULL */
};

struct tc_sh_outcome {
    int status;
    enum tc_sh_limit limit;
    char message[160]; /* of the limit; "" */
    int64_t work, wall_ns, cpu_ns, peak_kib;
};

/* Runs it to its end. `changed`, when not NULL, is called for each path that was changed. */
void tc_sh_call_run(struct tc_sh_call *call, struct tc_sh_outcome *ret_outcome,
                    void (*changed)(void *arg, struct tc_sh_vfs *vfs, const char *path), void *changed_arg);

#endif
