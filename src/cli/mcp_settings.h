/*
 * What an operator sets for a server, as options of the command line.
 */
#ifndef TC_CLI_MCP_SETTINGS_H
#define TC_CLI_MCP_SETTINGS_H

#include "cli/cli.h"
#include "toolcrib/jsonw.h"

bool tc_cli_mcp_settings_given(const struct tc_cli *cli);
/* Writes the member "settings" as a change of what is stored: "default" takes out.
 * TC_E_USAGE for what cannot be read. */
enum tc_err tc_cli_mcp_settings_write(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w);

#define TC_CLI_MCP_SETTINGS                                                                                            \
    {"permission", "allow|ask|off", "What its tools may", false},                                                      \
        {"new-tools", "allow|ask|off", "What tools may that appear later", false},                                     \
        {"on-change", "quarantine|accept", "What happens to a tool whose definition changes", false},                  \
        {"grants", "shared|agent", "Whether one login is for all agents, or each has its own", false},                 \
        {"timeout", "SPAN", "How long a call may take, such as 30s (default: 60s)", false},                            \
        {"max-timeout", "SPAN", "Progress prolongs a call up to this", false},                                         \
        {"max-concurrent", "N", "Calls at a time; others wait in order", false},                                       \
        {"idle-stop", "SPAN", "Stop it after that long without a call; the next one starts it", false},                \
        {"tool-permission", "TOOL=PERMISSION", "What one tool may: allow, ask, off or default", true},                 \
        {"tool-timeout", "TOOL=SPAN", "How long a call of one tool may take", true},                                   \
        {"describe", "TOOL=TEXT", "Describe one tool in place of its own text (no text: its own)", true}

#endif
