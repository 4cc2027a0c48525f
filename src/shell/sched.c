/*
 * Turns and waits. The loop runs on the stack of who called tc_sh_sched_run; it takes
 * the first process of the run queue and resumes it until that suspends itself in
 * park() or yield(). The clock is not read at each turn: a credit of units and of
 * turns is used up first.
 */
#include "shell/sched_impl.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "base/mem.h"

enum {
    CREDIT = 512,
    TURNS = 64,
    STACK_SCRIPT = 32 * 1024, /* what is touched of them as a rule */
    STACK_STAGE = 8 * 1024,
    STAGES_READY = 2,
#ifdef NDEBUG
    STACK = 1024 * 1024,
#else
    STACK = 2 * 1024 * 1024, /* frames are larger without optimisation */
#endif
};

void tc_sh_queue_add(struct tc_sh_queue *queue, struct tc_sh_proc *proc)
{
    proc->queue_next = NULL;
    proc->queue_prev = queue->last;
    if (queue->last)
        queue->last->queue_next = proc;
    else
        queue->first = proc;
    queue->last = proc;
    proc->queue = queue;
}

void tc_sh_queue_remove(struct tc_sh_queue *queue, struct tc_sh_proc *proc)
{
    if (proc->queue_prev)
        proc->queue_prev->queue_next = proc->queue_next;
    else
        queue->first = proc->queue_next;
    if (proc->queue_next)
        proc->queue_next->queue_prev = proc->queue_prev;
    else
        queue->last = proc->queue_prev;
    proc->queue_prev = proc->queue_next = NULL;
    proc->queue = NULL;
}

struct tc_sh_sched *tc_sh_sched_create(struct tc_sh_budget *budget, void (*destroy)(struct tc_sh_env *env))
{
    struct tc_sh_sched *sched = tc_mem_zalloc(1, sizeof *sched);

    if (!sched)
        return NULL;
    sched->budget = budget;
    sched->destroy = destroy;
    sched->stacks.size = STACK;
    sched->credit = CREDIT;
    sched->cancel = -1;
    tc_arena_init(&sched->arena, budget->max.memory ? (size_t)budget->max.memory : SIZE_MAX / 2);
    return sched;
}

void tc_sh_sched_cancel_on(struct tc_sh_sched *sched, int fd)
{
    sched->cancel = fd;
}

bool tc_sh_sched_make_ready(struct tc_sh_sched *sched)
{
    bool ok = true;

    for (int i = 0; i < STAGES_READY; i++)
        ok = ok && tc_fiber_pool_add(&sched->stacks, STACK_STAGE);
    return ok && tc_fiber_pool_add(&sched->stacks, STACK_SCRIPT); /* taken first */
}

void tc_sh_sched_destroy(struct tc_sh_sched *sched)
{
    if (!sched)
        return;
    tc_fiber_pool_finish(&sched->stacks);
    tc_arena_finish(&sched->arena);
    tc_mem_free(sched->polled);
    tc_mem_free(sched->pollers);
    tc_mem_free(sched);
}

struct tc_sh_proc *tc_sh_sched_current(struct tc_sh_sched *sched)
{
    return sched->current;
}

struct tc_arena *tc_sh_sched_arena(struct tc_sh_sched *sched)
{
    return sched->current ? &sched->current->arena : &sched->arena;
}

struct tc_sh_budget *tc_sh_sched_budget(struct tc_sh_sched *sched)
{
    return sched->budget;
}

size_t tc_sh_sched_stack_left(struct tc_sh_sched *sched)
{
    return sched->current ? tc_fiber_left(&sched->current->fiber) : SIZE_MAX;
}

int64_t tc_sh_sched_now(const struct tc_sh_sched *sched)
{
    return tc_sh_budget_now() + sched->skipped;
}

void tc_sh_sched_skip_waits(struct tc_sh_sched *sched)
{
    sched->skip_waits = true;
}

bool tc_sh_sched_stopped(struct tc_sh_sched *sched)
{
    return sched->budget->spent || (sched->current && sched->current->signal);
}

void tc_sh_proc_resume(struct tc_sh_proc *proc)
{
    if (!proc->waiting)
        return;
    proc->waiting = false;
    if (proc->queue)
        tc_sh_queue_remove(proc->queue, proc);
    proc->due = 0;
    proc->fd = -1;
    tc_sh_queue_add(&proc->sched->run, proc);
}

static int64_t earlier(int64_t a, int64_t b)
{
    if (!a || !b)
        return a ? a : b;
    return a < b ? a : b;
}

/* Gathers the descriptors that are waited for; how many. Without memory for the list the budget is poisoned. */
static nfds_t gather(struct tc_sh_sched *sched)
{
    size_t n = 0;

    if (sched->polled_max <= (size_t)sched->live) {
        size_t max = (size_t)sched->live * 2 + 1;
        struct pollfd *polled = tc_mem_realloc(sched->polled, max * sizeof *polled);
        struct tc_sh_proc **pollers;

        if (polled)
            sched->polled = polled;
        pollers = polled ? tc_mem_realloc(sched->pollers, max * sizeof(void *)) : NULL;
        if (!pollers) {
            tc_sh_budget_spend(sched->budget, TC_SH_LIMIT_MEMORY);
            return 0;
        }
        sched->pollers = pollers;
        sched->polled_max = max;
    }
    for (struct tc_sh_proc *proc = sched->all; proc; proc = proc->next)
        if (proc->waiting && proc->fd >= 0) {
            sched->polled[n] = (struct pollfd){.fd = proc->fd, .events = proc->events};
            sched->pollers[n++] = proc;
        }
    return n;
}

/* There is room for one more than was gathered. */
static void wait_for_descriptors(struct tc_sh_sched *sched, nfds_t n, const struct timespec *timeout)
{
    sched->polled[n] = (struct pollfd){.fd = sched->cancel, .events = POLLIN};
    if (ppoll(sched->polled, n + 1, timeout, NULL) <= 0)
        return;
    if (sched->polled[n].revents)
        tc_sh_budget_spend(sched->budget, TC_SH_LIMIT_CANCELED);
    for (nfds_t i = 0; i < n; i++)
        if (sched->polled[i].revents)
            tc_sh_proc_resume(sched->pollers[i]);
}

static bool is_canceled(const struct tc_sh_sched *sched)
{
    struct pollfd cancel = {.fd = sched->cancel, .events = POLLIN};

    return sched->cancel >= 0 && poll(&cancel, 1, 0) > 0;
}

static void stop_all(struct tc_sh_sched *sched)
{
    sched->told = true;
    for (struct tc_sh_proc *proc = sched->all; proc; proc = proc->next)
        tc_sh_proc_resume(proc);
}

/* Those whose time has come, in the order of their times, however late it is. */
static void resume_due(struct tc_sh_sched *sched, int64_t now)
{
    struct tc_sh_proc *first;

    do {
        first = NULL;
        for (struct tc_sh_proc *proc = sched->all; proc; proc = proc->next)
            if (proc->waiting && proc->due && now >= proc->due && (!first || proc->due < first->due))
                first = proc;
        if (first)
            tc_sh_proc_resume(first);
    } while (first);
}

static int64_t cpu_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What time and descriptors have brought about. The time when something is due next; 0 nothing is. */
static int64_t look(struct tc_sh_sched *sched, int64_t now)
{
    struct tc_sh_budget *budget = sched->budget;
    int64_t next = 0;
    bool polls = false;

    sched->next_look = now + TC_SH_SLICE_NS;
    sched->turns = 0;
    if (budget->deadline && now >= budget->deadline)
        tc_sh_budget_spend(budget, TC_SH_LIMIT_WALL);
    if (budget->cpu_end && cpu_now() >= budget->cpu_end && tc_sh_sched_find(sched, 1)) {
        budget->cpu_end = 0;
        tc_sh_sched_kill(sched, tc_sh_sched_find(sched, 1),
                         budget->max.cpu_ns == budget->hard.cpu_ns ? SIGKILL : SIGXCPU);
    }
    if (is_canceled(sched))
        tc_sh_budget_spend(budget, TC_SH_LIMIT_CANCELED);
    if (budget->spent) {
        if (!sched->told)
            stop_all(sched);
        return 0;
    }
    resume_due(sched, now);
    for (struct tc_sh_proc *proc = sched->all; proc; proc = proc->next) {
        if (proc->kill.at && now >= proc->kill.at)
            tc_sh_proc_fire(proc, now);
        next = earlier(next, earlier(proc->due, proc->kill.at));
        polls = polls || (proc->waiting && proc->fd >= 0);
    }
    if (polls) {
        nfds_t n = gather(sched);
        if (!budget->spent)
            wait_for_descriptors(sched, n, &(struct timespec){0});
    }
    return next;
}

/* No process can run: until one can, or the budget is spent. */
static void idle(struct tc_sh_sched *sched)
{
    int64_t now = tc_sh_sched_now(sched), next = look(sched, now), until;
    struct timespec timeout;
    nfds_t n;

    if (sched->run.first || sched->budget->spent)
        return;
    n = gather(sched);
    if (sched->budget->spent)
        return;
    if (!next && n == 0) {
        tc_sh_budget_spend(sched->budget, TC_SH_LIMIT_DEADLOCK);
        return;
    }
    until = earlier(next, sched->budget->deadline);
    if (sched->skip_waits && next) {
        sched->skipped += until - now;
        return;
    }
    timeout = (struct timespec){(until - now) / 1000000000, (until - now) % 1000000000};
    wait_for_descriptors(sched, n, until ? &timeout : NULL);
}

int tc_sh_sched_run(struct tc_sh_sched *sched, struct tc_sh_env *env, int (*fn)(struct tc_sh_env *env, void *arg),
                    void *arg)
{
    struct tc_sh_proc *first = tc_sh_sched_spawn(sched, NULL, fn, arg);
    int status;

    if (!first)
        return 1;
    first->runs_in = env;
    sched->told = false;
    while (sched->live > 0) {
        struct tc_sh_proc *proc;

        if (++sched->turns >= TURNS || (sched->budget->spent && !sched->told))
            look(sched, tc_sh_sched_now(sched));
        proc = sched->run.first;
        if (!proc) {
            idle(sched);
            continue;
        }
        tc_sh_queue_remove(&sched->run, proc);
        sched->current = proc;
        sched->slice_end = 0;
        tc_fiber_resume(&proc->fiber);
        sched->current = NULL;
        if (proc->ended)
            tc_sh_proc_finish(proc);
    }
    status = first->status;
    tc_sh_proc_unref(first);
    return status;
}

static bool tick_slow(struct tc_sh_sched *sched)
{
    struct tc_sh_budget *budget = sched->budget;
    struct tc_sh_proc *proc = sched->current;
    int64_t now = tc_sh_sched_now(sched);

    sched->credit = CREDIT;
    if (budget->max.work && budget->work > budget->max.work)
        tc_sh_budget_spend(budget, TC_SH_LIMIT_WORK);
    if (now >= sched->next_look)
        look(sched, now);
    if (!sched->slice_end) {
        sched->slice_end = now + TC_SH_SLICE_NS;
    } else if (now >= sched->slice_end && proc && sched->run.first) {
        tc_sh_queue_add(&sched->run, proc);
        tc_fiber_suspend(&proc->fiber);
    }
    return !tc_sh_sched_stopped(sched);
}

bool tc_sh_sched_tick(struct tc_sh_sched *sched, unsigned units)
{
    sched->budget->work += units;
    sched->credit -= units;
    return sched->credit > 0 ? !tc_sh_sched_stopped(sched) : tick_slow(sched);
}

static bool park(struct tc_sh_sched *sched, struct tc_sh_queue *queue, int64_t until)
{
    struct tc_sh_proc *proc = sched->current;

    if (tc_sh_sched_stopped(sched)) {
        proc->fd = -1;
        return false;
    }
    proc->waiting = true;
    proc->due = until;
    if (queue)
        tc_sh_queue_add(queue, proc);
    tc_fiber_suspend(&proc->fiber);
    return !tc_sh_sched_stopped(sched);
}

bool tc_sh_sched_wait(struct tc_sh_sched *sched, struct tc_sh_queue *queue, int64_t until)
{
    return park(sched, queue, until);
}

bool tc_sh_sched_poll(struct tc_sh_sched *sched, int fd, short events, int64_t until)
{
    struct pollfd now = {.fd = fd, .events = events};

    if (poll(&now, 1, 0) > 0)
        return !tc_sh_sched_stopped(sched);
    sched->current->fd = fd;
    sched->current->events = events;
    return park(sched, NULL, until);
}

bool tc_sh_sched_sleep(struct tc_sh_sched *sched, int64_t ns)
{
    int64_t until = tc_sh_sched_now(sched) + (ns < INT64_MAX / 4 ? ns : INT64_MAX / 4);

    while (tc_sh_sched_now(sched) < until)
        if (!park(sched, NULL, until))
            return false;
    return !tc_sh_sched_stopped(sched);
}

void tc_sh_sched_wake(struct tc_sh_queue *queue)
{
    while (queue->first)
        tc_sh_proc_resume(queue->first);
}
