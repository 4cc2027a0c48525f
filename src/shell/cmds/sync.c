/*
 * sync: what was written is on its way already; only the operands are checked.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'d', "d,data", TC_CMD_NONE, NULL, "only the contents of the files"},
    {'f', "f,file-system", TC_CMD_NONE, NULL, "all of the places that hold the files"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int run(struct tc_cmd_call *c)
{
    bool data = false, all = false;
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        data |= option == 'd';
        all |= option == 'f';
    }
    if (data && all)
        return tc_cmd_fail(c, "cannot specify both --data and --file-system");
    if (data && c->at == c->argc)
        return tc_cmd_fail(c, "--data needs at least one argument");
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++) {
        struct stat stat;
        int error = tc_cmd_stat(c, c->argv[i], &stat);

        if (error)
            status = tc_cmd_fail(c, "error opening %s: %s", tc_cmd_quote_name(c, c->argv[i]), strerror(error));
    }
    return status;
}

const struct tc_cmd tc_command_sync = {
    .name = "sync",
    .usage = "[OPTION] [FILE]...",
    .summary = "Write what is held back to the disk.",
    .options = options,
    .run = run,
};
