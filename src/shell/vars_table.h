/*
 * The table of names behind vars.h: one probe finds the newest variable of a name,
 * which links to those that it hides. Table, variables and values are counted
 * references; tc_sh_var_write makes the way to one variable this environment's own.
 */
#ifndef TC_SHELL_VARS_TABLE_H
#define TC_SHELL_VARS_TABLE_H

#include "shell/vars.h"
#include "shell/vars_value.h"

struct tc_sh_var {
    int refs, level; /* level 0: global */
    unsigned flags;
    struct tc_sh_value *text; /* the value of what is no array; NULL unset */
    struct tc_sh_indexed *indexed;
    struct tc_sh_assoc *assoc;
    struct tc_sh_var *outer; /* that it hides; its level is lower */
};

struct tc_sh_name {
    uint64_t hash;
    struct tc_sh_value *name; /* NULL: never used */
    struct tc_sh_var *var;    /* NULL: the name was unset */
};

struct tc_sh_local { /* a declaration to be undone by pop */
    struct tc_sh_value *name;
    int level;
};

struct tc_sh_names {
    int refs;
    size_t used, cap; /* of slots, with those of unset names */
    struct tc_sh_name *slots;
    struct tc_sh_local *locals;
    size_t locals_n, locals_cap;
};

struct tc_sh_vars {
    struct tc_sh_names *table;
    uint64_t seed[2], version;
    int64_t elements, bytes, max_elements, max_bytes;
    int level;
    bool global; /* tc_sh_vars_global */
};

struct tc_sh_names *tc_sh_names_create(void);
void tc_sh_names_unref(struct tc_sh_names *table);
struct tc_sh_name *tc_sh_names_find(const struct tc_sh_vars *vars, struct tc_str name);
/* The variable that a name means now, to be looked at; NULL. */
struct tc_sh_var *tc_sh_var_find(const struct tc_sh_vars *vars, struct tc_str name);
/* The same to be changed, made when it is absent; NULL without memory. */
struct tc_sh_var *tc_sh_var_write(struct tc_sh_vars *vars, struct tc_str name);
/* Hides what the name means by a new variable of this level. */
struct tc_sh_var *tc_sh_var_hide(struct tc_sh_vars *vars, struct tc_str name);
/* Takes the newest variable of the name away. It exists. False without memory. */
bool tc_sh_var_drop(struct tc_sh_vars *vars, struct tc_str name);
/* Elements and bytes of a variable, for the limits. */
void tc_sh_var_size(const struct tc_sh_var *var, int64_t *ret_elements, int64_t *ret_bytes);
/* Without a value, an array without elements. */
void tc_sh_var_empty(struct tc_sh_var *var);

#endif
