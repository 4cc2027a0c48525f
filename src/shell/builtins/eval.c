/*
 * eval: the arguments, joined by blanks, as a text of the shell.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_buf buf;
    struct tc_str text;
    enum tc_sh_flow flow;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->at >= c->argc)
        return tc_sh_builtin_done(env, 0);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (int i = c->at; i < c->argc; i++) {
        if (i > c->at)
            tc_buf_char(&buf, ' ');
        tc_buf_cstr(&buf, c->argv[i]);
    }
    text = tc_buf_dup(&buf, c->arena);
    tc_buf_finish(&buf);
    if (!text.p)
        return tc_sh_out_of_memory(env);
    env->nested++;
    env->status = env->status_before;
    flow = tc_sh_exec_text(env, text, (struct tc_str){0}, env->line);
    env->nested--;
    return flow;
}

const struct tc_sh_builtin tc_sh_builtin_eval = {
    .cmd = {.name = "eval", .usage = "[arg ...]", .summary = "Runs its arguments, joined by blanks, as a command."},
    .special = true,
    .run = run};
