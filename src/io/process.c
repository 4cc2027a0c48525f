/*
 * Child processes. The pidfd becomes readable when the process ends; its status
 * is then read with WNOWAIT, so that it stays a zombie and neither its number nor
 * its group's can be given to another until destroy reaps it.
 *
 * Destroy does not wait for a process that it had to kill: the struct then stays
 * with the loop, which counts it as lingering, and goes when the end is reported.
 */
#include "io/process.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/process_spawn.h"
#include "io/sched.h"

struct tc_process {
    uv_poll_t poll;
    struct tc_loop *loop;
    pid_t pid;
    int pidfd;
    bool own_group;
    bool lost;      /* somebody else reaped it, or it was never ours to wait for */
    bool abandoned; /* destroyed by its owner */
    int status;
    struct tc_event ended;
};

/* What waitpid would have said. */
static int status_of(const siginfo_t *info)
{
    if (info->si_code == CLD_EXITED)
        return (info->si_status & 0xff) << 8;
    return (info->si_status & 0x7f) | (info->si_code == CLD_DUMPED ? 0x80 : 0);
}

static void on_closed(uv_handle_t *handle)
{
    struct tc_process *process = handle->data;

    close(process->pidfd);
    tc_mem_free(process);
}

static void reap(struct tc_process *process)
{
    if (process->own_group && !process->lost)
        kill(-process->pid, SIGKILL);
    while (!process->lost && waitid(P_PIDFD, (id_t)process->pidfd, NULL, WEXITED) < 0 && errno == EINTR)
        ;
    uv_close((uv_handle_t *)&process->poll, on_closed);
}

static void on_ended(uv_poll_t *poll, int status, int events)
{
    struct tc_process *process = poll->data;
    siginfo_t info = {0};
    int rc;

    (void)status, (void)events;
    do
        rc = waitid(P_PIDFD, (id_t)process->pidfd, &info, WEXITED | WNOHANG | WNOWAIT);
    while (rc < 0 && errno == EINTR);
    if (rc == 0 && info.si_pid == 0)
        return; /* not yet */
    process->lost = rc < 0;
    process->status = status_of(&info);
    uv_poll_stop(&process->poll);
    tc_event_set(&process->ended);
    if (process->abandoned) {
        process->loop->lingering--;
        reap(process);
    }
}

/* The process runs and must not stay if we cannot watch it. */
static enum tc_err watch(struct tc_cx *cx, struct tc_loop *loop, struct tc_process *process)
{
    int rc;

    process->pidfd = pidfd_open(process->pid, 0); /* close-on-exec by itself */
    rc = process->pidfd < 0 ? -errno : uv_poll_init(tc_loop_uv(loop), &process->poll, process->pidfd);
    if (rc == 0) {
        process->poll.data = process;
        process->loop = loop;
        rc = uv_poll_start(&process->poll, UV_READABLE, on_ended);
        assert(rc == 0);
        return TC_OK;
    }
    if (rc != -ESRCH) /* then it was reaped for us, as where SIGCHLD is ignored, and the number may be another's */
        kill(process->own_group ? -process->pid : process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    if (process->pidfd >= 0)
        close(process->pidfd);
    return tc_fail(cx, TC_E_IO, "A process cannot be watched: %s.", tc_sched_errno(-rc));
}

enum tc_err tc_process_spawn(struct tc_cx *cx, struct tc_loop *loop, const struct tc_process_options *options,
                             struct tc_process **ret_process)
{
    struct tc_process *process = tc_mem_zalloc(1, sizeof *process);
    enum tc_err code;

    if (!process)
        return tc_fail_memory(cx);
    process->own_group = options->own_group;
    code = tc_process_spawn_child(cx, options, &process->pid);
    if (code == TC_OK)
        code = watch(cx, loop, process);
    if (code != TC_OK) {
        tc_mem_free(process);
        return code;
    }
    *ret_process = process;
    return TC_OK;
}

enum tc_err tc_process_wait(struct tc_cx *cx, struct tc_process *process, int64_t timeout_ms, int *ret_status)
{
    enum tc_err code = tc_task_wait(cx, &process->ended, timeout_ms);

    if (code != TC_OK)
        return code;
    if (process->lost)
        return tc_sched_fail(cx, TC_E_IO, TC_STR("The exit status of a process was taken by another waiter."));
    *ret_status = process->status;
    return TC_OK;
}

void tc_process_signal(struct tc_process *process, int signal)
{
    if (!process->lost && (process->own_group || !process->ended.set))
        kill(process->own_group ? -process->pid : process->pid, signal);
}

int tc_process_pid(const struct tc_process *process)
{
    return process->pid;
}

void tc_process_destroy(struct tc_process *process)
{
    if (!process)
        return;
    assert(!process->ended.waiters);
    if (process->ended.set) {
        reap(process);
        return;
    }
    tc_process_signal(process, SIGKILL);
    process->abandoned = true;
    process->loop->lingering++;
}

const char *tc_process_helper(struct tc_arena *arena, const char *name)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    const char *path;

    if (n <= 0)
        return NULL;
    while (n > 0 && self[n - 1] != '/')
        n--;
    path = tc_arena_printf(arena, "%.*s%s", (int)n, self, name).p;
    if (path && access(path, X_OK) == 0)
        return path;
    return tc_arena_printf(arena, "%.*s../libexec/toolcrib/%s", (int)n, self, name).p;
}
