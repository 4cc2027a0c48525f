/*
 * How a command runs another one (tc_cmd_spawn): in a fork of its environment, on the
 * fiber at hand, or on one of its own when it may be killed by the clock.
 */
#include "shell/cmd_impl.h"

#include <errno.h>

#include "shell/exec_parts.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* The words, and what the fiber gives back. */
struct spawn {
    const struct tc_str *words;
    size_t n;
    int error;
};

/* Exports these variables and no others. False without memory. */
static bool set_environ(struct tc_sh_env *child, char *const *environ)
{
    struct tc_str *names = tc_sh_vars_names(child->vars, tc_sh_arena(child), (struct tc_str){0}, TC_SH_VAR_EXPORT);

    if (!names)
        return false;
    for (; names->p; names++)
        if (tc_sh_vars_mark(child->vars, *names, 0, TC_SH_VAR_EXPORT) == TC_SH_SET_MEMORY)
            return false;
    for (; *environ; environ++) {
        struct tc_str rest = tc_str_of(*environ), name;

        if (!tc_str_split(&rest, '=', &name) || !rest.p)
            continue;
        if (tc_sh_vars_set(child->vars, name, rest) == TC_SH_SET_MEMORY ||
            tc_sh_vars_mark(child->vars, name, TC_SH_VAR_EXPORT, 0) == TC_SH_SET_MEMORY)
            return false;
    }
    return true;
}

/* The environment that it runs in; NULL when the budget is spent. */
static struct tc_sh_env *prepare(struct tc_cmd_call *c, const struct tc_cmd_run *run)
{
    struct tc_sh_env *child = tc_sh_env_fork(c->env);
    struct tc_sh_file *file;

    if (!child)
        return NULL;
    if (run->input) {
        file = tc_sh_file_of_text(*run->input);
        if (!file || !tc_sh_fds_set(&child->fds, 0, file))
            goto fail;
    }
    if (run->output) {
        file = tc_sh_file_of_buf(run->output);
        if (!file || !tc_sh_fds_set(&child->fds, 1, file))
            goto fail;
    }
    if ((run->cwd && !tc_sh_env_set_cwd(child, run->cwd)) || (run->environ && !set_environ(child, run->environ)))
        goto fail;
    child->options &= ~(unsigned)TC_SH_O_ERREXIT;
    child->depth++;
    return child;
fail:
    tc_sh_env_destroy(child);
    tc_sh_out_of_memory(c->env);
    return NULL;
}

static int run_words(struct tc_sh_env *env, struct spawn *spawn)
{
    struct tc_sh_found found;

    if (spawn->n == 0)
        return 0;
    tc_sh_exec_look(env, spawn->words[0], false, &found);
    if (found.what == TC_SH_IS_NOTHING)
        spawn->error = ENOENT;
    else if (found.what == TC_SH_IS_FILE)
        spawn->error = tc_sh_exec_access(env, found.path);
    if (spawn->error == EISDIR)
        spawn->error = EACCES; /* as execve has it */
    if (spawn->error)
        return spawn->error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
    tc_sh_exec_found(env, &found, spawn->words, spawn->n);
    return env->status;
}

static int run_fiber(struct tc_sh_env *env, void *arg)
{
    int status;

    env->proc = tc_sh_sched_current(env->sh->sched);
    env->pid = tc_sh_proc_pid(env->proc);
    status = run_words(env, arg);
    tc_sh_fds_finish(&env->fds);
    return status;
}

/* On a fiber that the clock may kill. The words live on this one's stack, so it is waited for in any case. */
static int run_timed(struct tc_cmd_call *c, struct tc_sh_env *child, const struct tc_cmd_run *run,
                     struct spawn *spawn)
{
    struct tc_sh_sched *sched = c->env->sh->sched;
    struct tc_sh_proc *proc = tc_sh_sched_spawn(sched, child, run_fiber, spawn);
    bool fired = false;
    int status = -1;

    if (!proc)
        return -1;
    tc_sh_sched_kill_after(sched, proc, run->kill_ns, run->signal, run->kill_again_ns, &fired);
    while (!tc_sh_proc_ended(proc, &status))
        if (!tc_sh_sched_join(sched, proc, &status) && !tc_sh_proc_ended(proc, &status))
            tc_sh_sched_kill(sched, proc, 9);
    tc_sh_proc_unref(proc);
    if (run->ret_timed_out)
        *run->ret_timed_out = fired;
    return status;
}

int tc_cmd_spawn(struct tc_cmd_call *c, const struct tc_cmd_run *run)
{
    struct spawn spawn = {0};
    struct tc_str *words;
    struct tc_sh_env *child;
    int status;

    while (run->argv[spawn.n])
        spawn.n++;
    words = TC_ARENA_NEW_N(c->arena, struct tc_str, spawn.n + 1);
    if (!words) {
        tc_cmd_fail_memory(c);
        return -1;
    }
    for (size_t i = 0; i < spawn.n; i++)
        words[i] = tc_str_of(run->argv[i]);
    spawn.words = words;
    if (!tc_sh_deeper(c->env))
        return -1;
    child = prepare(c, run);
    if (!child)
        return -1;
    if (run->kill_ns) {
        status = run_timed(c, child, run, &spawn);
    } else {
        status = run_words(child, &spawn);
        tc_sh_env_destroy(child);
    }
    if (run->ret_error)
        *run->ret_error = spawn.error;
    return tc_sh_sched_stopped(c->env->sh->sched) ? -1 : status;
}
