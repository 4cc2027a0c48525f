/*
 * A keeper's life: start, watch, end the tree. One poll loop, no state but its
 * own stack.
 */
#include "worker/guard_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/guard_launch.h"
#include "worker/guard_tree.h"

struct keeper {
    int socket; /* to the guard */
    int signals;
    pid_t leader;
    struct guard_tree tree;
};

static void tell(const struct keeper *keeper, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void tell(const struct keeper *keeper, const char *fmt, ...)
{
    char line[64];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    while (send(keeper->socket, line, (size_t)n, MSG_NOSIGNAL) < 0 && errno == EINTR)
        continue;
}

/* False: the reason is told, and nothing runs. */
static bool start(struct keeper *keeper, const int fds[GUARD_FDS], const struct rlimit *files)
{
    struct guard_launch launch = {0};
    struct guard_launch_fault fault = {.error = EINVAL, .stage = "launch"};
    int report[2] = {-1, -1};
    bool started = false;

    if (guard_launch_read(fds[GUARD_FD_LAUNCH], &launch) && pipe2(report, O_CLOEXEC) == 0) {
        keeper->leader = fork();
        if (keeper->leader == 0)
            guard_launch_exec(&launch, fds + GUARD_FD_IN, report[1], files);
        fault = (struct guard_launch_fault){.error = errno, .stage = "fork"};
        close(report[1]);
        started = keeper->leader > 0 && read(report[0], &fault, sizeof fault) != (ssize_t)sizeof fault;
        close(report[0]);
    }
    guard_launch_finish(&launch);
    if (started)
        tell(keeper, "pid %d\n", (int)keeper->leader);
    else
        tell(keeper, "failed %d %s\n", fault.error, fault.stage);
    return started;
}

/* False when no child is left. */
static bool reap(struct keeper *keeper)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != keeper->leader)
            continue;
        tell(keeper, "exit %d\n", status);
        keeper->leader = 0;
        keeper->tree.group = 0;
    }
    return pid == 0;
}

static void drain(int fd)
{
    struct signalfd_siginfo info[8];

    while (read(fd, info, sizeof info) > 0)
        continue;
}

/* The guard says nothing on this socket: it only closes it. */
static bool closed(int socket)
{
    char byte;
    ssize_t n = recv(socket, &byte, 1, MSG_DONTWAIT);

    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

static void watch(struct keeper *keeper)
{
    struct pollfd polled[2];

    while (reap(keeper)) {
        if (!keeper->leader)
            guard_tree_end(&keeper->tree);
        polled[0] = (struct pollfd){.fd = keeper->signals, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = keeper->tree.phase == GUARD_RUNNING ? keeper->socket : -1, .events = POLLIN};
        if (poll(polled, 2, guard_tree_step(&keeper->tree)) <= 0)
            continue;
        drain(keeper->signals);
        if (polled[1].revents && closed(keeper->socket))
            guard_tree_end(&keeper->tree);
    }
}

_Noreturn void guard_keeper_run(int socket, const int fds[GUARD_FDS], const struct rlimit *files)
{
    struct keeper keeper = {.socket = socket};
    sigset_t child;
    bool started;

    prctl(PR_SET_NAME, "toolcrib-keeper");
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    keeper.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || keeper.signals < 0) {
        tell(&keeper, "failed %d fork\n", errno);
        _exit(1);
    }
    started = start(&keeper, fds, files);
    for (int i = 0; i < GUARD_FDS; i++)
        close(fds[i]);
    keeper.tree.group = started ? keeper.leader : 0;
    watch(&keeper);
    _exit(0);
}
