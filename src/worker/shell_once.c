/*
 * A keeper and its child. The child confines itself and runs the script; the keeper
 * stays as it was, passes signals on, and removes the folders that were made for the
 * call. Ctrl-C reaches both from the terminal: the keeper leaves it to the child.
 */
#include "worker/shell_once.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rand.h"
#include "base/user.h"
#include "worker/shell_child.h"
#include "worker/shell_run.h"
#include "worker/shell_tmp.h"

enum { LINES_FD = 3, SCRIPT_MAX = 1 << 20, WALL_MS = 30000, GRANTS = 3 };
static const int64_t bytes_max = (int64_t)1 << 30, files_max = 100000;

struct once {
    struct tc_arena arena;
    struct shell_confinement confinement;
    bool weak;
    const char *workspace; /* NULL: an empty one for this call */
    const char *base;      /* where folders are made for the call */
    int base_fd;
    char names[2][SHELL_TMP_NAME]; /* of the workspace and of /tmp, where they are ours */
    struct tc_sandbox_grant grants[GRANTS];
    struct tc_str hidden;
    struct tc_sandbox_request request;
    struct shell_job job;
};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "toolcrib shell: %s: %s\n", what, why);
    return 126;
}

/* --- the script --- */

static bool read_script(struct once *once, const char *path)
{
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char *text = tc_arena_alloc(&once->arena, SCRIPT_MAX + 1);
    size_t n = 0;
    ssize_t got = -1;

    if (fd < 0 || !text)
        return false;
    while (n <= SCRIPT_MAX && (got = read(fd, text + n, SCRIPT_MAX + 1 - n)) != 0) {
        if (got < 0 && errno != EINTR)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    if (fd != STDIN_FILENO)
        close(fd);
    if (n > SCRIPT_MAX)
        errno = EFBIG;
    once->request.script = tc_str_n(text, n);
    return got == 0;
}

/* The option that says what to run, and what stands behind it. -1: not understood. */
static int parse_script(struct once *once, int argc, char **argv, int at)
{
    const char *kind = at < argc ? argv[at++] : "";
    const char *name = "bash";

    if (strcmp(kind, "-i") == 0) {
        once->job.interactive = true;
        once->job.lines = LINES_FD;
    } else if (at == argc) {
        return -1;
    } else if (strcmp(kind, "-c") == 0) {
        once->request.script = tc_str_of(argv[at++]);
        name = at < argc ? argv[at++] : name;
    } else if (strcmp(kind, "-f") == 0) {
        if (!read_script(once, argv[at])) {
            fail(argv[at], strerror(errno));
            return errno == ENOENT ? 127 : 126;
        }
        once->job.file = strcmp(argv[at], "-") != 0;
        name = once->job.file ? argv[at] : name;
        at++;
    } else {
        return -1;
    }
    once->job.name = tc_str_of(name);
    once->job.args = TC_ARENA_NEW_N(&once->arena, struct tc_str, (size_t)(argc - at) + 1);
    for (int i = at; once->job.args && i < argc; i++)
        once->job.args[once->job.args_n++] = tc_str_of(argv[i]);
    return once->job.args ? 0 : 126;
}

static int parse(struct once *once, int argc, char **argv)
{
    int at = 0, code;

    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--no-limits") == 0)
            once->job.unlimited = true;
        else if (strcmp(argv[at], "--weak") == 0)
            once->weak = true;
        else if (strcmp(argv[at], "--workspace") == 0 && at + 1 < argc)
            once->workspace = argv[++at];
        else
            break;
    }
    code = parse_script(once, argc, argv, at);
    if (code < 0) {
        fputs("toolcrib-worker-shell: started by toolcrib shell, not by hand\n", stderr);
        return 2;
    }
    return code;
}

/* --- the folders --- */

static bool open_base(struct once *once)
{
    const char *at = getenv("TMPDIR");

    once->base = at && *at == '/' ? at : "/tmp";
    once->base_fd = open(once->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return once->base_fd >= 0;
}

static void remove_folders(struct once *once)
{
    for (size_t i = 0; i < 2; i++)
        if (once->names[i][0] && !shell_tmp_drop(once->base_fd, once->names[i]))
            shell_tmp_remove(once->base_fd, once->names[i]);
}

static bool is_folder(int at, const char *name)
{
    struct stat st;

    return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static void grant(struct once *once, const char *path, int fd, unsigned flags)
{
    once->grants[once->request.grants_n++] = (struct tc_sandbox_grant){tc_str_of(path), flags | TC_SANDBOX_MOUNT, fd};
}

/* The same view as a run has of its workspace. */
static bool open_view(struct once *once)
{
    static const char *const fixed[] = {"/skills", "/tool-results"};
    int root = once->workspace ? open(once->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                               : shell_tmp_make(once->base_fd, once->names[0]);

    if (root < 0)
        return false;
    if (!once->workspace)
        tc_user_give(root);
    once->request.grants = once->grants;
    once->request.hidden = &once->hidden;
    once->request.hidden_n = 1;
    once->hidden = TC_STR("/.toolcrib");
    grant(once, "/", root, TC_SANDBOX_WRITE);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        int fd = openat(root, fixed[i] + 1, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0)
            grant(once, fixed[i], fd, 0);
    }
    once->request.own_tmp = !is_folder(root, "tmp");
    once->job.tmp = once->request.own_tmp ? shell_tmp_make(once->base_fd, once->names[1]) : -1;
    return !once->request.own_tmp || once->job.tmp >= 0;
}

/* --- the child --- */

static void block_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    sigprocmask(SIG_SETMASK, &set, NULL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* What stops the script. An interactive shell takes Ctrl-C alone, and dies of the others. */
static int stop_signals(bool interactive)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    if (interactive) {
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        sigemptyset(&set);
    }
    sigaddset(&set, SIGINT);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int status_of(const struct once *once, const struct tc_sandbox_end *end)
{
    struct signalfd_siginfo info;

    if (end->limit.n && !tc_str_is(end->limit, "canceled"))
        fprintf(stderr, "toolcrib shell: %.*s\n", TC_STR_ARG(end->message));
    if (tc_str_is(end->limit, "canceled"))
        return 128 + (read(once->job.stop, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : SIGINT);
    return end->status;
}

static _Noreturn void run_child(struct once *once, pid_t keeper)
{
    static const struct shell_confine_limits none;
    struct tc_sandbox_end end = {0};
    const char *step;
    int set;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(126);
    tc_rand_forked();
    close(once->base_fd);
    once->job.stop = stop_signals(once->job.interactive);
    step = shell_confine_begin(&once->confinement, once->job.unlimited ? &none : &shell_child_limits, &set);
    if (!step)
        step = shell_child_confine(&once->arena, &once->confinement, set, &once->request, once->job.tmp);
    if (step)
        _exit(fail("the sandbox cannot be set up", step));
    shell_run(&once->arena, &once->job, &end);
    _exit(status_of(once, &end));
}

/* --- the keeper --- */

/* A signal of the terminal has come to the child as well; one of a process has not. */
static int wait_for(pid_t child)
{
    siginfo_t info;
    sigset_t set;
    int status;

    sigprocmask(SIG_BLOCK, NULL, &set);
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return status;
        if (sigwaitinfo(&set, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
            kill(child, info.si_signo);
    }
}

static int keep(struct once *once)
{
    pid_t self = getpid(), child;
    int status;

    block_signals();
    child = fork();
    if (child == 0)
        run_child(once, self);
    if (child < 0)
        return fail("fork", strerror(errno));
    status = wait_for(child);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "toolcrib shell: the script was ended by the system: %s\n", strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

int shell_once_main(int argc, char **argv)
{
    struct once once = {.base_fd = -1, .job = {.tmp = -1, .stop = -1, .lines = -1}};
    const char *missing;
    int code;

    tc_arena_init(&once.arena, SHELL_CHILD_ARENA);
    once.job.request = &once.request;
    once.request.cwd = TC_STR("/");
    code = parse(&once, argc, argv);
    if (!once.job.unlimited) {
        once.request.wall_ms = once.job.interactive ? 0 : WALL_MS;
        once.request.bytes_max = bytes_max;
        once.request.files_max = files_max;
    }
    if (!code && !open_base(&once))
        code = fail(once.base, strerror(errno));
    if (!code && !open_view(&once))
        code = fail(once.workspace ? once.workspace : once.base, strerror(errno));
    missing = code ? NULL : shell_confine_prepare(&once.confinement, once.weak);
    if (missing)
        code = fail("this system cannot confine a script: missing", missing);
    if (!code)
        code = keep(&once);
    remove_folders(&once);
    shell_seccomp_finish(&once.confinement.seccomp);
    tc_arena_finish(&once.arena);
    return code;
}
