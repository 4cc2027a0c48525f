/*
 * rm: files go, and with -r folders with all that is in them. Depth is bounded by the
 * length of a path, so the walk may recurse.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { INTERACTIVE = 256, NO_PRESERVE, PRESERVE, ONE_FILE_SYSTEM };

static const struct tc_cmd_option options[] = {
    {'f', "f,force", TC_CMD_NONE, NULL, "no error for what does not exist, never ask"},
    {'i', "i", TC_CMD_NONE, NULL, "ask before each removal"},
    {'I', "I", TC_CMD_NONE, NULL, "ask once before removing more than three files, or recursively"},
    {INTERACTIVE, "interactive", TC_CMD_MAYBE, "WHEN", "ask never, once (-I) or always (-i)"},
    {ONE_FILE_SYSTEM, "one-file-system", TC_CMD_NONE, NULL, "(ignored)"},
    {NO_PRESERVE, "no-preserve-root", TC_CMD_NONE, NULL, "do not treat / specially"},
    {PRESERVE, "preserve-root", TC_CMD_MAYBE, "all", "do not remove / (default)"},
    {'r', "r,R,recursive", TC_CMD_NONE, NULL, "remove folders and what is in them"},
    {'d', "d,dir", TC_CMD_NONE, NULL, "remove empty folders"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct removal {
    struct tc_cmd_call *c;
    bool force, ask, ask_once, recursive, dirs, verbose, root_too;
};

static int fail(struct removal *removal, const char *path, int error)
{
    return tc_cmd_fail(removal->c, "cannot remove %s: %s", tc_cmd_quote_name(removal->c, path), strerror(error));
}

/* "regular empty file" and the like. */
static const char *kind_of(const struct stat *stat)
{
    if (S_ISREG(stat->st_mode))
        return stat->st_size == 0 ? "regular empty file" : "regular file";
    return S_ISDIR(stat->st_mode) ? "directory" : S_ISLNK(stat->st_mode) ? "symbolic link" : "special file";
}

static bool agreed(struct removal *removal, const char *path, const struct stat *stat)
{
    struct tc_cmd_call *c = removal->c;

    return !removal->ask || tc_cmd_ask(c, "remove %s %s? ", kind_of(stat), tc_cmd_quote_name(c, path));
}

static int remove_name(struct removal *removal, const char *path, bool dir)
{
    int error = dir ? tc_cmd_rmdir(removal->c, path) : tc_cmd_unlink(removal->c, path);

    if (error)
        return fail(removal, path, error);
    if (removal->verbose)
        tc_cmd_printf(removal->c->out, dir ? "removed directory %s\n" : "removed %s\n",
                      tc_cmd_quote_name(removal->c, path));
    return 0;
}

static int remove_tree(struct removal *removal, const char *path, const struct stat *stat);

/* What is in a folder. The names are read first, as entries go meanwhile. */
static int empty(struct removal *removal, const char *path)
{
    struct tc_cmd_call *c = removal->c;
    struct tc_arena_mark mark;
    char **names;
    size_t n;
    int status = 0, error = tc_cmd_names(c, path, &names, &n);

    if (error)
        return fail(removal, path, error);
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        struct tc_str child;
        struct stat stat;

        mark = tc_arena_mark(c->arena);
        child = tc_arena_printf(c->arena, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", names[i]);
        if (!child.p)
            return tc_cmd_fail_memory(c);
        error = child.n < PATH_MAX ? tc_cmd_lstat(c, child.p, &stat) : ENAMETOOLONG;
        status |= error ? fail(removal, child.p, error) : remove_tree(removal, child.p, &stat);
        tc_arena_rewind(c->arena, &mark);
    }
    return status;
}

static int remove_tree(struct removal *removal, const char *path, const struct stat *stat)
{
    if (S_ISDIR(stat->st_mode)) {
        if (removal->recursive && removal->ask) {
            char **names;
            size_t n;

            if (tc_cmd_names(removal->c, path, &names, &n) == 0 && n > 0 &&
                !tc_cmd_ask(removal->c, "descend into directory %s? ", tc_cmd_quote_name(removal->c, path)))
                return 0;
        }
        if (removal->recursive && empty(removal, path) != 0)
            return 1;
        return agreed(removal, path, stat) && !tc_cmd_stopped(removal->c) ? remove_name(removal, path, true) : 0;
    }
    return agreed(removal, path, stat) ? remove_name(removal, path, false) : 0;
}

/* "." and ".." at the end of a path, with slashes behind. */
static bool ends_in_dots(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n && path[n - 1] == '.')
        n--;
    else
        return false;
    if (n && path[n - 1] == '.')
        n--;
    return n == 0 || path[n - 1] == '/';
}

static int remove_operand(struct removal *removal, const char *path)
{
    struct tc_cmd_call *c = removal->c;
    struct stat stat;
    char *real;
    int error;

    if (removal->recursive && ends_in_dots(path))
        return tc_cmd_fail(c, "refusing to remove %s or %s directory: skipping %s", tc_cmd_quote_name(c, "."),
                           tc_cmd_quote_name(c, ".."), tc_cmd_quote_name(c, path));
    error = tc_cmd_lstat(c, path, &stat);
    if (error)
        return removal->force && (error == ENOENT || error == ENOTDIR) ? 0 : fail(removal, path, error);
    if (S_ISDIR(stat.st_mode) && !removal->recursive && !removal->dirs)
        return fail(removal, path, EISDIR);
    if (removal->recursive && !removal->root_too && tc_cmd_realpath(c, path, 0, &real) == 0 &&
        strcmp(real, "/") == 0) {
        if (strcmp(path, "/") == 0)
            tc_cmd_fail(c, "it is dangerous to operate recursively on %s", tc_cmd_quote_name(c, path));
        else
            tc_cmd_fail(c, "it is dangerous to operate recursively on %s (same as %s)", tc_cmd_quote_name(c, path),
                        tc_cmd_quote_name(c, "/"));
        return tc_cmd_fail(c, "use --no-preserve-root to override this failsafe");
    }
    return remove_tree(removal, path, &stat);
}

static bool take_when(struct removal *removal)
{
    static const char *const choices[] = {"never,no,none", "once", "always,yes", NULL};
    enum { NEVER, ONCE, ALWAYS };
    const char *value = removal->c->value;
    int when = value ? tc_cmd_choose(removal->c, "--interactive", value, choices) : ALWAYS;

    removal->ask = when == ALWAYS;
    removal->ask_once = when == ONCE;
    return when >= 0;
}

static bool take_option(struct removal *removal, int option)
{
    switch (option) {
    case 'f':
        removal->force = true;
        removal->ask = removal->ask_once = false;
        return true;
    case 'i':
    case 'I':
        removal->ask = option == 'i';
        removal->ask_once = option == 'I';
        removal->force = false;
        return true;
    case INTERACTIVE:
        return take_when(removal);
    default:
        removal->recursive |= option == 'r';
        removal->dirs |= option == 'd';
        removal->verbose |= option == 'v';
        removal->root_too |= option == NO_PRESERVE;
        return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct removal removal = {.c = c};
    int option, status = 0, n;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(&removal, option))
            return 1;
    }
    n = c->argc - c->at;
    if (n == 0) {
        if (!removal.force)
            tc_cmd_fail_usage(c, "missing operand");
        return !removal.force;
    }
    if (removal.ask_once && (removal.recursive || n > 3) &&
        !tc_cmd_ask(c, removal.recursive ? "remove %d argument%s recursively? " : "remove %d argument%s? ", n,
                    n == 1 ? "" : "s"))
        return 0;
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= remove_operand(&removal, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_rm = {
    .name = "rm",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Remove each FILE; folders only with -r or, when they are empty, -d.",
    .options = options,
    .run = run,
};
