/*
 * Answers of the admin API that are streams: events, or a file.
 */
#ifndef TC_CLI_EVENTS_H
#define TC_CLI_EVENTS_H

#include "cli/request.h"

/* Parks. Takes the data of one event; its arena ends with it. */
typedef enum tc_err tc_cli_event_fn(struct tc_cx *cx, void *arg, const struct tc_json *data);

/* Hands over each event until the stream or the task ends, or fn fails. */
PARKS enum tc_err tc_cli_events(struct tc_cx *cx, struct tc_cli *cli, const char *path,
                                const struct tc_cli_query *query, tc_cli_event_fn *fn, void *arg);

/* Copies the answer to the output as it comes. */
PARKS enum tc_err tc_cli_copy(struct tc_cx *cx, struct tc_cli *cli, const char *path,
                              const struct tc_cli_query *query);

#endif
