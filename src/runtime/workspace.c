/*
 * The workspace object, and reading. A workspace holds one descriptor, of its
 * root; it is counted by references on the loop's thread and used by pool threads
 * only while a task waits for them.
 */
#include "runtime/workspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/user.h"
#include "base/utf8.h"
#include "runtime/offthread.h"
#include "runtime/workspace_impl.h"

/* --- life --- */

static void destroy(struct tc_workspace *workspace)
{
    if (workspace->root >= 0)
        close(workspace->root);
    tc_arena_finish(&workspace->arena);
    tc_mem_free(workspace);
}

static enum tc_err copy_names(struct tc_cx *cx, struct tc_workspace *workspace, const struct tc_workspace_names *from,
                              struct tc_workspace_names *to)
{
    struct tc_str *names;

    if (!from->names)
        return TC_OK;
    names = TC_ARENA_NEW_N(&workspace->arena, struct tc_str, from->n ? from->n : 1);
    if (!names)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < from->n; i++) {
        if (!tc_workspace_path_name_ok(from->names[i]))
            return tc_fail(cx, TC_E_CONFIG_INVALID, "\"%.*s\" is not the name of an entry of the workspace's root.",
                           TC_STR_ARG(from->names[i]));
        names[i] = tc_arena_dup(&workspace->arena, from->names[i]);
        if (!names[i].p)
            return tc_fail_memory(cx);
    }
    *to = (struct tc_workspace_names){names, from->n};
    return TC_OK;
}

static enum tc_err fill(struct tc_cx *cx, struct tc_workspace *workspace, const struct tc_workspace_options *options)
{
    enum tc_err err = copy_names(cx, workspace, &options->stage_visible, &workspace->stage_visible);

    if (!err)
        err = copy_names(cx, workspace, &options->stage_writable, &workspace->stage_writable);
    if (!err)
        err = copy_names(cx, workspace, &options->agent_visible, &workspace->agent_visible);
    if (!err)
        err = copy_names(cx, workspace, &options->agent_writable, &workspace->agent_writable);
    workspace->quota_bytes = options->quota_bytes ? options->quota_bytes : TC_WORKSPACE_QUOTA_BYTES;
    workspace->quota_files = options->quota_files ? options->quota_files : TC_WORKSPACE_QUOTA_FILES;
    workspace->sync = options->sync;
    return err;
}

struct opening {
    const struct tc_workspace_options *options;
    struct tc_workspace *workspace;
};

/* A model reads it: where on this machine the folder is, is not said. */
static enum tc_err fail_open(struct tc_cx *cx, int error)
{
    return tc_fail(cx, TC_E_WS_UNAVAILABLE, "The folder of the workspace cannot be opened: %s.",
                   strerrordesc_np(error));
}

/* mkdir -p; what stands there already is judged when it is opened. *ret_new: the last one was made. */
static int make_folders(char *path, bool *ret_new)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    *ret_new = mkdir(path, 0700) == 0;
    return !*ret_new && errno != EEXIST ? -1 : 0;
}

/* Opens the root and tries the one call that everything depends on. */
POOL static enum tc_err open_root(struct tc_cx *cx, void *arg)
{
    struct opening *opening = arg;
    struct tc_workspace *workspace = opening->workspace;
    struct tc_str path = opening->options->path;
    char *name = tc_arena_cstr(cx->arena, path);
    bool new = false;
    int probe;

    if (!name)
        return tc_fail_memory(cx);
    if (path.n == 0 || name[0] != '/' || tc_str_chr(path, '\0') != SIZE_MAX)
        return tc_fail(cx, TC_E_WS_UNAVAILABLE, "The path of a workspace must be absolute.");
    if (opening->options->create && make_folders(name, &new) != 0)
        return fail_open(cx, errno);
    workspace->root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (workspace->root < 0)
        return fail_open(cx, errno);
    probe = tc_workspace_fs_open(workspace->root, TC_STR(""), O_PATH | O_DIRECTORY);
    if (probe < 0)
        return tc_fail(cx, TC_E_WS_UNAVAILABLE, "This system cannot keep file access inside a workspace (openat2: %s).",
                       strerrordesc_np(errno));
    close(probe);
    if (new) /* by root: then no script in it runs as root */
        tc_user_give(workspace->root);
    tc_workspace_owner_find(workspace);
    return TC_OK;
}

enum tc_err tc_workspace_create(struct tc_cx *cx, const struct tc_workspace_options *options,
                                struct tc_workspace **ret_workspace)
{
    struct tc_workspace *workspace = tc_mem_zalloc(1, sizeof *workspace);
    struct opening opening = {options, workspace};
    enum tc_err err;

    if (!workspace)
        return tc_fail_memory(cx);
    workspace->refs = 1;
    workspace->root = -1;
    tc_arena_init(&workspace->arena, 1 << 20);
    err = fill(cx, workspace, options);
    if (!err)
        err = tc_offthread_run(cx, open_root, &opening);
    if (err) {
        destroy(workspace);
        return err;
    }
    *ret_workspace = workspace;
    return TC_OK;
}

struct tc_workspace *tc_workspace_ref(struct tc_workspace *workspace)
{
    workspace->refs++;
    return workspace;
}

void tc_workspace_unref(struct tc_workspace *workspace)
{
    if (!workspace)
        return;
    assert(workspace->refs > 0);
    if (--workspace->refs == 0)
        destroy(workspace);
}

void tc_workspace_touched(struct tc_workspace *workspace)
{
    workspace->touched = true;
}

void tc_workspace_service_init(struct tc_workspace_service *service, struct tc_workspace *workspace,
                               struct tc_workspace_records *records)
{
    *service = (struct tc_workspace_service){workspace, records};
}

/* --- reading --- */

struct reading {
    const struct tc_workspace *workspace;
    struct tc_str path;
    size_t max_bytes;
    bool internal;
    struct tc_workspace_file *file;
};

/* Follows links that stay inside, then checks the rules on what they led to. */
POOL static enum tc_err follow(struct tc_cx *cx, const struct reading *reading, struct tc_str *ret_real)
{
    enum tc_err err = tc_workspace_fs_resolve(cx, reading->workspace->root, reading->path, ret_real);

    if (!err && !tc_workspace_path_visible(reading->workspace, *ret_real))
        err = tc_workspace_fail_not_visible(cx, reading->path);
    return err;
}

static void measure(struct tc_workspace_file *file)
{
    struct tc_str s = file->bytes;

    file->text = !memchr(s.p, '\0', s.n) && tc_utf8_valid(s) == s.n;
    file->lines = file->chars = file->words = 0;
    if (!file->text || s.n == 0)
        return;
    file->lines = s.p[s.n - 1] != '\n';
    for (const char *at = s.p; (at = memchr(at, '\n', (size_t)(s.p + s.n - at))); at++)
        file->lines++;
    file->chars = (int64_t)tc_utf8_count(s);
    file->words = (int64_t)tc_utf8_words(s);
}

POOL static enum tc_err read_file(struct tc_cx *cx, void *arg)
{
    struct reading *reading = arg;
    struct tc_workspace_file *file = reading->file;
    struct tc_workspace_fs_bytes bytes;
    struct tc_str real = reading->path;
    struct stat st;
    enum tc_err err = TC_OK;

    if (!reading->internal)
        err = follow(cx, reading, &real);
    if (!err)
        err = tc_workspace_fs_read(cx, reading->workspace->root, real, reading->max_bytes, &bytes, &st);
    if (err)
        return err;
    if (!tc_arena_defer(cx->arena, tc_mem_free, bytes.p)) {
        tc_mem_free(bytes.p);
        return tc_fail_memory(cx);
    }
    file->bytes = tc_str_n(bytes.p, bytes.n);
    measure(file);
    tc_hash_sha256_hex(file->bytes, file->sha256);
    return TC_OK;
}

enum tc_err tc_workspace_read(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path, size_t max_bytes,
                              struct tc_workspace_file *ret_file)
{
    struct reading reading = {.workspace = ws->workspace, .max_bytes = max_bytes, .file = ret_file};
    enum tc_err err = tc_workspace_path(cx, path, &reading.path);

    if (err)
        return err;
    if (!tc_workspace_path_visible(ws->workspace, reading.path))
        return tc_workspace_fail_not_visible(cx, reading.path);
    return tc_offthread_run(cx, read_file, &reading);
}

enum tc_err tc_workspace_load(struct tc_cx *cx, struct tc_workspace *workspace, struct tc_str path, size_t max_bytes,
                              struct tc_workspace_file *ret_file)
{
    struct reading reading = {.workspace = workspace, .max_bytes = max_bytes, .internal = true, .file = ret_file};
    enum tc_err err = tc_workspace_path(cx, path, &reading.path);

    return err ? err : tc_offthread_run(cx, read_file, &reading);
}
