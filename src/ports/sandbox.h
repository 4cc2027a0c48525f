/*
 * Where scripts of models run: each in a process of its own, which reaches the folders
 * that it was given and nothing else of the machine, and ends with the call.
 */
#ifndef TC_PORTS_SANDBOX_H
#define TC_PORTS_SANDBOX_H

#include "toolcrib/sandbox.h"

/* --- what a script gets --- */

enum tc_sandbox_grant_flag {
    TC_SANDBOX_WRITE = 1 << 0,    /* else it can only be read */
    TC_SANDBOX_MOUNT = 1 << 1,    /* a folder of the view at `path`; else only something below one that may be opened */
    TC_SANDBOX_UNLISTED = 1 << 2, /* not shown in its parent */
    TC_SANDBOX_NAMES = 1 << 3     /* what is below may be listed; what may be opened other grants say */
};
enum { TC_SANDBOX_GRANTS_MAX = 240, TC_SANDBOX_NAMES_MAX = 256 };

struct tc_sandbox_grant {
    struct tc_str path; /* in the view: "/", "/skills" */
    unsigned flags;
    int fd; /* stays the caller's */
};

struct tc_sandbox_request {
    struct tc_str script, cwd;
    int64_t wall_ms;
    int64_t stream_bytes;           /* of each of stdout and stderr that is given back */
    int64_t bytes_max, files_max;   /* of the workspace; 0: no limit */
    int64_t bytes_used, files_used;
    bool own_tmp;                   /* /tmp is the call's own */
    struct tc_sandbox_grant *grants; /* the first is "/" */
    size_t grants_n;
    struct tc_str *hidden;          /* paths that are as if absent */
    size_t hidden_n;
    struct tc_str *shown;           /* entries of "/"; when there are any, others but mounts are as if absent */
    size_t shown_n;
};

struct tc_sandbox;

struct tc_sandbox_ops {
    /* Runs a script to its end. All of the result is in cx->arena. A cancellation of the task or its
     * deadline ends the script and is told in the result. Fails only where nothing ran:
     * TC_E_WS_SHELL_FAILED, TC_E_NO_MEMORY, or the reason of a cancellation. */
    PARKS enum tc_err (*shell)(struct tc_cx *cx, struct tc_sandbox *self, const struct tc_sandbox_request *request,
                               struct tc_sandbox_result *ret_result);
};
struct tc_sandbox {
    const struct tc_sandbox_ops *ops;
};

#endif
