/*
 * What asks about and changes files by their paths. All is done at a place, by a
 * descriptor of the folder and a name that is not followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shell/vfs_impl.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static int stat_place(const struct tc_sh_place *place, const struct tc_sh_fds *fds, struct stat *ret_stat)
{
    if (place->special)
        return tc_sh_vfs_stat_special(place, fds, ret_stat);
    if (fstatat(place->dirfd, place->name, ret_stat, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    return place->folder && !S_ISDIR(ret_stat->st_mode) && !S_ISLNK(ret_stat->st_mode) ? ENOTDIR : 0;
}

int tc_sh_vfs_stat(struct tc_sh_vfs *vfs, const struct tc_sh_fds *fds, const char *path, bool follow,
                   struct stat *ret_stat)
{
    struct tc_sh_place place;
    struct stat stat;
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_ITSELF, &place);

    if (error)
        return error;
    error = stat_place(&place, fds, &stat);
    tc_sh_place_release(&place);
    if (error == 0 && follow && S_ISLNK(stat.st_mode)) {
        error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_TARGET, &place);
        if (error)
            return error;
        error = stat_place(&place, fds, &stat);
        tc_sh_place_release(&place);
    }
    if (error == 0)
        *ret_stat = stat;
    return error;
}

int tc_sh_vfs_access(struct tc_sh_vfs *vfs, const char *path, int mode)
{
    struct tc_sh_place place;
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_TARGET, &place);

    if (error)
        return error;
    if (place.special)
        return mode & X_OK && place.special < TC_SH_DEV_FOLDER ? EACCES : 0;
    if (faccessat(place.dirfd, place.name, mode, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0)
        error = errno;
    else if ((mode & W_OK) && place.mount->read_only)
        error = EROFS;
    tc_sh_place_release(&place);
    return error;
}

int tc_sh_vfs_readlink(struct tc_sh_vfs *vfs, const char *path, char *target, size_t size)
{
    struct tc_sh_place place;
    ssize_t n;
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_ITSELF, &place);

    if (error)
        return error;
    if (place.special)
        return EINVAL;
    n = readlinkat(place.dirfd, place.name, target, size);
    error = n < 0 ? errno : (size_t)n == size ? ENAMETOOLONG : 0;
    if (error == 0)
        target[n] = '\0';
    tc_sh_place_release(&place);
    return error;
}

/* The end of a change at a place: it is noted when it was done. */
static int changed(struct tc_sh_vfs *vfs, struct tc_sh_place *place, int error)
{
    if (error == 0)
        tc_sh_vfs_note(vfs, place);
    tc_sh_place_release(place);
    return error;
}

static int exists(const struct tc_sh_place *place)
{
    return place->special || place->root || faccessat(place->dirfd, place->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Where a new name is to be. What is there already is told first, as the kernel does. */
static int place_to_add(struct tc_sh_vfs *vfs, const char *path, bool folder, struct tc_sh_place *ret_place)
{
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_ITSELF, ret_place);

    if (error)
        return error;
    if (exists(ret_place))
        error = EEXIST;
    else if (ret_place->mount->read_only)
        error = EROFS;
    else if (ret_place->folder && !folder)
        error = ENOENT;
    else
        error = tc_sh_vfs_count_file(vfs);
    if (error)
        tc_sh_place_release(ret_place);
    return error;
}

/* The end of an addition: what was counted is taken back when it was not done. */
static int added(struct tc_sh_vfs *vfs, struct tc_sh_place *place, int result)
{
    int error = result == 0 ? 0 : errno;

    if (error)
        vfs->disk.budget->files--;
    return changed(vfs, place, error);
}

int tc_sh_vfs_mkdir(struct tc_sh_vfs *vfs, const char *path, mode_t mode)
{
    struct tc_sh_place place;
    int error = place_to_add(vfs, path, true, &place);

    return error ? error : added(vfs, &place, mkdirat(place.dirfd, place.name, mode & 01777));
}

int tc_sh_vfs_symlink(struct tc_sh_vfs *vfs, const char *target, const char *path)
{
    struct tc_sh_place place;
    int error = place_to_add(vfs, path, false, &place);

    return error ? error : added(vfs, &place, symlinkat(target, place.dirfd, place.name));
}

int tc_sh_vfs_link(struct tc_sh_vfs *vfs, const char *from, const char *to)
{
    struct tc_sh_place old, new;
    int error = tc_sh_vfs_place_to_change(vfs, from, TC_SH_LINK_ITSELF, &old);

    if (error)
        return error == EBUSY ? EPERM : error;
    error = place_to_add(vfs, to, false, &new);
    if (error == 0 && old.mount != new.mount) {
        vfs->disk.budget->files--;
        error = changed(vfs, &new, EXDEV);
    } else if (error == 0) {
        error = added(vfs, &new, linkat(old.dirfd, old.name, new.dirfd, new.name, 0));
    }
    tc_sh_place_release(&old);
    return error;
}

/* What the budget gets back when the name at the place goes. */
static void forget(struct tc_sh_vfs *vfs, const struct stat *stat)
{
    vfs->disk.budget->files--;
    if (S_ISREG(stat->st_mode) && stat->st_nlink == 1)
        vfs->disk.budget->bytes -= stat->st_size;
}

static int remove_name(struct tc_sh_vfs *vfs, const char *path, int flags)
{
    struct tc_sh_place place;
    struct stat stat;
    int error = tc_sh_vfs_place_to_change(vfs, path, TC_SH_LINK_ITSELF, &place);

    if (error)
        return error;
    error = stat_place(&place, NULL, &stat);
    if (error == 0 && unlinkat(place.dirfd, place.name, flags) != 0)
        error = errno;
    if (error == 0)
        forget(vfs, &stat);
    return changed(vfs, &place, error);
}

int tc_sh_vfs_rmdir(struct tc_sh_vfs *vfs, const char *path)
{
    return remove_name(vfs, path, AT_REMOVEDIR);
}

int tc_sh_vfs_unlink(struct tc_sh_vfs *vfs, const char *path)
{
    return remove_name(vfs, path, 0);
}

/* A folder that a mount lies in stays where it is. */
static bool holds_mount(const struct tc_sh_vfs *vfs, const struct tc_sh_place *place)
{
    size_t n = strlen(place->path);

    for (size_t i = 0; i < vfs->mounts_n; i++)
        if (strncmp(vfs->mounts[i].path, place->path, n) == 0 && vfs->mounts[i].path[n] == '/')
            return true;
    return false;
}

static int rename_place(struct tc_sh_vfs *vfs, const struct tc_sh_place *old, const struct tc_sh_place *new,
                        bool no_replace)
{
    struct stat source, replaced;
    bool replaces;

    if (old->mount != new->mount)
        return EXDEV;
    if (holds_mount(vfs, old) || holds_mount(vfs, new))
        return EBUSY;
    if (fstatat(old->dirfd, old->name, &source, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    if ((old->folder || new->folder) && !S_ISDIR(source.st_mode))
        return ENOTDIR;
    replaces = fstatat(new->dirfd, new->name, &replaced, AT_SYMLINK_NOFOLLOW) == 0;
    if (renameat2(old->dirfd, old->name, new->dirfd, new->name, no_replace ? RENAME_NOREPLACE : 0) != 0)
        return errno;
    if (replaces && (replaced.st_ino != source.st_ino || replaced.st_dev != source.st_dev))
        forget(vfs, &replaced);
    return 0;
}

int tc_sh_vfs_rename(struct tc_sh_vfs *vfs, const char *from, const char *to, bool no_replace)
{
    struct tc_sh_place old, new;
    int error = tc_sh_vfs_place_to_change(vfs, from, TC_SH_LINK_ITSELF, &old);

    if (error)
        return error;
    error = tc_sh_vfs_place_to_change(vfs, to, TC_SH_LINK_ITSELF, &new);
    if (error == 0)
        error = changed(vfs, &new, rename_place(vfs, &old, &new, no_replace));
    tc_sh_vfs_forget(vfs);
    return changed(vfs, &old, error);
}

/* Without following, which fchmodat cannot do. */
static int chmod_place(const struct tc_sh_place *place, mode_t mode)
{
    int fd, error = 0;

    if (syscall(SYS_fchmodat2, place->dirfd, place->name, mode, AT_SYMLINK_NOFOLLOW) == 0)
        return 0;
    if (errno != ENOSYS && errno != EPERM)
        return errno;
    fd = openat(place->dirfd, place->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    if (fchmod(fd, mode) != 0)
        error = errno;
    close(fd);
    return error;
}

int tc_sh_vfs_chmod(struct tc_sh_vfs *vfs, const char *path, mode_t mode)
{
    struct tc_sh_place place;
    struct stat stat;
    int error = tc_sh_vfs_place(vfs, path, TC_SH_LINK_TARGET, &place);

    if (error || place.special)
        return error ? error : EPERM;
    error = place.mount->read_only ? EROFS : stat_place(&place, NULL, &stat);
    if (error == 0 && ((mode & S_ISUID) || ((mode & S_ISGID) && !S_ISDIR(stat.st_mode))))
        error = EPERM; /* nobody shall get the rights of who runs the shell */
    if (error == 0)
        error = chmod_place(&place, mode & 07777);
    return changed(vfs, &place, error);
}

int tc_sh_vfs_utimes(struct tc_sh_vfs *vfs, const char *path, const struct timespec times[2], bool follow)
{
    struct tc_sh_place place;
    int error = tc_sh_vfs_place(vfs, path, follow ? TC_SH_LINK_TARGET : TC_SH_LINK_ITSELF, &place);

    if (error || place.special)
        return error;
    if (place.mount->read_only)
        error = EROFS;
    else if (utimensat(place.dirfd, place.name, times, AT_SYMLINK_NOFOLLOW) != 0)
        error = errno;
    return changed(vfs, &place, error);
}

static int truncate_file(struct tc_sh_vfs *vfs, int fd, int64_t size)
{
    struct stat stat;
    int error;

    if (fstat(fd, &stat) != 0)
        return errno;
    if (!S_ISREG(stat.st_mode))
        return EINVAL;
    error = tc_sh_disk_grow(&vfs->disk, stat.st_size, size);
    if (error)
        return error;
    if (ftruncate(fd, size) != 0) {
        error = errno;
        size = size > stat.st_size ? size : stat.st_size;
        vfs->disk.budget->bytes -= size - stat.st_size;
        return error;
    }
    if (size < stat.st_size)
        vfs->disk.budget->bytes -= stat.st_size - size;
    tc_sh_disk_touch(&vfs->disk, stat.st_ino);
    return 0;
}

int tc_sh_vfs_truncate(struct tc_sh_vfs *vfs, const char *path, int64_t size)
{
    struct tc_sh_place place;
    int error = tc_sh_vfs_place_to_change(vfs, path, TC_SH_LINK_TARGET, &place), fd;

    if (error)
        return error == EBUSY ? EISDIR : error;
    fd = openat(place.dirfd, place.name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return changed(vfs, &place, errno);
    error = truncate_file(vfs, fd, size);
    close(fd);
    return changed(vfs, &place, error);
}
