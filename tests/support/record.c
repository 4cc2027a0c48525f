/*
 * Stands between two ends of MCP over stdio: starts a command, passes every byte on,
 * and appends each line to a file of its own in a folder, behind "> " when it went to
 * the command and "< " when it came from it. Ends as the command ends; a signal to
 * end goes to the command first.
 *
 * usage: record FOLDER ROLE COMMAND [ARG…]
 *
 * ROLE is what toolcrib is in this conversation, client or server: the name of the
 * file begins with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolcrib/buf.h"

enum { CHUNK = 64 << 10, LINE_MAX_BYTES = 64 << 20 };

struct way {
    int from, to;
    char mark;
    bool quiet;      /* its reader is gone: what comes is thrown away */
    struct tc_buf line;
};

static volatile sig_atomic_t child;

static void die(const char *what)
{
    fprintf(stderr, "record: %s (%s)\n", what, strerror(errno));
    exit(126);
}

static void on_signal(int number)
{
    if (child > 0)
        kill((pid_t)child, number);
}

static void write_all(int fd, const char *p, size_t n, bool *gone)
{
    while (n && !*gone) {
        ssize_t done = write(fd, p, n);

        if (done < 0 && errno != EINTR)
            *gone = true;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
}

/* Every whole line of what has come so far. */
static void keep(struct way *way, int log)
{
    struct tc_str all = tc_buf_get(&way->line);
    bool gone = false;
    size_t end;

    while ((end = tc_str_chr(all, '\n')) != SIZE_MAX) {
        char mark[2] = {way->mark, ' '};

        write_all(log, mark, sizeof mark, &gone);
        write_all(log, all.p, end + 1, &gone);
        all = tc_str_from(all, end + 1);
    }
    tc_buf_drop(&way->line, way->line.n - all.n);
}

/* False at the end of what is to come. */
static bool pass(struct way *way, int log)
{
    static char chunk[CHUNK];
    ssize_t n = read(way->from, chunk, sizeof chunk);

    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    /* First into the file: whoever reads it has what the other end has answered. */
    tc_buf_add(&way->line, chunk, (size_t)n);
    keep(way, log);
    write_all(way->to, chunk, (size_t)n, &way->quiet);
    return true;
}

static void start(char *const *argv, int *ret_in, int *ret_out)
{
    int in[2], out[2];
    pid_t pid;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        die("no pipe");
    pid = fork();
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execvp(argv[0], argv);
        die(argv[0]);
    }
    child = pid;
    close(in[0]);
    close(out[1]);
    *ret_in = in[1];
    *ret_out = out[0];
}

static void close_way(struct way *way)
{
    close(way->from);
    close(way->to);
    way->from = -1;
}

/* Until the command has said its last. */
static void run(struct way *ways, int log)
{
    while (ways[1].from >= 0) {
        struct pollfd fds[2] = {{.fd = ways[0].from, .events = POLLIN}, {.fd = ways[1].from, .events = POLLIN}};

        if (poll(fds, 2, -1) < 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i].revents && !pass(&ways[i], log))
                close_way(&ways[i]);
    }
}

int main(int argc, char **argv)
{
    struct way ways[2] = {{.from = STDIN_FILENO, .mark = '>'}, {.to = STDOUT_FILENO, .mark = '<'}};
    char path[4096];
    int log, status;

    if (argc < 4) {
        fprintf(stderr, "usage: record FOLDER ROLE COMMAND [ARG...]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/%s-stdio-%ld", argv[1], argv[2], (long)getpid());
    log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0)
        die(path);
    for (int i = 0; i < 2; i++)
        tc_buf_init(&ways[i].line, LINE_MAX_BYTES);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    signal(SIGHUP, on_signal);
    start(argv + 3, &ways[0].to, &ways[1].from);
    run(ways, log);
    if (waitpid((pid_t)child, &status, 0) < 0)
        return 126;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
