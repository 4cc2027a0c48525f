/*
 * Variables of one execution environment. A subshell gets its own by fork: tables and
 * values are shared until one side writes, so a fork costs a reference. Functions push
 * a scope, in which `local` declares; a lookup sees the newest scope first (dynamic
 * scope, as bash).
 */
#ifndef TC_SHELL_VARS_H
#define TC_SHELL_VARS_H

#include "toolcrib/buf.h"

enum tc_sh_var_flag {
    TC_SH_VAR_EXPORT = 1 << 0,
    TC_SH_VAR_READONLY = 1 << 1,
    TC_SH_VAR_INTEGER = 1 << 2, /* values are evaluated by who assigns (assign.h) */
    TC_SH_VAR_LOWER = 1 << 3,
    TC_SH_VAR_UPPER = 1 << 4,
    TC_SH_VAR_CAPITAL = 1 << 5,
    TC_SH_VAR_NAMEREF = 1 << 6,
    TC_SH_VAR_INDEXED = 1 << 7,
    TC_SH_VAR_ASSOC = 1 << 8,
    TC_SH_VAR_TRACE = 1 << 9,
    TC_SH_VAR_DYNAMIC = 1 << 10 /* has no value here: special.c makes it when it is asked for */
};

struct tc_sh_vars;

struct tc_sh_vars *tc_sh_vars_create(int64_t max_elements, int64_t max_bytes);
struct tc_sh_vars *tc_sh_vars_fork(struct tc_sh_vars *vars); /* NULL without memory */
void tc_sh_vars_destroy(struct tc_sh_vars *vars);

/* Outcome of a change. The caller tells ("x: readonly variable"). */
enum tc_sh_set {
    TC_SH_SET_OK, TC_SH_SET_READONLY, TC_SH_SET_MEMORY, TC_SH_SET_LIMIT, TC_SH_SET_SUBSCRIPT, TC_SH_SET_TYPE
};

/* Names below are followed through namerefs by the caller (tc_sh_vars_resolve); none of
 * these evaluates anything. Returned strings are borrowed until the next change. */

bool tc_sh_vars_exists(struct tc_sh_vars *vars, struct tc_str name); /* declared, with or without a value */
unsigned tc_sh_vars_flags(struct tc_sh_vars *vars, struct tc_str name); /* 0 when absent */
/* The value, of an array that of element 0; false when unset. */
bool tc_sh_vars_get(struct tc_sh_vars *vars, struct tc_str name, struct tc_str *ret_value);
/* All that one look tells: attributes, and the value as tc_sh_vars_get has it. False when not declared. */
struct tc_sh_var_look {
    unsigned flags;
    bool set;
    struct tc_str value;
};
bool tc_sh_vars_look(struct tc_sh_vars *vars, struct tc_str name, struct tc_sh_var_look *ret_look);
/* index < 0 counts from the end. */
bool tc_sh_vars_get_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index, struct tc_str *ret_value);
bool tc_sh_vars_get_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key, struct tc_str *ret_value);
int64_t tc_sh_vars_count(struct tc_sh_vars *vars, struct tc_str name); /* elements; 1 of a set scalar */
/* Was something assigned to it, if only an empty list? */
bool tc_sh_vars_has_value(struct tc_sh_vars *vars, struct tc_str name);
int64_t tc_sh_vars_end(struct tc_sh_vars *vars, struct tc_str name); /* the last index and 1; 0 without elements */
int64_t tc_sh_vars_before(struct tc_sh_vars *vars, struct tc_str name, int64_t index); /* elements below an index */
/* Walks elements in bash's order (indexed: by index; associative: as bash prints them where that can be
 * had, else by insertion): size_t at = 0; while (…). index of indexed ones and scalars (0); key of associative. */
bool tc_sh_vars_each(struct tc_sh_vars *vars, struct tc_str name, size_t *at, int64_t *ret_index,
                     struct tc_str *ret_key, struct tc_str *ret_value);

/* Sets the value in the newest scope that has the name, else globally. LOWER, UPPER, CAPITAL apply. */
enum tc_sh_set tc_sh_vars_set(struct tc_sh_vars *vars, struct tc_str name, struct tc_str value);
enum tc_sh_set tc_sh_vars_append(struct tc_sh_vars *vars, struct tc_str name, struct tc_str value);
enum tc_sh_set tc_sh_vars_set_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index, struct tc_str value);
enum tc_sh_set tc_sh_vars_set_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key, struct tc_str value);
/* Empties an array, making it one of that kind (INDEXED or ASSOC) when it is none. */
enum tc_sh_set tc_sh_vars_clear(struct tc_sh_vars *vars, struct tc_str name, unsigned kind);
enum tc_sh_set tc_sh_vars_unset(struct tc_sh_vars *vars, struct tc_str name);
enum tc_sh_set tc_sh_vars_unset_at(struct tc_sh_vars *vars, struct tc_str name, int64_t index);
enum tc_sh_set tc_sh_vars_unset_key(struct tc_sh_vars *vars, struct tc_str name, struct tc_str key);
/* Adds and takes away attributes; declares the name when it is absent (without a value). */
enum tc_sh_set tc_sh_vars_mark(struct tc_sh_vars *vars, struct tc_str name, unsigned add, unsigned remove);
/* Where a nameref leads, at most 8 steps: a name, with what stands in [] behind it, if anything. */
bool tc_sh_vars_resolve(struct tc_sh_vars *vars, struct tc_str name, struct tc_str *ret_name, struct tc_str *ret_sub);

bool tc_sh_vars_push(struct tc_sh_vars *vars); /* a function begins */
void tc_sh_vars_pop(struct tc_sh_vars *vars);
bool tc_sh_vars_in_scope(struct tc_sh_vars *vars);
/* Declares in the newest scope, unset; `inherit` takes value and attributes of the outer one. */
enum tc_sh_set tc_sh_vars_local(struct tc_sh_vars *vars, struct tc_str name, bool inherit);
bool tc_sh_vars_is_local(struct tc_sh_vars *vars, struct tc_str name);
/* While it is on, all of the above see and change global variables alone: declare -g. */
void tc_sh_vars_global(struct tc_sh_vars *vars, bool on);

/* All names, sorted, that have all of `flags`; in the arena, NULL p at the end. NULL without memory. */
struct tc_str *tc_sh_vars_names(struct tc_sh_vars *vars, struct tc_arena *arena, struct tc_str prefix, unsigned flags);
/* "NAME=value" of what is exported, sorted, NULL at the end. */
char **tc_sh_vars_environ(struct tc_sh_vars *vars, struct tc_arena *arena);
/* A counter that changes with each change: caches of values and of IFS hang on it. */
uint64_t tc_sh_vars_version(const struct tc_sh_vars *vars);

#endif
