/*
 * Without rules of a stage or an agent the whole root is one writable folder. With them
 * the root can only be read, what may be written is mounted over it, and what may be
 * seen is named. In both cases skills/ and tool-results/ can only be read.
 *
 * The kernel's walls know folders, not exceptions below a writable one: that skills/ of
 * an unrestricted workspace cannot be written is the rule of the shell's view.
 */
#include "runtime/workspace_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/offthread.h"
#include "runtime/workspace_impl.h"

enum { LOCK_MS = 30000, MOUNTS_MAX = 60, MODE_FOLDER = 0755 };

static const char *const fixed[] = {"skills", "tool-results"};

struct opening {
    struct tc_workspace *workspace;
    struct tc_sandbox_request *request;
    size_t mounts;
    bool tmp; /* the workspace has a folder of that name, and it is shown */
};

static struct tc_str absolute(struct tc_cx *cx, struct tc_str name)
{
    return tc_arena_printf(cx->arena, "/%.*s", TC_STR_ARG(name));
}

/* Takes the descriptor over. */
static enum tc_err grant(struct tc_cx *cx, struct opening *opening, struct tc_str path, unsigned flags, int fd)
{
    struct tc_sandbox_request *request = opening->request;

    opening->mounts += (flags & TC_SANDBOX_MOUNT) != 0;
    if (request->grants_n == TC_SANDBOX_GRANTS_MAX || opening->mounts > MOUNTS_MAX || !path.p) {
        close(fd);
        return path.p ? tc_fail(cx, TC_E_LIMIT, "The agent's rules name too many folders for the shell.")
                      : tc_fail_memory(cx);
    }
    request->grants[request->grants_n++] = (struct tc_sandbox_grant){path, flags, fd};
    return TC_OK;
}

static enum tc_err hide(struct tc_cx *cx, struct opening *opening, const char *name)
{
    struct tc_str path = absolute(cx, tc_str_of(name));

    opening->request->hidden[opening->request->hidden_n++] = path;
    return path.p ? TC_OK : tc_fail_memory(cx);
}

static bool is_fixed(struct tc_str name)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (tc_str_is(name, fixed[i]))
            return true;
    return false;
}

/* --- the root --- */

static bool has_visible(const struct tc_workspace *workspace)
{
    return workspace->stage_visible.names || workspace->agent_visible.names;
}

static bool has_writable(const struct tc_workspace *workspace)
{
    return workspace->stage_writable.names || workspace->agent_writable.names;
}

static enum tc_err open_root(struct tc_cx *cx, struct opening *opening)
{
    const struct tc_workspace *workspace = opening->workspace;
    unsigned flags = TC_SANDBOX_MOUNT;
    int fd = tc_workspace_fs_open(workspace->root, TC_STR(""), O_RDONLY | O_DIRECTORY);

    if (fd < 0)
        return tc_workspace_fs_fail(cx, errno, TC_STR("."), TC_WORKSPACE_FS_TREE);
    if (has_visible(workspace))
        flags |= TC_SANDBOX_NAMES;
    else if (!has_writable(workspace))
        flags |= TC_SANDBOX_WRITE;
    return grant(cx, opening, TC_STR("/"), flags, fd);
}

/* What can never be written, or never be seen. What is not there is not made. */
static enum tc_err open_fixed(struct tc_cx *cx, struct opening *opening)
{
    enum tc_err e = hide(cx, opening, ".toolcrib");

    for (size_t i = 0; !e && i < sizeof fixed / sizeof *fixed; i++) {
        struct tc_str name = tc_str_of(fixed[i]);
        int fd = tc_workspace_fs_open(opening->workspace->root, name, O_RDONLY | O_DIRECTORY);
        e = fd >= 0 ? grant(cx, opening, absolute(cx, name), TC_SANDBOX_MOUNT, fd) : hide(cx, opening, fixed[i]);
    }
    return e;
}

/* --- what rules name --- */

static bool may_write_below(const struct tc_workspace *workspace, struct tc_arena *arena, struct tc_str name)
{
    struct tc_str below = tc_arena_printf(arena, "%.*s/x", TC_STR_ARG(name));

    return below.p && tc_workspace_path_writable(workspace, below);
}

/* A folder that may be written is there, as it would be after the first write by another tool. */
static int open_named(const struct tc_workspace *workspace, const char *name, bool write)
{
    struct tc_str path = tc_str_of(name);
    int fd = tc_workspace_fs_open(workspace->root, path, O_RDONLY | O_DIRECTORY);

    if (fd < 0 && errno == ENOENT && write && workspace->stage_writable.names &&
        mkdirat(workspace->root, name, MODE_FOLDER) == 0) {
        fd = tc_workspace_fs_open(workspace->root, path, O_RDONLY | O_DIRECTORY);
        if (fd >= 0)
            tc_workspace_owner_set(workspace, fd, NULL);
    }
    if (fd < 0 && errno == ENOTDIR)
        fd = tc_workspace_fs_open(workspace->root, path, O_PATH);
    return fd;
}

static bool is_folder(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum tc_err open_name(struct tc_cx *cx, struct opening *opening, struct tc_str name)
{
    const struct tc_workspace *workspace = opening->workspace;
    struct tc_sandbox_request *request = opening->request;
    char *cname = tc_arena_cstr(cx->arena, name);
    struct tc_str path = absolute(cx, name);
    bool write = may_write_below(workspace, cx->arena, name);
    int fd;

    if (!cname || !path.p)
        return tc_fail_memory(cx);
    if (is_fixed(name) || !tc_workspace_path_visible(workspace, name))
        return TC_OK;
    if (request->shown_n == TC_SANDBOX_NAMES_MAX)
        return tc_fail(cx, TC_E_LIMIT, "The agent's rules name too many folders for the shell.");
    if (has_visible(workspace))
        request->shown[request->shown_n++] = path;
    fd = open_named(workspace, cname, write);
    if (fd < 0)
        return TC_OK; /* not there, or a link */
    opening->tmp |= tc_str_is(name, "tmp") && is_folder(fd);
    if (write && is_folder(fd))
        return grant(cx, opening, path, TC_SANDBOX_MOUNT | TC_SANDBOX_WRITE, fd);
    return grant(cx, opening, path, 0, fd);
}

/* The lists that decide: what may be seen, else what may be written. Names in several come once. */
static enum tc_err open_names(struct tc_cx *cx, struct opening *opening)
{
    const struct tc_workspace *workspace = opening->workspace;
    const struct tc_workspace_names *from = workspace->stage_visible.names   ? &workspace->stage_visible
                                            : workspace->agent_visible.names ? &workspace->agent_visible
                                            : workspace->stage_writable.names ? &workspace->stage_writable
                                                                              : &workspace->agent_writable;
    enum tc_err e = TC_OK;

    for (size_t i = 0; !e && i < from->n; i++)
        e = open_name(cx, opening, from->names[i]);
    if (!e && has_visible(workspace) && opening->request->shown_n == 0) /* nothing is: a name that is hidden */
        opening->request->shown[opening->request->shown_n++] = TC_STR("/.toolcrib");
    return e;
}

static bool has_tmp(const struct opening *opening)
{
    int fd = tc_workspace_fs_open(opening->workspace->root, TC_STR("tmp"), O_PATH | O_DIRECTORY);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* --- the working directory --- */

/* Absolute, of the view, without "." and "..". */
static enum tc_err clean_cwd(struct tc_cx *cx, struct tc_sandbox_request *request)
{
    struct tc_str rest = request->cwd, part, clean = TC_STR("");

    while (clean.p && tc_str_split(&rest, '/', &part)) {
        if (part.n == 0 || tc_str_is(part, "."))
            continue;
        clean = tc_str_is(part, "..") ? tc_workspace_path_parent(clean)
                                      : tc_workspace_path_join(cx->arena, clean, part);
    }
    request->cwd = clean.p ? absolute(cx, clean) : clean;
    return request->cwd.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err check_cwd(struct tc_cx *cx, const struct opening *opening)
{
    struct tc_str path = tc_str_from(opening->request->cwd, 1), real = path;
    int root = opening->workspace->root, fd;
    enum tc_err e = TC_OK;

    if (path.n == 0 || (opening->request->own_tmp && tc_str_is(path, "tmp")))
        return TC_OK;
    if (path.n > TC_WORKSPACE_PATH_MAX || tc_str_chr(path, '\0') != SIZE_MAX)
        return tc_fail(cx, TC_E_WS_INVALID_PATH, "workdir is no path.");
    e = tc_workspace_fs_resolve(cx, root, path, &real);
    if (e)
        return e;
    fd = tc_workspace_path_visible(opening->workspace, real) ? tc_workspace_fs_open(root, real, O_PATH | O_DIRECTORY)
                                                             : -1;
    if (fd < 0)
        return tc_fail(cx, TC_E_WS_PATH_NOT_FOUND, "workdir \"%.*s\" is no folder of the workspace.",
                       TC_STR_ARG(opening->request->cwd));
    close(fd);
    return TC_OK;
}

/* --- all of it --- */

/* What is used is counted only where it matters. */
static enum tc_err put_quotas(struct tc_cx *cx, struct tc_workspace *workspace, struct tc_sandbox_request *request)
{
    enum tc_err e = TC_OK;

    if (workspace->quota_bytes == INT64_MAX && workspace->quota_files == INT64_MAX)
        return TC_OK;
    if (!workspace->usage.scanned_us || workspace->usage.unsure)
        e = tc_workspace_usage_scan(cx, workspace);
    request->bytes_max = workspace->quota_bytes == INT64_MAX ? 0 : workspace->quota_bytes;
    request->files_max = workspace->quota_files == INT64_MAX ? 0 : workspace->quota_files;
    request->bytes_used = workspace->usage.bytes;
    request->files_used = workspace->usage.files;
    return e;
}

POOL static enum tc_err open_view(struct tc_cx *cx, void *arg)
{
    struct opening *opening = arg;
    struct tc_workspace *workspace = opening->workspace;
    struct tc_sandbox_request *request = opening->request;
    bool rules = has_visible(workspace) || has_writable(workspace);
    enum tc_err e;

    request->grants = TC_ARENA_NEW_N(cx->arena, struct tc_sandbox_grant, TC_SANDBOX_GRANTS_MAX);
    request->hidden = TC_ARENA_NEW_N(cx->arena, struct tc_str, 1 + sizeof fixed / sizeof *fixed);
    request->shown = TC_ARENA_NEW_N(cx->arena, struct tc_str, TC_SANDBOX_NAMES_MAX);
    if (!request->grants || !request->hidden || !request->shown)
        return tc_fail_memory(cx);
    e = put_quotas(cx, workspace, request);
    if (!e)
        e = open_root(cx, opening);
    if (!e)
        e = open_fixed(cx, opening);
    if (!e && rules)
        e = open_names(cx, opening);
    request->own_tmp = has_visible(workspace) ? !opening->tmp : !has_tmp(opening);
    if (!e)
        e = clean_cwd(cx, request);
    return e ? e : check_cwd(cx, opening);
}

enum tc_err tc_workspace_mounts_open(struct tc_cx *cx, struct tc_workspace *workspace,
                                     struct tc_sandbox_request *request)
{
    struct opening opening = {.workspace = workspace, .request = request};
    enum tc_err e = tc_lock_take(cx, &workspace->lock, LOCK_MS);

    if (e == TC_E_TIMEOUT && !tc_task_check(cx))
        return tc_fail(cx, TC_E_BUSY, "Other changes to this workspace took too long.");
    if (e)
        return e;
    if (workspace->touched)
        workspace->usage.unsure = true;
    workspace->touched = false;
    e = tc_offthread_run(cx, open_view, &opening);
    tc_lock_give(&workspace->lock);
    if (e)
        tc_workspace_mounts_close(request);
    return e;
}

void tc_workspace_mounts_close(struct tc_sandbox_request *request)
{
    while (request->grants_n)
        close(request->grants[--request->grants_n].fd);
}
