/*
 * dirname: paths without their last part.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'z', "z,zero", TC_CMD_NONE, NULL, "end with NUL instead of a line feed"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

/* Bytes of the folder at the front of a path; 0 when it names none. */
static size_t folder_length(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

static int run(struct tc_cmd_call *c)
{
    char end = '\n';
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        end = '\0';
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc; i++) {
        size_t n = folder_length(c->argv[i]);

        tc_cmd_write(c->out, n ? c->argv[i] : ".", n ? n : 1);
        tc_cmd_putc(c->out, end);
    }
    return 0;
}

const struct tc_cmd tc_command_dirname = {
    .name = "dirname",
    .usage = "[OPTION] NAME...",
    .summary = "Write each NAME without its last part; . when there is no folder in it.",
    .options = options,
    .run = run,
};
