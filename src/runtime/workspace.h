/*
 * Workspaces: one directory each, what an invocation may see and change in it,
 * and its quota. This header is the runtime's side; tools see
 * toolcrib/workspace.h, whose service is a workspace and the read records of one
 * invocation.
 *
 * Everything that touches the file system runs on the pool. The kernel keeps
 * each access below the root (openat2); where it cannot, nothing is opened.
 * Changes are serialised by a lock of the workspace, reads are not.
 */
#ifndef TC_RUNTIME_WORKSPACE_H
#define TC_RUNTIME_WORKSPACE_H

#include "io/task.h"
#include "toolcrib/workspace.h"

struct tc_workspace;
struct tc_workspace_records;

enum { TC_WORKSPACE_FILE_MAX = 64 * 1024 * 1024 };
#define TC_WORKSPACE_QUOTA_BYTES ((int64_t)1 << 30)
#define TC_WORKSPACE_QUOTA_FILES ((int64_t)100000)

/* Names of entries of the root. A list that is not there (names NULL) narrows
 * nothing; an empty one lets nothing through. */
struct tc_workspace_names {
    const struct tc_str *names;
    size_t n;
};

/* The roots of the chat stages that can be read and written. */
extern const struct tc_workspace_names tc_workspace_chat_roots;

/* skills/ and tool-results/ can always be read and never be written, .toolcrib/ is
 * always hidden. For the rest a path must pass both the stage's and the agent's
 * lists; in a listed folder only what is below it can be written. */
struct tc_workspace_options {
    struct tc_str path; /* of the root, absolute */
    bool create;        /* make it, 0700, when it is not there */
    struct tc_workspace_names stage_visible, stage_writable; /* none: the whole tree */
    struct tc_workspace_names agent_visible, agent_writable;
    bool sync;          /* fsync each file before it takes its place */
    int64_t quota_bytes; /* 0: TC_WORKSPACE_QUOTA_BYTES; INT64_MAX: none */
    int64_t quota_files; /* 0: TC_WORKSPACE_QUOTA_FILES, folders count; INT64_MAX: none */
};

/* Parks. Errors: TC_E_WS_UNAVAILABLE (no such folder, or a kernel without
 * openat2), TC_E_CONFIG_INVALID (a listed name is not the name of a root entry). */
PARKS enum tc_err tc_workspace_create(struct tc_cx *cx, const struct tc_workspace_options *options,
                                      struct tc_workspace **ret_workspace);
struct tc_workspace *tc_workspace_ref(struct tc_workspace *workspace); /* on the loop's thread only */
void tc_workspace_unref(struct tc_workspace *workspace);              /* the same; NULL is fine */

/* The runtime's own files, such as tool-results/… and .toolcrib/…: no visibility
 * rule applies, quotas do, and no symlink is followed. Atomic. Parks. */
PARKS enum tc_err tc_workspace_put(struct tc_cx *cx, struct tc_workspace *workspace, struct tc_str path,
                                   struct tc_str bytes);
PARKS enum tc_err tc_workspace_load(struct tc_cx *cx, struct tc_workspace *workspace, struct tc_str path,
                                    size_t max_bytes, struct tc_workspace_file *ret_file);
/* Files were changed behind its back (by the shell): its count is no longer sure. */
void tc_workspace_touched(struct tc_workspace *workspace);

/* What one invocation, or one client token, has read and written. The least
 * recently used of more than 10,000 paths is forgotten, which only means that it
 * has to be read again. */
enum tc_err tc_workspace_records_create(struct tc_cx *cx, struct tc_workspace_records **ret_records);
void tc_workspace_records_destroy(struct tc_workspace_records *records); /* NULL is fine */

/* Both must outlive the service; records may be NULL. */
struct tc_workspace_service {
    struct tc_workspace *workspace;
    struct tc_workspace_records *records;
};
void tc_workspace_service_init(struct tc_workspace_service *service, struct tc_workspace *workspace,
                               struct tc_workspace_records *records);

#endif
