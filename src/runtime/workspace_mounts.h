/*
 * A workspace as the view of a script: the same rules as for the file tools, put as
 * folders that are handed over, each readable or writable, and names that are shown.
 */
#ifndef TC_RUNTIME_WORKSPACE_MOUNTS_H
#define TC_RUNTIME_WORKSPACE_MOUNTS_H

#include "ports/sandbox.h"
#include "runtime/workspace.h"

/* Fills the view of the request (grants, hidden, shown, own_tmp, quotas and what is used of them), in
 * cx->arena, and checks that its cwd is a folder there. The descriptors are the caller's: close them.
 * TC_E_WS_PATH_NOT_FOUND, TC_E_WS_UNAVAILABLE, TC_E_LIMIT. */
PARKS enum tc_err tc_workspace_mounts_open(struct tc_cx *cx, struct tc_workspace *workspace,
                                           struct tc_sandbox_request *request);
void tc_workspace_mounts_close(struct tc_sandbox_request *request);

#endif
