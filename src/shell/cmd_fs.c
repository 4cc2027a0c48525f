/*
 * Files as a command reaches them: paths from the working directory on, in the view.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "shell/cmd_impl.h"

enum { STACK_LEFT_MIN = 36 * 1024 };

int tc_sh_cmd_path(struct tc_cmd_call *c, const char *path, char *absolute)
{
    const char *cwd = c->env->cwd;
    size_t n = strlen(path), cwd_n = *path == '/' ? 0 : strlen(cwd);

    if (n == 0)
        return ENOENT;
    if (cwd_n + n + 2 > PATH_MAX)
        return ENAMETOOLONG;
    memcpy(absolute, cwd, cwd_n);
    if (cwd_n)
        absolute[cwd_n++] = '/';
    memcpy(absolute + cwd_n, path, n + 1);
    return 0;
}

int tc_cmd_stat(struct tc_cmd_call *c, const char *path, struct stat *ret_stat)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_stat(tc_sh_cmd_of(c)->vfs, &c->env->fds, absolute, true, ret_stat);
}

int tc_cmd_lstat(struct tc_cmd_call *c, const char *path, struct stat *ret_stat)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_stat(tc_sh_cmd_of(c)->vfs, &c->env->fds, absolute, false, ret_stat);
}

bool tc_cmd_access(struct tc_cmd_call *c, const char *path, int mode)
{
    char absolute[PATH_MAX];

    return tc_sh_cmd_path(c, path, absolute) == 0 && tc_sh_vfs_access(tc_sh_cmd_of(c)->vfs, absolute, mode) == 0;
}

/* --- folders --- */

struct tc_cmd_dir {
    struct tc_sh_cmd *of;
    struct tc_sh_dir *dir;
    struct tc_cmd_dir *next;
};

int tc_cmd_opendir(struct tc_cmd_call *c, const char *path, struct tc_cmd_dir **ret_dir)
{
    struct tc_sh_cmd *cmd = tc_sh_cmd_of(c);
    struct tc_cmd_dir *dir = TC_ARENA_NEW(c->arena, struct tc_cmd_dir);
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    if (!dir)
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    /* Who goes through folders goes deeper with each of them, and may have been called deep in functions. */
    if (tc_sh_sched_stack_left(c->env->sh->sched) < STACK_LEFT_MIN)
        error = ENAMETOOLONG;
    if (error == 0)
        error = tc_sh_vfs_opendir(cmd->vfs, absolute, &dir->dir);
    if (error)
        return error;
    dir->of = cmd;
    dir->next = cmd->dirs;
    cmd->dirs = dir;
    *ret_dir = dir;
    return 0;
}

bool tc_cmd_readdir(struct tc_cmd_dir *dir, struct tc_cmd_dirent *ret_entry)
{
    return tc_cmd_tick(&dir->of->call, 1) &&
           tc_sh_vfs_readdir(dir->dir, &ret_entry->name, &ret_entry->type, &ret_entry->inode);
}

void tc_cmd_closedir(struct tc_cmd_dir *dir)
{
    struct tc_cmd_dir **at;

    if (!dir)
        return;
    at = &dir->of->dirs;
    while (*at != dir)
        at = &(*at)->next;
    *at = dir->next;
    tc_sh_vfs_closedir(dir->dir);
}

void tc_sh_cmd_close_dirs(struct tc_sh_cmd *cmd)
{
    while (cmd->dirs)
        tc_cmd_closedir(cmd->dirs);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int tc_cmd_names(struct tc_cmd_call *c, const char *path, char ***ret_names, size_t *ret_n)
{
    struct tc_cmd_dir *dir;
    struct tc_cmd_dirent entry;
    char **names = NULL;
    size_t n = 0, max = 0;
    int error = tc_cmd_opendir(c, path, &dir);

    if (error)
        return error;
    for (;;) {
        if (n == max) {
            char **more = TC_ARENA_NEW_N(c->arena, char *, max ? max * 2 : 32);
            if (!more)
                break;
            if (n)
                memcpy(more, names, n * sizeof *names);
            names = more;
            max = max ? max * 2 : 32;
        }
        if (!tc_cmd_readdir(dir, &entry)) {
            tc_cmd_closedir(dir);
            qsort(names, n, sizeof *names, compare);
            *ret_names = names; /* zeroed behind */
            *ret_n = n;
            return 0;
        }
        names[n] = tc_arena_cstr(c->arena, tc_str_of(entry.name));
        if (!names[n++])
            break;
    }
    tc_cmd_closedir(dir);
    return tc_cmd_fail_memory(c) ? ENOMEM : 0;
}

/* --- changes --- */

int tc_cmd_mkdir(struct tc_cmd_call *c, const char *path, mode_t mode)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_mkdir(tc_sh_cmd_of(c)->vfs, absolute, mode & ~c->env->umask);
}

int tc_cmd_rmdir(struct tc_cmd_call *c, const char *path)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_rmdir(tc_sh_cmd_of(c)->vfs, absolute);
}

int tc_cmd_unlink(struct tc_cmd_call *c, const char *path)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_unlink(tc_sh_cmd_of(c)->vfs, absolute);
}

int tc_cmd_rename(struct tc_cmd_call *c, const char *from, const char *to, bool no_replace)
{
    char old[PATH_MAX], new[PATH_MAX];
    int error = tc_sh_cmd_path(c, from, old);

    if (error == 0)
        error = tc_sh_cmd_path(c, to, new);
    return error ? error : tc_sh_vfs_rename(tc_sh_cmd_of(c)->vfs, old, new, no_replace);
}

int tc_cmd_link(struct tc_cmd_call *c, const char *from, const char *to)
{
    char old[PATH_MAX], new[PATH_MAX];
    int error = tc_sh_cmd_path(c, from, old);

    if (error == 0)
        error = tc_sh_cmd_path(c, to, new);
    return error ? error : tc_sh_vfs_link(tc_sh_cmd_of(c)->vfs, old, new);
}

int tc_cmd_symlink(struct tc_cmd_call *c, const char *target, const char *path)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_symlink(tc_sh_cmd_of(c)->vfs, target, absolute);
}

int tc_cmd_readlink(struct tc_cmd_call *c, const char *path, char **ret_target)
{
    char absolute[PATH_MAX], target[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    if (error == 0)
        error = tc_sh_vfs_readlink(tc_sh_cmd_of(c)->vfs, absolute, target, sizeof target);
    if (error)
        return error;
    *ret_target = tc_arena_cstr(c->arena, tc_str_of(target));
    return *ret_target ? 0 : tc_cmd_fail_memory(c) * ENOMEM;
}

int tc_cmd_chmod(struct tc_cmd_call *c, const char *path, mode_t mode)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_chmod(tc_sh_cmd_of(c)->vfs, absolute, mode);
}

int tc_cmd_utimes(struct tc_cmd_call *c, const char *path, const struct timespec times[2], bool follow)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_utimes(tc_sh_cmd_of(c)->vfs, absolute, times, follow);
}

int tc_cmd_truncate(struct tc_cmd_call *c, const char *path, int64_t size)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : tc_sh_vfs_truncate(tc_sh_cmd_of(c)->vfs, absolute, size);
}

int tc_cmd_realpath(struct tc_cmd_call *c, const char *path, int missing, char **ret_path)
{
    char absolute[PATH_MAX], real[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    if (error == 0)
        error = tc_sh_vfs_realpath(tc_sh_cmd_of(c)->vfs, absolute, missing, real);
    if (error)
        return error;
    *ret_path = tc_arena_cstr(c->arena, tc_str_of(real));
    return *ret_path ? 0 : tc_cmd_fail_memory(c) * ENOMEM;
}

char *tc_cmd_path_by_text(struct tc_cmd_call *c, const char *path)
{
    char absolute[PATH_MAX];

    return tc_sh_vfs_absolute(c->env->cwd, path, absolute) == 0 ? tc_arena_cstr(c->arena, tc_str_of(absolute)) : NULL;
}

int tc_cmd_fs_usage(struct tc_cmd_call *c, const char *path, struct tc_cmd_fs_usage *ret_usage)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);
    struct stat stat;
    int64_t usage[4];

    if (error == 0)
        error = tc_sh_vfs_stat(tc_sh_cmd_of(c)->vfs, &c->env->fds, absolute, true, &stat);
    if (error)
        return error;
    tc_sh_vfs_usage(tc_sh_cmd_of(c)->vfs, absolute, usage);
    *ret_usage = (struct tc_cmd_fs_usage){usage[0], usage[1], usage[2], usage[3]};
    return 0;
}

const char *tc_cmd_cwd(struct tc_cmd_call *c)
{
    return c->env->cwd;
}

mode_t tc_cmd_umask(struct tc_cmd_call *c)
{
    return c->env->umask;
}
