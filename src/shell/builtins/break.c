/*
 * break and continue: the loops themselves count env->levels down.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool is_break = c->argv[0][0] == 'b';
    int64_t levels = 1;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (env->loops == 0) {
        tc_sh_builtin_fail(env, c, "only meaningful in a `for', `while', or `until' loop");
        return tc_sh_builtin_done(env, 0);
    }
    if (c->at < c->argc && !tc_sh_builtin_number(c->argv[c->at], &levels)) {
        tc_sh_builtin_fail(env, c, "%s: numeric argument required", c->argv[c->at]);
        env->status = 128;
        return TC_SH_EXIT;
    }
    if (c->argc - c->at > 1) {
        tc_sh_builtin_fail(env, c, "too many arguments");
        return TC_SH_ABORT;
    }
    if (levels < 1) {
        tc_sh_builtin_fail(env, c, "%s: loop count out of range", c->argv[c->at]);
        env->levels = env->loops;
        return TC_SH_BREAK;
    }
    env->levels = levels < env->loops ? (int)levels : env->loops;
    return is_break ? TC_SH_BREAK : TC_SH_CONTINUE;
}

const struct tc_sh_builtin tc_sh_builtin_break = {
    .cmd = {.name = "break",
            .aliases = "continue",
            .usage = "[n]",
            .summary = "Leaves n enclosing loops (break), or goes on with the next pass of the nth (continue)."},
    .special = true,
    .run = run};
