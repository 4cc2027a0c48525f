/*
 * shift: the positional parameters move down.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int64_t count = 1;
    struct tc_sh_args *args;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->at < c->argc && !tc_sh_builtin_number(c->argv[c->at], &count)) {
        tc_sh_builtin_fail(env, c, "%s: numeric argument required", c->argv[c->at]);
        return TC_SH_ABORT;
    }
    if (c->argc - c->at > 1) {
        tc_sh_builtin_fail(env, c, "too many arguments");
        return TC_SH_ABORT;
    }
    if (count < 0)
        return tc_sh_builtin_fail(env, c, "%s: shift count out of range", c->argv[c->at]);
    if ((uint64_t)count > env->args->n) {
        if (env->shopt & TC_SH_S_SHIFT_VERBOSE)
            tc_sh_builtin_fail(env, c, "%lld: shift count out of range", (long long)count);
        return tc_sh_builtin_done(env, 1);
    }
    args = env->args;
    if (args->refs == 1) {
        args->v += count;
        args->n -= (size_t)count;
        return tc_sh_builtin_done(env, 0);
    }
    args = tc_sh_args_create(env->args->v + count, env->args->n - (size_t)count);
    if (!args)
        return tc_sh_out_of_memory(env);
    tc_sh_args_unref(env->args);
    env->args = args;
    return tc_sh_builtin_done(env, 0);
}

const struct tc_sh_builtin tc_sh_builtin_shift = {
    .cmd = {.name = "shift", .usage = "[n]", .summary = "Drops the first n positional parameters."},
    .special = true,
    .run = run};
