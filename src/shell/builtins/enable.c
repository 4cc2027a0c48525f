/*
 * enable: which builtins there are; -n lets commands of the same name come first.
 */
#include "shell/builtin.h"

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, bool all, bool off, bool special)
{
    const struct tc_str *name = tc_sh_builtin_names(c->arena);

    if (!name)
        return tc_sh_out_of_memory(env);
    for (; name->p; name++) {
        bool disabled = tc_sh_table_get(env->disabled, *name) != NULL;
        if ((!special || tc_sh_builtin_find(*name)->special) && (all || disabled == off))
            tc_cmd_printf(c->out, "enable %s%.*s\n", disabled ? "-n " : "", TC_STR_ARG(*name));
    }
    return TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool all = false, off = false, special = false, prints = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        all |= option == 'a';
        off |= option == 'n';
        special |= option == 's';
        prints |= option == 'p';
    }
    if (prints || c->at >= c->argc)
        return list(env, c, all, off, special);
    for (int i = c->at; i < c->argc; i++) {
        const struct tc_sh_builtin *builtin = tc_sh_builtin_find(tc_sh_builtin_arg(c, i));
        if (!builtin || builtin->program) {
            tc_sh_builtin_fail(env, c, "%s: not a shell builtin", c->argv[i]);
            continue;
        }
        if (!off)
            tc_sh_table_remove(&env->disabled, tc_sh_builtin_arg(c, i));
        else if (!tc_sh_table_put(&env->disabled, tc_sh_builtin_arg(c, i), TC_STR("")))
            return tc_sh_out_of_memory(env);
    }
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "all, with whether each is on"},
                                               {'n', "n", TC_CMD_NONE, NULL, "switch off"},
                                               {'p', "p", TC_CMD_NONE, NULL, "list"},
                                               {'s', "s", TC_CMD_NONE, NULL, "the special ones of POSIX"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_enable = {.cmd = {.name = "enable",
                                                           .usage = "[-a] [-nps] [name ...]",
                                                           .summary = "Lists builtins, or switches them on and off.",
                                                           .options = options},
                                                   .run = run};
