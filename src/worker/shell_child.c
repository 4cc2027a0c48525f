/*
 * The shell's own budget ends a call in good order. Behind it stands a timer of the
 * system, for what does not look at the budget, and behind that the daemon.
 */
#include "worker/shell_child.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "worker/shell_run.h"

enum {
    LATE_MS = 500, /* after the budget's end */
    USUAL = 8192   /* bytes of a request, and of memory for what it says */
};

const struct shell_confine_limits shell_child_limits = {
    .memory = (512 + 256) << 20, /* of the script, and the stacks of its processes */
    .file_size = 256 << 20,
    .descriptors = 1024,
};

const char *shell_child_confine(struct tc_arena *arena, const struct shell_confinement *confinement, int set,
                                const struct tc_sandbox_request *request, int tmp)
{
    struct shell_confine_call call = {
        .set = set, .own = tmp, .cpu_s = request->wall_ms ? request->wall_ms / 1000 + 2 : 0};
    struct shell_grant *grants = TC_ARENA_NEW_N(arena, struct shell_grant, request->grants_n + 1);
    size_t n = 0;

    if (!grants) {
        errno = ENOMEM;
        return "memory";
    }
    for (; n < request->grants_n; n++) {
        unsigned flags = request->grants[n].flags;
        grants[n] = (struct shell_grant){request->grants[n].fd, flags & TC_SANDBOX_WRITE   ? SHELL_GRANT_WRITE
                                                                : flags & TC_SANDBOX_NAMES ? SHELL_GRANT_LIST
                                                                                        : SHELL_GRANT_READ};
    }
    if (tmp >= 0)
        grants[n++] = (struct shell_grant){tmp, SHELL_GRANT_WRITE};
    call.grants = grants;
    call.grants_n = n;
    return shell_confine_finish(confinement, &call);
}

static void start_timer(int64_t ms)
{
    struct itimerval timer = {.it_value = {ms / 1000, ms % 1000 * 1000}};

    if (ms)
        setitimer(ITIMER_REAL, &timer, NULL);
}

/* Waits for it. False when nobody wants this child. */
static bool receive(struct tc_arena *arena, int socket, struct tc_sandbox_request *ret_request)
{
    int fds[TC_SANDBOX_GRANTS_MAX];
    struct tc_arena_mark mark = tc_arena_mark(arena);
    struct tc_wire_in in = {.size = TC_WIRE_MESSAGE_MAX, .fds = fds, .fds_max = TC_SANDBOX_GRANTS_MAX};

    tc_arena_zalloc(arena, 1, USUAL); /* what an ordinary request needs is touched before it comes */
    tc_arena_rewind(arena, &mark);
    in.p = tc_arena_alloc(arena, TC_WIRE_MESSAGE_MAX);
    if (in.p)
        memset(in.p, 0, USUAL);
    if (!in.p || tc_wire_recv(socket, 0, &in) != 0 || in.n == 0 ||
        !tc_wire_get_request(arena, tc_str_n(in.p, in.n), ret_request) || in.fds_n != ret_request->grants_n)
        return false;
    for (size_t i = 0; i < in.fds_n; i++)
        ret_request->grants[i].fd = fds[i];
    return true;
}

static void run(struct tc_arena *arena, const struct shell_confinement *confinement, int set,
                const struct shell_job *job, struct tc_sandbox_end *ret_end)
{
    const char *step = shell_child_confine(arena, confinement, set, job->request, job->tmp);

    if (!step) {
        shell_run(arena, job, ret_end);
        return;
    }
    ret_end->failed = true;
    ret_end->message = tc_arena_printf(arena, "The sandbox could not be set up (%s: %s).", step, strerror(errno));
}

/* Called before there is a request: all that can be done beforehand. The set of shell_confine_begin. */
static int prepare(const struct shell_confinement *confinement, struct shell_job *job)
{
    int set;
    const char *step = shell_confine_begin(confinement, &shell_child_limits, &set);

    if (step) {
        fprintf(stderr, "toolcrib-worker-shell: the sandbox could not be set up (%s: %s)\n", step, strerror(errno));
        _exit(1);
    }
    shell_warm_up();
    job->start = shell_begin();
    shell_answer_init(job->answer, job->stop, 0); /* its pages are there */
    return set;
}

void shell_child_run(const struct shell_confinement *confinement, int socket, int tmp)
{
    struct tc_sandbox_request request;
    struct tc_sandbox_end end = {0};
    struct shell_answer answer;
    struct tc_arena arena;
    struct shell_job job = {.request = &request, .tmp = tmp, .stop = socket, .answer = &answer, .lines = -1};
    int set = prepare(confinement, &job);

    tc_arena_init(&arena, SHELL_CHILD_ARENA);
    if (!receive(&arena, socket, &request))
        _exit(0);
    start_timer(request.wall_ms ? request.wall_ms + LATE_MS : 0);
    if (!request.own_tmp)
        job.tmp = -1;
    shell_answer_init(&answer, socket, request.stream_bytes);
    run(&arena, confinement, set, &job, &end);
    shell_answer_end(&answer, &end);
    sched_yield(); /* where processors are few, who waits for the answer goes before the end of this process */
    _exit(0);
}
