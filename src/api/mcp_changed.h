/*
 * Noting what was done to an MCP server. Private to the resource mcp.
 */
#ifndef TC_API_MCP_CHANGED_H
#define TC_API_MCP_CHANGED_H

#include "api/changed.h"
#include "runtime/servers.h"

/* What the server of that name or UUID is before something is done to it. Its name is the
 * object; a server that is not there yet is no failure when it is to be made. */
PARKS enum tc_err tc_mcp_changed_begin(struct tc_cx *cx, const struct tc_api_call *call, const char *action,
                                       struct tc_str id, struct tc_changed *ret_change);
PARKS enum tc_err tc_mcp_changed_begin_new(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name,
                                           struct tc_changed *ret_change);
/* Notes it with what the server is now. One that is as it was before is no change. */
PARKS enum tc_err tc_mcp_changed_note(struct tc_cx *cx, const struct tc_api_call *call, struct tc_changed *change);
/* What is about to be approved, as the documents before and after it; `tool` empty: all that
 * wait. */
PARKS enum tc_err tc_mcp_changed_approval(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str id,
                                          struct tc_str tool, struct tc_changed *ret_change);
/* A login or logout: its agent (empty: shared) is what there is to say. */
PARKS void tc_mcp_changed_login(struct tc_cx *cx, const struct tc_api_call *call, const char *action,
                                struct tc_str server, struct tc_str agent);

/* By whom each tool's definition was approved, as far as the latest approvals on record tell: rows in
 * the order of the server's tools, one without id where they do not (it came with its server, or
 * onChange took it). None when they cannot be read. */
PARKS const struct tc_change_row *tc_mcp_changed_approvers(struct tc_cx *cx, const struct tc_api_call *call,
                                                           const struct tc_server_info *server);

#endif
