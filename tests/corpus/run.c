/*
 * Runs one case: in bash, inside of a root that holds Debian's programs and the
 * case's own directory alone; or in ours, in a child process so that what goes
 * wrong there is one case's result. Streams are files, so nothing can block on them.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "corpus/case.h"
#include "shell/shell.h"
#include "support/test.h"

enum { SECONDS_MAX = 20 };

char *const case_environ[] = {"HOME=/w", "LANG=C.UTF-8", "LOGNAME=user", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC",
                              "USER=user", NULL};

struct streams {
    char root[PATH_MAX], in[PATH_MAX + 8], out[PATH_MAX + 8], err[PATH_MAX + 8];
};

static bool prepare(struct tc_arena *arena, const struct shell_case *item, struct streams *s)
{
    FILE *in;

    snprintf(s->root, sizeof s->root, "%s", test_tmpdir(arena));
    snprintf(s->in, sizeof s->in, "%s/in", s->root);
    snprintf(s->out, sizeof s->out, "%s/out", s->root);
    snprintf(s->err, sizeof s->err, "%s/err", s->root);
    in = fopen(s->in, "w");
    if (!in)
        return false;
    fwrite(item->input.p ? item->input.p : "", 1, item->input.n, in);
    fclose(in);
    return case_lay(item, s->root);
}

static void gather(struct tc_arena *arena, struct streams *s, int wait_status, struct case_result *ret_result)
{
    ret_result->status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 1000 + WTERMSIG(wait_status);
    ret_result->outputs[CASE_STDOUT] = test_read_file(arena, s->out);
    ret_result->outputs[CASE_STDERR] = test_read_file(arena, s->err);
    ret_result->outputs[CASE_TREE] = case_tree(arena, s->root);
    test_rmtree(s->root);
}

static void open_streams(const struct streams *s)
{
    int in = open(s->in, O_RDONLY), out = open(s->out, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int err = open(s->err, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);

    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
}

static char **host_command(const struct shell_case *item, const char *work)
{
    static const char *const fixed[] = {
        "bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
        "--symlink", "usr/lib64", "/lib64", "--ro-bind", "/etc/alternatives", "/etc/alternatives", "--dev", "/dev",
        "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-pid", "--unshare-net", "--die-with-parent", "--chdir", "/w",
        "--clearenv"};
    char **argv = calloc(128, sizeof *argv);
    size_t n = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        argv[n++] = (char *)fixed[i];
    argv[n++] = "--bind";
    argv[n++] = (char *)work;
    argv[n++] = "/w";
    for (size_t i = 0; case_environ[i]; i++) {
        char *name = strdup(case_environ[i]), *value = strchr(name, '=');
        *value = '\0';
        argv[n++] = "--setenv";
        argv[n++] = name;
        argv[n++] = value + 1;
    }
    argv[n++] = "bash";
    argv[n++] = "-c";
    argv[n++] = strndup(item->script.p, item->script.n);
    return argv;
}

bool case_run_host(struct tc_arena *arena, const struct shell_case *item, struct case_result *ret_result)
{
    struct streams s;
    char work[PATH_MAX + 8];
    int status = 0;
    pid_t pid;

    if (!prepare(arena, item, &s))
        return false;
    pid = fork();
    if (pid == 0) {
        snprintf(work, sizeof work, "%s/w", s.root);
        open_streams(&s);
        umask(022);
        alarm(SECONDS_MAX);
        execvp("bwrap", host_command(item, work));
        _exit(125);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    gather(arena, &s, status, ret_result);
    return true;
}

static void run_child(const struct shell_case *item, const struct streams *s, unsigned char *used)
{
    struct tc_sh_mount mounts[2] = {{.path = "/"}, {.path = "/tmp", .hidden = true}};
    char tmp[PATH_MAX + 8];
    struct tc_sh_call call = {
        .limits = tc_sh_limits_default(),
        .mounts = mounts,
        .mounts_n = 2,
        .cwd = "/w",
        .environment = (char **)case_environ,
        .script = item->script,
        .name = TC_STR("bash"),
        .used = used,
    };
    struct tc_sh_outcome outcome;

    snprintf(tmp, sizeof tmp, "%s/tmp", s->root);
    mkdir(tmp, 0777);
    mounts[0].dirfd = open(s->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    mounts[1].dirfd = open(tmp, O_PATH | O_DIRECTORY | O_CLOEXEC);
    open_streams(s);
    umask(022);
    alarm(SECONDS_MAX);
    call.in = tc_sh_file_of_fd(0, false);
    call.out = tc_sh_file_of_fd(1, false);
    call.err = tc_sh_file_of_fd(2, false);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
    if (outcome.limit)
        dprintf(2, "limit: %s\n", outcome.message);
    _exit(outcome.status);
}

bool case_run_ours(struct tc_arena *arena, const struct shell_case *item, unsigned char *used,
                   struct case_result *ret_result)
{
    struct streams s;
    int status = 0;
    pid_t pid;

    if (!prepare(arena, item, &s))
        return false;
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        run_child(item, &s, used);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    gather(arena, &s, status, ret_result);
    return true;
}
