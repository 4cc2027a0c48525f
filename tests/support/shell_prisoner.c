/*
 * The shell's worker with another interpreter: a line of its script is a word and what
 * it is about. Everything around it, the sandbox above all, is that of the shell.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support/shell_escapes.h"
#include "worker/shell_run.h"

static void say(const struct shell_job *job, const char *text, size_t n, bool err)
{
    if (job->answer)
        shell_answer_write(err ? &job->answer->err : &job->answer->out, text, n);
    else if (write(err ? 2 : 1, text, n) < 0)
        _exit(99);
}

static void say_line(const struct shell_job *job, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say_line(const struct shell_job *job, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    say(job, line, (size_t)n, false);
    say(job, "\n", 1, false);
}

static void tell_who(const struct shell_job *job)
{
    char line[256];
    FILE *status = fopen("/proc/self/status", "re");
    struct stat st;

    fstat(job->request->grants[0].fd, &st);
    say_line(job, "uid %u gid %u groups %d owner %u proc %s", getuid(), getgid(), getgroups(0, NULL), st.st_uid,
             status ? "readable" : "closed");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "Cap", 3) == 0)
            say_line(job, "%s", line);
    if (status)
        fclose(status);
}

static void tell_limits(const struct shell_job *job)
{
    static const struct {
        const char *name;
        int what;
    } rows[] = {{"core", RLIMIT_CORE}, {"nproc", RLIMIT_NPROC}, {"fsize", RLIMIT_FSIZE}, {"cpu", RLIMIT_CPU}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rlimit limit;
        getrlimit(rows[i].what, &limit);
        say_line(job, "%s %lld", rows[i].name, (long long)limit.rlim_max);
    }
}

static void tell_view(const struct shell_job *job)
{
    const struct tc_sandbox_request *request = job->request;

    for (size_t i = 0; i < request->grants_n; i++)
        say_line(job, "%s %u", request->grants[i].path.p, request->grants[i].flags);
    for (size_t i = 0; i < request->hidden_n; i++)
        say_line(job, "hidden %s", request->hidden[i].p);
    for (size_t i = 0; i < request->shown_n; i++)
        say_line(job, "shown %s", request->shown[i].p);
    say_line(job, "tmp %d cwd %s", job->tmp >= 0, request->cwd.p);
}

/* Until it is over or the caller is gone. */
static void nap(const struct shell_job *job, int ms, struct tc_sandbox_end *end)
{
    struct pollfd stop = {.fd = job->stop, .events = POLLIN};

    if (poll(&stop, 1, ms) > 0)
        end->limit = TC_STR("canceled");
}

static void flood(const struct shell_job *job, long bytes)
{
    char block[4096];

    memset(block, 'x', sizeof block);
    for (; bytes > 0; bytes -= (long)sizeof block)
        say(job, block, bytes < (long)sizeof block ? (size_t)bytes : sizeof block, false);
}

/* Messages without an end, as from an interpreter that somebody has taken over. */
static void babble(const struct shell_job *job, const char *kind)
{
    char path[1001];
    const struct tc_sandbox_file file = {.state = TC_SANDBOX_FILE_REMOVED, .path = tc_str_n(path, 1000)};
    const struct itimerval none = {.it_value = {0, 0}};
    struct tc_buf message;

    memset(path, '/', sizeof path);
    setitimer(ITIMER_REAL, &none, NULL); /* one such does not wait for its alarm */
    tc_buf_init(&message, 4096);
    if (*kind == TC_WIRE_FILE)
        tc_wire_put_file(&message, &file);
    else
        tc_buf_printf(&message, "%cx", *kind);
    while (tc_wire_send(job->answer->socket, tc_buf_get(&message), 0, NULL, 0) == 0)
        continue;
    pause();
}

/* Says who it is and that it is over, and stays. */
static void linger(const struct shell_job *job)
{
    struct tc_sandbox_end end = {.limit = TC_STR(""), .message = TC_STR("")};

    say_line(job, "%d", getpid());
    shell_answer_end(job->answer, &end);
    for (;;)
        nanosleep(&(struct timespec){60, 0}, NULL);
}

static void touch(const struct shell_job *job, int folder, const char *name)
{
    struct tc_sandbox_file file = {.state = TC_SANDBOX_FILE_REMOVED};
    char path[256];
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    snprintf(path, sizeof path, "/%s", name);
    file.path = tc_str_of(path);
    shell_answer_file(job->answer, &file);
    say_line(job, "%s", fd >= 0 ? "made" : strerror(errno));
}

/* A tree that is deeper than any path, and closed to its owner. */
static void nest(int folder, int depth)
{
    int at = dup(folder);

    for (int i = 0; i < depth; i++) {
        int next;
        mkdirat(at, "d", 0700);
        next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(openat(at, "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        fchmod(at, i % 2 ? 0000 : 0700);
        close(at);
        at = next;
    }
    close(at);
}

static void fill_memory(const struct shell_job *job)
{
    size_t got = 0;

    while (got < (size_t)4 << 30 && malloc((size_t)1 << 20))
        got += (size_t)1 << 20;
    say_line(job, "%s", got >= (size_t)4 << 30 ? "endless" : "bounded");
}

static void attempt(const struct shell_job *job, const char *name)
{
    int rc = shell_escapes_try(name, job->request->grants[0].fd, job->tmp);

    say_line(job, "%s: %s", name, rc == 0 ? "done" : rc > 0 ? strerrorname_np(rc) : "no such attempt");
}

/* A sanitizer would catch it. */
static void crash(int at)
{
    signal(SIGSEGV, SIG_DFL);
    *(volatile int *)(uintptr_t)at = 1;
}

static void obey(const struct shell_job *job, const char *word, const char *rest, struct tc_sandbox_end *end)
{
    if (!strcmp(word, "echo"))
        say_line(job, "%s", rest);
    else if (!strcmp(word, "err"))
        say(job, rest, strlen(rest), true);
    else if (!strcmp(word, "exit"))
        end->status = atoi(rest);
    else if (!strcmp(word, "limit"))
        end->limit = tc_str_of(rest), end->message = TC_STR("it is reached");
    else if (!strcmp(word, "nap"))
        nap(job, atoi(rest), end);
    else if (!strcmp(word, "sleep"))
        nanosleep(&(struct timespec){atoi(rest), 0}, NULL);
    else if (!strcmp(word, "flood"))
        flood(job, atol(rest));
    else if (!strcmp(word, "babble"))
        babble(job, rest);
    else if (!strcmp(word, "touch"))
        touch(job, job->request->grants[0].fd, rest);
    else if (!strcmp(word, "nest"))
        nest(job->tmp, atoi(rest));
    else if (!strcmp(word, "memory"))
        fill_memory(job);
    else if (!strcmp(word, "who"))
        tell_who(job);
    else if (!strcmp(word, "limits"))
        tell_limits(job);
    else if (!strcmp(word, "view"))
        tell_view(job);
    else if (!strcmp(word, "try"))
        attempt(job, rest);
    else if (!strcmp(word, "crash"))
        crash(atoi(rest));
    else if (!strcmp(word, "garbage"))
        tc_wire_send(job->answer->socket, tc_str_of(rest), 0, NULL, 0);
    else if (!strcmp(word, "linger"))
        linger(job);
    else if (!strcmp(word, "spin"))
        for (volatile int i = 0;; i = !i)
            continue;
}

struct tc_sh_start *shell_begin(void)
{
    return NULL;
}

void shell_warm_up(void)
{
}

void shell_run(struct tc_arena *arena, const struct shell_job *job, struct tc_sandbox_end *ret_end)
{
    struct tc_str rest = job->request->script, line;

    while (tc_str_split(&rest, '\n', &line) && !ret_end->limit.n) {
        char *text = tc_arena_cstr(arena, line), *space = text ? strchr(text, ' ') : NULL;
        if (space)
            *space = '\0';
        if (text)
            obey(job, text, space ? space + 1 : "", ret_end);
    }
}
