/*
 * tty: whether standard input is a terminal.
 */
#include "toolcrib/shellcmd.h"

static const struct tc_cmd_option options[] = {
    {'s', "s,silent,quiet", TC_CMD_NONE, NULL, "print nothing, only return an exit status"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    int option;
    bool silent = false;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        silent |= option == 's';
    }
    if (c->at < c->argc)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at]));
    if (!silent)
        tc_cmd_puts(c->out, "not a tty\n");
    return 1;
}

const struct tc_cmd tc_command_tty = {
    .name = "tty",
    .usage = "[OPTION]...",
    .summary = "Print the file name of the terminal connected to standard input.",
    .options = options,
    .run = run,
};
