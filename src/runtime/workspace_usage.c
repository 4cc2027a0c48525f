/*
 * What a workspace's tree holds, against its quotas. The count is kept along with
 * our own writes and taken anew when it is not sure: at first, after others
 * changed the tree, and before a write is refused.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/workspace_impl.h"

enum { DEPTH_MAX = 200, TEMP_OLD_S = 3600, RESCAN_US = 1000000 };

struct scan {
    int64_t bytes, files;
    const struct tc_workspace *workspace;
    time_t now;
};

/* Past a quota the exact number does not matter. */
static bool is_over(const struct scan *scan)
{
    return scan->files > scan->workspace->quota_files || scan->bytes > scan->workspace->quota_bytes;
}

static void scan_folder(struct scan *scan, int fd, int depth);

static void scan_entry(struct scan *scan, int fd, const char *name, int depth)
{
    struct stat st;

    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (S_ISREG(st.st_mode) && tc_workspace_path_is_temp(tc_str_of(name))) {
        if (scan->now - st.st_mtime > TEMP_OLD_S)
            unlinkat(fd, name, 0);
        return;
    }
    scan->files++;
    if (S_ISREG(st.st_mode))
        scan->bytes += st.st_size;
    if (S_ISDIR(st.st_mode)) {
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            scan_folder(scan, below, depth + 1);
    }
}

/* Takes fd over. A tree that is deeper than any path of ours counts as full: it
 * was made to hide from the count. */
static void scan_folder(struct scan *scan, int fd, int depth)
{
    DIR *dir = depth > DEPTH_MAX ? NULL : fdopendir(fd);
    struct dirent *entry;

    if (!dir) {
        close(fd);
        scan->files = INT64_MAX / 2;
        return;
    }
    while (!is_over(scan) && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            scan_entry(scan, dirfd(dir), entry->d_name, depth);
    closedir(dir);
}

enum tc_err tc_workspace_usage_scan(struct tc_cx *cx, struct tc_workspace *workspace)
{
    struct scan scan = {.workspace = workspace, .now = time(NULL)};
    int fd = tc_workspace_fs_open(workspace->root, TC_STR(""), O_RDONLY | O_DIRECTORY);

    if (fd < 0)
        return tc_workspace_fs_fail(cx, errno, TC_STR("."), TC_WORKSPACE_FS_TREE);
    scan_folder(&scan, fd, 0);
    workspace->usage = (struct tc_workspace_usage){
        .bytes = scan.bytes, .files = scan.files, .scanned_us = tc_clock_mono_us(cx->clock) | 1};
    return TC_OK;
}

static bool fits(const struct tc_workspace *workspace, int64_t bytes, int64_t files)
{
    const struct tc_workspace_usage *usage = &workspace->usage;

    return (bytes <= 0 || usage->bytes <= workspace->quota_bytes - bytes) &&
           (files <= 0 || usage->files <= workspace->quota_files - files);
}

enum tc_err tc_workspace_usage_allow(struct tc_cx *cx, struct tc_workspace *workspace, int64_t bytes, int64_t files)
{
    struct tc_workspace_usage *usage = &workspace->usage;
    enum tc_err err;

    if (bytes <= 0 && files <= 0)
        return TC_OK;
    if (workspace->quota_bytes == INT64_MAX && workspace->quota_files == INT64_MAX)
        return TC_OK;
    if (!usage->scanned_us || usage->unsure) {
        err = tc_workspace_usage_scan(cx, workspace);
        if (err)
            return err;
    } else if (!fits(workspace, bytes, files) && tc_clock_mono_us(cx->clock) - usage->scanned_us > RESCAN_US) {
        err = tc_workspace_usage_scan(cx, workspace);
        if (err)
            return err;
    }
    if (fits(workspace, bytes, files))
        return TC_OK;
    tc_fail(cx, TC_E_WS_QUOTA, "The workspace is full: it may hold %lld bytes in %lld files and folders.",
            (long long)workspace->quota_bytes, (long long)workspace->quota_files);
    return tc_fail_hint(cx, "Write less, or make existing files smaller.");
}
