/*
 * `mcp serve`: MCP over standard input and output as a bridge to the daemon.
 * Requests run side by side; notifications keep their place among them and wait
 * for none. Nothing but protocol goes to standard output.
 */
#ifndef TC_CLI_BRIDGE_H
#define TC_CLI_BRIDGE_H

#include "cli/cli.h"

/* Until standard input ends. cli is attached. */
PARKS enum tc_err tc_bridge_run(struct tc_cx *cx, struct tc_cli *cli, struct tc_str agent);

#endif
