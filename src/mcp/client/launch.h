/*
 * From a server's configuration to what is executed: ${VAR} filled in, the
 * environment composed, the command checked against the operator's folders.
 */
#ifndef TC_MCP_CLIENT_LAUNCH_H
#define TC_MCP_CLIENT_LAUNCH_H

#include "mcp/client/config.h"
#include "mcp/client/guard.h"

struct tc_mcp_launch_rules {
    const char *const *variables; /* that ${VAR} may take, NULL-terminated; NULL: none */
    const char *const *dirs;      /* where commands may lie, NULL-terminated; NULL: anywhere */
    const char *default_cwd;      /* NULL: this process's */
};

/* Everything belongs to the arena. The environment is PATH HOME LANG TZ TMPDIR
 * USER as far as they are set, and what the configuration adds or overrides.
 * TC_E_MCP_SERVER_INVALID for a variable that was not named or is not set (the
 * message names it), TC_E_MCP_COMMAND_REFUSED outside the folders,
 * TC_E_MCP_START_FAILED when folders are given and the command is in none. */
enum tc_err tc_mcp_launch_make(struct tc_cx *cx, const struct tc_mcp_config *config,
                               const struct tc_mcp_launch_rules *rules, struct tc_guard_launch *ret_launch);

/* text with ${VAR}, ${env:VAR} and ${VAR:-otherwise} filled in; text itself when
 * it has none. A "${" that is never closed stays as it is. where: the field, for
 * the error. */
enum tc_err tc_mcp_launch_expand(struct tc_cx *cx, struct tc_str text, const char *const *variables, const char *where,
                                 struct tc_str *ret_text);

#endif
