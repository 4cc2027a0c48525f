/*
 * Listing: level by level, so that a cut-off list still shows all of the upper
 * folders that fit, then in order of path. Links are shown as what they lead to
 * and not entered.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/offthread.h"
#include "runtime/workspace_impl.h"

/* A folder whose entries are still to be listed. */
struct folder {
    struct folder *next;
    struct tc_str path, real; /* as shown, and without links */
};

struct listing {
    const struct tc_workspace *workspace;
    struct tc_str path;
    int depth;
    size_t max, n;
    struct tc_workspace_entry *entries;
    bool more;
    struct folder *below, **below_end; /* of the next level */
};

static bool push(struct tc_cx *cx, struct listing *listing, struct tc_str path, struct tc_str real)
{
    struct folder *folder = TC_ARENA_NEW(cx->arena, struct folder);

    if (!folder)
        return false;
    folder->path = path;
    folder->real = real;
    *listing->below_end = folder;
    listing->below_end = &folder->next;
    return true;
}

/* What a link leads to. False when that is out of reach, hidden or missing. */
POOL static bool follow(struct tc_cx *cx, const struct listing *listing, struct tc_str real, struct stat *ret_stat)
{
    int root = listing->workspace->root, fd;
    bool found;

    if (tc_workspace_fs_resolve(cx, root, real, &real) || !tc_workspace_path_visible(listing->workspace, real)) {
        tc_fail_clear(cx);
        return false;
    }
    fd = tc_workspace_fs_open(root, real, O_PATH);
    found = fd >= 0 && fstat(fd, ret_stat) == 0;
    if (fd >= 0)
        close(fd);
    return found;
}

POOL static enum tc_err add(struct tc_cx *cx, struct listing *listing, const struct folder *in, int at,
                            const struct tc_workspace_fs_name *name)
{
    struct tc_str real = tc_workspace_path_join(cx->arena, in->real, name->name);
    struct tc_str path = tc_workspace_path_join(cx->arena, in->path, name->name);
    struct stat st;
    bool link, directory;

    if (!real.p || !path.p)
        return tc_fail_memory(cx);
    if (!tc_workspace_path_visible(listing->workspace, real) ||
        fstatat(at, name->name.p, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return TC_OK;
    link = S_ISLNK(st.st_mode);
    if (link && !follow(cx, listing, real, &st))
        return TC_OK;
    directory = S_ISDIR(st.st_mode);
    if (!directory && !S_ISREG(st.st_mode))
        return TC_OK;
    if (listing->n == listing->max) {
        listing->more = true;
        return TC_OK;
    }
    listing->entries[listing->n++] =
        (struct tc_workspace_entry){path, directory, directory ? 0 : (int64_t)st.st_size};
    if (directory && !link && !push(cx, listing, path, real))
        return tc_fail_memory(cx);
    return TC_OK;
}

POOL static enum tc_err list_folder(struct tc_cx *cx, struct listing *listing, const struct folder *folder)
{
    int fd = tc_workspace_fs_open(listing->workspace->root, folder->real, O_RDONLY | O_DIRECTORY);
    int at = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0); /* reading the names closes fd */
    struct tc_workspace_fs_name *names = NULL;
    size_t n = 0;
    enum tc_err err = TC_OK;

    if (at < 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        /* one that vanished or is closed to us does not spoil the list */
        return fd < 0 && folder->path.n > listing->path.n
                   ? TC_OK
                   : tc_workspace_fs_fail(cx, error, folder->path, TC_WORKSPACE_FS_TREE);
    }
    err = tc_workspace_fs_names(cx, fd, &names, &n, &listing->more);
    for (size_t i = 0; i < n && !err && !(listing->more && listing->n == listing->max); i++)
        err = add(cx, listing, folder, at, &names[i]);
    close(at);
    return err;
}

static int by_path(const void *a, const void *b)
{
    const struct tc_workspace_entry *x = a, *y = b;

    return tc_workspace_path_cmp(x->path, y->path);
}

/* The path itself, when it is a file. */
POOL static enum tc_err list_file(struct tc_cx *cx, struct listing *listing, const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return tc_workspace_fs_fail(cx, ENXIO, listing->path, TC_WORKSPACE_FS_TREE);
    if (listing->max == 0)
        listing->more = true;
    else
        listing->entries[listing->n++] = (struct tc_workspace_entry){listing->path, false, st->st_size};
    return TC_OK;
}

POOL static enum tc_err list_levels(struct tc_cx *cx, struct listing *listing, struct tc_str real)
{
    enum tc_err err = push(cx, listing, listing->path, real) ? TC_OK : tc_fail_memory(cx);

    for (int level = 0; level < listing->depth && !err; level++) {
        struct folder *folder = listing->below;
        listing->below = NULL;
        listing->below_end = &listing->below;
        for (; folder && !err; folder = folder->next)
            err = list_folder(cx, listing, folder);
    }
    if (!err && listing->n)
        qsort(listing->entries, listing->n, sizeof *listing->entries, by_path);
    return err;
}

POOL static enum tc_err list(struct tc_cx *cx, void *arg)
{
    struct listing *listing = arg;
    int root = listing->workspace->root, fd, error;
    struct tc_str real;
    struct stat st;
    enum tc_err err = tc_workspace_fs_resolve(cx, root, listing->path, &real);

    if (!err && !tc_workspace_path_visible(listing->workspace, real))
        err = tc_workspace_fail_not_visible(cx, listing->path);
    if (err)
        return err;
    fd = tc_workspace_fs_open(root, real, O_PATH);
    error = fd < 0 || fstat(fd, &st) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    if (error)
        return tc_workspace_fs_fail(cx, error, listing->path, TC_WORKSPACE_FS_TREE);
    listing->below_end = &listing->below;
    listing->entries = TC_ARENA_NEW_N(cx->arena, struct tc_workspace_entry, listing->max ? listing->max : 1);
    if (!listing->entries)
        return tc_fail_memory(cx);
    return S_ISDIR(st.st_mode) ? list_levels(cx, listing, real) : list_file(cx, listing, &st);
}

enum tc_err tc_workspace_list(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path, int depth,
                              size_t max, struct tc_workspace_entry **ret_entries, size_t *ret_n, bool *ret_more)
{
    struct listing listing = {.workspace = ws->workspace, .depth = depth, .max = max};
    enum tc_err err = tc_workspace_path(cx, path, &listing.path);

    if (!err && !tc_workspace_path_visible(ws->workspace, listing.path))
        err = tc_workspace_fail_not_visible(cx, listing.path);
    if (!err)
        err = tc_offthread_run(cx, list, &listing);
    if (err)
        return err;
    *ret_entries = listing.entries;
    *ret_n = listing.n;
    *ret_more = listing.more;
    return TC_OK;
}
