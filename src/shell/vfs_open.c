/*
 * Opening files and folders of the view, and walking folders: what the kernel lists,
 * without what is hidden, and with the mounts that lie in the folder.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "shell/vfs_impl.h"

static bool writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
}

/* A descriptor or -errno. *ret_new: it was not there before. */
static int open_or_create(struct tc_sh_vfs *vfs, const struct tc_sh_place *place, int flags, mode_t mode, bool *ret_new)
{
    int plain = (flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int fd = openat(place->dirfd, place->name, plain), error;

    *ret_new = false;
    if (fd >= 0 || errno != ENOENT || !(flags & O_CREAT) || place->folder)
        return fd >= 0 ? fd : place->folder && (flags & O_CREAT) && errno == ENOENT ? -EISDIR : -errno;
    if (place->mount->read_only)
        return -EROFS;
    error = tc_sh_vfs_count_file(vfs);
    if (error)
        return -error;
    fd = openat(place->dirfd, place->name, plain | O_CREAT | O_EXCL, mode & 0777);
    if (fd < 0) {
        vfs->disk.budget->files--;
        return -errno;
    }
    *ret_new = true;
    return fd;
}

/* Checks what was opened, and empties it when asked to. 0 or an errno. */
static int accept_open(struct tc_sh_vfs *vfs, const struct tc_sh_place *place, int fd, int flags, struct stat *stat)
{
    if (fstat(fd, stat) != 0)
        return errno;
    if (!S_ISREG(stat->st_mode) && !S_ISDIR(stat->st_mode))
        return EACCES;
    if (place->folder && !S_ISDIR(stat->st_mode))
        return ENOTDIR;
    if ((flags & O_TRUNC) && S_ISREG(stat->st_mode) && stat->st_size > 0) {
        if (ftruncate(fd, 0) != 0)
            return errno;
        if (stat->st_nlink > 0)
            vfs->disk.budget->bytes -= stat->st_size;
        tc_sh_disk_touch(&vfs->disk, stat->st_ino);
    }
    return 0;
}

static int open_place(struct tc_sh_vfs *vfs, const struct tc_sh_place *place, int flags, mode_t mode,
                      struct tc_sh_file **ret_file)
{
    struct tc_sh_file *file;
    struct stat stat;
    bool new;
    int fd, error;

    if (place->root && (writes(flags) || (flags & O_CREAT)))
        return EISDIR;
    if (place->mount->read_only && writes(flags))
        return EROFS;
    fd = open_or_create(vfs, place, flags, mode, &new);
    if (fd < 0)
        return fd == -ENXIO ? EACCES : -fd; /* a socket, or a FIFO that nobody reads */
    error = !new && (flags & O_CREAT) && (flags & O_EXCL) ? EEXIST : accept_open(vfs, place, fd, flags, &stat);
    if (error) {
        close(fd);
        return error;
    }
    if (new || writes(flags))
        tc_sh_vfs_note(vfs, place);
    file = tc_sh_file_on_disk(fd, &stat, &vfs->disk);
    if (!file)
        return ENOMEM;
    *ret_file = file;
    return 0;
}

int tc_sh_vfs_open(struct tc_sh_vfs *vfs, const struct tc_sh_fds *fds, const char *path, int flags, mode_t mode,
                   struct tc_sh_file **ret_file)
{
    struct tc_sh_place place;
    int error = ELOOP;

    for (int follow = TC_SH_LINK_ITSELF; error == ELOOP && follow <= TC_SH_LINK_TARGET; follow++) {
        error = tc_sh_vfs_place(vfs, path, (enum tc_sh_follow)follow, &place);
        if (error)
            return error;
        if (place.special)
            return tc_sh_vfs_open_special(&place, fds, flags, ret_file);
        error = open_place(vfs, &place, flags, mode, ret_file);
        tc_sh_place_release(&place);
        if (error == ELOOP && (flags & O_CREAT) && (flags & O_EXCL))
            return EEXIST;
        if (flags & O_NOFOLLOW)
            break;
    }
    return error;
}

/* --- folders --- */

struct tc_sh_dir {
    const struct tc_sh_vfs *vfs;
    enum tc_sh_special special;
    int fd;
    size_t extra; /* the next mount, or name of a special folder */
    size_t at, n; /* in entries */
    char path[PATH_MAX];
    char entries[32 * 1024] __attribute__((aligned(8)));
};

int tc_sh_vfs_opendir(struct tc_sh_vfs *vfs, const char *path, struct tc_sh_dir **ret_dir)
{
    struct tc_sh_place place;
    struct tc_sh_dir *dir;
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_TARGET, &place), fd = -1;

    if (error)
        return error;
    if (!place.special) {
        fd = openat(place.dirfd, place.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        error = fd < 0 ? errno : 0;
        tc_sh_place_release(&place);
        if (error)
            return error;
    } else if (place.special != TC_SH_DEV_FOLDER && place.special != TC_SH_DEV_FDS) {
        return ENOTDIR;
    }
    dir = tc_mem_alloc(sizeof *dir);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return ENOMEM;
    }
    dir->vfs = vfs;
    dir->special = place.special;
    dir->fd = fd;
    dir->extra = dir->at = dir->n = 0;
    memcpy(dir->path, place.path, strlen(place.path) + 1);
    if (dir->path[1] == '\0')
        dir->path[0] = '\0';
    *ret_dir = dir;
    return 0;
}

void tc_sh_vfs_closedir(struct tc_sh_dir *dir)
{
    if (!dir)
        return;
    if (dir->fd >= 0)
        close(dir->fd);
    tc_mem_free(dir);
}

/* Is `path` the entry `name` of the folder? NULL for any name. */
static bool is_entry(const struct tc_sh_dir *dir, const char *path, const char *name)
{
    size_t n = strlen(dir->path);

    if (strncmp(path, dir->path, n) != 0 || path[n] != '/' || path[n + 1] == '\0')
        return false;
    return name ? strcmp(path + n + 1, name) == 0 : !strchr(path + n + 1, '/');
}

static bool is_shown(const struct tc_sh_dir *dir, const char *name)
{
    const struct tc_sh_vfs *vfs = dir->vfs;

    for (size_t i = 0; i < vfs->shown_n; i++)
        if (is_entry(dir, vfs->shown[i], name))
            return true;
    return vfs->shown_n == 0 || dir->path[0];
}

/* The entry is another's business: hidden, or a mount that is listed as such. */
static bool is_covered(const struct tc_sh_dir *dir, const char *name)
{
    const struct tc_sh_vfs *vfs = dir->vfs;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (!is_shown(dir, name))
        return true;
    for (size_t i = 0; i < vfs->hidden_n; i++)
        if (is_entry(dir, vfs->hidden[i], name))
            return true;
    for (size_t i = 0; i < vfs->mounts_n; i++)
        if (is_entry(dir, vfs->mounts[i].path, name))
            return true;
    return false;
}

static bool next_mount(struct tc_sh_dir *dir, const char **ret_name, unsigned char *ret_type, ino_t *ret_inode)
{
    while (dir->extra < dir->vfs->mounts_n) {
        const struct tc_sh_mounted *mount = &dir->vfs->mounts[dir->extra++];
        struct stat stat;

        if (mount->hidden || !is_entry(dir, mount->path, NULL) || fstat(mount->dirfd, &stat) != 0)
            continue;
        *ret_name = strrchr(mount->path, '/') + 1;
        *ret_type = DT_DIR;
        *ret_inode = stat.st_ino;
        return true;
    }
    return false;
}

bool tc_sh_vfs_readdir(struct tc_sh_dir *dir, const char **ret_name, unsigned char *ret_type, ino_t *ret_inode)
{
    if (dir->special) {
        const char *name = tc_sh_vfs_special_name(dir->special, dir->extra++);
        if (!name)
            return false;
        *ret_name = name;
        *ret_type = strcmp(name, "fd") == 0 ? DT_DIR : DT_CHR;
        *ret_inode = dir->extra;
        return true;
    }
    for (;;) {
        const struct dirent64 *entry;

        if (dir->at == dir->n) {
            ssize_t n = getdents64(dir->fd, dir->entries, sizeof dir->entries);
            if (n <= 0)
                return next_mount(dir, ret_name, ret_type, ret_inode);
            dir->at = 0;
            dir->n = (size_t)n;
        }
        entry = (const void *)(dir->entries + dir->at);
        dir->at += entry->d_reclen;
        if (is_covered(dir, entry->d_name))
            continue;
        *ret_name = entry->d_name;
        *ret_type = entry->d_type;
        *ret_inode = entry->d_ino;
        return true;
    }
}
