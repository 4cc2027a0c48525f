/*
 * The workspace and the kernel. A path is opened only when no part of it is a
 * symlink, so what the rules were checked on is what gets opened, whoever changes
 * the tree meanwhile. Links that stay inside are followed by resolving them here,
 * step by step, into such a path. All of it runs on pool threads.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "runtime/workspace_impl.h"

enum { LINKS_MAX = 40, TARGET_MAX = 4096, NAMES_MAX = 100000, AGAIN_MAX = 16 };

int tc_workspace_fs_open(int root, struct tc_str path, int flags)
{
    struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC | O_NOCTTY),
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS};
    char name[TARGET_MAX];
    long fd;
    int tries = 0;

    if (path.n >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (path.n)
        memcpy(name, path.p, path.n);
    else
        name[path.n++] = '.';
    name[path.n] = '\0';
    if (flags & O_PATH)
        how.flags &= ~(uint64_t)O_NOCTTY;
    do
        fd = syscall(SYS_openat2, root, name, &how, sizeof how);
    while (fd < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < AGAIN_MAX)));
    return (int)fd;
}

static enum tc_err fail_outside(struct tc_cx *cx, struct tc_str path)
{
    return tc_fail(cx, TC_E_WS_INVALID_PATH, "\"%.*s\" is or contains a link that leads out of the workspace.",
                   TC_STR_ARG(path));
}

static enum tc_err fail_missing(struct tc_cx *cx, struct tc_str path, enum tc_workspace_fs_use use)
{
    if (use == TC_WORKSPACE_FS_TREE)
        return tc_fail(cx, TC_E_WS_PATH_NOT_FOUND, "There is nothing at \"%.*s\".", TC_STR_ARG(path));
    return tc_fail(cx, TC_E_WS_FILE_NOT_FOUND, "There is no file \"%.*s\".", TC_STR_ARG(path));
}

enum tc_err tc_workspace_fs_fail(struct tc_cx *cx, int error, struct tc_str path, enum tc_workspace_fs_use use)
{
    switch (error) {
    case ENOENT:
        return fail_missing(cx, path, use);
    case ENOTDIR:
        if (use != TC_WORKSPACE_FS_WRITE)
            return fail_missing(cx, path, use);
        return tc_fail(cx, TC_E_WS_INVALID_PATH, "A part of \"%.*s\" is a file, not a folder.", TC_STR_ARG(path));
    case EISDIR:
        return tc_fail(cx, TC_E_WS_IS_DIRECTORY, "\"%.*s\" is a folder.", TC_STR_ARG(path));
    case ELOOP:
    case EXDEV:
        return fail_outside(cx, path);
    case ENAMETOOLONG:
        return tc_fail(cx, TC_E_WS_INVALID_PATH, "The path \"%.*s\" is too long.", TC_STR_ARG(path));
    case ENXIO:
    case ENODEV:
        return tc_fail(cx, TC_E_WS_INVALID_PATH, "\"%.*s\" is not a regular file.", TC_STR_ARG(path));
    case EACCES:
    case EPERM:
    case EROFS:
        if (use == TC_WORKSPACE_FS_WRITE)
            return tc_fail(cx, TC_E_WS_NOT_WRITABLE, "The system does not let \"%.*s\" be written.", TC_STR_ARG(path));
        return tc_fail(cx, TC_E_WS_NOT_VISIBLE, "The system does not let \"%.*s\" be read.", TC_STR_ARG(path));
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return tc_fail(cx, TC_E_WS_QUOTA, "There is no room on the disk for \"%.*s\".", TC_STR_ARG(path));
    case ENOSYS:
        return tc_fail(cx, TC_E_WS_UNAVAILABLE, "This kernel cannot keep file access inside a workspace (openat2).");
    default:
        return tc_fail(cx, TC_E_IO, "\"%.*s\": %s.", TC_STR_ARG(path), strerrordesc_np(error));
    }
}

/* The target of the link at fd; p is NULL when it cannot be had. */
static struct tc_str link_target(struct tc_cx *cx, int fd)
{
    char to[TARGET_MAX];
    ssize_t n = readlinkat(fd, "", to, TARGET_MAX);

    return n > 0 && n < TARGET_MAX ? tc_arena_dup(cx->arena, tc_str_n(to, (size_t)n)) : tc_str_n(NULL, 0);
}

/* One step: `name` after `*real`. Moves *real on, or sets *ret_target for a link. */
static enum tc_err step(struct tc_cx *cx, int root, struct tc_str name, struct tc_str *real, struct tc_str *ret_target)
{
    struct tc_str next = tc_workspace_path_join(cx->arena, *real, name);
    struct stat st;
    int fd;

    if (!next.p)
        return tc_fail_memory(cx);
    fd = tc_workspace_fs_open(root, next, O_PATH | O_NOFOLLOW);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode))
        *ret_target = link_target(cx, fd);
    else
        *real = next;
    if (fd >= 0)
        close(fd);
    return TC_OK;
}

enum tc_err tc_workspace_fs_resolve(struct tc_cx *cx, int root, struct tc_str path, struct tc_str *ret_real)
{
    struct tc_str real = TC_STR(""), rest = path, name;
    int links = 0;

    while (tc_str_split(&rest, '/', &name)) {
        struct tc_str target = {0};
        enum tc_err err;
        if (name.n == 0 || tc_str_is(name, "."))
            continue;
        if (tc_str_is(name, "..")) {
            if (real.n == 0)
                return fail_outside(cx, path);
            real = tc_workspace_path_parent(real);
            continue;
        }
        err = step(cx, root, name, &real, &target);
        if (err)
            return err;
        if (!target.p && real.n <= TARGET_MAX)
            continue;
        if (++links > LINKS_MAX || real.n > TARGET_MAX)
            return tc_fail(cx, TC_E_WS_INVALID_PATH, "\"%.*s\" leads through too many links.", TC_STR_ARG(path));
        if (target.p[0] == '/')
            return fail_outside(cx, path);
        rest = rest.p ? tc_workspace_path_join(cx->arena, target, rest) : target;
        if (!rest.p)
            return tc_fail_memory(cx);
    }
    *ret_real = real;
    return TC_OK;
}

static enum tc_err read_all(struct tc_cx *cx, int fd, struct tc_str path, size_t size,
                            struct tc_workspace_fs_bytes *ret_bytes)
{
    char *p = tc_mem_alloc(size);
    size_t n = 0;

    if (!p)
        return tc_fail_memory(cx);
    while (n < size) {
        ssize_t got = read(fd, p + n, size - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            tc_mem_free(p);
            return tc_workspace_fs_fail(cx, error, path, TC_WORKSPACE_FS_FILE);
        }
        if (got == 0)
            break;
        n += (size_t)got;
    }
    *ret_bytes = (struct tc_workspace_fs_bytes){p, n};
    return TC_OK;
}

static enum tc_err fail_large(struct tc_cx *cx, struct tc_str path, off_t size, size_t max_bytes)
{
    return tc_fail(cx, TC_E_WS_READ_TOO_LARGE, "\"%.*s\" has %lld bytes, more than the %zu that can be read at once.",
                   TC_STR_ARG(path), (long long)size, max_bytes);
}

/* Opened without blocking, so a FIFO or a device is refused and not waited for. */
enum tc_err tc_workspace_fs_read(struct tc_cx *cx, int root, struct tc_str path, size_t max_bytes,
                                 struct tc_workspace_fs_bytes *ret_bytes, struct stat *ret_stat)
{
    int fd = tc_workspace_fs_open(root, path, O_RDONLY | O_NONBLOCK);
    enum tc_err err;

    if (fd < 0)
        return tc_workspace_fs_fail(cx, errno, path, TC_WORKSPACE_FS_FILE);
    if (fstat(fd, ret_stat) != 0)
        err = tc_workspace_fs_fail(cx, errno, path, TC_WORKSPACE_FS_FILE);
    else if (S_ISDIR(ret_stat->st_mode))
        err = tc_workspace_fs_fail(cx, EISDIR, path, TC_WORKSPACE_FS_FILE);
    else if (!S_ISREG(ret_stat->st_mode))
        err = tc_workspace_fs_fail(cx, ENXIO, path, TC_WORKSPACE_FS_FILE);
    else if ((uint64_t)ret_stat->st_size > max_bytes)
        err = fail_large(cx, path, ret_stat->st_size, max_bytes);
    else
        err = read_all(cx, fd, path, (size_t)ret_stat->st_size, ret_bytes);
    close(fd);
    return err;
}

static int by_name(const void *a, const void *b)
{
    const struct tc_workspace_fs_name *x = a, *y = b;

    return tc_str_cmp(x->name, y->name);
}

static struct tc_workspace_fs_name *grow(struct tc_arena *arena, struct tc_workspace_fs_name *names, size_t n)
{
    struct tc_workspace_fs_name *wider = TC_ARENA_NEW_N(arena, struct tc_workspace_fs_name, n ? n * 2 : 32);

    if (wider && n)
        memcpy(wider, names, n * sizeof *names);
    return wider;
}

enum tc_err tc_workspace_fs_names(struct tc_cx *cx, int fd, struct tc_workspace_fs_name **ret_names, size_t *ret_n,
                                  bool *more)
{
    DIR *dir = fdopendir(fd);
    struct tc_workspace_fs_name *names = NULL;
    struct dirent *entry;
    size_t n = 0, cap = 0;

    if (!dir) {
        close(fd);
        return tc_fail_memory(cx);
    }
    while ((entry = readdir(dir))) {
        struct tc_str name = tc_str_of(entry->d_name);
        if (!tc_workspace_path_name_ok(name) || tc_workspace_path_is_temp(name))
            continue;
        if (n == NAMES_MAX) {
            *more = true;
            break;
        }
        if (n == cap) {
            names = grow(cx->arena, names, n);
            cap = n ? n * 2 : 32;
        }
        name = names ? tc_arena_dup(cx->arena, name) : tc_str_n(NULL, 0);
        if (!name.p) {
            closedir(dir);
            return tc_fail_memory(cx);
        }
        names[n++] = (struct tc_workspace_fs_name){name, entry->d_type};
    }
    closedir(dir);
    if (n)
        qsort(names, n, sizeof *names, by_name);
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
}
