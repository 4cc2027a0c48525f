/*
 * Looking at runs: toolcrib run list, show and events.
 */
#ifndef TC_CLI_RUN_JOURNAL_H
#define TC_CLI_RUN_JOURNAL_H

#include "cli/cli.h"
#include "toolcrib/json.h"

extern const struct tc_cli_option tc_cli_run_list_options[5], tc_cli_run_events_options[3];

/* The row of the run that the first operand names. */
PARKS enum tc_err tc_cli_run_get(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_row);
PARKS enum tc_err tc_cli_run_list(struct tc_cx *cx, struct tc_cli *cli);
PARKS enum tc_err tc_cli_run_show(struct tc_cx *cx, struct tc_cli *cli);
PARKS enum tc_err tc_cli_run_events(struct tc_cx *cx, struct tc_cli *cli);

#endif
