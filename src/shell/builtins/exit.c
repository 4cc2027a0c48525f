/*
 * exit: ends the shell.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int64_t value = env->status_before;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (!tc_sh_builtin_status(env, c, &value))
        return TC_SH_ABORT;
    env->status = (int)(value & 255);
    return TC_SH_EXIT;
}

const struct tc_sh_builtin tc_sh_builtin_exit = {
    .cmd = {.name = "exit", .usage = "[n]", .summary = "Ends the shell with status n."}, .special = true, .run = run};
