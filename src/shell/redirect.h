/*
 * Redirections of a command: done in order, and undone in reverse when it has ended.
 */
#ifndef TC_SHELL_REDIRECT_H
#define TC_SHELL_REDIRECT_H

#include "shell/env.h"

struct tc_sh_undo {
    struct tc_sh_undo_row *rows; /* in the scratch arena */
    size_t n;
    bool failed; /* one could not be done: it was told, the status is 1 */
};

/* PARKS. `ret_undo` is set whatever the flow. */
enum tc_sh_flow tc_sh_redirect(struct tc_sh_env *env, struct tc_sh_redirect *const *redirects, size_t n,
                               struct tc_sh_undo *ret_undo);
/* The same for what bash runs in a process of its own: an expansion that fails ends no more than this command. */
enum tc_sh_flow tc_sh_redirect_apart(struct tc_sh_env *env, struct tc_sh_redirect *const *redirects, size_t n,
                                     struct tc_sh_undo *ret_undo);
void tc_sh_redirect_undo(struct tc_sh_env *env, struct tc_sh_undo *undo);
void tc_sh_redirect_keep(struct tc_sh_undo *undo); /* of `exec >file`: they stay */

#endif
