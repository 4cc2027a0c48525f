/*
 * The tables of an environment that a fork shares until one side writes: functions,
 * aliases, and the builtins that `enable -n` switched off. Values are owned by the
 * table. A NULL table is an empty one.
 */
#ifndef TC_SHELL_ENV_TABLE_H
#define TC_SHELL_ENV_TABLE_H

#include "base/map.h"
#include "shell/env.h"

struct tc_sh_function {
    int refs;
    struct tc_sh_code *code;
    const struct tc_sh_node *node; /* TC_SH_FUNCTION */
    bool exported, traced, readonly;
};

enum tc_sh_table_kind { TC_SH_TABLE_FUNCTIONS, TC_SH_TABLE_STRINGS };

struct tc_sh_table {
    int refs;
    enum tc_sh_table_kind kind;
    struct tc_map map; /* struct tc_sh_function, or char * */
};

struct tc_sh_table *tc_sh_table_ref(struct tc_sh_table *table); /* NULL stays NULL */
void tc_sh_table_unref(struct tc_sh_table *table);
/* All keys, sorted, in the arena; NULL p at the end. NULL without memory. */
struct tc_str *tc_sh_table_names(const struct tc_sh_table *table, struct tc_arena *arena);
static inline size_t tc_sh_table_count(const struct tc_sh_table *table)
{
    return table ? table->map.n : 0;
}

/* Strings. The table is made, or made one's own, as needed. False without memory. */
const char *tc_sh_table_get(const struct tc_sh_table *table, struct tc_str key); /* NULL when absent */
bool tc_sh_table_put(struct tc_sh_table **table, struct tc_str key, struct tc_str value);
bool tc_sh_table_remove(struct tc_sh_table **table, struct tc_str key); /* false: it was not there */

/* Functions. Borrowed until the next change: who runs one refs it. */
struct tc_sh_function *tc_sh_env_function(const struct tc_sh_env *env, struct tc_str name);
bool tc_sh_env_define(struct tc_sh_env *env, struct tc_str name, const struct tc_sh_node *node);
bool tc_sh_env_undefine(struct tc_sh_env *env, struct tc_str name);
/* One's own copy, so that its flags can be changed; NULL when absent or without memory. */
struct tc_sh_function *tc_sh_env_function_own(struct tc_sh_env *env, struct tc_str name);
struct tc_sh_function *tc_sh_function_ref(struct tc_sh_function *function);
void tc_sh_function_unref(struct tc_sh_function *function);

#endif
