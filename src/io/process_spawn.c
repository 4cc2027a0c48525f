/*
 * posix_spawn with what it does not do by itself: the command is looked up in
 * the PATH of the child's environment and seen from the child's folder, the
 * child's descriptors may be any of ours in any order, all others are closed.
 */
#include "io/process_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sched.h"

enum {
    FDS = 4,
    FD_SAFE = 16 /* copies of the child's descriptors lie from here on, out of the way of 0 to 3 */
};

static enum tc_err fail_start(struct tc_cx *cx, const char *command, const char *reason)
{
    return tc_fail(cx, TC_E_IO, "The command \"%s\" could not be started: %s.", command, reason);
}

/* The command */

static const char *path_of(const char *const *env)
{
    for (; *env; env++)
        if (strncmp(*env, "PATH=", 5) == 0)
            return *env + 5;
    return "/usr/local/bin:/usr/bin:/bin";
}

/* 0 or why it cannot be executed, as seen from the folder `dir`. */
static int check_command(int dir, const char *path)
{
    struct stat st;

    if (fstatat(dir, path, &st, 0) != 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    return faccessat(dir, path, X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

static enum tc_err fail_not_found(struct tc_cx *cx, const char *command, const char *search)
{
    tc_fail(cx, TC_E_IO, "The command \"%s\" was not found in PATH (%s).", command, search);
    return tc_fail_hint(cx, "Install it, give its full path, or set PATH for it.");
}

static enum tc_err find_command(struct tc_cx *cx, const struct tc_process_options *options, int dir,
                                const char **ret_path)
{
    const char *command = options->argv[0];
    const char *search = path_of(options->env ? options->env : (const char *const *)environ);
    struct tc_str rest = tc_str_of(search), part;
    int err, first_err = ENOENT;

    if (strchr(command, '/')) {
        err = check_command(dir, command);
        *ret_path = command;
        return err == 0 ? TC_OK : fail_start(cx, command, tc_sched_errno(err));
    }
    while (*command && tc_str_split(&rest, ':', &part)) {
        char *path = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%.*s%s%s", TC_STR_ARG(part),
                                                              part.n ? "/" : "./", command));
        if (!path)
            return tc_fail_memory(cx);
        err = check_command(dir, path);
        if (err == 0) {
            *ret_path = path;
            return TC_OK;
        }
        if (first_err == ENOENT && err != ENOTDIR)
            first_err = err;
    }
    if (first_err == ENOENT)
        return fail_not_found(cx, command, search);
    return fail_start(cx, command, tc_sched_errno(first_err));
}

/* Descriptors and attributes */

static void close_all(int *fds)
{
    for (int i = 0; i < FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Copies of the given descriptors where dup2 onto 0 to 3 cannot hit them. */
static int copy_high(const int *fds, int *high)
{
    for (int i = 0; i < FDS; i++)
        high[i] = -1;
    for (int i = 0; i < FDS; i++) {
        if (fds[i] < 0)
            continue;
        high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, FD_SAFE);
        if (high[i] < 0) {
            int err = errno;
            close_all(high);
            return err;
        }
    }
    return 0;
}

static int fill_actions(posix_spawn_file_actions_t *actions, const int *high, int dir)
{
    int err = dir == AT_FDCWD ? 0 : posix_spawn_file_actions_addfchdir_np(actions, dir);

    for (int i = 0; i < FDS && err == 0; i++)
        if (high[i] >= 0)
            err = posix_spawn_file_actions_adddup2(actions, high[i], i);
        else if (i <= STDERR_FILENO)
            err = posix_spawn_file_actions_addopen(actions, i, "/dev/null", O_RDWR, 0);
    return err ? err : posix_spawn_file_actions_addclosefrom_np(actions, high[FDS - 1] >= 0 ? FDS : FDS - 1);
}

static void fill_attributes(posix_spawnattr_t *attributes, bool own_group)
{
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (own_group ? POSIX_SPAWN_SETPGROUP : 0);
    sigset_t set;

    sigfillset(&set);
    posix_spawnattr_setsigdefault(attributes, &set);
    sigemptyset(&set);
    posix_spawnattr_setsigmask(attributes, &set);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, flags);
}

static int spawn(const struct tc_process_options *options, const char *path, int dir, pid_t *ret_pid)
{
    char *const *argv = (char *const *)options->argv; /* posix_spawn does not write to them */
    char *const *env = options->env ? (char *const *)options->env : environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int high[FDS], err = copy_high(options->fds, high);

    if (err != 0)
        return err;
    err = posix_spawn_file_actions_init(&actions);
    if (err == 0) {
        err = posix_spawnattr_init(&attributes);
        if (err == 0) {
            fill_attributes(&attributes, options->own_group);
            err = fill_actions(&actions, high, dir);
            if (err == 0)
                err = posix_spawn(ret_pid, path, &actions, &attributes, argv, env);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    close_all(high);
    return err;
}

enum tc_err tc_process_spawn_child(struct tc_cx *cx, const struct tc_process_options *options, pid_t *ret_pid)
{
    const char *command = options->argv[0], *path = NULL;
    int dir = AT_FDCWD, err;
    enum tc_err code;

    if (!command)
        return tc_fail(cx, TC_E_USAGE, "There is no command to start.");
    if (options->cwd) {
        dir = open(options->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0)
            return tc_fail(cx, TC_E_IO, "The command \"%s\" could not be started in %s: %s.", command, options->cwd,
                           tc_sched_errno(errno));
    }
    code = find_command(cx, options, dir, &path);
    if (code == TC_OK) {
        err = spawn(options, path, dir, ret_pid);
        if (err == ENOMEM)
            code = tc_fail_memory(cx);
        else if (err != 0)
            code = fail_start(cx, command, tc_sched_errno(err));
    }
    if (dir >= 0)
        close(dir);
    return code;
}
