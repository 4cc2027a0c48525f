/*
 * Changes to a workspace: one at a time under its lock, each atomic. The new
 * content goes to a temporary file in the same folder, which is then renamed over
 * the old one; the check of what was there before and the rename lie in the same
 * critical section.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runtime/offthread.h"
#include "runtime/workspace_impl.h"

enum { LOCK_MS = 30000, MODE_FILE = 0644, MODE_FOLDER = 0755 };

/* One change, from the task to the pool and back. */
struct change {
    struct tc_workspace *workspace;
    struct tc_str path, bytes;
    enum tc_workspace_if condition;
    const char *sha256; /* for TC_WORKSPACE_IF_SAME */
    enum tc_err stale;  /* what it is called when the condition does not hold */
    bool append, internal;
    /* found and done on the way */
    struct tc_str real;
    struct tc_workspace_fs_bytes old;
    bool exists;
    struct stat was; /* where it exists */
    char old_sha256[TC_WORKSPACE_SHA_SIZE]; /* "" unless its content was read */
    struct tc_workspace_written written;
};

static enum tc_err fail_stale(struct tc_cx *cx, const struct change *change)
{
    if (change->condition == TC_WORKSPACE_IF_ABSENT)
        tc_fail(cx, change->stale, "\"%.*s\" exists by now.", TC_STR_ARG(change->path));
    else if (!change->exists)
        tc_fail(cx, change->stale, "\"%.*s\" is no longer there.", TC_STR_ARG(change->path));
    else
        tc_fail(cx, change->stale, "\"%.*s\" has changed since it was read.", TC_STR_ARG(change->path));
    return change->condition == TC_WORKSPACE_IF_ABSENT || change->exists
               ? tc_fail_hint(cx, "Read it again, then make the change on what it holds now.")
               : tc_fail_hint(cx, "Repeat the call to make it anew.");
}

/* --- what is there --- */

static enum tc_err stat_old(struct tc_cx *cx, const struct change *change, struct stat *ret_stat)
{
    int fd = tc_workspace_fs_open(change->workspace->root, change->real, O_PATH);
    int error = fd < 0 || fstat(fd, ret_stat) != 0 ? errno : 0;

    if (fd >= 0)
        close(fd);
    return error ? tc_workspace_fs_fail(cx, error, change->path, TC_WORKSPACE_FS_WRITE) : TC_OK;
}

/* The content as well where the change depends on it. */
static enum tc_err look(struct tc_cx *cx, struct change *change)
{
    bool content = change->append || change->condition == TC_WORKSPACE_IF_SAME;
    struct stat st;
    enum tc_err err = stat_old(cx, change, &st);

    if (err == TC_E_WS_FILE_NOT_FOUND) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    if (!err && S_ISDIR(st.st_mode))
        return tc_workspace_fs_fail(cx, EISDIR, change->path, TC_WORKSPACE_FS_WRITE);
    if (!err && !S_ISREG(st.st_mode))
        return tc_workspace_fs_fail(cx, ENXIO, change->path, TC_WORKSPACE_FS_WRITE);
    if (!err && content)
        err = tc_workspace_fs_read(cx, change->workspace->root, change->real, TC_WORKSPACE_FILE_MAX, &change->old, &st);
    if (err)
        return err;
    if (content)
        tc_hash_sha256_hex(tc_str_n(change->old.p, change->old.n), change->old_sha256);
    change->exists = true;
    change->was = st;
    return TC_OK;
}

static enum tc_err check(struct tc_cx *cx, const struct change *change)
{
    switch (change->condition) {
    case TC_WORKSPACE_IF_ABSENT:
        return change->exists ? fail_stale(cx, change) : TC_OK;
    case TC_WORKSPACE_IF_SAME:
        return strcmp(change->old_sha256, change->sha256) != 0 ? fail_stale(cx, change) : TC_OK;
    case TC_WORKSPACE_IF_ANY:
        break;
    }
    return TC_OK;
}

/* --- folders --- */

static int64_t missing_folders(int root, struct tc_str folder)
{
    int64_t n = 0;

    for (; folder.n; folder = tc_workspace_path_parent(folder), n++) {
        int fd = tc_workspace_fs_open(root, folder, O_PATH | O_DIRECTORY);
        if (fd >= 0) {
            close(fd);
            break;
        }
    }
    return n;
}

/* The entry `name` of the folder at, made when it is not there; closes at. */
static int open_or_make(const struct tc_workspace *workspace, int at, struct tc_str name)
{
    char cname[TC_WORKSPACE_NAME_MAX + 1];
    int fd = tc_workspace_fs_open(at, name, O_PATH | O_DIRECTORY), error;

    if (fd < 0 && errno == ENOENT && name.n < sizeof cname) {
        memcpy(cname, name.p, name.n);
        cname[name.n] = '\0';
        bool made = mkdirat(at, cname, MODE_FOLDER) == 0;
        if (made || errno == EEXIST)
            fd = tc_workspace_fs_open(at, name, O_PATH | O_DIRECTORY);
        if (made && fd >= 0)
            tc_workspace_owner_set(workspace, fd, NULL);
    }
    error = errno;
    close(at);
    errno = error;
    return fd;
}

/* The folder, made with all above it when needed; -1 with errno. */
static int open_folder(const struct tc_workspace *workspace, struct tc_str folder)
{
    int root = workspace->root, fd = tc_workspace_fs_open(root, folder, O_PATH | O_DIRECTORY);
    struct tc_str part;

    if (fd >= 0 || errno != ENOENT)
        return fd;
    fd = tc_workspace_fs_open(root, TC_STR(""), O_PATH | O_DIRECTORY);
    while (fd >= 0 && tc_str_split(&folder, '/', &part))
        fd = open_or_make(workspace, fd, part);
    return fd;
}

/* --- content --- */

static int write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        p += put;
        n -= (size_t)put;
    }
    return 0;
}

/* The temporary file, complete; 0 or an errno. */
static int write_temp(const struct change *change, int folder, const char *temp)
{
    int fd = openat(folder, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE_FILE);
    int error = 0;

    if (fd < 0)
        return errno;
    tc_workspace_owner_set(change->workspace, fd, change->exists ? &change->was : NULL);
    if (change->append && write_all(fd, change->old.p, change->old.n) != 0)
        error = errno;
    else if (write_all(fd, change->bytes.p, change->bytes.n) != 0)
        error = errno;
    else if (change->exists && fchmod(fd, change->was.st_mode & 0777) != 0)
        error = errno;
    else if (change->workspace->sync && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

/* Into place; where the file must be new the kernel checks it. 0 or an errno. */
static int move_temp(const struct change *change, int folder, const char *temp, const char *name)
{
    if (change->exists || change->condition == TC_WORKSPACE_IF_ANY)
        return renameat(folder, temp, folder, name) == 0 ? 0 : errno;
    if (renameat2(folder, temp, folder, name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    if (linkat(folder, temp, folder, name, 0) != 0)
        return errno;
    unlinkat(folder, temp, 0);
    return 0;
}

static enum tc_err replace(struct tc_cx *cx, const struct change *change, int folder)
{
    char temp[TC_WORKSPACE_TEMP_SIZE];
    char *name = tc_arena_cstr(cx->arena, tc_workspace_path_last(change->real));
    int error;

    if (!name)
        return tc_fail_memory(cx);
    tc_workspace_path_temp(temp);
    error = write_temp(change, folder, temp);
    if (!error)
        error = move_temp(change, folder, temp, name);
    if (!error)
        return TC_OK;
    unlinkat(folder, temp, 0);
    if (error == EEXIST)
        return fail_stale(cx, change);
    return tc_workspace_fs_fail(cx, error, change->path, TC_WORKSPACE_FS_WRITE);
}

/* Hash of the new content, joined first where it is old and new. */
static enum tc_err hash_new(struct tc_cx *cx, struct change *change)
{
    size_t n = change->old.n + change->bytes.n;
    char *joined;

    if (!change->append || change->old.n == 0) {
        tc_hash_sha256_hex(change->bytes, change->written.sha256);
        return TC_OK;
    }
    joined = tc_mem_realloc(change->old.p, n);
    if (!joined)
        return tc_fail_memory(cx);
    change->old.p = joined;
    if (change->bytes.n)
        memcpy(joined + change->old.n, change->bytes.p, change->bytes.n);
    tc_hash_sha256_hex(tc_str_n(joined, n), change->written.sha256);
    return TC_OK;
}

static enum tc_err store(struct tc_cx *cx, struct change *change)
{
    struct tc_workspace *workspace = change->workspace;
    struct tc_str parent = tc_workspace_path_parent(change->real);
    int64_t size = (int64_t)change->bytes.n + (change->append ? (int64_t)change->old.n : 0);
    int64_t grows = size - (change->exists ? change->was.st_size : 0);
    int64_t files = (change->exists ? 0 : 1) + missing_folders(workspace->root, parent);
    enum tc_err err;
    int folder;

    if (size > TC_WORKSPACE_FILE_MAX)
        return tc_fail(cx, TC_E_WS_QUOTA, "\"%.*s\" would be larger than 64 MiB.", TC_STR_ARG(change->path));
    err = tc_workspace_usage_allow(cx, workspace, grows, files);
    if (!err)
        err = hash_new(cx, change);
    if (err)
        return err;
    folder = open_folder(workspace, parent);
    if (folder < 0)
        return tc_workspace_fs_fail(cx, errno, change->path, TC_WORKSPACE_FS_WRITE);
    err = replace(cx, change, folder);
    close(folder);
    if (err) {
        workspace->usage.unsure = true;
        return err;
    }
    change->written.chars = (int64_t)tc_utf8_count(change->bytes);
    change->written.words = (int64_t)tc_utf8_words(change->bytes);
    workspace->usage.bytes += grows;
    workspace->usage.files += files;
    return TC_OK;
}

POOL static enum tc_err apply(struct tc_cx *cx, void *arg)
{
    struct change *change = arg;
    const struct tc_workspace *workspace = change->workspace;
    enum tc_err err = TC_OK;

    change->real = change->path;
    if (!change->internal) {
        err = tc_workspace_fs_resolve(cx, workspace->root, change->path, &change->real);
        if (!err && !tc_workspace_path_writable(workspace, change->real))
            err = tc_workspace_fail_not_writable(cx, workspace, change->path);
    }
    if (!err)
        err = look(cx, change);
    if (err == TC_E_WS_READ_TOO_LARGE && change->condition == TC_WORKSPACE_IF_SAME) {
        change->exists = true;
        err = fail_stale(cx, change);
    }
    if (!err)
        err = check(cx, change);
    if (!err)
        err = store(cx, change);
    tc_mem_free(change->old.p);
    change->old = (struct tc_workspace_fs_bytes){0};
    return err;
}

PARKS static enum tc_err run_locked(struct tc_cx *cx, struct change *change)
{
    struct tc_workspace *workspace = change->workspace;
    enum tc_err err = tc_lock_take(cx, &workspace->lock, LOCK_MS);

    if (err == TC_E_TIMEOUT && !tc_task_check(cx))
        return tc_fail(cx, TC_E_BUSY, "Other changes to this workspace took too long.");
    if (err)
        return err;
    if (workspace->touched)
        workspace->usage.unsure = true;
    workspace->touched = false;
    err = tc_offthread_run(cx, apply, change);
    tc_lock_give(&workspace->lock);
    return err;
}

/* Normalises the path, checks it and makes the change. */
PARKS static enum tc_err change_file(struct tc_cx *cx, struct change *change, struct tc_str path)
{
    enum tc_err err = tc_workspace_path(cx, path, &change->path);

    if (err)
        return err;
    if (change->path.n == 0)
        return tc_fail(cx, TC_E_WS_IS_DIRECTORY, "The path names the workspace itself, not a file.");
    if (!change->internal && !tc_workspace_path_writable(change->workspace, change->path))
        return tc_workspace_fail_not_writable(cx, change->workspace, change->path);
    return run_locked(cx, change);
}

enum tc_err tc_workspace_may_write(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path)
{
    enum tc_err err = tc_workspace_path(cx, path, &path);

    if (!err && !tc_workspace_path_writable(ws->workspace, path))
        err = tc_workspace_fail_not_writable(cx, ws->workspace, path);
    return err;
}

enum tc_err tc_workspace_write(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                               struct tc_str bytes, enum tc_workspace_if condition, const char *sha256,
                               struct tc_workspace_written *ret_written)
{
    struct change change = {.workspace = ws->workspace,
                            .bytes = bytes,
                            .condition = condition,
                            .sha256 = sha256,
                            .stale = TC_E_WS_WRITE_STALE};
    enum tc_err err = change_file(cx, &change, path);

    if (err == TC_E_WS_WRITE_STALE && condition == TC_WORKSPACE_IF_SAME && !change.exists)
        tc_workspace_records_forget(ws->records, change.path);
    if (err)
        return err;
    tc_workspace_records_written(ws->records, change.path, change.written.sha256);
    *ret_written = change.written;
    return TC_OK;
}

enum tc_err tc_workspace_patch(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                               struct tc_str bytes, const struct tc_workspace_edit *edit,
                               struct tc_workspace_written *ret_written)
{
    struct change change = {.workspace = ws->workspace,
                            .bytes = bytes,
                            .condition = TC_WORKSPACE_IF_SAME,
                            .sha256 = edit->sha256,
                            .stale = TC_E_WS_PATCH_STALE};
    enum tc_err err = change_file(cx, &change, path);

    if (err)
        return err;
    tc_workspace_records_patched(ws->records, change.path, change.written.sha256, edit);
    *ret_written = change.written;
    return TC_OK;
}

enum tc_err tc_workspace_append(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                                struct tc_str bytes, struct tc_workspace_written *ret_written)
{
    struct change change = {.workspace = ws->workspace, .bytes = bytes, .condition = TC_WORKSPACE_IF_ANY,
                            .append = true};
    struct tc_workspace_record record;
    enum tc_err err = change_file(cx, &change, path);

    if (err)
        return err;
    tc_workspace_record_get(ws, change.path, &record);
    if (!change.exists || (record.full && strcmp(record.sha256, change.old_sha256) == 0))
        tc_workspace_records_written(ws->records, change.path, change.written.sha256);
    *ret_written = change.written;
    return TC_OK;
}

enum tc_err tc_workspace_put(struct tc_cx *cx, struct tc_workspace *workspace, struct tc_str path, struct tc_str bytes)
{
    struct change change = {
        .workspace = workspace, .bytes = bytes, .condition = TC_WORKSPACE_IF_ANY, .internal = true};

    return change_file(cx, &change, path);
}
