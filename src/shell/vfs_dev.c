/*
 * The devices of the view: /dev/null, zero, full, random, urandom, stdin, stdout,
 * stderr, fd/N and tty. They have no file below them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "shell/vfs_impl.h"

static const struct row {
    const char *name;
    enum tc_sh_special special;
    int fd;
} rows[] = {
    {"fd", TC_SH_DEV_FDS, 0},       {"full", TC_SH_DEV_FULL, 0},     {"null", TC_SH_DEV_NULL, 0},
    {"random", TC_SH_DEV_RANDOM, 0}, {"stderr", TC_SH_DEV_FD, 2},     {"stdin", TC_SH_DEV_FD, 0},
    {"stdout", TC_SH_DEV_FD, 1},    {"tty", TC_SH_DEV_TTY, 0},       {"urandom", TC_SH_DEV_RANDOM, 0},
    {"zero", TC_SH_DEV_ZERO, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* A number of a descriptor without leading zeroes; -1. */
static int parse_fd(const char *text)
{
    struct tc_str s = tc_str_of(text);
    int64_t fd;

    if (s.n == 0 || s.n > 4 || s.p[0] == '-' || (s.p[0] == '0' && s.n > 1) || !tc_str_int(s, &fd))
        return -1;
    return (int)fd;
}

enum tc_sh_special tc_sh_vfs_special(const struct tc_sh_vfs *vfs, const char *clean, int *ret_fd)
{
    const char *name = clean + 5;

    if (memcmp(clean, "/dev", strnlen(clean, 4)) != 0 || strlen(clean) < 4)
        return TC_SH_ORDINARY;
    if (clean[4] == '\0')
        return vfs->own_dev ? TC_SH_ORDINARY : TC_SH_DEV_FOLDER;
    if (clean[4] != '/')
        return TC_SH_ORDINARY;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(name, rows[i].name) == 0) {
            *ret_fd = rows[i].fd;
            return rows[i].special;
        }
    if (strncmp(name, "fd/", 3) != 0)
        return TC_SH_ORDINARY;
    *ret_fd = parse_fd(name + 3);
    return *ret_fd >= 0 ? TC_SH_DEV_FD : TC_SH_ORDINARY;
}

const char *tc_sh_vfs_special_name(enum tc_sh_special folder, size_t n)
{
    return folder == TC_SH_DEV_FOLDER && n < ROWS ? rows[n].name : NULL;
}

int tc_sh_vfs_open_special(const struct tc_sh_place *place, const struct tc_sh_fds *fds, int flags,
                           struct tc_sh_file **ret_file)
{
    static const enum tc_sh_device devices[] = {
        [TC_SH_DEV_NULL] = TC_SH_NULL,
        [TC_SH_DEV_ZERO] = TC_SH_ZERO,
        [TC_SH_DEV_FULL] = TC_SH_FULL,
        [TC_SH_DEV_RANDOM] = TC_SH_RANDOM,
    };
    struct tc_sh_file *file;

    if ((flags & O_CREAT) && (flags & O_EXCL))
        return EEXIST;
    switch (place->special) {
    case TC_SH_DEV_FOLDER:
    case TC_SH_DEV_FDS:
        return EISDIR;
    case TC_SH_DEV_TTY:
        return ENXIO;
    case TC_SH_DEV_FD:
        file = fds ? tc_sh_fds_get(fds, place->fd) : NULL;
        if (!file)
            return ENOENT;
        *ret_file = tc_sh_file_ref(file);
        return 0;
    default:
        file = tc_sh_file_of_device(devices[place->special]);
        if (!file)
            return ENOMEM;
        *ret_file = file;
        return 0;
    }
}

int tc_sh_vfs_stat_special(const struct tc_sh_place *place, const struct tc_sh_fds *fds, struct stat *ret_stat)
{
    struct stat stat = {.st_nlink = 1, .st_blksize = 4096, .st_mode = S_IFCHR | 0666};

    if (place->special == TC_SH_DEV_FD) {
        struct tc_sh_file *file = fds ? tc_sh_fds_get(fds, place->fd) : NULL;
        return file ? tc_sh_file_stat(file, ret_stat) : ENOENT;
    }
    if (place->special == TC_SH_DEV_FOLDER || place->special == TC_SH_DEV_FDS)
        stat.st_mode = S_IFDIR | 0755;
    stat.st_ino = (ino_t)place->special;
    *ret_stat = stat;
    return 0;
}
