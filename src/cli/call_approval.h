/*
 * A call from a terminal that needs an approval: whoever sits there is asked, where the
 * agent takes answers of callers.
 */
#ifndef TC_CLI_CALL_APPROVAL_H
#define TC_CLI_CALL_APPROVAL_H

#include "cli/cli.h"
#include "toolcrib/json.h"

struct tc_cli_attendance {
    struct tc_cli *cli;
    struct tc_str call_id;
    struct tc_task_group group;
};

/* A person is there. Watches for questions of that call, in a task beside. */
void tc_cli_attend(struct tc_cx *cx, struct tc_cli_attendance *attendance, struct tc_cli *cli, struct tc_str call_id);
/* The call is over: so is a prompt that still waits. */
PARKS void tc_cli_attend_end(struct tc_cx *cx, struct tc_cli_attendance *attendance);
/* Asks about one question, a row of /admin/approval, and sends the answer; where the
 * agent takes none of callers it says who can answer. */
PARKS enum tc_err tc_cli_approve(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *row);

/* True, and it says so, when such a row is not for who is here: an operator is to answer.
 * attended: a person is. */
bool tc_cli_approval_left(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *row, bool attended);

/* What a line says of a question that has these choices; empty: it is not understood. The
 * first letters are enough, what follows a no is its comment. Pure. */
struct tc_str tc_cli_approval_choice(const struct tc_json *choices, struct tc_str line, struct tc_str *ret_comment);

#endif
