/*
 * What the workspace tools share: their arguments, and hints that name other
 * tools only where they are offered.
 */
#ifndef TC_TOOLS_WORKSPACE_TOOL_H
#define TC_TOOLS_WORKSPACE_TOOL_H

#include "toolcrib/buf.h"
#include "toolcrib/tool.h"
#include "toolcrib/workspace.h"

/* TC_E_WS_UNAVAILABLE when the call has no workspace. */
enum tc_err tc_workspace_tool_open(struct tc_cx *cx, struct tc_call *call, struct tc_workspace_service **ret_ws);
/* The argument file_path, trimmed and normalised. TC_E_TOOL_INVALID_ARGUMENTS when
 * it is blank, TC_E_WS_IS_DIRECTORY for the root, TC_E_WS_INVALID_PATH. */
enum tc_err tc_workspace_tool_file(struct tc_cx *cx, struct tc_call *call, struct tc_str *ret_path);
/* The argument path, trimmed and normalised; absent, null and blank are the root. */
enum tc_err tc_workspace_tool_path(struct tc_cx *cx, struct tc_call *call, struct tc_str *ret_path);
/* The file at path, at most 32 MiB. One that is not text is TC_E_WS_NOT_TEXT; a
 * folder comes with the advice to list it. */
PARKS enum tc_err tc_workspace_tool_read(struct tc_cx *cx, struct tc_call *call, struct tc_str path,
                                   struct tc_workspace_file *ret_file);
/* Adds "Read it with <tool> first." to the failure; returns its code. */
enum tc_err tc_workspace_tool_hint_read(struct tc_cx *cx, struct tc_call *call);
/* "N characters, N words", in the arena; p is NULL without memory. */
struct tc_str tc_workspace_tool_size(struct tc_cx *cx, const struct tc_workspace_written *written);
/* Hands over the text, or the structured result, that was built in buf, and frees it. */
enum tc_err tc_workspace_tool_text(struct tc_cx *cx, struct tc_call *call, struct tc_buf *buf);
enum tc_err tc_workspace_tool_structured(struct tc_cx *cx, struct tc_call *call, struct tc_buf *buf);

#endif
