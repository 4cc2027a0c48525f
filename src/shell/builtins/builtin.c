/*
 * builtin: a builtin although a function has its name.
 */
#include "shell/builtin.h"
#include "shell/exec_parts.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const struct tc_sh_builtin *builtin;
    size_t n;
    struct tc_str *words;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->at >= c->argc)
        return tc_sh_builtin_done(env, 0);
    builtin = tc_sh_builtin_find(tc_sh_builtin_arg(c, c->at));
    if (!builtin || builtin->program)
        return tc_sh_builtin_fail(env, c, "%s: not a shell builtin", c->argv[c->at]);
    words = tc_sh_builtin_args(c, c->at, &n);
    return words ? tc_sh_exec_builtin(env, builtin, words, n) : tc_sh_out_of_memory(env);
}

const struct tc_sh_builtin tc_sh_builtin_builtin = {
    .cmd = {.name = "builtin",
            .usage = "[shell-builtin [arg ...]]",
            .summary = "Runs a builtin, passing over functions of its name."},
    .run = run};
