/*
 * A call from a terminal that needs an approval: whoever sits there is asked, where the
 * agent takes answers of callers.
 */
#ifndef TC_CLI_CALL_APPROVAL_H
#define TC_CLI_CALL_APPROVAL_H

#include "cli/cli.h"

struct tc_cli_attendance {
    struct tc_cli *cli;
    struct tc_str call_id;
    struct tc_task_group group;
};

/* A person is there. Watches for questions of that call, in a task beside. */
void tc_cli_attend(struct tc_cx *cx, struct tc_cli_attendance *attendance, struct tc_cli *cli, struct tc_str call_id);
/* The call is over: so is a prompt that still waits. */
PARKS void tc_cli_attend_end(struct tc_cx *cx, struct tc_cli_attendance *attendance);

#endif
