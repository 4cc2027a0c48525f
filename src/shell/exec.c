/*
 * Running nodes: lists, conditions, groups, and what follows a command that failed
 * (the ERR trap, set -e). These hold back where bash holds them back: in conditions,
 * before && and ||, under !. They look at commands, subshells, (( )), [[ ]] and
 * pipelines; a group or loop that ends with a failure had it from one of those.
 */
#include "shell/exec.h"

#include "shell/cond.h"
#include "shell/env_table.h"
#include "shell/exec_parts.h"
#include "shell/redirect.h"
#include "shell/trap.h"

enum tc_sh_flow tc_sh_exec_check(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    if (env->caught && flow == TC_SH_NEXT)
        flow = tc_sh_trap_pending(env);
    if (flow != TC_SH_NEXT || env->status == 0 || env->in_condition)
        return flow;
    if (env->traps && !env->in_trap)
        flow = tc_sh_exec_trap(env, TC_SH_TRAP_ERR);
    return flow == TC_SH_NEXT && (env->options & TC_SH_O_ERREXIT) ? TC_SH_EXIT : flow;
}

enum tc_sh_flow tc_sh_exec_condition(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    bool before = env->in_condition;
    enum tc_sh_flow flow;

    env->in_condition = true;
    flow = tc_sh_exec(env, node);
    env->in_condition = before;
    return flow;
}

enum tc_sh_flow tc_sh_exec_debug(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    enum tc_sh_flow flow;

    env->line = node->line;
    if (!env->traps || env->in_trap)
        return TC_SH_NEXT;
    env->command = node->source;
    flow = tc_sh_exec_trap(env, TC_SH_TRAP_DEBUG);
    env->line = node->line;
    return flow;
}

enum tc_sh_flow tc_sh_exec_mild(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    bool expression = env->doing.n > 0;

    env->doing = (struct tc_str){0};
    if (flow != TC_SH_ABORT || !expression)
        return flow;
    env->status = 1;
    return TC_SH_NEXT;
}

static enum tc_sh_flow list(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    for (size_t i = 0; i < node->n; i++) {
        enum tc_sh_flow flow = node->ops && node->ops[i] == '&' ? tc_sh_exec_background(env, node->children[i])
                                                                : tc_sh_exec(env, node->children[i]);
        if (flow != TC_SH_NEXT)
            return flow;
    }
    return TC_SH_NEXT;
}

static enum tc_sh_flow and_or(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    for (size_t i = 0; i < node->n; i++) {
        enum tc_sh_flow flow;

        if (i > 0 && (node->ops[i] == '&') != (env->status == 0))
            continue;
        flow = i + 1 < node->n ? tc_sh_exec_condition(env, node->children[i]) : tc_sh_exec(env, node->children[i]);
        if (flow != TC_SH_NEXT)
            return flow;
    }
    return TC_SH_NEXT;
}

static enum tc_sh_flow if_else(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    enum tc_sh_flow flow = tc_sh_exec_condition(env, node->cond);

    if (flow != TC_SH_NEXT)
        return flow;
    if (env->status == 0)
        return tc_sh_exec(env, node->body);
    if (node->other)
        return tc_sh_exec(env, node->other);
    env->status = 0;
    return TC_SH_NEXT;
}

static enum tc_sh_flow arithmetic(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    int64_t value = 0;
    enum tc_sh_flow flow = tc_sh_exec_debug(env, node);

    if (flow != TC_SH_NEXT)
        return flow;
    if (env->options & TC_SH_O_XTRACE)
        tc_sh_trace_arith(env, node->expr[0]);
    env->doing = TC_STR("((");
    flow = tc_sh_arith_eval(env, node->expr[0], &value);
    env->status = value == 0;
    return tc_sh_exec_check(env, tc_sh_exec_mild(env, flow));
}

static enum tc_sh_flow condition(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    bool holds = false;
    enum tc_sh_flow flow = tc_sh_exec_debug(env, node);

    if (flow != TC_SH_NEXT)
        return flow;
    env->status = 0;
    flow = tc_sh_cond_eval(env, node->condition, &holds);
    if (flow == TC_SH_NEXT && env->status != 2) /* of a bad regular expression */
        env->status = !holds;
    tc_arena_rewind(arena, &mark);
    return tc_sh_exec_check(env, tc_sh_exec_mild(env, flow));
}

static enum tc_sh_flow define(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    const struct tc_sh_function *old = tc_sh_env_function(env, node->name);

    env->line = node->line;
    env->status = 0;
    if (old && old->readonly) {
        tc_sh_warn(env, "%.*s: readonly function", TC_STR_ARG(node->name));
        env->status = 1;
        return tc_sh_exec_check(env, TC_SH_NEXT);
    }
    return tc_sh_env_define(env, node->name, node) ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

/* A compound command without its redirections. */
static enum tc_sh_flow compound(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    switch (node->kind) {
    case TC_SH_GROUP:
        return tc_sh_exec(env, node->body);
    case TC_SH_IF:
        return if_else(env, node);
    case TC_SH_WHILE:
    case TC_SH_UNTIL:
        return tc_sh_exec_while(env, node);
    case TC_SH_FOR:
        return tc_sh_exec_for(env, node);
    case TC_SH_SELECT:
        return tc_sh_exec_select(env, node);
    case TC_SH_FOR_ARITH:
        return tc_sh_exec_for_arith(env, node);
    case TC_SH_CASE:
        return tc_sh_exec_case(env, node);
    case TC_SH_ARITHMETIC:
        return arithmetic(env, node);
    case TC_SH_CONDITION:
        return condition(env, node);
    default:
        return tc_sh_exec_subshell(env, node);
    }
}

static enum tc_sh_flow redirected(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    size_t substituted = env->substituted_n;
    struct tc_sh_undo undo;
    enum tc_sh_flow flow;

    env->line = node->line;
    flow = node->kind == TC_SH_SUBSHELL ? tc_sh_redirect_apart(env, node->redirects, node->redirects_n, &undo)
                                        : tc_sh_redirect(env, node->redirects, node->redirects_n, &undo);
    if (flow == TC_SH_NEXT && undo.failed && node->kind != TC_SH_SUBSHELL)
        flow = tc_sh_exec_check(env, TC_SH_NEXT);
    else if (flow == TC_SH_NEXT && !undo.failed)
        flow = compound(env, node);
    tc_sh_redirect_undo(env, &undo);
    tc_sh_exec_close(env, substituted);
    tc_arena_rewind(arena, &mark);
    return flow;
}

/* What its redirections assign, a subshell sees, and no one behind it. */
static enum tc_sh_flow redirected_subshell(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_vars *vars = env->vars, *fork = tc_sh_vars_fork(vars);
    enum tc_sh_flow flow;

    if (!fork)
        return tc_sh_out_of_memory(env);
    env->vars = fork;
    flow = redirected(env, node);
    env->vars = vars;
    tc_sh_vars_destroy(fork);
    return flow;
}

static enum tc_sh_flow subshell(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    enum tc_sh_flow flow = node->redirects_n ? redirected_subshell(env, node) : tc_sh_exec_subshell(env, node);

    return tc_sh_exec_subshell_check(env, node, flow);
}

enum tc_sh_flow tc_sh_exec(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    if (!node) {
        env->status = 0;
        return TC_SH_NEXT;
    }
    if (env->options & TC_SH_O_NOEXEC)
        return TC_SH_NEXT;
    switch (node->kind) {
    case TC_SH_SIMPLE:
        return tc_sh_exec_simple(env, node);
    case TC_SH_PIPELINE:
        return tc_sh_exec_pipeline(env, node);
    case TC_SH_AND_OR:
        return and_or(env, node);
    case TC_SH_LIST:
        return list(env, node);
    case TC_SH_FUNCTION:
        return define(env, node);
    default:
        if (!tc_sh_tick(env, 1))
            return TC_SH_STOP;
        if (node->kind == TC_SH_SUBSHELL)
            return subshell(env, node);
        return node->redirects_n ? redirected(env, node) : compound(env, node);
    }
}
