/*
 * Which agents have a server's tools. Private to the resource mcp.
 */
#ifndef TC_API_MCP_USERS_H
#define TC_API_MCP_USERS_H

#include "api/api.h"
#include "runtime/servers.h"

/* Does the agent have the server's toolset? */
bool tc_api_mcp_uses(struct tc_cx *cx, const struct tc_agent *agent, struct tc_str server);
/* "agents": ids of those that have the server's toolset. */
void tc_api_mcp_write_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server);
/* "usedBy": the same with how many of its tools each is offered; of many agents the first. */
PARKS void tc_api_mcp_write_users(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *server);

#endif
