/*
 * Files, variables and other commands, as a command of the virtual shell reaches
 * them (shellcmd.h). Paths are those of the shell: relative to its working directory
 * or from its own root. Each function returns 0 or an errno; outputs are written on
 * success only and live in c->arena.
 */
#ifndef TOOLCRIB_SHELLFS_H
#define TOOLCRIB_SHELLFS_H

#include "toolcrib/shellcmd.h"

int tc_cmd_stat(struct tc_cmd_call *c, const char *path, struct stat *ret_stat);
int tc_cmd_lstat(struct tc_cmd_call *c, const char *path, struct stat *ret_stat);
bool tc_cmd_access(struct tc_cmd_call *c, const char *path, int mode); /* R_OK | W_OK | X_OK */

struct tc_cmd_dir;
struct tc_cmd_dirent {
    const char *name; /* "." and ".." are not listed */
    unsigned char type; /* DT_REG … or DT_UNKNOWN */
    ino_t inode;
};
/* ENAMETOOLONG also where the stack has no room for going deeper: what recurses over folders calls this (or
 * tc_cmd_names) in each, and needs no limit of its own. */
int tc_cmd_opendir(struct tc_cmd_call *c, const char *path, struct tc_cmd_dir **ret_dir);
/* False at the end. The name lives until the next call. */
bool tc_cmd_readdir(struct tc_cmd_dir *dir, struct tc_cmd_dirent *ret_entry);
void tc_cmd_closedir(struct tc_cmd_dir *dir);
/* All names in bytewise order, NULL at the end. */
int tc_cmd_names(struct tc_cmd_call *c, const char *path, char ***ret_names, size_t *ret_n);

int tc_cmd_mkdir(struct tc_cmd_call *c, const char *path, mode_t mode);
int tc_cmd_rmdir(struct tc_cmd_call *c, const char *path);
int tc_cmd_unlink(struct tc_cmd_call *c, const char *path);
int tc_cmd_rename(struct tc_cmd_call *c, const char *from, const char *to, bool no_replace);
int tc_cmd_link(struct tc_cmd_call *c, const char *from, const char *to);
int tc_cmd_symlink(struct tc_cmd_call *c, const char *target, const char *path);
int tc_cmd_readlink(struct tc_cmd_call *c, const char *path, char **ret_target);
int tc_cmd_chmod(struct tc_cmd_call *c, const char *path, mode_t mode);
/* As utimensat; UTIME_NOW and UTIME_OMIT are known. */
int tc_cmd_utimes(struct tc_cmd_call *c, const char *path, const struct timespec times[2], bool follow);
int tc_cmd_truncate(struct tc_cmd_call *c, const char *path, int64_t size);
/* The path without symbolic links, "." and "..". missing: how many of the last parts need not exist
 * (0 all must, 1 the last may be missing, -1 any). */
int tc_cmd_realpath(struct tc_cmd_call *c, const char *path, int missing, char **ret_path);
/* The absolute path without "." and "..", which are taken away by text alone; NULL when it is too long. */
char *tc_cmd_path_by_text(struct tc_cmd_call *c, const char *path);
const char *tc_cmd_cwd(struct tc_cmd_call *c);
mode_t tc_cmd_umask(struct tc_cmd_call *c);
struct tc_cmd_fs_usage {
    int64_t bytes, bytes_max, files, files_max; /* of the place that holds the path */
};
int tc_cmd_fs_usage(struct tc_cmd_call *c, const char *path, struct tc_cmd_fs_usage *ret_usage);

/* Whether the whole text matches the shell's pattern, as fnmatch says. */
enum tc_cmd_pattern_flag {
    TC_CMD_PATTERN_ICASE = 1 << 0,
    TC_CMD_PATTERN_PATH = 1 << 1,  /* '/' is matched by a '/' alone */
    TC_CMD_PATTERN_PERIOD = 1 << 2 /* a leading '.' is matched by a '.' alone */
};
bool tc_cmd_pattern(struct tc_str pattern, struct tc_str text, unsigned flags);

/* The value of an exported variable or NULL, and all of them as "NAME=value", sorted. */
const char *tc_cmd_getenv(struct tc_cmd_call *c, const char *name);
int tc_cmd_environ(struct tc_cmd_call *c, char ***ret_environ);
/* The time of the call's clock. */
struct timespec tc_cmd_now(struct tc_cmd_call *c);
void tc_cmd_random(struct tc_cmd_call *c, void *p, size_t n);

/* How another command is run: as in a subshell, with the streams of c unless told. */
struct tc_cmd_run {
    char **argv;          /* NULL at the end */
    char **environ;       /* the whole environment, or NULL for that of c */
    struct tc_str *input; /* what it reads on standard input; NULL: the same stream */
    struct tc_buf *output; /* gets its standard output; NULL: the same stream */
    const char *cwd;      /* or NULL */
    int64_t kill_ns;      /* after that time it gets `signal`; 0 never */
    int signal;
    int64_t kill_again_ns; /* and after that KILL; 0 never */
    bool *ret_timed_out;
    int *ret_error; /* an errno when it could not be run at all, which was not told yet; else 0 */
};
/* PARKS. Commands, builtins and scripts of files; functions and aliases are not found, as for
 * any program. Its status: 127 not found, 126 not executable, 128 + signal; -1 when c is to stop. */
int tc_cmd_spawn(struct tc_cmd_call *c, const struct tc_cmd_run *run);
/* Where along PATH a name can be run, NULL at the end: "/usr/bin/NAME" for a command, the path of a script.
 * NULL without memory. */
const char *const *tc_cmd_which(struct tc_cmd_call *c, const char *name);
/* Every command's descriptor, sorted by name; ends with NULL. */
const struct tc_cmd *const *tc_cmd_all(void);

#endif
