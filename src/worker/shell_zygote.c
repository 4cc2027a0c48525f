/*
 * Children are forked when the daemon asks for them, each with a socket of its own that
 * the daemon gets the other end of. The zygote neither reads nor knows what passes
 * there; it reaps, tells how a child ended, and removes its folder. When the daemon's
 * socket ends it ends, and the kernel ends its children with it.
 */
#include "worker/shell_zygote.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rand.h"
#include "sandbox/wire.h"
#include "worker/shell_child.h"
#include "worker/shell_run.h"
#include "worker/shell_tmp.h"

enum { DAEMON_FD = 3, CHILDREN_MAX = 128, READ_MAX = 64, SPARE_MAX = 8, HELD = 8 << 20, PADDED = 256 << 10 };

struct child {
    pid_t pid;
    bool sweeper;             /* removes a folder; the daemon does not know it */
    char tmp[SHELL_TMP_NAME];
};
struct zygote {
    struct shell_confinement confinement;
    struct child children[CHILDREN_MAX];
    size_t n;
    int signals, tmp;
    char spare[SPARE_MAX][SHELL_TMP_NAME]; /* folders of calls that left nothing in them */
    size_t spare_n;
};

/* False when the daemon is gone. */
static bool tell(struct tc_wire_news news, const int *fds, size_t n)
{
    return tc_wire_send(DAEMON_FD, tc_str_n((const char *)&news, sizeof news), 0, fds, n) == 0;
}

static bool tell_fault(int error)
{
    return tell((struct tc_wire_news){.kind = TC_WIRE_FAULT, .status = error}, NULL, 0);
}

/* --- in a child --- */

/* The end of the zygote ends it, also when that came before this line. */
static void follow(pid_t zygote)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != zygote)
        _exit(0);
}

static _Noreturn void become_child(struct zygote *zygote, pid_t parent, int socket, int tmp)
{
    sigset_t none;

    follow(parent);
    tc_rand_forked();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close(DAEMON_FD);
    close(zygote->signals);
    close(zygote->tmp);
    shell_child_run(&zygote->confinement, socket, tmp);
}

/* --- making them --- */

static bool announce(pid_t pid, int socket)
{
    int fds[2] = {socket, pidfd_open(pid, 0)};
    bool ok = fds[1] >= 0 ? tell((struct tc_wire_news){.kind = TC_WIRE_READY, .pid = pid}, fds, 2)
                          : tell_fault(errno);

    if (fds[1] >= 0)
        close(fds[1]);
    return ok;
}

/* Ends of the socket pair and the folder. 0 or an errno. */
static int make_child(struct zygote *zygote, const int pair[2], int tmp, struct child *child)
{
    pid_t self = getpid();

    child->pid = fork();
    if (child->pid == 0) {
        close(pair[0]);
        become_child(zygote, self, pair[1], tmp);
    }
    if (child->pid < 0)
        return errno;
    zygote->children[zygote->n++] = *child;
    return 0;
}

/* Its descriptor; -1 with errno. */
static int take_folder(struct zygote *zygote, struct child *child)
{
    while (zygote->spare_n) {
        int fd;
        memcpy(child->tmp, zygote->spare[--zygote->spare_n], sizeof child->tmp);
        fd = shell_tmp_again(zygote->tmp, child->tmp);
        if (fd >= 0)
            return fd;
        shell_tmp_remove(zygote->tmp, child->tmp);
    }
    return shell_tmp_make(zygote->tmp, child->tmp);
}

/* The folder of a call that is over. True when it stays for another one. */
static bool keep_folder(struct zygote *zygote, const char *name)
{
    int fd = zygote->spare_n < SPARE_MAX ? shell_tmp_again(zygote->tmp, name) : -1;

    if (fd < 0)
        return false;
    close(fd);
    memcpy(zygote->spare[zygote->spare_n++], name, SHELL_TMP_NAME);
    return true;
}

static bool add_child(struct zygote *zygote)
{
    struct child child = {0};
    int pair[2], tmp, error = 0;
    bool ok;

    if (zygote->n == CHILDREN_MAX)
        return tell_fault(EAGAIN);
    tmp = take_folder(zygote, &child);
    if (tmp < 0)
        return tell_fault(errno);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        error = errno;
    } else {
        error = make_child(zygote, pair, tmp, &child);
        ok = error || announce(child.pid, pair[0]);
        close(pair[0]);
        close(pair[1]);
    }
    close(tmp);
    if (!error)
        return ok;
    shell_tmp_drop(zygote->tmp, child.tmp);
    return tell_fault(error);
}

/* --- their end --- */

/* A script may have left a large tree: somebody else removes it. */
static void sweep(struct zygote *zygote, const char *name)
{
    struct child sweeper = {.sweeper = true};
    pid_t self = getpid();

    if (keep_folder(zygote, name) || shell_tmp_drop(zygote->tmp, name))
        return;
    sweeper.pid = zygote->n < CHILDREN_MAX ? fork() : -1;
    if (sweeper.pid == 0) {
        follow(self);
        close(DAEMON_FD);
        shell_tmp_remove(zygote->tmp, name);
        _exit(0);
    }
    if (sweeper.pid > 0)
        zygote->children[zygote->n++] = sweeper;
    else
        shell_tmp_remove(zygote->tmp, name);
}

static bool reap(struct zygote *zygote)
{
    int status;
    pid_t pid;
    bool ok = true;

    while (ok && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
        size_t at = 0;
        struct child child;
        while (at < zygote->n && zygote->children[at].pid != pid)
            at++;
        if (at == zygote->n)
            continue;
        child = zygote->children[at];
        zygote->children[at] = zygote->children[--zygote->n];
        if (child.sweeper)
            continue;
        ok = tell((struct tc_wire_news){.kind = TC_WIRE_ENDED, .pid = pid, .status = status}, NULL, 0);
        sweep(zygote, child.tmp);
    }
    return ok;
}

/* --- the loop --- */

/* False at the daemon's end. */
static bool obey(struct zygote *zygote)
{
    struct tc_wire_ask ask = {0};
    struct tc_wire_in in = {.p = (char *)&ask, .size = sizeof ask};
    int error = tc_wire_recv(DAEMON_FD, MSG_DONTWAIT, &in);
    bool ok = !error && in.n == sizeof ask;

    if (error == EAGAIN)
        return true;
    for (int i = 0; ok && i < ask.children && i < CHILDREN_MAX; i++)
        ok = add_child(zygote);
    return ok;
}

static void serve(struct zygote *zygote)
{
    struct pollfd fds[] = {{.fd = DAEMON_FD, .events = POLLIN}, {.fd = zygote->signals, .events = POLLIN}};
    struct signalfd_siginfo info[READ_MAX];
    bool ok = true;

    while (ok) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (fds[0].revents)
            ok = obey(zygote);
        if (ok && fds[1].revents && read(zygote->signals, info, sizeof info) > 0)
            ok = reap(zygote);
    }
}

static void end_children(struct zygote *zygote)
{
    for (size_t i = 0; i < zygote->n; i++)
        if (!zygote->children[i].sweeper)
            kill(zygote->children[i].pid, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
    for (size_t i = 0; i < zygote->n; i++)
        if (!zygote->children[i].sweeper && !shell_tmp_drop(zygote->tmp, zygote->children[i].tmp))
            shell_tmp_remove(zygote->tmp, zygote->children[i].tmp);
    while (zygote->spare_n)
        shell_tmp_drop(zygote->tmp, zygote->spare[--zygote->spare_n]);
}

/* The signals that end a job are the daemon's: with it this process ends. */
static bool set_up(struct zygote *zygote, const char *tmp, bool weak)
{
    static const int ignored[] = {SIGPIPE, SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXFSZ,
                                  SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2};
    const char *missing;
    sigset_t child;

    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    setsid();
    zygote->signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    zygote->tmp = shell_tmp_open(tmp);
    if (zygote->signals < 0 || zygote->tmp < 0) {
        fprintf(stderr, "toolcrib-worker-shell: %s: %s\n", tmp, strerror(errno));
        return false;
    }
    mallopt(M_MMAP_THRESHOLD, HELD); /* what the warm-up took stays for the script */
    mallopt(M_TRIM_THRESHOLD, HELD);
    mallopt(M_TOP_PAD, PADDED); /* what a call needs beside is asked for once */
    shell_warm_up();
    missing = shell_confine_prepare(&zygote->confinement, weak);
    if (missing)
        fprintf(stderr, "toolcrib-worker-shell: this system cannot confine a script: %s is missing\n", missing);
    return !missing;
}

int shell_zygote_run(const char *tmp, bool weak)
{
    struct zygote zygote = {.signals = -1, .tmp = -1};

    if (!set_up(&zygote, tmp, weak))
        return 1;
    serve(&zygote);
    end_children(&zygote);
    shell_seccomp_finish(&zygote.confinement.seccomp);
    return 0;
}
