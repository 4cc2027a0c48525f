/*
 * Folders deep below: to open one from its mount costs the kernel a step for each folder
 * above it, so that a walk over a deep tree would take time by the square of its depth.
 * While one command runs, the last few folders of one deep path are held open, and what
 * lies beside or below them is opened from there. They are real (vfs_impl.h), each was
 * opened beneath the one before it, and a rename lets go of all. Paths up to
 * TC_SH_DEEP_FROM folders long, which is nearly all that there are, never come here.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "shell/vfs_impl.h"

enum { FLAGS = O_PATH | O_DIRECTORY };

static void pop(struct tc_sh_deep *deep)
{
    close(deep->fds[--deep->n]);
}

void tc_sh_vfs_forget(struct tc_sh_vfs *vfs)
{
    while (vfs->deep.n)
        pop(&vfs->deep);
}

void tc_sh_vfs_deep_finish(struct tc_sh_vfs *vfs)
{
    tc_sh_vfs_forget(vfs);
    tc_mem_free(vfs->deep.path);
}

static bool is_deep(const char *path)
{
    int parts = 1;

    for (; *path && parts <= TC_SH_DEEP_FROM; path++)
        parts += *path == '/';
    return parts > TC_SH_DEEP_FROM;
}

/* Where the folder ends that lies so many above the end of the path. */
static size_t above(const char *path, size_t n, int folders)
{
    for (; n > 0 && folders > 0; folders--)
        do {
            n--;
        } while (n > 0 && path[n] != '/');
    return n;
}

static void push(struct tc_sh_deep *deep, size_t end, int fd)
{
    if (deep->n == TC_SH_DEEP_HELD) {
        close(deep->fds[0]);
        deep->n--;
        memmove(deep->fds, deep->fds + 1, deep->n * sizeof *deep->fds);
        memmove(deep->ends, deep->ends + 1, deep->n * sizeof *deep->ends);
    }
    deep->ends[deep->n] = end;
    deep->fds[deep->n++] = fd;
}

/* From what is held, or the mount, to the folder in the middle of path that ends there. 0 or an errno. */
static int step(struct tc_sh_deep *deep, int mount, char *path, size_t end)
{
    size_t from = deep->n ? deep->ends[deep->n - 1] + 1 : 0;
    char behind = path[end];
    int fd;

    path[end] = '\0';
    fd = tc_sh_vfs_open_beneath(deep->n ? deep->fds[deep->n - 1] : mount, path + from, FLAGS);
    path[end] = behind;
    if (fd < 0)
        return -fd;
    push(deep, end, fd);
    return 0;
}

/* What is held of another path is let go. */
static void keep_common(struct tc_sh_deep *deep, const struct tc_sh_mounted *mount, const char *path, size_t n)
{
    size_t same = 0;

    if (deep->mount == mount)
        while (same < n && deep->path[same] == path[same])
            same++;
    while (deep->n) {
        size_t end = deep->ends[deep->n - 1];

        if (end <= same && (end == n || path[end] == '/'))
            break;
        pop(deep);
    }
    deep->mount = mount;
    memcpy(deep->path, path, n + 1);
}

int tc_sh_vfs_open_folder(struct tc_sh_vfs *vfs, const struct tc_sh_mounted *mount, char *path)
{
    struct tc_sh_deep *deep = &vfs->deep;
    size_t n = strlen(path);
    int error = 0, fd;

    if (is_deep(path) && !deep->path)
        deep->path = tc_mem_alloc(PATH_MAX);
    if (!is_deep(path) || !deep->path)
        return tc_sh_vfs_open_beneath(mount->dirfd, path, FLAGS);
    keep_common(deep, mount, path, n);
    if (deep->n == 0)
        error = step(deep, mount->dirfd, path, above(path, n, TC_SH_DEEP_HELD - 1));
    while (error == 0 && deep->ends[deep->n - 1] < n) {
        size_t from = deep->ends[deep->n - 1] + 1;

        error = step(deep, mount->dirfd, path, from + strcspn(path + from, "/"));
    }
    if (error == 0) {
        fd = fcntl(deep->fds[deep->n - 1], F_DUPFD_CLOEXEC, 0);
        if (fd >= 0)
            return fd;
        error = errno;
    }
    if (error != EMFILE)
        return -error;
    tc_sh_vfs_forget(vfs);
    return tc_sh_vfs_open_beneath(mount->dirfd, path, FLAGS);
}
