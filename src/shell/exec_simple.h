/*
 * What the two files of simple commands share: the words of a command, and what is
 * assigned for it.
 */
#ifndef TC_SHELL_EXEC_SIMPLE_H
#define TC_SHELL_EXEC_SIMPLE_H

#include "shell/exec_parts.h"

/* The words of one command, expanded. */
struct tc_sh_line {
    struct tc_str *v;
    size_t n;
    const struct tc_sh_assign **arrays; /* by index of v, or NULL */
};

/* What the assignments before a command made in its scope; room for all of them. */
struct tc_sh_made {
    struct tc_str *names, *values;
    size_t n;
};

/* PARKS, those that return a flow. */
enum tc_sh_flow tc_sh_assign_bare(struct tc_sh_env *env, const struct tc_sh_node *node);
enum tc_sh_flow tc_sh_assign_before(struct tc_sh_env *env, const struct tc_sh_node *node,
                                    const struct tc_sh_line *line, struct tc_sh_made *ret_made);
/* The same values once more, in a new scope. */
enum tc_sh_flow tc_sh_assign_again(struct tc_sh_env *env, const struct tc_sh_made *made);
bool tc_sh_assign_shows(const struct tc_sh_line *line); /* of declare and its like: it is declare -p */

#endif
