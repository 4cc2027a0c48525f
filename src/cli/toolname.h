/*
 * Tools of MCP servers as people name them: "mcp/<server>:<tool>" instead of the
 * ToolId with its UUID. Every command takes either.
 */
#ifndef TC_CLI_TOOLNAME_H
#define TC_CLI_TOOLNAME_H

#include "cli/cli.h"

/* What the daemon's servers are called, asked for once. A daemon that does not
 * tell costs the names only. */
struct tc_cli_toolnames {
    const struct tc_json *servers; /* the answer of /admin/mcp/all, or NULL */
};
PARKS void tc_cli_toolnames_load(struct tc_cx *cx, struct tc_cli *cli, struct tc_cli_toolnames *names);
/* In the arena; the id itself when there is no better name. */
struct tc_str tc_cli_toolname(struct tc_cx *cx, const struct tc_cli_toolnames *names, struct tc_str id);

#endif
