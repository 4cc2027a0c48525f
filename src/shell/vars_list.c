/*
 * Lists of variables: names in order, and the environment of a command.
 */
#include <stdlib.h>

#include "shell/vars_table.h"

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

struct tc_str *tc_sh_vars_names(struct tc_sh_vars *vars, struct tc_arena *arena, struct tc_str prefix, unsigned flags)
{
    const struct tc_sh_names *table = vars->table;
    struct tc_str *names = TC_ARENA_NEW_N(arena, struct tc_str, table->used + 1);
    size_t n = 0;

    if (!names)
        return NULL;
    for (size_t i = 0; i < table->cap; i++) {
        const struct tc_sh_name *slot = &table->slots[i];
        if (!slot->var || (slot->var->flags & flags) != flags || !tc_str_starts(tc_sh_value_str(slot->name), prefix))
            continue;
        names[n] = tc_arena_dup(arena, tc_sh_value_str(slot->name));
        if (!names[n++].p)
            return NULL;
    }
    qsort(names, n, sizeof *names, by_name);
    names[n] = tc_str_n(NULL, 0);
    return names;
}

char **tc_sh_vars_environ(struct tc_sh_vars *vars, struct tc_arena *arena)
{
    struct tc_str *names = tc_sh_vars_names(vars, arena, TC_STR(""), TC_SH_VAR_EXPORT);
    size_t n = 0, kept = 0;
    char **environ;

    if (!names)
        return NULL;
    while (names[n].p)
        n++;
    environ = TC_ARENA_NEW_N(arena, char *, n + 1);
    for (size_t i = 0; environ && i < n; i++) {
        struct tc_sh_var *var = tc_sh_var_find(vars, names[i]);
        struct tc_str text;
        if (!var || !var->text) /* arrays and what has no value are not handed on */
            continue;
        text = tc_arena_printf(arena, "%.*s=%.*s", TC_STR_ARG(names[i]), TC_STR_ARG(tc_sh_value_str(var->text)));
        if (!text.p)
            return NULL;
        environ[kept++] = (char *)text.p;
    }
    return environ;
}
