/*
 * history and fc: there is none to look at in a script, as in bash.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END)
        if (option < 0)
            return TC_SH_NEXT;
    if (c->argv[0][0] == 'f' && c->at < c->argc)
        return tc_sh_builtin_fail(env, c, "no command found");
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "accepted"},
                                               {'c', "c", TC_CMD_NONE, NULL, "accepted"},
                                               {'d', "d", TC_CMD_VALUE, "offset", "accepted"},
                                               {'e', "e", TC_CMD_VALUE, "ename", "of fc: accepted"},
                                               {'l', "l", TC_CMD_NONE, NULL, "of fc: accepted"},
                                               {'n', "n", TC_CMD_NONE, NULL, "accepted"},
                                               {'p', "p", TC_CMD_NONE, NULL, "accepted"},
                                               {'r', "r", TC_CMD_NONE, NULL, "accepted"},
                                               {'s', "s", TC_CMD_NONE, NULL, "accepted"},
                                               {'w', "w", TC_CMD_NONE, NULL, "accepted"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_history = {
    .cmd = {.name = "history",
            .aliases = "fc",
            .usage = "[-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
            .summary = "Lists earlier commands; scripts have none.",
            .options = options},
    .run = run};
