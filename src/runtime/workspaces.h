/*
 * Which workspace an invocation works in (spec 7): the operator's directory when
 * one is bound, else a directory of its own below <data>/workspaces. Read records
 * of clients belong to their token, those of a run to the invocation.
 */
#ifndef TC_RUNTIME_WORKSPACES_H
#define TC_RUNTIME_WORKSPACES_H

#include "policy/agent.h"
#include "runtime/workspace.h"

struct tc_invocation;
struct tc_workspaces;

/* data_dir is copied. */
enum tc_err tc_workspaces_create(struct tc_cx *cx, struct tc_str data_dir, struct tc_workspaces **ret_workspaces);
void tc_workspaces_destroy(struct tc_workspaces *workspaces); /* nobody uses one any more */

/* Made when it is not there. The service is valid until cx->arena is finished. */
PARKS enum tc_err tc_workspaces_open(struct tc_cx *cx, struct tc_workspaces *workspaces,
                                     const struct tc_invocation *invocation, const struct tc_agent *agent,
                                     struct tc_workspace_service **ret_service);
/* The invocation of a run is over: nothing is kept open for it. */
void tc_workspaces_forget(struct tc_workspaces *workspaces, struct tc_str invocation);
/* Files of results. */
PARKS enum tc_err tc_workspaces_put_text(struct tc_cx *cx, struct tc_workspaces *workspaces,
                                         const struct tc_invocation *invocation, const struct tc_agent *agent,
                                         struct tc_str path, struct tc_str text);
PARKS enum tc_err tc_workspaces_put_base64(struct tc_cx *cx, struct tc_workspaces *workspaces,
                                           const struct tc_invocation *invocation, const struct tc_agent *agent,
                                           struct tc_str path, struct tc_str base64);
/* What is there now; where there is no workspace none is made. As tc_workspace_load. */
PARKS enum tc_err tc_workspaces_load(struct tc_cx *cx, const struct tc_workspaces *workspaces,
                                     const struct tc_invocation *invocation, const struct tc_agent *agent,
                                     struct tc_str path, size_t max_bytes, struct tc_workspace_file *ret_file);

#endif
