/*
 * which: where a command would be found.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "print all matching pathnames (there is one at most)"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    int option, status = c->argc > 1 ? 0 : 1;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD)
            return 2;
    for (int i = c->at; i < c->argc; i++) {
        const char *path = tc_cmd_which(c, c->argv[i]);

        if (!path)
            status = 1;
        else
            tc_cmd_printf(c->out, "%s\n", path);
    }
    return status;
}

const struct tc_cmd tc_command_which = {
    .name = "which",
    .usage = "[-a] NAME...",
    .summary = "Locate a command.",
    .options = options,
    .run = run,
};
