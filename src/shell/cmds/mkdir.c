/*
 * mkdir: new folders.
 */
#include <errno.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

static const struct tc_cmd_option options[] = {
    {'m', "m,mode", TC_CMD_VALUE, "MODE", "set the mode as chmod does, not a=rwx less the umask"},
    {'p', "p,parents", TC_CMD_NONE, NULL, "no error if it exists; make the folders above as needed"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each folder that is made"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct make {
    struct tc_cmd_call *c;
    bool parents, verbose, has_mode;
    mode_t mode;
};

static void tell(struct make *make, const char *path)
{
    if (make->verbose)
        tc_cmd_printf(make->c->out, "%s: created directory %s\n", make->c->argv[0], tc_cmd_quote_name(make->c, path));
}

static int fail(struct make *make, const char *path, int error)
{
    return tc_cmd_fail(make->c, "cannot create directory %s: %s", tc_cmd_quote(make->c, path), strerror(error));
}

static bool is_dir(struct tc_cmd_call *c, const char *path)
{
    struct stat stat;

    return tc_cmd_stat(c, path, &stat) == 0 && S_ISDIR(stat.st_mode);
}

/* The folders above `path`, which is cut at each slash meanwhile. */
static int make_above(struct make *make, char *path)
{
    for (char *at = path + strspn(path, "/"); (at = strchr(at, '/')); at += strspn(at, "/")) {
        int error;

        if (!at[strspn(at, "/")])
            break;
        *at = '\0';
        error = is_dir(make->c, path) ? EEXIST : tc_cmd_mkdir(make->c, path, 0777);
        if (error == 0)
            tell(make, path);
        if (error && (error != EEXIST || !is_dir(make->c, path))) {
            int status = fail(make, path, error == EEXIST ? ENOTDIR : error);
            *at = '/';
            return status;
        }
        *at = '/';
    }
    return 0;
}

static int make_one(struct make *make, char *path)
{
    int error;

    if (make->parents && make_above(make, path) != 0)
        return 1;
    error = tc_cmd_mkdir(make->c, path, make->has_mode ? make->mode & 01777 : 0777);
    if (error && make->parents && is_dir(make->c, path))
        return 0;
    if (error)
        return fail(make, path, error);
    tell(make, path);
    error = make->has_mode ? tc_cmd_chmod(make->c, path, make->mode & 07777) : 0;
    if (error)
        return tc_cmd_fail(make->c, "cannot set permissions of %s: %s", tc_cmd_quote_name(make->c, path),
                           strerror(error));
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct make make = {.c = c};
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        make.parents |= option == 'p';
        make.verbose |= option == 'v';
        if (option == 'm') {
            make.has_mode = true;
            if (!tc_cmd_mode_apply(c->value, S_IFDIR | 0777, tc_cmd_umask(c), &make.mode))
                return tc_cmd_fail(c, "invalid mode %s", tc_cmd_quote(c, c->value));
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= make_one(&make, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_mkdir = {
    .name = "mkdir",
    .usage = "[OPTION]... DIRECTORY...",
    .summary = "Make each DIRECTORY, if it does not exist.",
    .options = options,
    .run = run,
};
