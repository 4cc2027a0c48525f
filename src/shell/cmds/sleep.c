/*
 * sleep: waits for the sum of the times.
 */
#include "shell/cmds/duration.h"
#include "toolcrib/shellcmd.h"

static int run(struct tc_cmd_call *c)
{
    int64_t total = 0, ns;
    int option, bad = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD)
            return 2;
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc; i++) {
        if (tc_duration_parse(c->argv[i], &ns))
            total = total > INT64_MAX - ns ? INT64_MAX : total + ns;
        else if (++bad)
            tc_cmd_fail(c, "invalid time interval ‘%s’", c->argv[i]);
    }
    if (bad) {
        tc_cmd_printf(c->err, "Try '%s --help' for more information.\n", c->argv[0]);
        return 1;
    }
    tc_cmd_sleep(c, total);
    return 0;
}

const struct tc_cmd tc_command_sleep = {
    .name = "sleep",
    .usage = "NUMBER[SUFFIX]...",
    .summary = "Pause for NUMBER seconds, or minutes, hours, days with the SUFFIX m, h, d; several add up.",
    .run = run,
};
