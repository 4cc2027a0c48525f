/*
 * How servers are shown. Private to the resource mcp.
 */
#ifndef TC_API_MCP_SHOW_H
#define TC_API_MCP_SHOW_H

#include "api/api.h"
#include "runtime/servers.h"

/* whole: with the connection, and with definitions that wait beside what was approved. */
void tc_api_mcp_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *server, bool whole);
/* The server of that name or UUID, whole, as the answer. */
PARKS enum tc_err tc_api_mcp_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name);

#endif
