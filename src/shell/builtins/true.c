/*
 * true and false; arguments do not matter.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    return tc_sh_builtin_done(env, *tc_cmd_called(c) == 'f');
}

const struct tc_sh_builtin tc_sh_builtin_true = {
    .cmd = {.name = "true", .aliases = "false", .usage = "", .summary = "Succeeds; false fails.", .flags = TC_CMD_RAW},
    .twin = true,
    .run = run};
