/*
 * printenv: the values of exported variables.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'0', "0,null", TC_CMD_NONE, NULL, "end each with a NUL instead of a line feed"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int run(struct tc_cmd_call *c)
{
    int option, status = 0;
    char end = '\n', **all;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        end = '\0';
    }
    if (c->at == c->argc) {
        if (tc_cmd_environ(c, &all))
            return tc_cmd_fail_memory(c);
        for (; *all; all++)
            tc_cmd_printf(c->out, "%s%c", *all, end);
        return 0;
    }
    for (int i = c->at; i < c->argc; i++) {
        const char *value = tc_cmd_getenv(c, c->argv[i]);

        if (value)
            tc_cmd_printf(c->out, "%s%c", value, end);
        else
            status = 1;
    }
    return status;
}

const struct tc_cmd tc_command_printenv = {
    .name = "printenv",
    .usage = "[OPTION]... [VARIABLE]...",
    .summary = "Print the values of the exported VARIABLEs, or all with their names.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
