/*
 * jobs: what runs in the background, and how what ended has ended.
 */
#include <stdio.h>
#include <string.h>
#include "shell/builtin.h"
#include "shell/jobs.h"

static void put(struct tc_sh_env *env, struct tc_cmd_call *c, size_t i, int style)
{
    struct tc_sh_job *job = &env->jobs[i];
    int status = 0, signal = tc_sh_proc_signal(job->proc);
    bool ended = tc_sh_proc_ended(job->proc, &status);
    char sign = i == tc_sh_jobs_current(env) ? '+' : i == tc_sh_jobs_previous(env) ? '-' : ' ', state[64];

    if (style == 'p') {
        tc_cmd_printf(c->out, "%d\n", job->pid);
        return;
    }
    if (!ended)
        snprintf(state, sizeof state, "Running");
    else if (signal)
        snprintf(state, sizeof state, "%s", strsignal(signal));
    else
        snprintf(state, sizeof state, status ? "Exit %d" : "Done", status);
    tc_cmd_printf(c->out, "[%d]%c  ", job->number, sign);
    if (style == 'l')
        tc_cmd_printf(c->out, "%5d ", job->pid);
    tc_cmd_printf(c->out, "%-23s %.*s%s\n", state, TC_STR_ARG(job->text), ended ? "" : " &");
    if (ended) { /* told of once; `wait PID` still knows its status */
        job->number = 0;
        job->told = true;
    }
}

/* Whether a list without operands has the job. */
static bool listed(const struct tc_sh_job *job, int which)
{
    int status;
    bool ended = tc_sh_proc_ended(job->proc, &status);

    return job->number && !job->disowned && which != 's' && !(which == 'r' && ended) && !(which == 'n' && !ended);
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, int style, int which)
{
    for (int i = c->at; i < c->argc; i++) {
        size_t job = tc_sh_jobs_find(env, tc_sh_builtin_arg(c, i));
        if (job == SIZE_MAX)
            tc_sh_builtin_fail(env, c, "%s: no such job", c->argv[i]);
        else
            put(env, c, job, style);
    }
    for (size_t i = 0; i < env->jobs_n && c->at >= c->argc; i++)
        if (listed(&env->jobs[i], which))
            put(env, c, i, style);
    return TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int option, style = 0, which = 0;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        style = option == 'l' || option == 'p' ? option : style;
        which = option == 'r' || option == 's' || option == 'n' ? option : which;
    }
    return list(env, c, style, which);
}

static const struct tc_cmd_option options[] = {
    {'l', "l", TC_CMD_NONE, NULL, "with process ids"},
    {'n', "n", TC_CMD_NONE, NULL, "those that have ended since the last list"},
    {'p', "p", TC_CMD_NONE, NULL, "process ids alone"},
    {'r', "r", TC_CMD_NONE, NULL, "those that run"},
    {'s', "s", TC_CMD_NONE, NULL, "those that are stopped: none"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_jobs = {
    .cmd = {.name = "jobs", .usage = "[-lnprs] [jobspec ...]", .summary = "Lists background jobs.", .options = options},
    .run = run};
