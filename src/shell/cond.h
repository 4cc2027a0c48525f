/*
 * What [[ ]] and test ask: files, strings, numbers, options.
 */
#ifndef TC_SHELL_COND_H
#define TC_SHELL_COND_H

#include "shell/exec.h"

/* PARKS. A bad regular expression is env->status 2. */
enum tc_sh_flow tc_sh_cond_eval(struct tc_sh_env *env, const struct tc_sh_cond *cond, bool *ret_true);
/* A unary operator by its letter, as test and [[ ]] have it; -1 when there is no such operator. */
int tc_sh_cond_unary(struct tc_sh_env *env, char op, struct tc_str operand);
/* -nt -ot -ef; -1 for another operator. */
int tc_sh_cond_files(struct tc_sh_env *env, struct tc_str a, struct tc_str op, struct tc_str b);
/* The result of -eq -ne -lt -le -gt -ge; -1 for another operator. */
int tc_sh_cond_numbers(int64_t a, struct tc_str op, int64_t b);
void tc_sh_cond_finish(struct tc_sh *sh); /* the compiled expressions that are kept for =~ */

#endif
