/*
 * What a server's error says that it needs of the caller before it does anything.
 */
#ifndef TC_RUNTIME_REPLY_H
#define TC_RUNTIME_REPLY_H

#include "ports/tool_source.h"

/* Fails with TC_E_MCP_CAPABILITY when the caller did not declare an ability, and with
 * TC_E_MCP_PAGE when a person has to open pages first; the error's data becomes the
 * details. TC_OK for any other error. */
enum tc_err tc_reply_needs(struct tc_cx *cx, const struct tc_source_reply *reply);

#endif
