/*
 * kill: signals to jobs and processes of the shell; there are no others.
 */
#include "shell/builtin.h"
#include "shell/jobs.h"
#include "shell/trap.h"

enum { TERM = 15, CONT = 18, STOP = 19 };

static void translate(struct tc_sh_env *env, struct tc_cmd_call *c, const char *text)
{
    int64_t number;
    int which;

    if (tc_sh_builtin_number(text, &number)) {
        const char *name = tc_sh_trap_name((int)(number > 128 ? number - 128 : number));
        if (number <= 0 || number > 128 + 64 || !name)
            tc_sh_builtin_fail(env, c, "%s: invalid signal specification", text);
        else
            tc_cmd_printf(c->out, "%s\n", number == 0 ? name : name + 3);
        return;
    }
    which = tc_sh_trap_number(tc_str_of(text));
    if (which < 0 || which > 64)
        tc_sh_builtin_fail(env, c, "%s: invalid signal specification", text);
    else
        tc_cmd_printf(c->out, "%d\n", which);
}

/* The signal before the targets; -1: told. */
static int signal_of(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const char *arg = c->at < c->argc ? c->argv[c->at] : "", *name = NULL;
    int which;

    if (!strcmp(arg, "--")) {
        c->at++;
        return TERM;
    }
    if (arg[0] != '-' || !arg[1])
        return TERM;
    c->at++;
    if ((arg[1] == 's' || arg[1] == 'n') && !arg[2]) {
        if (c->at >= c->argc) {
            tc_sh_builtin_fail(env, c, "%s: option requires an argument", arg);
            return -1;
        }
        name = c->argv[c->at++];
    } else {
        name = arg + 1;
    }
    which = tc_sh_trap_number(tc_str_of(name));
    if (which < 0 || which > 64) {
        tc_sh_builtin_fail(env, c, "%s: invalid signal specification", name);
        return -1;
    }
    if (c->at < c->argc && !strcmp(c->argv[c->at], "--"))
        c->at++;
    return which;
}

/* To the shell itself: its trap, or its end. */
static enum tc_sh_flow to_self(struct tc_sh_env *env, int signal)
{
    const char *text = tc_sh_trap_get(env, signal);

    if (signal == 0 || signal == CONT || signal == 17 || signal == 23 || signal == 28 || (text && signal != 9)) {
        if (text)
            env->caught |= (uint64_t)1 << signal;
        return TC_SH_NEXT;
    }
    tc_sh_traps_drop(env);
    env->status = 128 + signal;
    return TC_SH_EXIT;
}

static enum tc_sh_flow to_process(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_proc *proc, int signal,
                                  const char *what)
{
    int status;

    if (!proc || tc_sh_proc_ended(proc, &status))
        return tc_sh_builtin_fail(env, c, "(%s) - No such process", what);
    if (signal == STOP || (signal >= 20 && signal <= 22))
        return tc_sh_builtin_fail(env, c, "(%s) - processes of this shell cannot be stopped", what);
    if (signal && signal != CONT && signal != 17 && signal != 23 && signal != 28)
        tc_sh_sched_kill(env->sh->sched, proc, signal);
    return TC_SH_NEXT;
}

static enum tc_sh_flow one(struct tc_sh_env *env, struct tc_cmd_call *c, const char *what, int signal)
{
    int64_t pid;
    size_t job;

    if (what[0] == '%') {
        job = tc_sh_jobs_find(env, tc_str_of(what));
        if (job == SIZE_MAX)
            return tc_sh_builtin_fail(env, c, "%s: no such job", what);
        return to_process(env, c, env->jobs[job].proc, signal, what);
    }
    if (!tc_sh_builtin_number(what, &pid))
        return tc_sh_builtin_fail(env, c, "%s: arguments must be process or job IDs", what);
    if (pid < 0)
        pid = -pid;
    if (pid == env->pid || pid == 0 || (pid == 1 && env->subshell == 0))
        return to_self(env, signal);
    job = tc_sh_jobs_of_pid(env, (int)pid);
    return to_process(env, c, job != SIZE_MAX ? env->jobs[job].proc : tc_sh_sched_find(env->sh->sched, (int)pid),
                      signal, what);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    int signal, failed = 0;

    c->at = 1;
    if (c->argc > 1 && (!strcmp(c->argv[1], "-l") || !strcmp(c->argv[1], "-L"))) {
        if (c->argc == 2)
            tc_sh_trap_list_names(c->out);
        for (int i = 2; i < c->argc; i++)
            translate(env, c, c->argv[i]);
        return TC_SH_NEXT;
    }
    if (c->argc > 1 && !strcmp(c->argv[1], "--help"))
        return tc_sh_builtin_plain(env, c), TC_SH_NEXT;
    signal = c->argc > 1 ? signal_of(env, c) : TERM;
    if (signal < 0)
        return TC_SH_NEXT;
    if (c->at >= c->argc)
        return tc_sh_builtin_usage(env, c);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++) {
        env->status = 0;
        flow = one(env, c, c->argv[i], signal);
        failed |= env->status;
    }
    if (flow == TC_SH_NEXT)
        env->status = failed;
    return flow;
}

const struct tc_sh_builtin tc_sh_builtin_kill = {
    .cmd = {.name = "kill",
            .usage = "[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
            .summary = "Sends a signal to jobs and processes of this shell.",
            .flags = TC_CMD_RAW},
    .twin = true,
    .run = run};
