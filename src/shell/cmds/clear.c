/*
 * clear: the screen of a terminal, which all that are in use clear alike.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'x', "x", TC_CMD_NONE, NULL, "do not clear the scrollback"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    bool keeps = false;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        keeps |= option == 'x';
    }
    if (!tc_cmd_getenv(c, "TERM")) {
        tc_cmd_puts(c->err, "TERM environment variable not set.\n");
        return 1;
    }
    tc_cmd_puts(c->out, keeps ? "\33[H\33[2J" : "\33[H\33[2J\33[3J");
    return 0;
}

const struct tc_cmd tc_command_clear = {
    .name = "clear",
    .usage = "[-x]",
    .summary = "Clear the terminal screen.",
    .options = options,
    .run = run,
};
