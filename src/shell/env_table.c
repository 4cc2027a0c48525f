/*
 * Copy on write for the tables of an environment, and the life of functions.
 */
#include "shell/env_table.h"

#include <stdlib.h>
#include "base/mem.h"

static struct tc_sh_table *table_create(enum tc_sh_table_kind kind)
{
    struct tc_sh_table *table = tc_mem_zalloc(1, sizeof *table);

    if (table) {
        table->refs = 1;
        table->kind = kind;
    }
    return table;
}

struct tc_sh_table *tc_sh_table_ref(struct tc_sh_table *table)
{
    if (table)
        table->refs++;
    return table;
}

static void drop_value(const struct tc_sh_table *table, void *value)
{
    if (table->kind == TC_SH_TABLE_FUNCTIONS)
        tc_sh_function_unref(value);
    else
        tc_mem_free(value);
}

void tc_sh_table_unref(struct tc_sh_table *table)
{
    size_t at = 0;
    struct tc_str key;
    void *value;

    if (!table || --table->refs > 0)
        return;
    while (tc_map_next(&table->map, &at, &key, &value))
        drop_value(table, value);
    tc_map_finish(&table->map);
    tc_mem_free(table);
}

static char *copy_string(struct tc_str s)
{
    char *copy = tc_mem_alloc(s.n + 1);

    if (!copy)
        return NULL;
    if (s.n)
        memcpy(copy, s.p, s.n);
    copy[s.n] = '\0';
    return copy;
}

/* A table that nobody else has. False without memory. */
static bool own(struct tc_sh_table **table, enum tc_sh_table_kind kind)
{
    struct tc_sh_table *copy;
    size_t at = 0;
    struct tc_str key;
    void *value;

    if (*table && (*table)->refs == 1)
        return true;
    copy = table_create(kind);
    if (!copy)
        return false;
    while (*table && tc_map_next(&(*table)->map, &at, &key, &value)) {
        void *mine =
            kind == TC_SH_TABLE_FUNCTIONS ? (void *)tc_sh_function_ref(value) : (void *)copy_string(tc_str_of(value));
        if (!mine || !tc_map_put(&copy->map, key, mine)) {
            if (mine)
                drop_value(copy, mine);
            tc_sh_table_unref(copy);
            return false;
        }
    }
    tc_sh_table_unref(*table);
    *table = copy;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

struct tc_str *tc_sh_table_names(const struct tc_sh_table *table, struct tc_arena *arena)
{
    size_t n = tc_sh_table_count(table), at = 0, i = 0;
    struct tc_str *names = TC_ARENA_NEW_N(arena, struct tc_str, n + 1);
    void *value;

    if (!names)
        return NULL;
    while (i < n && tc_map_next(&table->map, &at, &names[i], &value))
        i++;
    qsort(names, n, sizeof *names, by_name);
    return names;
}

const char *tc_sh_table_get(const struct tc_sh_table *table, struct tc_str key)
{
    return table ? tc_map_get(&table->map, key) : NULL;
}

/* Takes the value. */
static bool put(struct tc_sh_table **table, enum tc_sh_table_kind kind, struct tc_str key, void *value)
{
    void *old;

    if (!value)
        return false;
    if (!own(table, kind))
        goto fail;
    old = tc_map_get(&(*table)->map, key);
    if (!tc_map_put(&(*table)->map, key, value))
        goto fail;
    if (old)
        drop_value(*table, old);
    return true;
fail:
    if (kind == TC_SH_TABLE_FUNCTIONS)
        tc_sh_function_unref(value);
    else
        tc_mem_free(value);
    return false;
}

bool tc_sh_table_put(struct tc_sh_table **table, struct tc_str key, struct tc_str value)
{
    return put(table, TC_SH_TABLE_STRINGS, key, copy_string(value));
}

bool tc_sh_table_remove(struct tc_sh_table **table, struct tc_str key)
{
    void *old;

    if (!*table || !tc_map_get(&(*table)->map, key) || !own(table, (*table)->kind))
        return false;
    old = tc_map_remove(&(*table)->map, key);
    drop_value(*table, old);
    return true;
}

struct tc_sh_function *tc_sh_function_ref(struct tc_sh_function *function)
{
    function->refs++;
    return function;
}

void tc_sh_function_unref(struct tc_sh_function *function)
{
    if (!function || --function->refs > 0)
        return;
    tc_sh_code_unref(function->code);
    tc_mem_free(function);
}

struct tc_sh_function *tc_sh_env_function(const struct tc_sh_env *env, struct tc_str name)
{
    return env->functions ? tc_map_get(&env->functions->map, name) : NULL;
}

bool tc_sh_env_define(struct tc_sh_env *env, struct tc_str name, const struct tc_sh_node *node)
{
    struct tc_sh_function *function = tc_mem_zalloc(1, sizeof *function);
    const struct tc_sh_function *old = tc_sh_env_function(env, name);

    if (!function)
        return false;
    function->refs = 1;
    function->code = tc_sh_code_ref(env->code);
    function->node = node;
    function->exported = old ? old->exported : (env->options & TC_SH_O_ALLEXPORT) != 0;
    function->traced = old && old->traced;
    return put(&env->functions, TC_SH_TABLE_FUNCTIONS, name, function);
}

bool tc_sh_env_undefine(struct tc_sh_env *env, struct tc_str name)
{
    return tc_sh_table_remove(&env->functions, name);
}

struct tc_sh_function *tc_sh_env_function_own(struct tc_sh_env *env, struct tc_str name)
{
    struct tc_sh_function *function, *copy;

    if (!tc_sh_env_function(env, name) || !own(&env->functions, TC_SH_TABLE_FUNCTIONS))
        return NULL;
    function = tc_sh_env_function(env, name);
    if (function->refs == 1)
        return function;
    copy = tc_mem_alloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *function;
    copy->refs = 1;
    tc_sh_code_ref(copy->code);
    return put(&env->functions, TC_SH_TABLE_FUNCTIONS, name, copy) ? copy : NULL;
}
