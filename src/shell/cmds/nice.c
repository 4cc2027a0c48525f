/*
 * nice and nohup: the command is run; there is no priority and no terminal to leave.
 */
#include <string.h>

#include "shell/cmds/launch.h"

static const struct tc_cmd_option options[] = {
    {'n', "n,adjustment", TC_CMD_VALUE, "N", "(ignored: all of a call has one priority)"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int run(struct tc_cmd_call *c)
{
    struct tc_cmd_run command = {0};
    int option;
    int64_t n;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'n' && !tc_cmd_number(c->value, false, &n)) {
            tc_cmd_fail(c, "invalid adjustment ‘%s’", c->value);
            return 125;
        }
    }
    if (c->at == c->argc) {
        if (strcmp(tc_cmd_called(c), "nice") == 0) {
            tc_cmd_puts(c->out, "0\n");
            return 0;
        }
        tc_cmd_fail_usage(c, "missing operand");
        return 125;
    }
    command.argv = c->argv + c->at;
    return tc_launch(c, &command);
}

const struct tc_cmd tc_command_nice = {
    .name = "nice",
    .aliases = "nohup",
    .usage = "[OPTION] COMMAND [ARG]...",
    .summary = "Run COMMAND.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
