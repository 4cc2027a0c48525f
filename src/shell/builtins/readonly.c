/*
 * readonly: variables and functions that are not to be changed.
 */
#include "shell/declare.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_sh_declare d = {.add = TC_SH_VAR_READONLY};
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        d.functions |= option == 'f';
        d.add |= option == 'a' ? TC_SH_VAR_INDEXED : option == 'A' ? TC_SH_VAR_ASSOC : 0;
    }
    return tc_sh_declare(env, c, &d);
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "indexed arrays"},
                                               {'A', "A", TC_CMD_NONE, NULL, "associative arrays"},
                                               {'f', "f", TC_CMD_NONE, NULL, "functions"},
                                               {'p', "p", TC_CMD_NONE, NULL, "list what is readonly"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_readonly = {
    .cmd = {.name = "readonly",
            .usage = "[-aAf] [name[=value] ...] or readonly -p",
            .summary = "Marks variables and functions as unchangeable.",
            .options = options},
    .special = true,
    .run = run};
