/*
 * Logins at MCP servers: NAME with the options of mcp.c.
 */
#ifndef TC_CLI_MCP_LOGIN_H
#define TC_CLI_MCP_LOGIN_H

#include "cli/cli.h"
#include "toolcrib/json.h"

PARKS enum tc_err tc_cli_mcp_login(struct tc_cx *cx, struct tc_cli *cli);
PARKS enum tc_err tc_cli_mcp_logout(struct tc_cx *cx, struct tc_cli *cli);
/* "active", "active (clerk), missing": the logins of a server in a word each. */
struct tc_str tc_cli_mcp_logins(struct tc_cx *cx, const struct tc_json *server);

#endif
