/*
 * Parameters that the shell makes itself: $? and its like, and the variables of
 * TC_SH_VAR_DYNAMIC, whose values come from the environment when they are asked for.
 */
#ifndef TC_SHELL_SPECIAL_H
#define TC_SHELL_SPECIAL_H

#include "shell/env.h"

/* Declares the dynamic variables and those with a fixed value, in a new table. False without memory. */
bool tc_sh_special_declare(struct tc_sh_vars *vars);
/* ? # - $ ! and digits; the value is in the scratch arena or borrowed. False when it is unset. */
bool tc_sh_special_parameter(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_value);
/* A dynamic variable; of arrays one element (subscript NULL: the first). */
bool tc_sh_special_get(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_value);
/* All elements of one that is an array (FUNCNAME, PIPESTATUS …); false when it is none. The vector and
 * what it holds is in the scratch arena. */
bool tc_sh_special_elements(struct tc_sh_env *env, struct tc_str name, struct tc_str **ret_v, size_t *ret_n);
/* An assignment to one: RANDOM=5 seeds, SECONDS=0 counts anew; what cannot be set is left. */
void tc_sh_special_set(struct tc_sh_env *env, struct tc_str name, struct tc_str value);

#endif
