/*
 * Rounds over /proc: a snapshot of all processes, then breadth first from this
 * process down, each child verified as guard_tree.h says and signalled.
 */
#include "worker/guard_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

enum { PAUSE_FIRST_MS = 10, PAUSE_LAST_MS = 1000 };

int64_t guard_tree_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int pidfd_open(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

static int pidfd_signal(int fd, int sig)
{
    return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
}

/* False when there is no such process any more. */
static bool read_stat(pid_t pid, struct guard_proc *ret_proc)
{
    char path[32], text[512], *at;
    int fd;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    at = strrchr(text, ')'); /* the name before it may hold anything */
    ret_proc->pid = pid;
    ret_proc->fd = -1;
    return at && sscanf(at + 1, " %c %d %d", &ret_proc->state, &ret_proc->ppid, &ret_proc->pgrp) == 3;
}

static bool room_for(struct guard_tree *tree, size_t n)
{
    size_t cap = tree->cap ? tree->cap * 2 : 512;
    struct guard_proc *procs;

    if (n < tree->cap)
        return true;
    procs = tc_mem_realloc(tree->procs, cap * sizeof *procs);
    if (!procs)
        return false;
    tree->procs = procs;
    tree->cap = cap;
    return true;
}

/* All processes of the machine but this one; false when /proc cannot be read. */
static bool snapshot(struct guard_tree *tree, size_t *ret_n)
{
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    pid_t self = getpid(), pid;
    size_t n = 0;

    if (!dir)
        return false;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid == self || !room_for(tree, n))
            continue;
        if (read_stat(pid, &tree->procs[n]))
            n++;
    }
    closedir(dir);
    *ret_n = n;
    return true;
}

/* Opens a pidfd of `child`, sure to be a living child of `parent` (fd -1: of
 * this process) at this moment. */
static bool verify(struct guard_proc *child, pid_t parent, int parent_fd)
{
    struct guard_proc now;

    child->fd = pidfd_open(child->pid);
    if (child->fd < 0)
        return false;
    if (read_stat(child->pid, &now) && now.ppid == parent && now.state != 'Z' &&
        (parent_fd < 0 || pidfd_signal(parent_fd, 0) == 0 || errno == EPERM)) {
        child->pgrp = now.pgrp;
        return true;
    }
    close(child->fd);
    child->fd = -1;
    return false;
}

/* Signals the children of one process and moves them to the end of the queue,
 * which grows at the front of procs: [0, *end) are verified, [*end, n) are not. */
static void visit(struct guard_tree *tree, int sig, pid_t parent, int parent_fd, size_t *end, size_t n)
{
    struct guard_proc *procs = tree->procs, proc;

    for (size_t i = *end; i < n; i++) {
        if (procs[i].ppid != parent || (parent_fd < 0 && tree->skip && tree->skip(tree->skip_arg, procs[i].pid)))
            continue;
        if (!verify(&procs[i], parent, parent_fd))
            continue;
        if (sig != SIGTERM || !tree->group || procs[i].pgrp != tree->group)
            pidfd_signal(procs[i].fd, sig);
        proc = procs[i];
        procs[i] = procs[*end];
        procs[*end] = proc;
        (*end)++;
    }
}

/* One signal to every descendant. The leader's group gets it as a whole first,
 * so that no member slips through by forking. */
static void signal_all(struct guard_tree *tree, int sig)
{
    size_t n, end = 0;

    if (tree->group)
        kill(-tree->group, sig);
    tree->alive = tree->group ? 1 : 0;
    if (!snapshot(tree, &n))
        return;
    visit(tree, sig, getpid(), -1, &end, n);
    for (size_t at = 0; at < end; at++) {
        visit(tree, sig, tree->procs[at].pid, tree->procs[at].fd, &end, n);
        close(tree->procs[at].fd);
    }
    tree->alive = end;
}

void guard_tree_end(struct guard_tree *tree)
{
    if (tree->phase != GUARD_RUNNING)
        return;
    tree->phase = GUARD_TERM;
    tree->kill_at = guard_tree_now() + GUARD_TERM_MS;
    signal_all(tree, SIGTERM);
}

void guard_tree_kill(struct guard_tree *tree)
{
    if (tree->phase == GUARD_KILL)
        return;
    tree->phase = GUARD_KILL;
    tree->pause_ms = PAUSE_FIRST_MS;
    signal_all(tree, SIGKILL);
    tree->kill_at = guard_tree_now() + tree->pause_ms;
}

int guard_tree_step(struct guard_tree *tree)
{
    int64_t now = guard_tree_now();

    if (tree->phase == GUARD_RUNNING)
        return -1;
    if (now < tree->kill_at)
        return (int)(tree->kill_at - now);
    if (tree->phase == GUARD_TERM) {
        guard_tree_kill(tree);
        return tree->pause_ms;
    }
    /* What still lives was forked meanwhile, or waits in the kernel. */
    signal_all(tree, SIGKILL);
    if (tree->pause_ms < PAUSE_LAST_MS)
        tree->pause_ms += tree->pause_ms / 2;
    tree->kill_at = guard_tree_now() + tree->pause_ms;
    return tree->pause_ms;
}

void guard_tree_rest(struct guard_tree *tree)
{
    tree->phase = GUARD_RUNNING;
}

void guard_tree_finish(struct guard_tree *tree)
{
    tc_mem_free(tree->procs);
    tree->procs = NULL;
    tree->cap = 0;
}
