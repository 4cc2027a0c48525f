/*
 * nproc: a script has one processor.
 */
#include "toolcrib/shellcmd.h"

enum { OPTION_ALL = 256, OPTION_IGNORE };

static const struct tc_cmd_option options[] = {
    {OPTION_ALL, "all", TC_CMD_NONE, NULL, "print the number of installed processors"},
    {OPTION_IGNORE, "ignore", TC_CMD_VALUE, "N", "if possible, exclude N processing units"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    int64_t ignored;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == OPTION_IGNORE && (!tc_cmd_number(c->value, false, &ignored) || ignored < 0))
            return tc_cmd_fail(c, "invalid number: %s", tc_cmd_quote(c, c->value));
    }
    if (c->at < c->argc)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at])), 1;
    tc_cmd_puts(c->out, "1\n");
    return 0;
}

const struct tc_cmd tc_command_nproc = {
    .name = "nproc",
    .usage = "[OPTION]...",
    .summary = "Print the number of processing units available.",
    .options = options,
    .run = run,
};
