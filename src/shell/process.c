/*
 * Processes: how one begins and ends, is found, waited for and killed. The process
 * itself holds a reference until its end, whoever spawned it another.
 */
#include "shell/sched_impl.h"

#include <signal.h>

#include "base/mem.h"

static void process_main(void *arg)
{
    struct tc_sh_proc *proc = arg;

    proc->status = proc->fn(proc->runs_in, proc->arg);
    if (proc->env)
        proc->sched->destroy(proc->env);
    if (proc->signal)
        proc->status = 128 + proc->signal;
    proc->caught = NULL;
    proc->ended = true;
}

static struct tc_sh_proc *create(struct tc_sh_sched *sched)
{
    struct tc_sh_budget *budget = sched->budget;
    struct tc_sh_proc *proc;

    if (budget->max.processes && sched->live >= budget->max.processes) {
        tc_sh_budget_spend(budget, TC_SH_LIMIT_PROCESSES);
        return NULL;
    }
    proc = tc_mem_zalloc(1, sizeof *proc);
    if (proc && tc_fiber_init(&proc->fiber, &sched->stacks, process_main, proc))
        return proc;
    tc_mem_free(proc);
    tc_sh_budget_spend(budget, TC_SH_LIMIT_MEMORY);
    return NULL;
}

struct tc_sh_proc *tc_sh_sched_spawn(struct tc_sh_sched *sched, struct tc_sh_env *env,
                                     int (*fn)(struct tc_sh_env *env, void *arg), void *arg)
{
    struct tc_sh_proc *proc = create(sched);

    if (!proc) {
        if (env)
            sched->destroy(env);
        return NULL;
    }
    proc->sched = sched;
    proc->env = proc->runs_in = env;
    proc->fn = fn;
    proc->arg = arg;
    proc->refs = 2;
    proc->pid = (int)++sched->pids;
    proc->parent = sched->current ? sched->current->pid : 0;
    proc->fd = -1;
    tc_arena_init(&proc->arena, sched->arena.max);
    proc->next = sched->all;
    if (sched->all)
        sched->all->prev = proc;
    sched->all = proc;
    sched->live++;
    tc_sh_queue_add(&sched->run, proc);
    return proc;
}

/* Its children become those of its parent, which may not look at what it had on its stack. */
static void orphan(struct tc_sh_proc *parent)
{
    for (struct tc_sh_proc *proc = parent->sched->all; proc; proc = proc->next)
        if (proc->parent == parent->pid) {
            proc->parent = parent->parent;
            proc->kill.fired = NULL;
        }
}

void tc_sh_proc_finish(struct tc_sh_proc *proc)
{
    struct tc_sh_sched *sched = proc->sched;

    if (proc->prev)
        proc->prev->next = proc->next;
    else
        sched->all = proc->next;
    if (proc->next)
        proc->next->prev = proc->prev;
    sched->live--;
    orphan(proc);
    tc_arena_finish(&proc->arena);
    tc_fiber_finish(&proc->fiber, &sched->stacks);
    proc->ended_as = ++sched->ends_n;
    tc_sh_sched_wake(&sched->ends);
    tc_sh_proc_unref(proc);
}

int64_t tc_sh_sched_live(const struct tc_sh_sched *sched)
{
    return sched->live;
}

struct tc_sh_proc *tc_sh_proc_ref(struct tc_sh_proc *proc)
{
    proc->refs++;
    return proc;
}

void tc_sh_proc_unref(struct tc_sh_proc *proc)
{
    if (proc && --proc->refs == 0)
        tc_mem_free(proc);
}

int tc_sh_proc_pid(const struct tc_sh_proc *proc)
{
    return proc->pid;
}

int tc_sh_proc_parent(const struct tc_sh_proc *proc)
{
    return proc->parent;
}

bool tc_sh_proc_ended(const struct tc_sh_proc *proc, int *ret_status)
{
    if (!proc->ended_as)
        return false;
    *ret_status = proc->status;
    return true;
}

int tc_sh_proc_signal(const struct tc_sh_proc *proc)
{
    return proc->signal;
}

struct tc_sh_proc *tc_sh_sched_find(struct tc_sh_sched *sched, int pid)
{
    for (struct tc_sh_proc *proc = sched->all; proc; proc = proc->next)
        if (proc->pid == pid && !proc->ended)
            return proc;
    return NULL;
}

bool tc_sh_sched_join_any(struct tc_sh_sched *sched, struct tc_sh_proc **procs, size_t n, size_t *ret_which)
{
    struct tc_sh_proc *self = sched->current;
    uint64_t caught = self->caught ? *self->caught : 0;

    for (;;) {
        size_t first = n;

        for (size_t i = 0; i < n; i++)
            if (procs[i]->ended_as && (first == n || procs[i]->ended_as < procs[first]->ended_as))
                first = i;
        if (first < n || (self->caught && *self->caught != caught)) {
            *ret_which = first;
            return true;
        }
        if (!tc_sh_sched_wait(sched, &sched->ends, 0))
            return false;
    }
}

bool tc_sh_sched_join(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int *ret_status)
{
    size_t which;

    if (!tc_sh_sched_join_any(sched, &proc, 1, &which))
        return false;
    *ret_status = which == 0 ? proc->status : -1;
    return true;
}

void tc_sh_sched_catch(struct tc_sh_sched *sched, uint64_t mask, uint64_t *caught)
{
    sched->current->mask = mask;
    sched->current->caught = caught;
}

static void deliver(struct tc_sh_proc *proc, int signal)
{
    uint64_t bit = 1ULL << signal;

    if (proc->ended || proc->signal)
        return;
    if (signal != SIGKILL && proc->caught && (proc->mask & bit))
        *proc->caught |= bit;
    else
        proc->signal = signal;
    tc_sh_proc_resume(proc);
}

static bool is_below(struct tc_sh_sched *sched, const struct tc_sh_proc *proc, int pid)
{
    while (proc && proc->pid != pid)
        proc = proc->parent ? tc_sh_sched_find(sched, proc->parent) : NULL;
    return proc != NULL;
}

void tc_sh_sched_kill(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int signal)
{
    if (signal <= 0 || signal > 63 || proc->ended)
        return;
    for (struct tc_sh_proc *at = sched->all; at; at = at->next)
        if (is_below(sched, at, proc->pid))
            deliver(at, signal);
}

void tc_sh_sched_restart(struct tc_sh_sched *sched)
{
    char bytes[512];

    for (struct tc_sh_proc *at = sched->all; at; at = at->next)
        if (at != sched->current)
            deliver(at, SIGKILL);
    while (sched->cancel >= 0 && read(sched->cancel, bytes, sizeof bytes) > 0)
        continue;
    tc_sh_budget_restart(sched->budget);
    sched->told = false;
}

void tc_sh_sched_kill_after(struct tc_sh_sched *sched, struct tc_sh_proc *proc, int64_t ns, int signal,
                            int64_t again_ns, bool *fired)
{
    if (proc->ended)
        return;
    proc->kill.at = tc_sh_sched_now(sched) + (ns < INT64_MAX / 4 ? ns : INT64_MAX / 4);
    proc->kill.signal = signal;
    proc->kill.again_ns = again_ns;
    proc->kill.fired = fired;
}

void tc_sh_proc_fire(struct tc_sh_proc *proc, int64_t now)
{
    int signal = proc->kill.signal;

    if (proc->kill.fired)
        *proc->kill.fired = true;
    proc->kill.at = proc->kill.again_ns ? now + proc->kill.again_ns : 0;
    proc->kill.again_ns = 0;
    proc->kill.signal = SIGKILL;
    tc_sh_sched_kill(proc->sched, proc, signal);
}
