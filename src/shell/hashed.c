/*
 * The table behind `hash`. An entry is one string, ten digits for the hits before the
 * path, so that a hit is counted in place and a fork shares the table as it does others.
 */
#include "shell/hashed.h"

#include <stdio.h>
#include <stdlib.h>
#include "base/hash.h"
#include "shell/env_table.h"
#include "shell/vars_value.h"

enum { DIGITS = 10, BUCKETS = 256 };

static void read_row(struct tc_str name, const char *text, struct tc_sh_hashed *ret_row)
{
    ret_row->name = name;
    ret_row->hits = 0;
    for (int i = 0; i < DIGITS; i++)
        ret_row->hits = ret_row->hits * 10 + (text[i] - '0');
    ret_row->path = tc_str_of(text + DIGITS);
}

/* Forgets all when PATH is not what it was. */
static void refresh(struct tc_sh_env *env)
{
    struct tc_str path = {0};
    uint64_t mark;

    tc_sh_vars_get(env->vars, TC_STR("PATH"), &path);
    mark = tc_hash_table(path);
    if (mark != env->hashed_path)
        tc_sh_hashed_clear(env);
    env->hashed_path = mark;
}

bool tc_sh_hashed_get(struct tc_sh_env *env, struct tc_str name, struct tc_sh_hashed *ret_row)
{
    const char *text;

    if (!env->hashed)
        return false;
    refresh(env);
    text = tc_sh_table_get(env->hashed, name);
    if (text)
        read_row(name, text, ret_row);
    return text != NULL;
}

bool tc_sh_hashed_put(struct tc_sh_env *env, struct tc_str name, struct tc_str path, bool forced)
{
    struct tc_str text = tc_arena_printf(tc_sh_arena(env), "%0*d%.*s", DIGITS, 0, TC_STR_ARG(path));

    refresh(env);
    env->hashed_forced |= forced;
    return text.p && tc_sh_table_put(&env->hashed, name, text);
}

bool tc_sh_hashed_hit(struct tc_sh_env *env, struct tc_str name)
{
    char *text;

    if (!env->hashed)
        return false;
    refresh(env);
    text = (char *)tc_sh_table_get(env->hashed, name);
    for (int i = DIGITS - 1; text && env->hashed->refs == 1 && i >= 0; i--) {
        text[i] = text[i] == '9' ? '0' : (char)(text[i] + 1);
        if (text[i] != '0')
            break;
    }
    return text != NULL;
}

bool tc_sh_hashed_remove(struct tc_sh_env *env, struct tc_str name)
{
    return tc_sh_table_remove(&env->hashed, name);
}

void tc_sh_hashed_clear(struct tc_sh_env *env)
{
    tc_sh_table_unref(env->hashed);
    env->hashed = NULL;
    env->hashed_forced = false;
}

static int by_bucket(const void *a, const void *b)
{
    const struct tc_sh_hashed *x = a, *y = b;
    uint32_t left = tc_sh_assoc_hash(x->name) % BUCKETS, right = tc_sh_assoc_hash(y->name) % BUCKETS;

    return left != right ? (left > right) - (left < right) : tc_str_cmp(x->name, y->name);
}

struct tc_sh_hashed *tc_sh_hashed_all(struct tc_sh_env *env, struct tc_arena *arena)
{
    struct tc_sh_hashed *rows;
    size_t n, count = 0, at = 0;
    struct tc_str name;
    void *text;

    if (env->hashed)
        refresh(env);
    n = tc_sh_table_count(env->hashed);
    rows = TC_ARENA_NEW_N(arena, struct tc_sh_hashed, n + 1);
    while (rows && count < n && tc_map_next(&env->hashed->map, &at, &name, &text))
        read_row(name, text, &rows[count++]);
    if (rows)
        qsort(rows, count, sizeof *rows, by_bucket);
    return rows;
}
