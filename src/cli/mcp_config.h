/*
 * Server configurations as the command line says them: blocks of mcpServers.
 */
#ifndef TC_CLI_MCP_CONFIG_H
#define TC_CLI_MCP_CONFIG_H

#include "cli/cli.h"
#include "toolcrib/jsonw.h"

/* The command line asks for a configuration: a command, --env, --cwd, or --url and
 * what goes with it. */
bool tc_cli_mcp_config_given(const struct tc_cli *cli);
/* TC_E_USAGE when options of a command and of a URL are mixed; whole: or when there
 * is neither. */
enum tc_err tc_cli_mcp_config_check(struct tc_cx *cx, const struct tc_cli *cli, bool whole);
/* Writes the member "config": what the command line says over `stored` (NULL:
 * none). A command that is a path, and --cwd, become absolute. */
enum tc_err tc_cli_mcp_config_write(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *stored,
                                    struct tc_jsonw *w);
/* The servers of a document: the member mcpServers, or the document itself. */
enum tc_err tc_cli_mcp_config_block(struct tc_cx *cx, const struct tc_json *document, const struct tc_json **ret_block);

#endif
