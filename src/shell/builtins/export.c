/*
 * export: variables and functions that a new shell or command sees.
 */
#include "shell/declare.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_sh_declare d = {.add = TC_SH_VAR_EXPORT};
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        d.functions |= option == 'f';
        d.prints |= option == 'p' && c->at >= c->argc;
        if (option == 'n') {
            d.add = 0;
            d.remove = TC_SH_VAR_EXPORT;
        }
    }
    if (c->at >= c->argc) {
        d.add = TC_SH_VAR_EXPORT;
        d.remove = 0;
    }
    return tc_sh_declare(env, c, &d);
}

static const struct tc_cmd_option options[] = {{'f', "f", TC_CMD_NONE, NULL, "functions"},
                                               {'n', "n", TC_CMD_NONE, NULL, "export no more"},
                                               {'p', "p", TC_CMD_NONE, NULL, "list what is exported"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_export = {
    .cmd = {.name = "export",
            .usage = "[-fn] [name[=value] ...] or export -p",
            .summary = "Marks variables and functions for the commands that are run.",
            .options = options},
    .special = true,
    .run = run};
