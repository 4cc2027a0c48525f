/*
 * rmdir: empty folders go.
 */
#include <errno.h>

#include "toolcrib/shellfs.h"

enum { IGNORE = 256 };

static const struct tc_cmd_option options[] = {
    {IGNORE, "ignore-fail-on-non-empty", TC_CMD_NONE, NULL, "no error for a folder that is not empty"},
    {'p', "p,parents", TC_CMD_NONE, NULL, "remove the folders above as well: -p a/b is a/b a"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each folder"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct removal {
    struct tc_cmd_call *c;
    bool parents, verbose, ignore;
};

static int remove_one(struct removal *removal, const char *path, bool is_parent)
{
    struct tc_cmd_call *c = removal->c;
    int error;

    if (removal->verbose)
        tc_cmd_printf(c->out, "%s: removing directory, %s\n", c->argv[0], tc_cmd_quote_name(c, path));
    error = tc_cmd_rmdir(c, path);
    if (error == 0)
        return 0;
    if (removal->ignore && (error == ENOTEMPTY || error == EEXIST))
        return is_parent ? -1 : 0;
    return tc_cmd_fail(c, is_parent ? "failed to remove directory %s: %s" : "failed to remove %s: %s",
                       tc_cmd_quote_name(c, path), strerror(error));
}

/* The folders above, from the inside out, until one stays. */
static int remove_above(struct removal *removal, char *path)
{
    size_t n = strlen(path);

    for (;;) {
        int status;

        while (n > 1 && path[n - 1] == '/')
            n--;
        while (n > 0 && path[n - 1] != '/')
            n--;
        while (n > 1 && path[n - 1] == '/')
            n--;
        if (n == 0 || (n == 1 && path[0] == '/'))
            return 0;
        path[n] = '\0';
        status = remove_one(removal, path, true);
        if (status)
            return status > 0;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct removal removal = {.c = c};
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        removal.parents |= option == 'p';
        removal.verbose |= option == 'v';
        removal.ignore |= option == IGNORE;
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++) {
        int failed = remove_one(&removal, c->argv[i], false);

        if (!failed && removal.parents)
            failed = remove_above(&removal, c->argv[i]);
        status |= failed;
    }
    return status;
}

const struct tc_cmd tc_command_rmdir = {
    .name = "rmdir",
    .usage = "[OPTION]... DIRECTORY...",
    .summary = "Remove each DIRECTORY, if it is empty.",
    .options = options,
    .run = run,
};
