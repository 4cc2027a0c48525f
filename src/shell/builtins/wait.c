/*
 * wait: for all jobs, some, or the next one to end. A signal with a trap ends it early.
 */
#include <stdio.h>
#include "shell/builtin.h"
#include "shell/jobs.h"
#include "shell/trap.h"

static int interrupted(const struct tc_sh_env *env)
{
    for (int i = 1; i < 64; i++)
        if (env->caught & (uint64_t)1 << i)
            return 128 + i;
    return 128;
}

/* Until this job has ended. Its status is kept. */
static enum tc_sh_flow join(struct tc_sh_env *env, size_t job, struct tc_str variable)
{
    int status = 0, pid = env->jobs[job].pid;
    char text[24];

    if (!tc_sh_sched_join(env->sh->sched, env->jobs[job].proc, &status))
        return TC_SH_STOP;
    if (status < 0)
        return tc_sh_builtin_done(env, interrupted(env));
    job = tc_sh_jobs_of_pid(env, pid);
    if (job != SIZE_MAX) {
        if (env->jobs[job].number)
            tc_sh_jobs_tell_killed(env, &env->jobs[job]);
        job = tc_sh_jobs_of_pid(env, pid);
    }
    if (job != SIZE_MAX) {
        env->jobs[job].number = 0;
        env->jobs[job].waited = true;
    }
    if (variable.p) {
        snprintf(text, sizeof text, "%d", pid);
        if (tc_sh_expand_set(env, variable, tc_str_of(text)) == TC_SH_STOP)
            return TC_SH_STOP;
    }
    return tc_sh_builtin_done(env, status);
}

/* One that `wait` without operands is for. */
static bool is_open(const struct tc_sh_job *job)
{
    return !job->waited && !job->inherited;
}

static enum tc_sh_flow join_all(struct tc_sh_env *env)
{
    for (size_t i = 0; i < env->jobs_n; i++) {
        enum tc_sh_flow flow = is_open(&env->jobs[i]) ? join(env, i, (struct tc_str){0}) : TC_SH_NEXT;
        if (flow != TC_SH_NEXT || env->caught)
            return flow;
    }
    tc_sh_jobs_forget(env);
    return tc_sh_builtin_done(env, 0);
}

/* The job that an operand names; SIZE_MAX: told. */
static size_t find(struct tc_sh_env *env, struct tc_cmd_call *c, const char *what)
{
    int64_t pid;
    size_t job = SIZE_MAX;

    if (what[0] == '%') {
        job = tc_sh_jobs_find(env, tc_str_of(what));
        if (job == SIZE_MAX)
            tc_sh_builtin_fail(env, c, "%s: no such job", what);
    } else if (!tc_sh_builtin_number(what, &pid) || pid < 0) {
        tc_sh_builtin_fail(env, c, "`%s': not a pid or valid job spec", what);
        return SIZE_MAX;
    } else {
        job = tc_sh_jobs_of_pid(env, (int)pid);
        if (job != SIZE_MAX && env->jobs[job].inherited)
            job = SIZE_MAX;
        if (job == SIZE_MAX)
            tc_sh_builtin_fail(env, c, "pid %s is not a child of this shell", what);
    }
    return job;
}

/* -n: whichever of these ends first. */
static enum tc_sh_flow join_next(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str variable)
{
    size_t most = c->at < c->argc ? (size_t)(c->argc - c->at) : env->jobs_n, n = 0, which;
    struct tc_sh_proc **procs = TC_ARENA_NEW_N(c->arena, struct tc_sh_proc *, most + 1);
    size_t *jobs = TC_ARENA_NEW_N(c->arena, size_t, most + 1);

    if (!procs || !jobs)
        return tc_sh_out_of_memory(env);
    for (size_t i = 0; i < most; i++) {
        size_t job = c->at < c->argc ? find(env, c, c->argv[c->at + (int)i]) : i;
        if (job == SIZE_MAX || !is_open(&env->jobs[job]))
            continue;
        jobs[n] = job;
        procs[n++] = env->jobs[job].proc;
    }
    if (n == 0)
        return tc_sh_builtin_done(env, 127);
    if (!tc_sh_sched_join_any(env->sh->sched, procs, n, &which))
        return TC_SH_STOP;
    return which < n ? join(env, jobs[which], variable) : tc_sh_builtin_done(env, interrupted(env));
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_str variable = {0};
    enum tc_sh_flow flow = TC_SH_NEXT;
    bool next = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        next |= option == 'n';
        if (option == 'p')
            variable = tc_str_of(c->value);
    }
    if (variable.p && !tc_sh_builtin_is_target(variable))
        return tc_sh_builtin_fail(env, c, "`%.*s': not a valid identifier", TC_STR_ARG(variable));
    if (next)
        return join_next(env, c, variable);
    if (c->at >= c->argc)
        return join_all(env);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT && !env->caught; i++) {
        size_t job = find(env, c, c->argv[i]);
        if (job == SIZE_MAX)
            env->status = c->argv[i][0] == '%' || (c->argv[i][0] >= '0' && c->argv[i][0] <= '9') ? 127 : 1;
        else
            flow = join(env, job, variable);
    }
    return flow;
}

static const struct tc_cmd_option options[] = {{'f', "f", TC_CMD_NONE, NULL, "until they have ended; always so"},
                                               {'n', "n", TC_CMD_NONE, NULL, "until one of them has ended"},
                                               {'p', "p", TC_CMD_VALUE, "var", "the variable gets the pid of that one"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_wait = {.cmd = {.name = "wait",
                                                         .usage = "[-fn] [-p var] [id ...]",
                                                         .summary = "Waits for background jobs; their status.",
                                                         .options = options},
                                                 .run = run};
