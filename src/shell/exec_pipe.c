/*
 * Pipelines: each stage but the last is a fiber of its own, the last runs where the
 * shell would only wait for it; `!` and `time`.
 */
#include "shell/exec_parts.h"
#include "shell/jobs.h"

struct stages {
    struct tc_sh_proc **procs;
    int *status;
    size_t n, started;
    struct tc_sh_file *from; /* what the next stage reads */
};

/* The environment of stage i, its ends of the pipes in place. */
static struct tc_sh_env *fork_stage(struct tc_sh_env *env, struct stages *stages, bool last)
{
    struct tc_sh_env *child = tc_sh_env_fork(env);
    struct tc_sh_file *read_end = NULL, *write_end = NULL;

    if (!child)
        return NULL;
    if (!last && !tc_sh_file_pipe(&read_end, &write_end))
        goto fail;
    if (stages->from) {
        struct tc_sh_file *from = stages->from;
        stages->from = NULL;
        if (!tc_sh_fds_set(&child->fds, 0, from))
            goto fail;
    }
    stages->from = read_end;
    if (last || tc_sh_fds_set(&child->fds, 1, write_end))
        return child;
fail:
    tc_sh_env_destroy(child);
    tc_sh_out_of_memory(env);
    return NULL;
}

/* shopt -s lastpipe: in the shell itself, reading from the pipe. */
static enum tc_sh_flow last_here(struct tc_sh_env *env, const struct tc_sh_node *node, struct stages *stages)
{
    struct tc_sh_file *old = tc_sh_fds_get(&env->fds, 0), *from = stages->from;
    enum tc_sh_flow flow;

    stages->from = NULL;
    if (old)
        tc_sh_file_ref(old);
    flow = tc_sh_fds_set(&env->fds, 0, from) ? tc_sh_exec(env, node) : tc_sh_out_of_memory(env);
    tc_sh_fds_set(&env->fds, 0, old);
    return flow;
}

static enum tc_sh_flow run_stages(struct tc_sh_env *env, const struct tc_sh_node *node, struct stages *stages)
{
    struct tc_sh_env *child;
    enum tc_sh_flow flow;

    for (; stages->started + 1 < stages->n; stages->started++) {
        child = fork_stage(env, stages, false);
        if (!child)
            return TC_SH_STOP;
        stages->procs[stages->started] = tc_sh_exec_spawn(env, child, node->children[stages->started]);
        if (!stages->procs[stages->started])
            return TC_SH_STOP;
    }
    if ((env->shopt & TC_SH_S_LASTPIPE) && !(env->options & TC_SH_O_MONITOR)) {
        flow = last_here(env, node->children[stages->n - 1], stages);
    } else {
        child = fork_stage(env, stages, true);
        if (!child)
            return TC_SH_STOP;
        flow = tc_sh_exec_within(env, child, node->children[stages->n - 1]);
    }
    stages->status[stages->n - 1] = env->status;
    return flow;
}

/* Waits for all of them; what was not started has status 1. */
static enum tc_sh_flow join_stages(struct tc_sh_env *env, struct stages *stages, enum tc_sh_flow flow)
{
    for (size_t i = 0; i < stages->started; i++) {
        stages->status[i] = 1;
        if (!tc_sh_sched_join(env->sh->sched, stages->procs[i], &stages->status[i]))
            flow = TC_SH_STOP;
        tc_sh_proc_unref(stages->procs[i]);
    }
    return flow;
}

static enum tc_sh_flow several(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    struct stages stages = {.n = node->n};
    enum tc_sh_flow flow;

    stages.procs = TC_ARENA_NEW_N(arena, struct tc_sh_proc *, node->n);
    stages.status = TC_ARENA_NEW_N(arena, int, node->n);
    if (!stages.procs || !stages.status)
        return tc_sh_out_of_memory(env);
    flow = run_stages(env, node, &stages);
    if (stages.from)
        tc_sh_file_unref(stages.from);
    flow = join_stages(env, &stages, flow);
    if (env->jobs_n)
        tc_sh_jobs_notify(env);
    env->line = node->children[node->n - 1]->line;
    env->command = node->children[node->n - 1]->source;
    env->status = stages.status[node->n - 1];
    for (size_t i = 0; (env->options & TC_SH_O_PIPEFAIL) && i < node->n; i++)
        if (stages.status[i])
            env->status = stages.status[i];
    if (!tc_sh_env_set_pipestatus(env, stages.status, node->n))
        flow = tc_sh_out_of_memory(env);
    tc_arena_rewind(arena, &mark);
    return flow;
}

static enum tc_sh_flow untimed(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    bool before = env->in_condition;
    enum tc_sh_flow flow;

    if (!tc_sh_tick(env, 1))
        return TC_SH_STOP;
    env->in_condition |= node->negate;
    if (node->n > 1)
        flow = several(env, node);
    else
        flow = tc_sh_exec(env, node->n ? node->children[0] : NULL);
    env->in_condition = before;
    if (flow == TC_SH_NEXT && node->negate)
        env->status = !env->status;
    return node->n > 1 && !node->negate ? tc_sh_exec_check(env, flow) : flow;
}

enum tc_sh_flow tc_sh_exec_pipeline(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_times begun;
    enum tc_sh_flow flow;

    if (!node->timed)
        return untimed(env, node);
    tc_sh_times_now(&begun);
    flow = untimed(env, node);
    tc_sh_times_tell(env, node->timed_posix, &begun);
    return flow;
}
