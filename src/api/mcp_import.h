/*
 * Many MCP servers at a time. Private to the resource mcp.
 */
#ifndef TC_API_MCP_IMPORT_H
#define TC_API_MCP_IMPORT_H

#include "api/api.h"

/* Adds each server of the body's mcpServers by itself, several at a time; one that
 * fails leaves the others alone. Writes {key, name, added, tools, error?} for each, in
 * the order of the block. */
PARKS enum tc_err tc_api_mcp_import(struct tc_cx *cx, struct tc_api_call *call);
/* Does nothing and writes the same with what would be done with each: {…, plan, line?}; line is
 * what to type on the machine for one that may not be added over the network. */
PARKS enum tc_err tc_api_mcp_import_plan(struct tc_cx *cx, struct tc_api_call *call);
/* Adds the server's toolset to an agent that has not got it. */
PARKS enum tc_err tc_api_mcp_give(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str agent,
                                  struct tc_str server);

#endif
