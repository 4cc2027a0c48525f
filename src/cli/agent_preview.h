/*
 * What a run of an agent would begin with.
 */
#ifndef TC_CLI_AGENT_PREVIEW_H
#define TC_CLI_AGENT_PREVIEW_H

#include "cli/cli.h"

extern const struct tc_cli_option tc_cli_agent_preview_options[1];

PARKS enum tc_err tc_cli_agent_preview(struct tc_cx *cx, struct tc_cli *cli);

#endif
