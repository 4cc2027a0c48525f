/*
 * From paths to places. Most paths have no link and no "..": then the kernel opens the
 * folder beneath its mount in one step, refusing links. When it meets one, or there is
 * a "..", the path is made real part by part, links being read as paths of the view,
 * and the kernel opens what comes of it in the same way: a name that is exchanged for a
 * link meanwhile is an error, never a way out.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shell/vfs_impl.h"

void tc_sh_place_release(struct tc_sh_place *place)
{
    if (place->owned)
        close(place->dirfd);
    place->owned = false;
}

int tc_sh_vfs_clean(const char *path, char *clean, bool *ret_plain, bool *ret_slash)
{
    size_t n = 0;
    bool plain = true, slash = false;

    if (!*path)
        return ENOENT;
    while (*path) {
        size_t part;

        if (*path == '/') {
            slash = true;
            path++;
            continue;
        }
        part = strcspn(path, "/");
        slash = false;
        if (part == 1 && *path == '.') {
            slash = true; /* "x/." is a folder */
        } else {
            if (part > NAME_MAX || n + part + 2 > PATH_MAX)
                return ENAMETOOLONG;
            plain = plain && !(part == 2 && path[0] == '.' && path[1] == '.');
            clean[n++] = '/';
            memcpy(clean + n, path, part);
            n += part;
        }
        path += part;
    }
    if (n == 0)
        clean[n++] = '/';
    clean[n] = '\0';
    *ret_plain = plain;
    *ret_slash = slash;
    return 0;
}

/* For kernels and confinements without openat2: one part after the other. */
static int open_by_parts(int dirfd, const char *path, int flags)
{
    int at = dirfd;

    for (;;) {
        size_t n = strcspn(path, "/");
        bool last = path[n] == '\0';
        char part[NAME_MAX + 1];
        int next;

        memcpy(part, path, n);
        part[n] = '\0';
        next = openat(at, part, last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (next < 0)
            next = errno == ENOTDIR && faccessat(at, part, F_OK, 0) != 0 ? -ELOOP : -errno;
        if (at != dirfd)
            close(at);
        if (next < 0 || last)
            return next;
        at = next;
        path += n + 1;
    }
}

int tc_sh_vfs_open_beneath(int dirfd, const char *path, int flags)
{
    struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    int fd;

    for (int attempt = 0; attempt < 8; attempt++) {
        fd = (int)syscall(SYS_openat2, dirfd, path, &how, sizeof how);
        if (fd >= 0)
            return fd;
        if (errno == ENOSYS || errno == EPERM)
            return open_by_parts(dirfd, path, flags | O_CLOEXEC);
        if (errno != EAGAIN) /* a rename went on meanwhile */
            break;
    }
    return -errno;
}

static bool is_below(const char *path, const char *folder, size_t folder_n)
{
    return strncmp(path, folder, folder_n) == 0 && (path[folder_n] == '/' || path[folder_n] == '\0');
}

static bool is_hidden(const struct tc_sh_vfs *vfs, const char *clean)
{
    for (size_t i = 0; i < vfs->hidden_n; i++)
        if (is_below(clean, vfs->hidden[i], strlen(vfs->hidden[i])))
            return true;
    return false;
}

/* Of the root's own files; mounts are shown by being there. */
static bool is_shown(const struct tc_sh_vfs *vfs, const struct tc_sh_mounted *mount, const char *clean)
{
    if (vfs->shown_n == 0 || mount->path_n || clean[0] == '\0' || clean[1] == '\0')
        return true;
    for (size_t i = 0; i < vfs->shown_n; i++)
        if (is_below(clean, vfs->shown[i], strlen(vfs->shown[i])))
            return true;
    return false;
}

static const struct tc_sh_mounted *mount_of(const struct tc_sh_vfs *vfs, const char *clean)
{
    for (size_t i = 0; i < vfs->mounts_n; i++)
        if (is_below(clean, vfs->mounts[i].path, vfs->mounts[i].path_n))
            return &vfs->mounts[i];
    return NULL;
}

/* place->path is set: a real path. */
static int take_apart(struct tc_sh_vfs *vfs, struct tc_sh_place *place)
{
    char *rest, *slash;

    place->owned = place->root = false;
    place->special = tc_sh_vfs_special(vfs, place->path, &place->fd);
    if (place->special)
        return 0;
    place->mount = mount_of(vfs, place->path);
    if (!place->mount || is_hidden(vfs, place->path) || !is_shown(vfs, place->mount, place->path))
        return ENOENT;
    place->dirfd = place->mount->dirfd;
    rest = place->path + place->mount->path_n;
    if (rest[0] == '\0' || rest[1] == '\0') {
        place->root = true;
        place->name = ".";
        return 0;
    }
    slash = strrchr(++rest, '/');
    if (slash) {
        *slash = '\0';
        place->dirfd = tc_sh_vfs_open_folder(vfs, place->mount, rest);
        *slash = '/';
        if (place->dirfd < 0)
            return -place->dirfd;
        place->owned = true;
    }
    place->name = slash ? slash + 1 : rest;
    return 0;
}

int tc_sh_vfs_place_real(struct tc_sh_vfs *vfs, const char *real, struct tc_sh_place *ret_place)
{
    memcpy(ret_place->path, real, strlen(real) + 1);
    ret_place->folder = false;
    return take_apart(vfs, ret_place);
}

/* A walk that makes a path real. */
struct walk {
    struct tc_sh_vfs *vfs;
    char *real;                      /* so far; "" for the root */
    char pending[2][PATH_MAX];       /* what is left; one is made while the other is read */
    const char *rest;
    unsigned which, links;
    bool follow;
    int missing;
    bool gone; /* the last part does not exist */
    struct tc_sh_place place;
};

/* The link at the end of walk->real is replaced by what it says. */
static int step_into_link(struct walk *walk, const char *target, size_t n)
{
    size_t rest = strlen(walk->rest);
    char *to = walk->pending[walk->which ^= 1];

    if (++walk->links > TC_SH_LINKS_MAX)
        return ELOOP;
    if (n == 0)
        return ENOENT;
    if (n + rest + 2 > PATH_MAX)
        return ENAMETOOLONG;
    *strrchr(walk->real, '/') = '\0';
    if (target[0] == '/')
        walk->real[0] = '\0';
    memcpy(to + n, walk->rest, rest + 1);
    memcpy(to, target, n);
    walk->rest = to;
    return 0;
}

/* Looks at the end of walk->real. */
static int step(struct walk *walk, bool last, bool slash)
{
    char target[PATH_MAX];
    ssize_t n;
    int error;

    if (walk->gone)
        return walk->missing < 0 ? 0 : ENOENT;
    error = tc_sh_vfs_place_real(walk->vfs, walk->real, &walk->place);
    if (error == 0 && !walk->place.special && !walk->place.root) {
        n = readlinkat(walk->place.dirfd, walk->place.name, target, sizeof target);
        error = n >= 0 ? 0 : errno == EINVAL ? 0 : errno;
        tc_sh_place_release(&walk->place);
        if (n >= 0 && (!last || slash || walk->follow))
            return step_into_link(walk, target, (size_t)n);
    }
    if (error == ENOENT && (walk->missing < 0 || (walk->missing == 1 && last))) {
        walk->gone = true;
        return 0;
    }
    return error;
}

/* ".." is for folders only. */
static int step_up(struct walk *walk)
{
    char *slash = strrchr(walk->real, '/');
    struct stat stat;

    if (!slash)
        return 0;
    if (walk->gone && walk->missing >= 0)
        return ENOENT;
    if (!walk->gone) {
        int error = tc_sh_vfs_stat(walk->vfs, NULL, walk->real, false, &stat);
        if (error)
            return error;
        if (!S_ISDIR(stat.st_mode))
            return ENOTDIR;
    }
    walk->gone = false; /* of what is left the next step tells */
    *slash = '\0';
    return 0;
}

static int walk_on(struct walk *walk)
{
    size_t real_n, n;

    walk->rest += strspn(walk->rest, "/");
    n = strcspn(walk->rest, "/");
    if (n == 0 || (n == 1 && walk->rest[0] == '.')) {
        walk->rest += n;
        return 0;
    }
    if (n == 2 && walk->rest[0] == '.' && walk->rest[1] == '.') {
        walk->rest += n;
        return step_up(walk);
    }
    real_n = strlen(walk->real);
    if (n > NAME_MAX || real_n + n + 2 > PATH_MAX)
        return ENAMETOOLONG;
    walk->real[real_n] = '/';
    memcpy(walk->real + real_n + 1, walk->rest, n);
    walk->real[real_n + 1 + n] = '\0';
    walk->rest += n;
    return step(walk, walk->rest[strspn(walk->rest, "/")] == '\0', *walk->rest == '/');
}

static int make_real(struct tc_sh_vfs *vfs, const char *path, bool follow, int missing, char *real)
{
    struct walk walk = {.vfs = vfs, .real = real, .follow = follow, .missing = missing};

    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    if (!*path)
        return ENOENT;
    memcpy(walk.pending[0], path, strlen(path) + 1);
    walk.rest = walk.pending[0];
    real[0] = '\0';
    while (*walk.rest) {
        int error = walk_on(&walk);
        if (error)
            return error;
    }
    if (!*real)
        memcpy(real, "/", 2);
    return 0;
}

int tc_sh_vfs_realpath(struct tc_sh_vfs *vfs, const char *path, int missing, char *real)
{
    return make_real(vfs, path, true, missing, real);
}

static bool is_link(const struct tc_sh_place *place)
{
    char byte;

    return !place->special && !place->root && readlinkat(place->dirfd, place->name, &byte, 1) >= 0;
}

int tc_sh_vfs_place(struct tc_sh_vfs *vfs, const char *path, enum tc_sh_follow follow, struct tc_sh_place *ret_place)
{
    char real[PATH_MAX];
    bool plain, slash;
    int error = tc_sh_vfs_clean(path, ret_place->path, &plain, &slash);

    if (error)
        return error;
    ret_place->folder = slash;
    if (slash)
        follow = TC_SH_LINK_TARGET;
    if (plain) {
        error = take_apart(vfs, ret_place);
        if (error == 0 && (follow == TC_SH_LINK_ITSELF || !is_link(ret_place)))
            return 0;
        if (error == 0)
            tc_sh_place_release(ret_place);
        else if (error != ELOOP)
            return error;
    }
    error = make_real(vfs, path, follow == TC_SH_LINK_TARGET, 1, real);
    if (error)
        return error;
    error = tc_sh_vfs_place_real(vfs, real, ret_place);
    ret_place->folder = slash;
    return error;
}

int tc_sh_vfs_place_to_change(struct tc_sh_vfs *vfs, const char *path, enum tc_sh_follow follow,
                              struct tc_sh_place *ret_place)
{
    int error = tc_sh_vfs_place(vfs, path, follow, ret_place);

    if (error)
        return error;
    if (ret_place->special)
        return EACCES;
    if (ret_place->mount->read_only)
        error = EROFS;
    else if (ret_place->root)
        error = EBUSY;
    if (error)
        tc_sh_place_release(ret_place);
    return error;
}

int tc_sh_vfs_absolute(const char *cwd, const char *path, char *absolute)
{
    const char *from[] = {*path == '/' ? "" : cwd, path};
    size_t n = 0;

    for (int i = 0; i < 2; i++)
        for (const char *at = from[i]; *at;) {
            size_t part = strcspn(at, "/");

            if (part == 2 && at[0] == '.' && at[1] == '.') {
                while (n > 0 && absolute[--n] != '/') {
                }
            } else if (part > 0 && !(part == 1 && *at == '.')) {
                if (part > NAME_MAX || n + part + 2 > PATH_MAX)
                    return ENAMETOOLONG;
                absolute[n++] = '/';
                memcpy(absolute + n, at, part);
                n += part;
            }
            at += part + (at[part] == '/');
        }
    if (n == 0)
        absolute[n++] = '/';
    absolute[n] = '\0';
    return 0;
}
