/*
 * whoami, groups, logname, arch, hostname: one fixed word each. The shell has one user, its owner, and
 * tells nothing of the host.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {{0}};

static int run(struct tc_cmd_call *c)
{
    const char *user = tc_cmd_getenv(c, "USER");
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD)
            return 2;
    if (c->at < c->argc)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at])), 1;
    if (!strcmp(tc_cmd_called(c), "arch"))
        tc_cmd_puts(c->out, "x86_64\n");
    else if (!strcmp(tc_cmd_called(c), "hostname"))
        tc_cmd_puts(c->out, "toolcrib\n");
    else
        tc_cmd_printf(c->out, "%s\n", user ? user : "user");
    return 0;
}

const struct tc_cmd tc_command_whoami = {
    .name = "whoami",
    .aliases = "arch groups hostname logname",
    .usage = "",
    .summary = "Print the name of the user, of its only group, of the machine's architecture, or of the host.",
    .options = options,
    .run = run,
};
