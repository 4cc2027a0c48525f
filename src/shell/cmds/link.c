/*
 * link: a second name of a file, by the system's call of that name.
 */
#include "toolcrib/shellfs.h"

static int run(struct tc_cmd_call *c)
{
    int error, n;

    if (tc_cmd_option_next(c) == TC_CMD_OPTION_BAD)
        return 2;
    n = c->argc - c->at;
    if (n != 2) {
        if (n == 0)
            tc_cmd_fail_usage(c, "missing operand");
        else if (n == 1)
            tc_cmd_fail_usage(c, "missing operand after %s", tc_cmd_quote(c, c->argv[c->at]));
        else
            tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 2]));
        return 1;
    }
    error = tc_cmd_link(c, c->argv[c->at], c->argv[c->at + 1]);
    if (error)
        return tc_cmd_fail(c, "cannot create link %s to %s: %s", tc_cmd_quote_name(c, c->argv[c->at + 1]),
                           tc_cmd_quote_name(c, c->argv[c->at]), strerror(error));
    return 0;
}

const struct tc_cmd tc_command_link = {
    .name = "link",
    .usage = "FILE1 FILE2",
    .summary = "Make FILE2 a second name of FILE1.",
    .run = run,
};
