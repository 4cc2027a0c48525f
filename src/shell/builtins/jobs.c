/*
 * jobs and disown.
 */
#include <stdio.h>
#include "shell/builtin.h"
#include "shell/jobs.h"

static void put(struct tc_sh_env *env, struct tc_cmd_call *c, size_t i, int style)
{
    struct tc_sh_job *job = &env->jobs[i];
    int status;
    bool ended = tc_sh_proc_ended(job->proc, &status);
    char sign = i == tc_sh_jobs_current(env) ? '+' : i == tc_sh_jobs_previous(env) ? '-' : ' ', state[32];

    if (style == 'p') {
        tc_cmd_printf(c->out, "%d\n", job->pid);
        return;
    }
    if (!ended)
        snprintf(state, sizeof state, "Running");
    else if (status > 128)
        snprintf(state, sizeof state, status == 143 ? "Terminated" : status == 137 ? "Killed" : "Exit %d", status);
    else
        snprintf(state, sizeof state, status ? "Exit %d" : "Done", status);
    tc_cmd_printf(c->out, "[%d]%c  ", job->number, sign);
    if (style == 'l')
        tc_cmd_printf(c->out, "%d ", job->pid);
    tc_cmd_printf(c->out, "%-23s %.*s%s\n", state, TC_STR_ARG(job->text), ended ? "" : " &");
    if (ended) /* told of once; `wait PID` still knows its status */
        job->disowned = true;
}

static enum tc_sh_flow run_jobs(struct tc_sh_env *env, struct tc_cmd_call *c, int style, bool running)
{
    int status;

    for (int i = c->at; i < c->argc; i++) {
        size_t job = tc_sh_jobs_find(env, tc_sh_builtin_arg(c, i));
        if (job == SIZE_MAX)
            tc_sh_builtin_fail(env, c, "%s: no such job", c->argv[i]);
        else
            put(env, c, job, style);
    }
    for (size_t i = 0; i < env->jobs_n && c->at >= c->argc; i++)
        if (env->jobs[i].number && !env->jobs[i].disowned && !(running && tc_sh_proc_ended(env->jobs[i].proc, &status)))
            put(env, c, i, style);
    return TC_SH_NEXT;
}

static enum tc_sh_flow run_disown(struct tc_sh_env *env, struct tc_cmd_call *c, bool all)
{
    for (size_t i = 0; all && i < env->jobs_n; i++)
        env->jobs[i].disowned = true;
    if (c->at >= c->argc && !all) {
        size_t current = tc_sh_jobs_current(env);
        if (current == SIZE_MAX)
            return tc_sh_builtin_fail(env, c, "current: no such job");
        env->jobs[current].disowned = true;
    }
    for (int i = c->at; i < c->argc; i++) {
        int64_t pid;
        size_t job = tc_sh_builtin_number(c->argv[i], &pid) ? tc_sh_jobs_of_pid(env, (int)pid)
                                                            : tc_sh_jobs_find(env, tc_sh_builtin_arg(c, i));
        if (job == SIZE_MAX)
            tc_sh_builtin_fail(env, c, "%s: no such job", c->argv[i]);
        else
            env->jobs[job].disowned = true;
    }
    return TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int option, style = 0;
    bool running = false, all = false;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        style = option == 'l' || option == 'p' ? option : style;
        running |= option == 'r';
        all |= option == 'a';
    }
    return c->argv[0][0] == 'd' ? run_disown(env, c, all) : run_jobs(env, c, style, running);
}

static const struct tc_cmd_option options[] = {{'l', "l", TC_CMD_NONE, NULL, "with process ids"},
                                               {'n', "n", TC_CMD_NONE, NULL, "accepted"},
                                               {'p', "p", TC_CMD_NONE, NULL, "process ids alone"},
                                               {'r', "r", TC_CMD_NONE, NULL, "those that run"},
                                               {'s', "s", TC_CMD_NONE, NULL, "those that are stopped: none"},
                                               {'a', "a", TC_CMD_NONE, NULL, "of disown: all jobs"},
                                               {'h', "h", TC_CMD_NONE, NULL, "of disown: accepted"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_jobs = {.cmd = {.name = "jobs",
                                                         .aliases = "disown",
                                                         .usage = "[-lnprs] [jobspec ...]",
                                                         .summary = "Lists background jobs; disown forgets them.",
                                                         .options = options},
                                                 .run = run};
