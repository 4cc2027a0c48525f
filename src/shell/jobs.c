/*
 * The list of background jobs: numbers, %specs, $!.
 */
#include "shell/jobs.h"

#include <signal.h>
#include "base/mem.h"
#include "shell/trap.h"

enum { WAITED_MAX = 64 };

static void forget(struct tc_sh_env *env, size_t i)
{
    tc_sh_proc_unref(env->jobs[i].proc);
    tc_mem_free((char *)env->jobs[i].text.p);
    memmove(&env->jobs[i], &env->jobs[i + 1], (env->jobs_n - i - 1) * sizeof *env->jobs);
    env->jobs_n--;
}

/* Process substitutions that ended, but for the one that $! names, and the oldest of what was waited for. */
static void prune(struct tc_sh_env *env)
{
    size_t waited = 0;
    int status;

    for (size_t i = env->jobs_n; i-- > 0;) {
        bool kept = env->jobs[i].waited || env->jobs[i].told, old = kept && ++waited > WAITED_MAX;
        bool gone = !env->jobs[i].number && !kept && env->jobs[i].pid != env->last_background &&
                    tc_sh_proc_ended(env->jobs[i].proc, &status);
        if (old || gone)
            forget(env, i);
    }
}

/* Room for one more, zeroed, with its text. NULL without memory. */
static struct tc_sh_job *add(struct tc_sh_env *env, struct tc_str text)
{
    char *copy = tc_mem_alloc(text.n + 1);
    struct tc_sh_job *jobs = copy ? tc_mem_realloc(env->jobs, (env->jobs_n + 1) * sizeof *jobs) : NULL;

    if (!jobs) {
        tc_mem_free(copy);
        return NULL;
    }
    env->jobs = jobs;
    memcpy(copy, text.p ? text.p : "", text.n);
    copy[text.n] = '\0';
    jobs[env->jobs_n] = (struct tc_sh_job){.text = {copy, text.n}};
    return &jobs[env->jobs_n++];
}

bool tc_sh_jobs_add(struct tc_sh_env *env, struct tc_sh_proc *proc, struct tc_str text, bool hidden)
{
    int number = 0;
    struct tc_sh_job *job;

    prune(env);
    for (size_t i = 0; !hidden && i < env->jobs_n; i++)
        if (env->jobs[i].number > number)
            number = env->jobs[i].number;
    job = add(env, text);
    if (!job) {
        tc_sh_proc_unref(proc);
        return false;
    }
    job->proc = proc;
    job->pid = tc_sh_proc_pid(proc);
    job->number = hidden ? 0 : number + 1;
    env->last_background = job->pid;
    return true;
}

void tc_sh_jobs_tell_killed(struct tc_sh_env *env, const struct tc_sh_job *job)
{
    int signal = tc_sh_proc_signal(job->proc);

    if (!signal || signal == SIGINT || signal == SIGTERM || signal == SIGPIPE || tc_sh_trap_get(env, signal))
        return;
    tc_sh_warn(env, "%5d %-23s %.*s", job->pid, strsignal(signal), TC_STR_ARG(job->text));
}

void tc_sh_jobs_notify(struct tc_sh_env *env)
{
    int status;

    for (size_t i = 0; i < env->jobs_n; i++) {
        struct tc_sh_job *job = &env->jobs[i];
        if (!job->number || job->inherited || !tc_sh_proc_ended(job->proc, &status))
            continue;
        job->number = 0;
        job->told = true;
        tc_sh_jobs_tell_killed(env, job);
    }
}

void tc_sh_jobs_forget(struct tc_sh_env *env)
{
    int status;

    for (size_t i = env->jobs_n; i-- > 0;)
        if (!env->jobs[i].inherited && tc_sh_proc_ended(env->jobs[i].proc, &status))
            forget(env, i);
}

bool tc_sh_jobs_copy(struct tc_sh_env *to, const struct tc_sh_env *from)
{
    int status;

    for (size_t i = 0; i < from->jobs_n; i++) {
        struct tc_sh_job *job;
        if (!from->jobs[i].number || tc_sh_proc_ended(from->jobs[i].proc, &status))
            continue;
        job = add(to, from->jobs[i].text);
        if (!job)
            return false;
        job->number = from->jobs[i].number;
        job->pid = from->jobs[i].pid;
        job->disowned = from->jobs[i].disowned;
        job->proc = tc_sh_proc_ref(from->jobs[i].proc);
        job->inherited = true;
    }
    return true;
}

void tc_sh_jobs_finish(struct tc_sh_env *env)
{
    while (env->jobs_n)
        forget(env, env->jobs_n - 1);
    tc_mem_free(env->jobs);
    env->jobs = NULL;
}

/* The newest listed job before index `before`. */
static size_t newest(struct tc_sh_env *env, size_t before)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < env->jobs_n; i++)
        if (i != before && env->jobs[i].number && !env->jobs[i].disowned &&
            (found == SIZE_MAX || env->jobs[i].number > env->jobs[found].number))
            found = i;
    return found;
}

size_t tc_sh_jobs_current(struct tc_sh_env *env)
{
    return newest(env, SIZE_MAX);
}

size_t tc_sh_jobs_previous(struct tc_sh_env *env)
{
    size_t current = tc_sh_jobs_current(env), before;

    if (current == SIZE_MAX)
        return SIZE_MAX;
    before = newest(env, current);
    return before == SIZE_MAX ? current : before;
}

size_t tc_sh_jobs_find(struct tc_sh_env *env, struct tc_str spec)
{
    int64_t number;

    if (spec.n == 0 || spec.p[0] != '%')
        return SIZE_MAX;
    spec = tc_str_from(spec, 1);
    if (spec.n == 0 || tc_str_is(spec, "%") || tc_str_is(spec, "+"))
        return tc_sh_jobs_current(env);
    if (tc_str_is(spec, "-"))
        return tc_sh_jobs_previous(env);
    if (tc_str_int(spec, &number)) {
        for (size_t i = 0; i < env->jobs_n; i++)
            if (env->jobs[i].number == number && number > 0)
                return i;
        return SIZE_MAX;
    }
    for (size_t i = env->jobs_n; i-- > 0;) {
        bool within = spec.p[0] == '?' && tc_str_find(env->jobs[i].text, tc_str_from(spec, 1)) != SIZE_MAX;
        if (env->jobs[i].number && (within || tc_str_starts(env->jobs[i].text, spec)))
            return i;
    }
    return SIZE_MAX;
}

size_t tc_sh_jobs_of_pid(struct tc_sh_env *env, int pid)
{
    for (size_t i = env->jobs_n; i-- > 0;)
        if (env->jobs[i].pid == pid)
            return i;
    return SIZE_MAX;
}
