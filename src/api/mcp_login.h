/*
 * Logins at MCP servers, for the other files of /admin/mcp.
 */
#ifndef TC_API_MCP_LOGIN_H
#define TC_API_MCP_LOGIN_H

#include "api/api.h"

/* The member "logins": who is logged in at the server, by its name. */
void tc_api_logins_write(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server);
/* Revokes and forgets every login at the server of that name or UUID. */
PARKS enum tc_err tc_api_logins_forget(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);

#endif
