/*
 * What the files of the view share. A path is *clean* when it is absolute and has no
 * ".", "..", "//" nor a slash at its end; it is *real* when no part of it but the last
 * is a symbolic link. A place is a real path taken apart: the folder that holds it, as
 * a descriptor, and the name in it, so that what is done at a place cannot be led
 * elsewhere by links that come up meanwhile.
 */
#ifndef TC_SHELL_VFS_IMPL_H
#define TC_SHELL_VFS_IMPL_H

#include <limits.h>

#include "base/map.h"
#include "shell/file_impl.h"
#include "shell/vfs.h"

enum { TC_SH_HIDDEN_MAX = 16, TC_SH_SHOWN_MAX = 256, TC_SH_CHANGED_MAX = 10000 };

struct tc_sh_mounted {
    char *path; /* clean; "" for the root */
    size_t path_n;
    int dirfd;
    bool read_only, hidden;
};

/* Folders of one deep path that are held open (vfs_deep.c). */
enum { TC_SH_DEEP_FROM = 32, TC_SH_DEEP_HELD = 16 };
struct tc_sh_deep {
    const struct tc_sh_mounted *mount;
    char *path;                    /* beneath the mount; owned, NULL until it is needed */
    size_t ends[TC_SH_DEEP_HELD];  /* where in it the folders end, the outermost first */
    int fds[TC_SH_DEEP_HELD];
    size_t n;
};

struct tc_sh_vfs {
    struct tc_sh_disk disk;
    struct tc_sh_mounted mounts[TC_SH_MOUNTS_MAX]; /* longest path first */
    size_t mounts_n;
    char *hidden[TC_SH_HIDDEN_MAX];
    size_t hidden_n;
    char *shown[TC_SH_SHOWN_MAX]; /* entries of the root; when there are any, no others are */
    size_t shown_n;
    bool own_dev; /* the workspace has a folder "dev": what is no device is looked for in it */
    struct tc_map changed_set;
    char **changed; /* borrowed of the set's values */
    size_t changed_n, changed_max;
    bool changed_more;
    struct tc_sh_deep deep;
};

enum tc_sh_special {
    TC_SH_ORDINARY,
    TC_SH_DEV_NULL, TC_SH_DEV_ZERO, TC_SH_DEV_FULL, TC_SH_DEV_RANDOM, TC_SH_DEV_TTY,
    TC_SH_DEV_FD,     /* place.fd */
    TC_SH_DEV_FOLDER, /* /dev */
    TC_SH_DEV_FDS     /* /dev/fd */
};

struct tc_sh_place {
    enum tc_sh_special special; /* the fields of folder and name hold for ordinary ones only */
    int fd;
    const struct tc_sh_mounted *mount;
    int dirfd;
    bool owned;      /* dirfd is to be closed: release */
    bool root;       /* the root of the mount: name is "." */
    bool folder;     /* the path ended in a slash */
    const char *name; /* in path, or "." */
    char path[PATH_MAX];
};

enum tc_sh_follow { TC_SH_LINK_ITSELF, TC_SH_LINK_TARGET };

/* Finds the place of any absolute path. Its last part need not exist. 0 or an errno. */
int tc_sh_vfs_place(struct tc_sh_vfs *vfs, const char *path, enum tc_sh_follow follow, struct tc_sh_place *ret_place);
/* The place of a real path; ELOOP when it is none. */
int tc_sh_vfs_place_real(struct tc_sh_vfs *vfs, const char *real, struct tc_sh_place *ret_place);
void tc_sh_place_release(struct tc_sh_place *place);
/* Copies `path` cleaned; *ret_plain is false, and the copy not to be used, when it has "..". */
int tc_sh_vfs_clean(const char *path, char *clean, bool *ret_plain, bool *ret_slash);
/* An open of a path beneath a folder that meets no link; -errno. */
int tc_sh_vfs_open_beneath(int dirfd, const char *path, int flags);
/* A folder beneath a mount, as a place to work from; path is as it was afterwards. -errno. */
int tc_sh_vfs_open_folder(struct tc_sh_vfs *vfs, const struct tc_sh_mounted *mount, char *path);
void tc_sh_vfs_deep_finish(struct tc_sh_vfs *vfs);

enum tc_sh_special tc_sh_vfs_special(const struct tc_sh_vfs *vfs, const char *clean, int *ret_fd);
int tc_sh_vfs_open_special(const struct tc_sh_place *place, const struct tc_sh_fds *fds, int flags,
                           struct tc_sh_file **ret_file);
int tc_sh_vfs_stat_special(const struct tc_sh_place *place, const struct tc_sh_fds *fds, struct stat *ret_stat);
/* The names in a special folder by number; NULL at the end. */
const char *tc_sh_vfs_special_name(enum tc_sh_special folder, size_t n);

/* Where a change is meant: EROFS, EBUSY for the root of a mount, EACCES for devices; the place is then released. */
int tc_sh_vfs_place_to_change(struct tc_sh_vfs *vfs, const char *path, enum tc_sh_follow follow,
                              struct tc_sh_place *ret_place);
/* One name more in the view: EDQUOT when there are too many. */
int tc_sh_vfs_count_file(struct tc_sh_vfs *vfs);
void tc_sh_vfs_note(struct tc_sh_vfs *vfs, const struct tc_sh_place *place);

#endif
