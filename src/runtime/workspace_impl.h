/*
 * What the files of the workspace share. Functions marked POOL run on a pool
 * thread with a context of their own.
 */
#ifndef TC_RUNTIME_WORKSPACE_IMPL_H
#define TC_RUNTIME_WORKSPACE_IMPL_H

#include <sys/stat.h>

#include "io/lock.h"
#include "runtime/workspace.h"

#define POOL /* on a pool thread */

/* What the tree holds, as far as known. Only the holder of the lock uses it. */
struct tc_workspace_usage {
    bool unsure;
    int64_t bytes, files;
    int64_t scanned_us; /* when, by the steady clock; 0: never */
};

struct tc_workspace {
    struct tc_arena arena; /* copies of the lists */
    int refs;
    int root; /* O_PATH */
    struct tc_workspace_names stage_visible, stage_writable, agent_visible, agent_writable;
    int64_t quota_bytes, quota_files;
    bool sync;
    bool foreign; /* we are root, and it belongs to somebody else: */
    uid_t uid;
    gid_t gid;
    bool touched; /* by others, since the last change of ours */
    struct tc_lock lock;
    struct tc_workspace_usage usage;
};

/* --- workspace_path.c: rules on normalised paths --- */

enum { TC_WORKSPACE_PATH_MAX = 2048, TC_WORKSPACE_PATH_DEPTH = 64, TC_WORKSPACE_NAME_MAX = 255 };

bool tc_workspace_path_visible(const struct tc_workspace *workspace, struct tc_str path);
bool tc_workspace_path_writable(const struct tc_workspace *workspace, struct tc_str path);
/* A name of a folder's entry that a path can hold. */
bool tc_workspace_path_name_ok(struct tc_str name);
struct tc_str tc_workspace_path_first(struct tc_str path);  /* its first segment */
struct tc_str tc_workspace_path_parent(struct tc_str path); /* "" for an entry of the root */
struct tc_str tc_workspace_path_last(struct tc_str path);
/* folder "" is the root; p is NULL without memory. */
struct tc_str tc_workspace_path_join(struct tc_arena *arena, struct tc_str folder, struct tc_str name);
/* Segment by segment, so that a folder stands right before what it holds. */
int tc_workspace_path_cmp(struct tc_str a, struct tc_str b);
/* Names of files under way, hidden everywhere: prefix, 16 hex digits, suffix. */
enum { TC_WORKSPACE_TEMP_SIZE = 32 };
void tc_workspace_path_temp(char to[TC_WORKSPACE_TEMP_SIZE]);
bool tc_workspace_path_is_temp(struct tc_str name);
enum tc_err tc_workspace_fail_not_visible(struct tc_cx *cx, struct tc_str path);
enum tc_err tc_workspace_fail_not_writable(struct tc_cx *cx, const struct tc_workspace *workspace, struct tc_str path);

/* --- workspace_fs.c: the kernel --- */

/* openat2 below the root, no symlink on the way; -1 with errno. path "" is the root. */
POOL int tc_workspace_fs_open(int root, struct tc_str path, int flags);
/* The same path without symlinks, whether the end of it exists or not. One that
 * leads out is TC_E_WS_INVALID_PATH. */
POOL enum tc_err tc_workspace_fs_resolve(struct tc_cx *cx, int root, struct tc_str path, struct tc_str *ret_real);
enum tc_workspace_fs_use { TC_WORKSPACE_FS_FILE, TC_WORKSPACE_FS_TREE, TC_WORKSPACE_FS_WRITE };
/* errno as a failure that speaks of `path`. */
enum tc_err tc_workspace_fs_fail(struct tc_cx *cx, int error, struct tc_str path, enum tc_workspace_fs_use use);

struct tc_workspace_fs_bytes {
    char *p; /* tc_mem_free */
    size_t n;
};
/* A regular file at a path without symlinks; closes nothing but its own. */
POOL enum tc_err tc_workspace_fs_read(struct tc_cx *cx, int root, struct tc_str path, size_t max_bytes,
                                      struct tc_workspace_fs_bytes *ret_bytes, struct stat *ret_stat);

struct tc_workspace_fs_name {
    struct tc_str name;
    unsigned char type; /* DT_… */
};
/* The entries of an open folder that paths can name, sorted; takes fd over. *more
 * is set when there are over 100,000. */
POOL enum tc_err tc_workspace_fs_names(struct tc_cx *cx, int fd, struct tc_workspace_fs_name **ret_names,
                                       size_t *ret_n, bool *more);

/* --- workspace_owner.c --- */

/* Sets foreign, uid and gid. */
POOL void tc_workspace_owner_find(struct tc_workspace *workspace);
/* Makes what we wrote in it, file or folder, belong to whom it should: to who had the former one (NULL:
 * there was none), else to whom the workspace belongs. */
POOL void tc_workspace_owner_set(const struct tc_workspace *workspace, int fd, const struct stat *former);

/* --- workspace_usage.c --- */

/* Walks the whole tree and sets the usage; removes temporary files that a crash left. */
POOL enum tc_err tc_workspace_usage_scan(struct tc_cx *cx, struct tc_workspace *workspace);
/* TC_OK when bytes and files more fit into the quotas. */
POOL enum tc_err tc_workspace_usage_allow(struct tc_cx *cx, struct tc_workspace *workspace, int64_t bytes,
                                          int64_t files);

/* --- workspace_records.c; records may be NULL --- */

void tc_workspace_records_written(struct tc_workspace_records *records, struct tc_str path, const char *sha256);
void tc_workspace_records_forget(struct tc_workspace_records *records, struct tc_str path);
void tc_workspace_records_patched(struct tc_workspace_records *records, struct tc_str path, const char *sha256,
                                  const struct tc_workspace_edit *edit);

#endif
