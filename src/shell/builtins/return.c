/*
 * return: from a function or a sourced file.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int before = env->status_before;
    int64_t value = before;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (!tc_sh_builtin_status(env, c, &value))
        return TC_SH_ABORT;
    if (!env->frame || (!env->frame->function && !env->frame->sourced)) {
        tc_sh_builtin_fail(env, c, "can only `return' from a function or sourced script");
        return tc_sh_builtin_done(env, 2);
    }
    env->status = (int)(value & 255);
    return TC_SH_RETURN;
}

const struct tc_sh_builtin tc_sh_builtin_return = {
    .cmd = {.name = "return", .usage = "[n]", .summary = "Returns from a function or sourced file with status n."},
    .special = true,
    .run = run};
