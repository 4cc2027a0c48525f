/*
 * `:`, which does nothing; its arguments have been expanded.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    (void)c;
    return tc_sh_builtin_done(env, 0);
}

const struct tc_sh_builtin tc_sh_builtin_colon = {.cmd = {.name = ":",
                                                          .usage = "[arguments]",
                                                          .summary = "Does nothing; its arguments are expanded.",
                                                          .flags = TC_CMD_RAW},
                                                  .special = true,
                                                  .run = run};
