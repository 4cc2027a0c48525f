/*
 * One call from its beginning to its end. What it begins with (scheduler, view of files,
 * first environment) may have been made beforehand; all of it is gone when the call
 * returns, but for the last call of a process.
 */
#include "shell/shell.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "shell/cond.h"
#include "shell/exec_lines.h"
#include "shell/exec_parts.h"
#include "shell/history.h"

enum { PAUSE_MIN_NS = 100 * 1000, PAUSE_MAX_NS = 20 * 1000 * 1000 };
static const int64_t LEFT_OVER_NS = 5LL * 1000 * 1000 * 1000;
enum { STATUS_TIMEOUT = 124, STATUS_KILLED = 137, PIDS_FROM = 32768 };

struct tc_sh_start {
    struct tc_sh sh;
    struct tc_sh_env *env; /* NULL once it runs */
};
struct run {
    struct tc_sh_start *start;
    struct tc_sh_call *call;
    struct tc_sh_file *err; /* the caller's, for what is said at the end */
    int status;
    bool left; /* jobs still ran behind the script; they end with the first process */
};

static struct timespec wall_clock(void *arg)
{
    struct timespec now;

    (void)arg;
    clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

static int64_t ns_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The next line of an interactive shell, behind its prompt. */
static int next_line(void *arg, struct tc_sh_env *env, bool more, struct tc_buf *line)
{
    struct tc_sh_call *call = arg;
    struct tc_str value, prompt;
    int status = env->status;

    if (!tc_sh_vars_get(env->vars, more ? TC_STR("PS2") : TC_STR("PS1"), &value))
        value = more ? TC_STR("> ") : TC_STR("\\w\\$ ");
    if (tc_sh_expand_prompt(env, value, &prompt) != TC_SH_NEXT)
        prompt = value;
    env->status = status;
    return call->line(call->arg, prompt, line);
}

static void finish_streams(struct tc_sh_call *call)
{
    tc_sh_file_unref(call->in);
    tc_sh_file_unref(call->out);
    tc_sh_file_unref(call->err);
    call->in = call->out = call->err = NULL;
}

static bool set_streams(struct tc_sh_env *env, struct tc_sh_call *call)
{
    struct tc_sh_file *in = call->in, *out = call->out, *err = call->err;
    bool ok;

    call->in = call->out = call->err = NULL;
    ok = tc_sh_fds_set(&env->fds, 0, in);
    ok = tc_sh_fds_set(&env->fds, 1, out) && ok;
    return tc_sh_fds_set(&env->fds, 2, err) && ok;
}

/* --- what a call begins with --- */

static struct tc_sh_env *fresh_env(struct tc_sh *sh, char *const *environment)
{
    static char *const usual[] = {
        "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "USER=user", "LOGNAME=user", "LANG=C.UTF-8", NULL};
    struct tc_sh_env *env = tc_sh_env_create(sh);

    if (env && tc_sh_env_set_cwd(env, "/") && tc_sh_env_start(env, environment ? environment : usual))
        return env;
    tc_sh_env_destroy(env);
    return NULL;
}

struct tc_sh_start *tc_sh_start_create(const struct tc_sh_limits *limits, char *const *environment)
{
    struct tc_sh_start *start = tc_mem_zalloc(1, sizeof *start);
    struct tc_sh *sh;

    if (!start)
        return NULL;
    sh = &start->sh;
    tc_sh_budget_init(&sh->budget, limits);
    sh->pids = PIDS_FROM;
    sh->sched = tc_sh_sched_create(&sh->budget, tc_sh_env_destroy);
    sh->vfs = tc_sh_vfs_create(&sh->budget);
    start->env = sh->sched && sh->vfs && tc_sh_sched_make_ready(sh->sched) ? fresh_env(sh, environment) : NULL;
    if (start->env)
        return start;
    tc_sh_start_destroy(start);
    return NULL;
}

void tc_sh_start_destroy(struct tc_sh_start *start)
{
    if (!start)
        return;
    tc_sh_env_destroy(start->env);
    tc_sh_cond_finish(&start->sh);
    tc_sh_history_destroy(start->sh.history);
    tc_sh_sched_destroy(start->sh.sched);
    tc_sh_vfs_destroy(start->sh.vfs);
    tc_mem_free(start);
}

/* --- the first process --- */

static bool set_args(struct tc_sh_env *env, const struct tc_sh_call *call)
{
    struct tc_sh_args *args = tc_sh_args_create(call->args, call->args_n);

    if (!args)
        return false;
    tc_sh_args_unref(env->args);
    env->args = args;
    return true;
}

static bool set_folder(struct tc_sh_env *env, const char *path)
{
    return strcmp(path, "/") == 0 ||
           (tc_sh_env_set_cwd(env, path) && tc_sh_vars_set(env->vars, TC_STR("PWD"), tc_str_of(path)) == TC_SH_SET_OK);
}

static struct tc_sh_env *first_env(struct run *run)
{
    struct tc_sh_call *call = run->call;
    struct tc_sh_env *env = run->start->env;

    run->start->env = NULL;
    env->line = 1;
    if (set_streams(env, call) && set_args(env, call) && set_folder(env, call->cwd ? call->cwd : "/") &&
        tc_sh_env_set_arg0(env, call->name.n ? call->name : TC_STR("bash")))
        return env;
    tc_sh_env_destroy(env);
    return NULL;
}

/* What the script left running may end by itself, for a while; a server that it started does not. */
static void await_others(struct run *run)
{
    static const char text[] = "bash: background jobs that were still running have been ended\n";
    struct tc_sh_sched *sched = run->start->sh.sched;
    int64_t until = tc_sh_sched_now(sched) + LEFT_OVER_NS, wait = PAUSE_MIN_NS;

    while (tc_sh_sched_live(sched) > 1 && tc_sh_sched_now(sched) < until && tc_sh_sched_sleep(sched, wait))
        wait = wait * 2 < PAUSE_MAX_NS ? wait * 2 : PAUSE_MAX_NS;
    if (tc_sh_sched_live(sched) <= 1 || run->start->sh.budget.spent)
        return;
    if (run->err)
        tc_sh_file_write(sched, run->err, text, sizeof text - 1);
    run->left = true;
}

/* Writes have failed, and not every command says why; what it was is told behind all else. */
static void tell_quota(struct run *run)
{
    const struct tc_sh_budget *budget = &run->start->sh.budget;
    char text[160], line[sizeof text + 8];
    int n;

    if (!budget->quota || !run->err)
        return;
    tc_sh_limit_text(budget, budget->quota, text, sizeof text);
    n = snprintf(line, sizeof line, "bash: %s\n", text);
    tc_sh_file_write(run->start->sh.sched, run->err, line, (size_t)n);
}

static enum tc_sh_flow run_lines(struct tc_sh_env *env, struct tc_sh_call *call)
{
    struct tc_sh_lines lines = {.next = next_line, .arg = call};

    env->shopt |= TC_SH_S_EXPAND_ALIASES;
    env->options |= TC_SH_O_INTERACTIVE;
    return tc_sh_exec_lines(env, &lines);
}

static int run_script(struct run *run)
{
    struct tc_sh_call *call = run->call;
    struct tc_sh *sh = &run->start->sh;
    struct tc_sh_env *env = first_env(run);
    int status;

    if (!env) {
        tc_sh_budget_spend(&sh->budget, TC_SH_LIMIT_MEMORY);
        return 1;
    }
    env->proc = tc_sh_sched_current(sh->sched);
    if (call->line)
        env->options |= TC_SH_O_HISTORY;
    if (call->line)
        status = tc_sh_exec_finish(env, run_lines(env, call));
    else
        status = tc_sh_exec_whole(env, call->script, call->name, call->file);
    if (call->last)
        tc_sh_env_leave(env);
    else
        tc_sh_env_destroy(env);
    return status;
}

static int run_first(struct tc_sh_env *unused, void *arg)
{
    struct run *run = arg;

    (void)unused;
    run->status = run_script(run);
    await_others(run);
    tell_quota(run);
    if (run->left)
        tc_sh_sched_kill(run->start->sh.sched, tc_sh_sched_current(run->start->sh.sched), SIGHUP);
    return run->status;
}

static bool mount_all(struct run *run)
{
    struct tc_sh_vfs *vfs = run->start->sh.vfs;
    bool ok = true;

    for (size_t i = 0; i < run->call->mounts_n; i++)
        ok = tc_sh_vfs_mount(vfs, &run->call->mounts[i]) == 0 && ok;
    for (size_t i = 0; i < run->call->hidden_n; i++)
        tc_sh_vfs_hide(vfs, run->call->hidden[i]);
    for (size_t i = 0; i < run->call->shown_n; i++)
        tc_sh_vfs_show(vfs, run->call->shown[i]);
    return ok;
}

static void tell_changes(struct tc_sh_vfs *vfs, void (*changed)(void *arg, struct tc_sh_vfs *vfs, const char *path),
                         void *arg)
{
    const char *const *paths;
    bool more;
    size_t n = tc_sh_vfs_changed(vfs, &paths, &more);

    for (size_t i = 0; changed && i < n; i++)
        changed(arg, vfs, paths[i]);
}

static void fill_outcome(const struct run *run, const struct tc_sh_budget *budget, struct tc_sh_outcome *outcome)
{
    struct rusage usage;

    outcome->status = run->status;
    outcome->limit = budget->spent;
    if (budget->spent) {
        tc_sh_limit_text(budget, budget->spent, outcome->message, sizeof outcome->message);
        outcome->status = budget->spent == TC_SH_LIMIT_WALL ? STATUS_TIMEOUT : STATUS_KILLED;
    }
    outcome->work = budget->work;
    outcome->wall_ns = ns_of(CLOCK_MONOTONIC) - outcome->wall_ns;
    outcome->cpu_ns = ns_of(CLOCK_PROCESS_CPUTIME_ID) - outcome->cpu_ns;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        outcome->peak_kib = usage.ru_maxrss;
}

/* What is the call's own of what all environments share. */
static void set_up(struct tc_sh *sh, const struct tc_sh_call *call)
{
    tc_sh_budget_init(&sh->budget, &call->limits);
    sh->budget.bytes = call->bytes_used;
    sh->budget.files = call->files_used;
    sh->now = call->now ? call->now : wall_clock;
    sh->now_arg = call->now_arg;
    sh->used = call->used;
    sh->began = ns_of(CLOCK_MONOTONIC);
    sh->interactive = call->line != NULL;
    if (call->cancel)
        tc_sh_sched_cancel_on(sh->sched, *call->cancel);
}

/* Without memory to begin with: as a call that ran out of it. */
static void refuse(struct tc_sh_call *call, struct tc_sh_outcome *outcome)
{
    struct run run = {.call = call};
    struct tc_sh_budget budget;

    tc_sh_budget_init(&budget, &call->limits);
    tc_sh_budget_spend(&budget, TC_SH_LIMIT_MEMORY);
    finish_streams(call);
    fill_outcome(&run, &budget, outcome);
}

void tc_sh_call_run(struct tc_sh_call *call, struct tc_sh_outcome *ret_outcome,
                    void (*changed)(void *arg, struct tc_sh_vfs *vfs, const char *path), void *changed_arg)
{
    struct run run = {.start = call->start, .call = call};
    struct tc_sh *sh;

    call->start = NULL;
    *ret_outcome = (struct tc_sh_outcome){.wall_ns = ns_of(CLOCK_MONOTONIC), .cpu_ns = ns_of(CLOCK_PROCESS_CPUTIME_ID)};
    if (!run.start)
        run.start = tc_sh_start_create(&call->limits, call->environment);
    if (!run.start) {
        refuse(call, ret_outcome);
        return;
    }
    sh = &run.start->sh;
    set_up(sh, call);
    run.err = call->err ? tc_sh_file_ref(call->err) : NULL;
    if (mount_all(&run)) {
        int status = tc_sh_sched_run(sh->sched, NULL, run_first, &run);

        if (!run.left) /* else it is that of its end, not the script's */
            run.status = status;
        tell_changes(sh->vfs, changed, changed_arg);
    } else {
        tc_sh_budget_spend(&sh->budget, TC_SH_LIMIT_MEMORY);
    }
    fill_outcome(&run, &sh->budget, ret_outcome);
    if (call->last)
        return;
    finish_streams(call);
    tc_sh_file_unref(run.err);
    tc_sh_start_destroy(run.start);
}
