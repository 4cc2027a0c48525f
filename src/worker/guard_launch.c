/*
 * Reads a launch block and turns a forked child into its program.
 */
#include "worker/guard_launch.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

/* The string at *at, which moves behind it; NULL past the end. */
static char *next_string(char **at, const char *end)
{
    char *s = *at;
    char *nul = s < end ? memchr(s, '\0', (size_t)(end - s)) : NULL;

    if (!nul)
        return NULL;
    *at = nul + 1;
    return s;
}

static bool next_count(char **at, const char *end, size_t *ret_n)
{
    char *s = next_string(at, end), *rest;
    unsigned long n;

    if (!s || *s < '0' || *s > '9')
        return false;
    n = strtoul(s, &rest, 10);
    if (*rest || n > GUARD_LAUNCH_STRINGS_MAX)
        return false;
    *ret_n = n;
    return true;
}

static bool next_strings(char **at, const char *end, size_t n, char ***ret)
{
    char **strings = tc_mem_zalloc(n + 1, sizeof *strings);

    *ret = strings;
    if (!strings)
        return false;
    for (size_t i = 0; i < n; i++) {
        strings[i] = next_string(at, end);
        if (!strings[i])
            return false;
    }
    return true;
}

static bool read_all(int fd, char *to, size_t n)
{
    size_t at = 0;

    while (at < n) {
        ssize_t got = pread(fd, to + at, n - at, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

bool guard_launch_read(int fd, struct guard_launch *ret_launch)
{
    struct guard_launch launch = {0};
    struct stat st;
    size_t argc, envc, size;
    char *at;

    if (fstat(fd, &st) != 0 || st.st_size <= 0 || st.st_size > GUARD_LAUNCH_MAX)
        return false;
    size = (size_t)st.st_size;
    at = launch.block = tc_mem_alloc(size);
    if (launch.block && read_all(fd, launch.block, size) && next_count(&at, launch.block + size, &argc) && argc > 0 &&
        next_count(&at, launch.block + size, &envc) && (launch.cwd = next_string(&at, launch.block + size)) &&
        next_strings(&at, launch.block + size, argc, &launch.argv) &&
        next_strings(&at, launch.block + size, envc, &launch.env)) {
        *ret_launch = launch;
        return true;
    }
    guard_launch_finish(&launch);
    return false;
}

void guard_launch_finish(struct guard_launch *launch)
{
    tc_mem_free(launch->argv);
    tc_mem_free(launch->env);
    tc_mem_free(launch->block);
    *launch = (struct guard_launch){0};
}

static _Noreturn void fail(int report, const char *stage)
{
    struct guard_launch_fault fault = {.error = errno};

    strncpy(fault.stage, stage, sizeof fault.stage - 1);
    if (write(report, &fault, sizeof fault) < 0)
        _exit(126);
    _exit(127);
}

static void close_on_exec_from(int first, const struct rlimit *files)
{
    int last = files->rlim_max > 65536 ? 65536 : (int)files->rlim_max;

    if (syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = first; fd < last; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

_Noreturn void guard_launch_exec(const struct guard_launch *launch, const int fds[3], int report,
                                 const struct rlimit *files)
{
    sigset_t none;

    setsid();
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < 3; i++) {
        if (dup2(fds[i], i) < 0)
            fail(report, "exec");
    }
    close_on_exec_from(3, files);
    setrlimit(RLIMIT_NOFILE, files);
    if (launch->cwd[0] && chdir(launch->cwd) != 0)
        fail(report, "cwd");
    environ = launch->env;
    execvp(launch->argv[0], launch->argv);
    fail(report, "exec");
}
