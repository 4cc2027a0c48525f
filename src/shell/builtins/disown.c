/*
 * disown: jobs that are not listed any more, or not told of a hangup.
 */
#include "shell/builtin.h"
#include "shell/jobs.h"

enum which { NAMED, ALL, RUNNING };

static enum tc_sh_flow disown_all(struct tc_sh_env *env, enum which which, bool keep)
{
    int status;

    for (size_t i = 0; i < env->jobs_n; i++)
        if (!keep && (which == ALL || !tc_sh_proc_ended(env->jobs[i].proc, &status)))
            env->jobs[i].disowned = true;
    return TC_SH_NEXT;
}

/* The job that an operand names; SIZE_MAX: told. */
static size_t find(struct tc_sh_env *env, struct tc_cmd_call *c, int i)
{
    int64_t pid;
    size_t job = tc_sh_builtin_number(c->argv[i], &pid) ? tc_sh_jobs_of_pid(env, (int)pid)
                                                        : tc_sh_jobs_find(env, tc_sh_builtin_arg(c, i));

    if (job == SIZE_MAX)
        tc_sh_builtin_fail(env, c, "%s: no such job", c->argv[i]);
    return job;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    enum which which = NAMED;
    bool keep = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        which = option == 'a' ? ALL : option == 'r' ? RUNNING : which;
        keep |= option == 'h';
    }
    if (c->at >= c->argc && which != NAMED)
        return disown_all(env, which, keep);
    if (c->at >= c->argc) {
        size_t current = tc_sh_jobs_current(env);
        if (current == SIZE_MAX)
            return tc_sh_builtin_fail(env, c, "current: no such job");
        env->jobs[current].disowned |= !keep;
    }
    for (int i = c->at; i < c->argc; i++) {
        size_t job = find(env, c, i);
        if (job != SIZE_MAX)
            env->jobs[job].disowned |= !keep;
    }
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "all jobs"},
    {'r', "r", TC_CMD_NONE, NULL, "those that run"},
    {'h', "h", TC_CMD_NONE, NULL, "they stay listed, and get no SIGHUP, which is never sent here"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_disown = {.cmd = {.name = "disown",
                                                           .usage = "[-h] [-ar] [jobspec ... | pid ...]",
                                                           .summary = "Forgets background jobs, which run on.",
                                                           .options = options},
                                                   .run = run};
