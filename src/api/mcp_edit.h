/*
 * What is set of servers. Private to the resource mcp.
 */
#ifndef TC_API_MCP_EDIT_H
#define TC_API_MCP_EDIT_H

#include "api/api.h"
#include "runtime/servers.h"

/* May this caller set what is run on this machine? TC_E_MCP_STDIO_REFUSED, with what to type
 * there as the hint where a server is to be added under a name; TC_E_AUTH_FORBIDDEN. */
enum tc_err tc_api_mcp_may(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name,
                           const struct tc_json *config);
/* *config and *settings, each unless it is NULL, become what is to be stored: of the
 * configuration masked values as they were, of the settings what was not given (null takes
 * out). A value that is not shown goes to nobody but the server that it was given for:
 * TC_E_MCP_SERVER_INVALID. */
enum tc_err tc_api_mcp_merge(struct tc_cx *cx, const struct tc_server_info *stored, const struct tc_json **config,
                             const struct tc_json **settings);

#endif
