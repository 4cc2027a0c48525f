/*
 * Running a script that comes line by line.
 */
#ifndef TC_SHELL_EXEC_LINES_H
#define TC_SHELL_EXEC_LINES_H

#include "shell/exec.h"

struct tc_sh_lines {
    /* Appends the next line with its end. more: it continues a command. 1; 0 at the end; -1 drops
     * what there is. PARKS. */
    int (*next)(void *arg, struct tc_sh_env *env, bool more, struct tc_buf *line);
    void *arg;
};

/* PARKS. Until the end, exit, or an error of syntax; the latter does not end an interactive shell. */
enum tc_sh_flow tc_sh_exec_lines(struct tc_sh_env *env, const struct tc_sh_lines *lines);

#endif
