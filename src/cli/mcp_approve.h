/*
 * Approval of changed tool definitions: shown first, then asked for.
 */
#ifndef TC_CLI_MCP_APPROVE_H
#define TC_CLI_MCP_APPROVE_H

#include "cli/cli.h"
#include "toolcrib/json.h"

/* Operands NAME [TOOL] and --yes of cli. *ret_done tells whether there is a
 * server to print: not when the person said no, or nothing was changed. */
PARKS enum tc_err tc_cli_mcp_approve(struct tc_cx *cx, struct tc_cli *cli, bool *ret_done,
                                     const struct tc_json **ret_server);

#endif
