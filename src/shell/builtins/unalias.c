/*
 * unalias: forgets aliases.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool all = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        all |= option == 'a';
    }
    if (all) {
        tc_sh_table_unref(env->aliases);
        env->aliases = NULL;
        return TC_SH_NEXT;
    }
    if (c->at >= c->argc)
        return tc_sh_builtin_usage(env, c);
    for (int i = c->at; i < c->argc; i++)
        if (!tc_sh_table_remove(&env->aliases, tc_sh_builtin_arg(c, i)))
            tc_sh_builtin_fail(env, c, "%s: not found", c->argv[i]);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "forget all"}, {0}};

const struct tc_sh_builtin tc_sh_builtin_unalias = {
    .cmd = {.name = "unalias", .usage = "[-a] name [name ...]", .summary = "Forgets aliases.", .options = options},
    .run = run};
