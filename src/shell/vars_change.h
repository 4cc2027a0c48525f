/*
 * Writing values: the limits, the attributes that change a value, and the arrays of
 * one variable. For vars.c and vars_array.c.
 */
#ifndef TC_SHELL_VARS_CHANGE_H
#define TC_SHELL_VARS_CHANGE_H

#include "shell/vars_table.h"

enum { TC_SH_VAR_CASES = TC_SH_VAR_LOWER | TC_SH_VAR_UPPER | TC_SH_VAR_CAPITAL };

/* Adds to what is used; refuses what would be over the limits. */
enum tc_sh_set tc_sh_vars_charge(struct tc_sh_vars *vars, int64_t elements, int64_t bytes);
/* var is the environment's own. LOWER, UPPER and CAPITAL apply. */
enum tc_sh_set tc_sh_var_assign(struct tc_sh_vars *vars, struct tc_sh_var *var, struct tc_str value);
enum tc_sh_set tc_sh_var_assign_at(struct tc_sh_vars *vars, struct tc_sh_var *var, int64_t index, struct tc_str value);
enum tc_sh_set tc_sh_var_assign_key(struct tc_sh_vars *vars, struct tc_sh_var *var, struct tc_str key,
                                    struct tc_str value);

#endif
