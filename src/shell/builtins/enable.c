/*
 * enable: which builtins there are; -n lets commands of the same name come first.
 */
#include "shell/builtin.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];

static void list(struct tc_sh_env *env, struct tc_cmd_call *c, bool all, bool off, bool special)
{
    for (size_t i = 0; tc_sh_builtins_table[i]; i++) {
        const struct tc_sh_builtin *builtin = tc_sh_builtins_table[i];
        bool disabled = tc_sh_table_get(env->disabled, tc_str_of(builtin->cmd.name)) != NULL;
        if (builtin->program || (special && !builtin->special) || (!all && disabled != off))
            continue;
        tc_cmd_printf(c->out, "enable %s%s\n", disabled ? "-n " : "", builtin->cmd.name);
    }
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
    if (prints || c->at >= c->argc) {
        list(env, c, all, off, special);
        return TC_SH_NEXT;
    }
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
