/*
 * which: where a command would be found.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "print all matching pathnames"}, {0}};

static int run(struct tc_cmd_call *c)
{
    static const char *const none = NULL;
    int option, status = c->argc > 1 ? 0 : 1;
    bool all = false;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        all |= option == 'a';
    }
    for (int i = c->at; i < c->argc; i++) {
        const char *const *paths = tc_cmd_which(c, c->argv[i]);

        if (!paths)
            return tc_cmd_fail_memory(c);
        if (!*paths)
            status = 1;
        for (; *paths; paths = all ? paths + 1 : &none)
            tc_cmd_printf(c->out, "%s\n", *paths);
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
