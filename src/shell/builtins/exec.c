/*
 * exec: without a command its redirections stay; with one the shell ends with it.
 */
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/trap.h"

static enum tc_sh_flow replace(struct tc_sh_env *env, struct tc_cmd_call *c, bool clean)
{
    struct tc_sh_found found;
    size_t n;
    struct tc_str *words = tc_sh_builtin_args(c, c->at, &n), *names;
    enum tc_sh_flow flow;

    if (!words)
        return tc_sh_out_of_memory(env);
    tc_sh_exec_look(env, words[0], false, &found);
    if (found.what == TC_SH_IS_NOTHING) {
        tc_sh_builtin_fail(env, c, "%s: not found", c->argv[c->at]);
        env->status = 127;
        return env->shopt & TC_SH_S_EXECFAIL ? TC_SH_NEXT : TC_SH_EXIT;
    }
    names = clean ? tc_sh_vars_names(env->vars, c->arena, TC_STR(""), TC_SH_VAR_EXPORT) : NULL;
    for (; names && names->p; names++)
        tc_sh_vars_mark(env->vars, *names, 0, TC_SH_VAR_EXPORT);
    flow = tc_sh_exec_found(env, &found, words, n);
    tc_sh_traps_drop(env); /* the shell is gone, and its traps with it */
    return flow == TC_SH_STOP ? flow : TC_SH_EXIT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool clean = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        clean |= option == 'c';
    }
    if (c->at < c->argc)
        return replace(env, c, clean);
    env->keep_redirects = true;
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_VALUE, "name", "the command's $0; accepted"},
                                               {'c', "c", TC_CMD_NONE, NULL, "with an empty environment"},
                                               {'l', "l", TC_CMD_NONE, NULL, "as a login shell; accepted"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_exec = {
    .cmd = {.name = "exec",
            .usage = "[-cl] [-a name] [command [argument ...]] [redirection ...]",
            .summary = "Runs a command in the shell's place, or makes redirections that last.",
            .options = options},
    .special = true,
    .run = run};
