/*
 * let: arithmetic expressions, one an argument.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int64_t value = 0;
    enum tc_sh_flow flow = TC_SH_NEXT;
    int i = c->argc > 1 && !strcmp(c->argv[1], "--") ? 2 : 1;

    if (i >= c->argc)
        return tc_sh_builtin_fail(env, c, "expression expected");
    env->doing = TC_STR("let");
    for (; i < c->argc && flow == TC_SH_NEXT; i++)
        flow = tc_sh_arith_text(env, tc_sh_builtin_arg(c, i), &value);
    env->doing = (struct tc_str){0};
    if (flow == TC_SH_ABORT)
        return tc_sh_builtin_done(env, 1);
    env->status = value == 0;
    return flow;
}

const struct tc_sh_builtin tc_sh_builtin_let = {.cmd = {.name = "let",
                                                        .usage = "arg [arg ...]",
                                                        .summary = "Evaluates arithmetic; fails when the last is 0.",
                                                        .flags = TC_CMD_RAW},
                                                .run = run};
