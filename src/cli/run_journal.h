/*
 * Looking at runs: toolcrib run list, show and events.
 */
#ifndef TC_CLI_RUN_JOURNAL_H
#define TC_CLI_RUN_JOURNAL_H

#include "cli/cli.h"

extern const struct tc_cli_option tc_cli_run_list_options[5], tc_cli_run_events_options[2];

PARKS enum tc_err tc_cli_run_list(struct tc_cx *cx, struct tc_cli *cli);
PARKS enum tc_err tc_cli_run_show(struct tc_cx *cx, struct tc_cli *cli);
PARKS enum tc_err tc_cli_run_events(struct tc_cx *cx, struct tc_cli *cli);

#endif
