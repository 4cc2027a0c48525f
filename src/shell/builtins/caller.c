/*
 * caller: where the running function was called.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const struct tc_sh_frame *frame = env->frame;
    struct tc_str source;
    int64_t level = 0;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->at < c->argc && (!tc_sh_builtin_number(c->argv[c->at], &level) || level < 0)) {
        tc_sh_builtin_fail(env, c, "%s: invalid number", c->argv[c->at]);
        return tc_sh_builtin_usage(env, c);
    }
    for (int64_t i = 0; frame && i < level; i++)
        frame = frame->outer;
    if (!frame || (!frame->outer && tc_str_is(frame->name, "main")))
        return tc_sh_builtin_done(env, 1);
    source = frame->outer ? frame->outer->source : TC_STR("NULL");
    if (c->at >= c->argc)
        tc_cmd_printf(c->out, "%d %.*s\n", frame->line, TC_STR_ARG(source));
    else if (frame->outer)
        tc_cmd_printf(c->out, "%d %.*s %.*s\n", frame->line, TC_STR_ARG(frame->outer->name), TC_STR_ARG(source));
    else
        env->status = 1;
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_caller = {
    .cmd = {.name = "caller", .usage = "[expr]", .summary = "Tells where the running function was called."},
    .run = run};
