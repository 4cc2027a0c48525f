/*
 * toolcrib-guard: starts the programs that the daemon asks for and ends them,
 * with all they have started, when the daemon asks or is gone.
 *
 * Descriptor 3 is a Unix stream socket to the daemon. Its end of file is the
 * end of the daemon, however it came about; mcp/client/guard.h has the lines
 * that pass over it. Each server has a keeper, a fork of this program, which
 * alone knows the server's process tree. The guard itself sweeps what a keeper
 * that was killed has left. It is a session of its own and ignores the signals
 * that end a job, so only the daemon's end ends it.
 */
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

#include "base/mem.h"
#include "worker/guard_keeper.h"
#include "worker/guard_tree.h"

enum {
    DAEMON_FD = 3,
    SERVERS_MAX = 4096,
    LINE_MAX_BYTES = 128,
    FDS_WAITING_MAX = 4 * GUARD_FDS, /* received, their line not read yet */
    LAST_WORD_MS = 4000              /* after the daemon's end, when keepers get no more time */
};

struct server {
    long long id;
    pid_t keeper;
    int socket; /* to the keeper; -1 once it was told to end */
    char line[LINE_MAX_BYTES];
    size_t n;
};

struct guard {
    int signals;
    struct server *servers;
    struct pollfd *polled; /* two more than servers */
    size_t n, cap;
    char line[LINE_MAX_BYTES];
    size_t line_n;
    int fds[FDS_WAITING_MAX];
    size_t fds_n;
    struct rlimit files;    /* as the daemon had it, for the programs */
    struct guard_tree tree; /* what keepers that were killed have left */
    int64_t last_word;      /* when all is killed; 0 while the daemon lives */
};

static void tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *fmt, ...)
{
    char line[LINE_MAX_BYTES + 32];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    while (send(DAEMON_FD, line, (size_t)n, MSG_NOSIGNAL) < 0 && errno == EINTR)
        continue;
}

static void close_socket(struct server *server)
{
    if (server->socket >= 0)
        close(server->socket);
    server->socket = -1;
}

/* --- servers --- */

static bool room_for_one(struct guard *guard)
{
    size_t cap = guard->cap ? guard->cap * 2 : 16;
    struct server *servers;
    struct pollfd *polled;

    if (guard->n < guard->cap)
        return true;
    if (cap > SERVERS_MAX)
        return false;
    servers = tc_mem_realloc(guard->servers, cap * sizeof *servers);
    if (servers)
        guard->servers = servers;
    polled = tc_mem_realloc(guard->polled, (cap + 2) * sizeof *polled);
    if (polled)
        guard->polled = polled;
    if (!servers || !polled)
        return false;
    guard->cap = cap;
    return true;
}

/* The keeper must not hold what belongs to others: an end of file would not
 * be seen. */
static _Noreturn void become_keeper(struct guard *guard, int socket, const int fds[GUARD_FDS])
{
    close(DAEMON_FD);
    close(guard->signals);
    for (size_t i = 0; i < guard->n; i++)
        close_socket(&guard->servers[i]);
    for (size_t i = GUARD_FDS; i < guard->fds_n; i++)
        close(guard->fds[i]);
    guard_keeper_run(socket, fds, &guard->files);
}

static void spawn(struct guard *guard, long long id, const int fds[GUARD_FDS])
{
    int pair[2];
    pid_t pid;

    if (!room_for_one(guard) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        tell("failed %lld %d fork\ngone %lld\n", id, ENOMEM, id);
        return;
    }
    pid = fork();
    if (pid == 0) {
        close(pair[0]);
        become_keeper(guard, pair[1], fds);
    }
    close(pair[1]);
    if (pid < 0) {
        tell("failed %lld %d fork\ngone %lld\n", id, errno, id);
        close(pair[0]);
        return;
    }
    guard->servers[guard->n++] = (struct server){.id = id, .keeper = pid, .socket = pair[0]};
}

/* Passes on what the keeper says, line by line, with the id put in. False when
 * there is nothing to read. */
static bool relay(struct server *server)
{
    char *rest, *end;
    ssize_t n = recv(server->socket, server->line + server->n, sizeof server->line - server->n, MSG_DONTWAIT);

    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            close_socket(server);
        return false;
    }
    server->n += (size_t)n;
    while ((end = memchr(server->line, '\n', server->n))) {
        *end = '\0';
        rest = strchr(server->line, ' ');
        if (rest)
            tell("%.*s %lld%s\n", (int)(rest - server->line), server->line, server->id, rest);
        server->n -= (size_t)(end + 1 - server->line);
        memmove(server->line, end + 1, server->n);
    }
    if (server->n == sizeof server->line)
        server->n = 0; /* no line of ours is that long */
    return true;
}

static bool is_keeper(const void *arg, pid_t pid)
{
    const struct guard *guard = arg;

    for (size_t i = 0; i < guard->n; i++) {
        if (guard->servers[i].keeper == pid)
            return true;
    }
    return false;
}

static void remove_keeper(struct guard *guard, pid_t pid, int status)
{
    for (size_t i = 0; i < guard->n; i++) {
        struct server *server = &guard->servers[i];

        if (server->keeper != pid)
            continue;
        while (server->socket >= 0 && relay(server))
            continue;
        close_socket(server);
        tell("gone %lld\n", server->id);
        guard->servers[i] = guard->servers[--guard->n];
        if (!WIFEXITED(status))
            guard_tree_end(&guard->tree); /* killed: its tree has come to this process */
        return;
    }
}

/* False when no child is left. */
static bool reap(struct guard *guard)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        remove_keeper(guard, pid, status);
    return pid == 0;
}

/* --- requests --- */

static void drop_fds(struct guard *guard, size_t n)
{
    for (size_t i = 0; i < n; i++)
        close(guard->fds[i]);
    guard->fds_n -= n;
    memmove(guard->fds, guard->fds + n, guard->fds_n * sizeof guard->fds[0]);
}

static void end(struct guard *guard, long long id)
{
    for (size_t i = 0; i < guard->n; i++) {
        if (guard->servers[i].id == id) {
            /* Half closed: the keeper sees the end, its last words still come. */
            shutdown(guard->servers[i].socket, SHUT_WR);
            return;
        }
    }
}

static void obey(struct guard *guard, const char *line)
{
    long long id;
    int used = 0;

    if (sscanf(line, "end %lld%n", &id, &used) == 1 && line[used] == '\0') {
        end(guard, id);
    } else if (sscanf(line, "spawn %lld%n", &id, &used) == 1 && line[used] == '\0') {
        /* Fewer when this process has no room for more: they must not be taken for those of the next one. */
        if (guard->fds_n < GUARD_FDS)
            tell("failed %lld %d launch\ngone %lld\n", id, EMFILE, id);
        else
            spawn(guard, id, guard->fds);
        drop_fds(guard, guard->fds_n < GUARD_FDS ? guard->fds_n : GUARD_FDS);
    }
}

static void take_fds(struct guard *guard, struct msghdr *msg)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(msg);

    for (; c; c = CMSG_NXTHDR(msg, c)) {
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; i < n; i++) {
            int fd;

            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (guard->fds_n < FDS_WAITING_MAX)
                guard->fds[guard->fds_n++] = fd;
            else
                close(fd);
        }
    }
}

/* False at the daemon's end. */
static bool receive(struct guard *guard)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(GUARD_FDS * sizeof(int))];
    } control;
    struct iovec iov = {guard->line + guard->line_n, sizeof guard->line - guard->line_n};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(DAEMON_FD, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    char *eol;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return false;
    take_fds(guard, &msg);
    guard->line_n += (size_t)n;
    while ((eol = memchr(guard->line, '\n', guard->line_n))) {
        *eol = '\0';
        obey(guard, guard->line);
        guard->line_n -= (size_t)(eol + 1 - guard->line);
        memmove(guard->line, eol + 1, guard->line_n);
    }
    return guard->line_n < sizeof guard->line; /* a longer line is not the daemon's */
}

/* --- the loop --- */

static void end_all(struct guard *guard)
{
    close(DAEMON_FD);
    for (size_t i = 0; i < guard->n; i++)
        close_socket(&guard->servers[i]);
    guard->last_word = guard_tree_now() + LAST_WORD_MS;
}

/* Milliseconds until something is due. */
static int step(struct guard *guard)
{
    int ms = guard_tree_step(&guard->tree);
    int64_t left = guard->last_word - guard_tree_now();

    if (guard->tree.phase != GUARD_RUNNING && guard->tree.alive == 0 && !guard->last_word) {
        guard_tree_rest(&guard->tree);
        return -1;
    }
    if (!guard->last_word)
        return ms;
    if (left <= 0 && guard->tree.skip) {
        guard->tree.skip = NULL; /* keepers too: what they keep comes here */
        guard->tree.phase = GUARD_RUNNING;
        guard_tree_kill(&guard->tree);
        return guard->tree.pause_ms;
    }
    return ms < 0 || (left > 0 && left < ms) ? (int)left : ms;
}

static void drain(int fd)
{
    struct signalfd_siginfo info[8];

    while (read(fd, info, sizeof info) > 0)
        continue;
}

static void run(struct guard *guard)
{
    while (reap(guard) || !guard->last_word) {
        struct pollfd *polled = guard->polled;
        size_t n = guard->n;
        int ms = step(guard);

        polled[0] = (struct pollfd){.fd = guard->last_word ? -1 : DAEMON_FD, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = guard->signals, .events = POLLIN};
        for (size_t i = 0; i < n; i++)
            polled[i + 2] = (struct pollfd){.fd = guard->servers[i].socket, .events = POLLIN};
        if (poll(polled, n + 2, ms) <= 0)
            continue;
        drain(guard->signals);
        for (size_t i = 0; i < n; i++) {
            if (polled[i + 2].revents)
                relay(&guard->servers[i]);
        }
        if (polled[0].revents && !receive(guard))
            end_all(guard);
    }
}

static bool set_up(struct guard *guard)
{
    static const int ignored[] = {SIGPIPE, SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                  SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2};
    struct rlimit more;
    sigset_t child;

    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    signal(SIGCHLD, SIG_DFL);
    setsid();
    if (getrlimit(RLIMIT_NOFILE, &guard->files) != 0)
        return false;
    more = guard->files;
    more.rlim_cur = more.rlim_max;
    setrlimit(RLIMIT_NOFILE, &more);
    fcntl(DAEMON_FD, F_SETFD, FD_CLOEXEC);
    guard->tree.skip = is_keeper;
    guard->tree.skip_arg = guard;
    guard->signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    return guard->signals >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && room_for_one(guard);
}

int main(void)
{
    struct guard guard = {0};
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    if (getsockname(DAEMON_FD, (struct sockaddr *)&address, &length) != 0 || address.ss_family != AF_UNIX) {
        fputs("toolcrib-guard: started by toolcrib, not by hand: descriptor 3 is not its socket\n", stderr);
        return 2;
    }
    if (!set_up(&guard)) {
        perror("toolcrib-guard");
        return 1;
    }
    run(&guard);
    guard_tree_finish(&guard.tree);
    tc_mem_free(guard.servers);
    tc_mem_free(guard.polled);
    return 0;
}
