/*
 * The virtual shell as a built-in tool sees it: a script is run on the files of the
 * workspace, in a process that has nothing else of this machine.
 */
#ifndef TOOLCRIB_SANDBOX_H
#define TOOLCRIB_SANDBOX_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { TC_SANDBOX_SHA_SIZE = 65 }; /* lower-case hex and a NUL */

enum tc_sandbox_file_state {
    TC_SANDBOX_FILE_HASHED,
    TC_SANDBOX_FILE_REMOVED,
    TC_SANDBOX_FILE_OTHER /* a folder, a link, too large */
};
struct tc_sandbox_file { /* that was changed */
    enum tc_sandbox_file_state state;
    struct tc_str path; /* in the view, absolute */
    char sha256[TC_SANDBOX_SHA_SIZE]; /* of HASHED */
};

struct tc_sandbox_end {
    int32_t status;
    struct tc_str limit;   /* the name of the one that was reached; empty: none */
    struct tc_str message; /* of the limit, or why nothing ran (`failed`) */
    bool failed, more_files;
    int64_t stdout_bytes, stderr_bytes; /* in all, also what was not given back */
    int64_t work, wall_ns, cpu_ns, peak_kib;
};

enum tc_sandbox_how {
    TC_SANDBOX_EXITED,   /* end.status */
    TC_SANDBOX_LIMITED,  /* end.limit, end.message */
    TC_SANDBOX_CANCELED, /* the caller did */
    TC_SANDBOX_FAILED    /* end.message: the process ended by itself, or never ran it */
};
struct tc_sandbox_result {
    enum tc_sandbox_how how;
    bool known; /* `end` is what the script's process told; else it was ended */
    struct tc_sandbox_end end;
    struct tc_str out, err;
    struct tc_sandbox_file *files;
    size_t files_n;
};

struct tc_sandbox_service;

enum {
    TC_SANDBOX_SHELL_BYTES = 128 * 1024 /* of the script, of stdout and of stderr */
};
struct tc_sandbox_script {
    struct tc_str text, workdir;
    int64_t wall_ms; /* after so long it is stopped */
};
/* Runs a script for bash with the workspace as "/". All of the result is in cx->arena. Whatever
 * becomes of the script is a result; nothing of what it did is taken back. Fails where nothing ran:
 * TC_E_WS_SHELL_FAILED, TC_E_WS_PATH_NOT_FOUND when workdir is no folder of the view. */
PARKS enum tc_err tc_sandbox_shell(struct tc_cx *cx, struct tc_sandbox_service *service,
                                   const struct tc_sandbox_script *script, struct tc_sandbox_result *ret_result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
