/*
 * The view of files: a table of mounts over directory descriptors, the longest prefix
 * wins. A path is resolved inside of the view: the kernel does it beneath one mount
 * (openat2), and where a symbolic link or ".." may lead from one mount into another it
 * is walked part by part, links being read as paths of the view. Nothing leads out.
 *
 * `/` is the workspace; `/skills` and `/tool-results` are read-only; `/tmp` is the
 * call's own unless the workspace has a folder of that name; /dev has null, zero, full,
 * random, urandom, stdin, stdout, stderr, fd/N, tty (ENXIO). All is noted that changes
 * a file, for the audit. Errors are errnos; paths are absolute and of the view.
 */
#ifndef TC_SHELL_VFS_H
#define TC_SHELL_VFS_H

#include <sys/stat.h>
#include "shell/file.h"

struct tc_sh_vfs;
struct tc_sh_dir;

struct tc_sh_mount {
    const char *path; /* "/", "/skills" */
    int dirfd;        /* taken */
    bool read_only;
    bool hidden;      /* not listed in its parent */
};
enum { TC_SH_MOUNTS_MAX = 64, TC_SH_LINKS_MAX = 40 };

struct tc_sh_vfs *tc_sh_vfs_create(struct tc_sh_budget *budget);
void tc_sh_vfs_destroy(struct tc_sh_vfs *vfs);
int tc_sh_vfs_mount(struct tc_sh_vfs *vfs, const struct tc_sh_mount *mount);
/* A name that the workspace's own files may not have (".toolcrib"): as if absent. */
void tc_sh_vfs_hide(struct tc_sh_vfs *vfs, const char *path);
/* An entry of the root that is shown. From the first one on, all others but mounts are as if absent. */
void tc_sh_vfs_show(struct tc_sh_vfs *vfs, const char *path);

/* flags as open(2); a device gives its file. fds: for /dev/fd and the streams. */
int tc_sh_vfs_open(struct tc_sh_vfs *vfs, const struct tc_sh_fds *fds, const char *path, int flags, mode_t mode,
                   struct tc_sh_file **ret_file);
int tc_sh_vfs_stat(struct tc_sh_vfs *vfs, const struct tc_sh_fds *fds, const char *path, bool follow,
                   struct stat *ret_stat);
int tc_sh_vfs_opendir(struct tc_sh_vfs *vfs, const char *path, struct tc_sh_dir **ret_dir);
/* False at the end. type DT_*. */
bool tc_sh_vfs_readdir(struct tc_sh_dir *dir, const char **ret_name, unsigned char *ret_type, ino_t *ret_inode);
void tc_sh_vfs_closedir(struct tc_sh_dir *dir);
int tc_sh_vfs_mkdir(struct tc_sh_vfs *vfs, const char *path, mode_t mode);
int tc_sh_vfs_rmdir(struct tc_sh_vfs *vfs, const char *path);
int tc_sh_vfs_unlink(struct tc_sh_vfs *vfs, const char *path);
int tc_sh_vfs_rename(struct tc_sh_vfs *vfs, const char *from, const char *to, bool no_replace);
int tc_sh_vfs_link(struct tc_sh_vfs *vfs, const char *from, const char *to);
int tc_sh_vfs_symlink(struct tc_sh_vfs *vfs, const char *target, const char *path);
int tc_sh_vfs_readlink(struct tc_sh_vfs *vfs, const char *path, char *target, size_t size); /* NUL-terminated */
int tc_sh_vfs_chmod(struct tc_sh_vfs *vfs, const char *path, mode_t mode);
int tc_sh_vfs_utimes(struct tc_sh_vfs *vfs, const char *path, const struct timespec times[2], bool follow);
int tc_sh_vfs_truncate(struct tc_sh_vfs *vfs, const char *path, int64_t size);
int tc_sh_vfs_access(struct tc_sh_vfs *vfs, const char *path, int mode);
/* The physical path in the view, PATH_MAX bytes of room; missing as tc_cmd_realpath. */
int tc_sh_vfs_realpath(struct tc_sh_vfs *vfs, const char *path, int missing, char *real);
/* "a/../b" relative to `cwd` → an absolute path without ".", ".." and "//", by text alone (cd -L). */
int tc_sh_vfs_absolute(const char *cwd, const char *path, char *absolute);
void tc_sh_vfs_usage(struct tc_sh_vfs *vfs, const char *path, int64_t ret[4]); /* bytes, max, files, max */

/* Lets go of folders that were held open to be quicker: when a command ends. */
void tc_sh_vfs_forget(struct tc_sh_vfs *vfs);
/* The paths that were changed, in the order of the first change; each once. */
size_t tc_sh_vfs_changed(const struct tc_sh_vfs *vfs, const char *const **ret_paths, bool *ret_more);

#endif
