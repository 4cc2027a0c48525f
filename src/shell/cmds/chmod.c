/*
 * chmod: modes of files.
 */
#include <errno.h>
#include <limits.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { REFERENCE = 256, PRESERVE_ROOT, NO_PRESERVE_ROOT };

static const struct tc_cmd_option options[] = {
    {'c', "c,changes", TC_CMD_NONE, NULL, "tell of each change"},
    {'f', "f,silent,quiet", TC_CMD_NONE, NULL, "no messages of most errors"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each file"},
    {NO_PRESERVE_ROOT, "no-preserve-root", TC_CMD_NONE, NULL, "do not treat / specially"},
    {PRESERVE_ROOT, "preserve-root", TC_CMD_NONE, NULL, "with -R, do not change /"},
    {REFERENCE, "reference", TC_CMD_VALUE, "FILE", "the mode of FILE"},
    {'R', "R,recursive", TC_CMD_NONE, NULL, "folders and what is in them"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct change {
    struct tc_cmd_call *c;
    const char *mode; /* NULL: of reference */
    mode_t reference;
    bool changes, quiet, verbose, recursive, spare_root;
};

static int fail(struct change *change, const char *what, const char *path, int error)
{
    if (change->quiet)
        return 1;
    return tc_cmd_fail(change->c, "%s %s: %s", what, tc_cmd_quote_name(change->c, path), strerror(error));
}

static void tell(struct change *change, const char *path, mode_t before, mode_t after)
{
    const char *name = tc_cmd_quote_name(change->c, path);
    char old[TC_CMD_MODE_SIZE], new[TC_CMD_MODE_SIZE];

    tc_cmd_mode_text(before, old);
    tc_cmd_mode_text(after, new);
    if ((before & 07777) == (after & 07777)) {
        if (change->verbose)
            tc_cmd_printf(change->c->out, "mode of %s retained as %04o (%s)\n", name, before & 07777u, old + 1);
    } else if (change->verbose || change->changes) {
        tc_cmd_printf(change->c->out, "mode of %s changed from %04o (%s) to %04o (%s)\n", name, before & 07777u,
                      old + 1, after & 07777u, new + 1);
    }
}

/* What -v says of a change that failed. */
static void tell_failed(struct change *change, const char *path, mode_t before, mode_t after)
{
    char old[TC_CMD_MODE_SIZE], new[TC_CMD_MODE_SIZE];

    tc_cmd_mode_text(before, old);
    tc_cmd_mode_text(after, new);
    if (change->verbose)
        tc_cmd_printf(change->c->out, "failed to change mode of %s from %04o (%s) to %04o (%s)\n",
                      tc_cmd_quote_name(change->c, path), before & 07777u, old + 1, after & 07777u, new + 1);
}

static int change_mode(struct change *change, const char *path, const struct stat *stat)
{
    mode_t mode = change->reference, without;
    int error;

    if (change->mode)
        tc_cmd_mode_apply(change->mode, stat->st_mode, tc_cmd_umask(change->c), &mode);
    error = tc_cmd_chmod(change->c, path, mode & 07777);
    if (error) {
        tell_failed(change, path, stat->st_mode, mode);
        return fail(change, "changing permissions of", path, error);
    }
    tell(change, path, stat->st_mode, mode);
    if (change->mode && change->mode[0] == '-' && tc_cmd_mode_apply(change->mode, stat->st_mode, 0, &without) &&
        (mode & 0777) != (without & 0777)) {
        char now[TC_CMD_MODE_SIZE], expected[TC_CMD_MODE_SIZE];

        tc_cmd_mode_text(mode, now);
        tc_cmd_mode_text(without, expected);
        return tc_cmd_fail(change->c, "%s: new permissions are %s, not %s", tc_cmd_quote_odd(change->c, path), now + 1,
                           expected + 1);
    }
    return 0;
}

static int no_access(struct change *change, const char *path, int error)
{
    if (change->verbose)
        tc_cmd_printf(change->c->out, "%s could not be accessed\n", tc_cmd_quote_name(change->c, path));
    return fail(change, "cannot access", path, error);
}

static int change_tree(struct change *change, const char *path, const struct stat *stat);

static int change_below(struct change *change, const char *path)
{
    struct tc_cmd_call *c = change->c;
    char **names;
    size_t n;
    int status = 0, error = tc_cmd_names(c, path, &names, &n);

    if (error)
        return fail(change, "cannot read directory", path, error);
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        struct tc_arena_mark mark = tc_arena_mark(c->arena);
        struct tc_str child =
            tc_arena_printf(c->arena, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", names[i]);
        struct stat stat;

        if (!child.p)
            return tc_cmd_fail_memory(c);
        error = child.n < PATH_MAX ? tc_cmd_lstat(c, child.p, &stat) : ENAMETOOLONG;
        if (error)
            status = no_access(change, child.p, error);
        else if (!S_ISLNK(stat.st_mode))
            status |= change_tree(change, child.p, &stat);
        else if (change->verbose)
            tc_cmd_printf(c->out, "neither symbolic link %s nor referent has been changed\n",
                          tc_cmd_quote_name(c, child.p));
        tc_arena_rewind(c->arena, &mark);
    }
    return status;
}

static int change_tree(struct change *change, const char *path, const struct stat *stat)
{
    int status = change_mode(change, path, stat);

    if (change->recursive && S_ISDIR(stat->st_mode))
        status |= change_below(change, path);
    return status;
}

static int change_operand(struct change *change, const char *path)
{
    struct stat stat;
    char *real;
    int error = tc_cmd_stat(change->c, path, &stat);

    if (error && tc_cmd_lstat(change->c, path, &stat) == 0)
        return change->quiet ? 1 : tc_cmd_fail(change->c, "cannot operate on dangling symlink %s",
                                               tc_cmd_quote_name(change->c, path));
    if (error)
        return no_access(change, path, error);
    if (change->recursive && change->spare_root && tc_cmd_realpath(change->c, path, 0, &real) == 0 &&
        strcmp(real, "/") == 0) {
        tc_cmd_fail(change->c, strcmp(path, "/") ? "it is dangerous to operate recursively on %s (same as '/')"
                                                 : "it is dangerous to operate recursively on %s",
                    tc_cmd_quote_name(change->c, path));
        return tc_cmd_fail(change->c, "use --no-preserve-root to override this failsafe");
    }
    return change_tree(change, path, &stat);
}

/* A mode may begin with a dash: -x, -rw. It is hidden from the reading of options, and given back. */
static char *find_dashed_mode(struct tc_cmd_call *c)
{
    for (int i = 1; i < c->argc && strcmp(c->argv[i], "--") != 0; i++) {
        char *word = c->argv[i];

        if (word[0] == '-' && word[1] && strchr("rwxXstugo=+-,", word[1]) && word[1] != '-' &&
            strspn(word + 1, "rwxXstugoa=+-,") == strlen(word + 1)) {
            for (int j = i; j < c->argc; j++)
                c->argv[j] = c->argv[j + 1];
            c->argc--;
            return word;
        }
    }
    return NULL;
}

static int take_mode(struct change *change, const char *reference)
{
    struct tc_cmd_call *c = change->c;
    struct stat stat;
    mode_t mode;
    int error;

    if (reference) {
        error = tc_cmd_stat(c, reference, &stat);
        if (error)
            return tc_cmd_fail(c, "failed to get attributes of %s: %s", tc_cmd_quote_name(c, reference),
                               strerror(error));
        change->reference = stat.st_mode & 07777;
        return 0;
    }
    if (!change->mode && c->at < c->argc)
        change->mode = c->argv[c->at++];
    if (!change->mode) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand after %s", tc_cmd_quote(c, change->mode));
        return 1;
    }
    if (!tc_cmd_mode_apply(change->mode, 0, 0, &mode)) {
        tc_cmd_fail_usage(c, "invalid mode: %s", tc_cmd_quote(c, change->mode));
        return 1;
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct change change = {.c = c, .mode = find_dashed_mode(c)};
    const char *reference = NULL;
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        change.quiet |= option == 'f';
        change.recursive |= option == 'R';
        if (option == 'c' || option == 'v') {
            change.changes = option == 'c';
            change.verbose = option == 'v';
        }
        if (option == PRESERVE_ROOT || option == NO_PRESERVE_ROOT)
            change.spare_root = option == PRESERVE_ROOT;
        if (option == REFERENCE)
            reference = c->value;
    }
    status = take_mode(&change, reference);
    if (status)
        return status;
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= change_operand(&change, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_chmod = {
    .name = "chmod",
    .usage = "[OPTION]... MODE[,MODE]... FILE...\n[OPTION]... OCTAL-MODE FILE...\n[OPTION]... --reference=FILE FILE...",
    .summary = "Change the mode of each FILE.",
    .options = options,
    .run = run,
};
