/*
 * unlink: one name goes, by the system's call of that name.
 */
#include "toolcrib/shellfs.h"

static int run(struct tc_cmd_call *c)
{
    int error;

    if (tc_cmd_option_next(c) == TC_CMD_OPTION_BAD)
        return 2;
    if (c->argc - c->at != 1) {
        if (c->at == c->argc)
            tc_cmd_fail_usage(c, "missing operand");
        else
            tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 1]));
        return 1;
    }
    error = tc_cmd_unlink(c, c->argv[c->at]);
    if (error)
        return tc_cmd_fail(c, "cannot unlink %s: %s", tc_cmd_quote_name(c, c->argv[c->at]), strerror(error));
    return 0;
}

const struct tc_cmd tc_command_unlink = {
    .name = "unlink",
    .usage = "FILE",
    .summary = "Remove the name FILE.",
    .run = run,
};
