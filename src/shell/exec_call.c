/*
 * Running what a name was found to be, on the fiber at hand: functions in a scope and
 * frame of their own, builtins in the environment itself, commands beside it.
 */
#include "shell/exec_parts.h"

#include "shell/cmd.h"
#include "shell/env_table.h"
#include "shell/trap.h"

enum { STATUS_PIPE = 141 };

static enum tc_sh_flow stopped(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    return tc_sh_sched_stopped(env->sh->sched) ? TC_SH_STOP : flow;
}

enum tc_sh_flow tc_sh_exec_builtin(struct tc_sh_env *env, const struct tc_sh_builtin *builtin,
                                   const struct tc_str *words, size_t n)
{
    struct tc_cmd_call *c = tc_sh_cmd_begin(env, &builtin->cmd, words, n);
    enum tc_sh_flow flow;
    int status;

    if (!c)
        return tc_sh_out_of_memory(env);
    env->status_before = env->status;
    env->status = 0;
    flow = builtin->run(env, c);
    status = tc_sh_cmd_end(c, env->status);
    if (status == STATUS_PIPE && env->status != STATUS_PIPE && flow == TC_SH_NEXT)
        flow = TC_SH_EXIT; /* as SIGPIPE ends the shell that wrote */
    env->status = status;
    return stopped(env, flow);
}

/* The body, in the scope and frame that the caller made. */
static enum tc_sh_flow body(struct tc_sh_env *env, const struct tc_sh_function *function)
{
    struct tc_sh_trap_saved saved;
    enum tc_sh_flow flow = TC_SH_NEXT;

    tc_sh_trap_hold(env, function->traced, &saved);
    if (env->traps)
        flow = tc_sh_exec_trap(env, TC_SH_TRAP_DEBUG);
    if (flow == TC_SH_NEXT)
        flow = tc_sh_exec(env, function->node->body);
    if (flow == TC_SH_RETURN)
        flow = TC_SH_NEXT;
    if (env->traps && (flow == TC_SH_NEXT || flow == TC_SH_EXIT)) {
        enum tc_sh_flow trapped = tc_sh_exec_trap(env, TC_SH_TRAP_RETURN);
        flow = trapped == TC_SH_NEXT ? flow : trapped;
    }
    tc_sh_trap_restore(env, &saved);
    return flow;
}

enum tc_sh_flow tc_sh_exec_function(struct tc_sh_env *env, struct tc_sh_function *function, const struct tc_str *words,
                                    size_t n)
{
    struct tc_sh_args *args, *outer = env->args;
    struct tc_sh_code *code = env->code;
    int loops = env->loops, line = env->line;
    enum tc_sh_flow flow;

    if (!tc_sh_deeper(env))
        return TC_SH_STOP;
    args = tc_sh_args_create(words + 1, n - 1);
    if (!args || !tc_sh_vars_push(env->vars)) {
        tc_sh_args_unref(args);
        return tc_sh_out_of_memory(env);
    }
    tc_sh_function_ref(function);
    if (tc_sh_frame_push(env, function->code, function->node->name)) {
        env->frame->function = true;
        env->args = args;
        env->code = function->code;
        env->depth++;
        env->loops = 0;
        flow = body(env, function);
        args = env->args; /* `set` may have made others */
        env->args = outer;
        env->code = code;
        env->depth--;
        env->loops = loops;
        env->line = line;
        tc_sh_frame_pop(env);
    } else {
        flow = tc_sh_out_of_memory(env);
    }
    tc_sh_vars_pop(env->vars);
    tc_sh_args_unref(args);
    tc_sh_function_unref(function);
    return flow;
}

/* What was not found: command_not_found_handle, when the script has one, else a message. */
static enum tc_sh_flow missing(struct tc_sh_env *env, const struct tc_str *words, size_t n)
{
    struct tc_sh_function *handler = tc_sh_env_function(env, TC_STR("command_not_found_handle"));
    struct tc_str *v;

    if (!handler || words[0].n == 0 || memchr(words[0].p, '/', words[0].n)) {
        tc_sh_exec_missing(env, words[0]);
        return TC_SH_NEXT;
    }
    v = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, n + 1);
    if (!v)
        return tc_sh_out_of_memory(env);
    v[0] = TC_STR("command_not_found_handle");
    memcpy(v + 1, words, n * sizeof *v);
    return tc_sh_exec_function(env, handler, v, n + 1);
}

enum tc_sh_flow tc_sh_exec_found(struct tc_sh_env *env, const struct tc_sh_found *found, const struct tc_str *words,
                                 size_t n)
{
    switch (found->what) {
    case TC_SH_IS_FUNCTION:
        return tc_sh_exec_function(env, found->function, words, n);
    case TC_SH_IS_BUILTIN:
        return tc_sh_exec_builtin(env, found->builtin, words, n);
    case TC_SH_IS_COMMAND:
        if (!found->cmd)
            return tc_sh_exec_builtin(env, found->builtin, words, n);
        env->status = tc_sh_cmd_run(env, found->cmd, words, n);
        return stopped(env, TC_SH_NEXT);
    case TC_SH_IS_FILE:
        return tc_sh_exec_file(env, found->path, words, n);
    default:
        return missing(env, words, n);
    }
}

enum tc_sh_flow tc_sh_exec_words(struct tc_sh_env *env, const struct tc_str *words, size_t n, bool functions)
{
    struct tc_sh_found found;

    if (n == 0) {
        env->status = 0;
        return TC_SH_NEXT;
    }
    tc_sh_exec_look(env, words[0], functions, &found);
    return tc_sh_exec_found(env, &found, words, n);
}
