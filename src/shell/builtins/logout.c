/*
 * logout: no shell here is one that somebody logged in to.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    return tc_sh_builtin_fail(env, c, "not login shell: use `exit'");
}

const struct tc_sh_builtin tc_sh_builtin_logout = {
    .cmd = {.name = "logout", .usage = "[n]", .summary = "Ends a login shell; use exit.", .flags = TC_CMD_RAW},
    .run = run};
