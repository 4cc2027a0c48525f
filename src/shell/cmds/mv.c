/*
 * mv: new names. From one mount to another it copies, and removes what it has copied.
 */
#include <errno.h>
#include <limits.h>

#include "shell/cmds/copy.h"
#include "shell/cmds/same.h"
#include "toolcrib/shelltext.h"

static const struct tc_cmd_option options[] = {
    {TC_TARGET_BACKUP, "backup", TC_CMD_MAYBE, "CONTROL", "back up what is there: none, simple, existing, numbered"},
    {'b', "b", TC_CMD_NONE, NULL, "the same without a value"},
    {'f', "f,force", TC_CMD_NONE, NULL, "do not ask before overwriting"},
    {'i', "i,interactive", TC_CMD_NONE, NULL, "ask before overwriting"},
    {'n', "n,no-clobber", TC_CMD_NONE, NULL, "do not overwrite"},
    {TC_TARGET_STRIP, "strip-trailing-slashes", TC_CMD_NONE, NULL, "take slashes off the ends of operands"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUFFIX", "of backups, instead of ~"},
    {'t', "t,target-directory", TC_CMD_VALUE, "DIRECTORY", "move all operands into DIRECTORY"},
    {'T', "T,no-target-directory", TC_CMD_NONE, NULL, "the last operand is a file"},
    {'u', "u,update", TC_CMD_NONE, NULL, "only what is newer or missing"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct move {
    struct tc_cmd_call *c;
    struct tc_target target;
    bool ask, no_clobber, update, verbose;
};

static const char *quoted(struct move *move, const char *path)
{
    return tc_cmd_quote_name(move->c, path);
}

/* What was copied goes. */
static int remove_tree(struct move *move, const char *path)
{
    struct tc_cmd_call *c = move->c;
    struct stat stat;
    char **names;
    size_t n = 0;
    int status = 0, error = tc_cmd_lstat(c, path, &stat);

    if (error == 0 && S_ISDIR(stat.st_mode)) {
        error = tc_cmd_names(c, path, &names, &n);
        for (size_t i = 0; error == 0 && i < n && tc_cmd_tick(c, 1); i++) {
            struct tc_str child = tc_arena_printf(c->arena, "%s/%s", path, names[i]);
            status |= child.p ? remove_tree(move, child.p) : tc_cmd_fail_memory(c);
        }
        if (error == 0 && status == 0)
            error = tc_cmd_rmdir(c, path);
    } else if (error == 0) {
        error = tc_cmd_unlink(c, path);
    }
    if (error)
        return tc_cmd_fail(c, "cannot remove %s: %s", quoted(move, path), strerror(error));
    return status;
}

static int move_by_copy(struct move *move, const char *from, const char *to)
{
    struct tc_target none = {.c = move->c};
    struct tc_copy copy = {
        .c = move->c,
        .target = &none,
        .recursive = true,
        .follow = TC_COPY_FOLLOW_NONE,
        .mode = true,
        .times = true,
        .links = true,
        .remove_first = true,
        .quiet_name = true,
    };
    struct stat stat;

    if (tc_cmd_lstat(move->c, to, &stat) == 0 && S_ISDIR(stat.st_mode) && tc_cmd_rmdir(move->c, to) != 0)
        return tc_cmd_fail(move->c, "inter-device move failed: %s to %s; unable to remove target: %s",
                           quoted(move, from), quoted(move, to), strerror(ENOTEMPTY));
    return tc_copy(&copy, from, to) != 0 || remove_tree(move, from) != 0;
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* Is what is there in the way? -1 go on; else the status. */
static int clear_way(struct move *move, const char *from, const char *to, const struct stat *stat, const char **backup)
{
    const struct tc_same how = {.moves = true, .backup = move->target.backup};
    struct tc_cmd_call *c = move->c;
    struct stat there;
    int error;

    if (tc_cmd_lstat(c, to, &there) != 0)
        return -1;
    if (!move->no_clobber && tc_same_file(c, &how, from, to) != TC_SAME_NOT)
        return tc_cmd_fail(c, "%s and %s are the same file", quoted(move, from), quoted(move, to));
    if (move->no_clobber || (move->update && !S_ISDIR(stat->st_mode) && !is_newer(&stat->st_mtim, &there.st_mtim)))
        return 0;
    if (S_ISDIR(there.st_mode) && !S_ISDIR(stat->st_mode))
        return tc_cmd_fail(c, "cannot overwrite directory %s with non-directory", quoted(move, to));
    if (!S_ISDIR(there.st_mode) && S_ISDIR(stat->st_mode) && !move->target.backup)
        return tc_cmd_fail(c, "cannot overwrite non-directory %s with directory %s", quoted(move, to),
                           quoted(move, from));
    if (move->ask && !tc_cmd_ask(c, "overwrite %s? ", quoted(move, to)))
        return 0;
    error = tc_target_back_up(&move->target, to, backup);
    return error ? tc_cmd_fail(c, "cannot backup %s: %s", quoted(move, to), strerror(error)) : -1;
}

static int move_operand(struct move *move, char *from)
{
    struct tc_cmd_call *c = move->c;
    size_t n = strlen(from);
    const char *backup = NULL;
    struct stat stat;
    char *to;
    int status, error;

    while (move->target.strip && n > 1 && from[n - 1] == '/')
        from[--n] = '\0';
    to = tc_target_of(&move->target, from);
    if (!to)
        return tc_cmd_fail_memory(c);
    error = tc_cmd_lstat(c, from, &stat);
    if (error)
        return tc_cmd_fail(c, "cannot stat %s: %s", quoted(move, from), strerror(error));
    status = clear_way(move, from, to, &stat, &backup);
    if (status >= 0)
        return status;
    error = tc_cmd_rename(c, from, to, false);
    if (error == EXDEV && move_by_copy(move, from, to) != 0)
        return 1;
    if (error == EINVAL && S_ISDIR(stat.st_mode))
        return tc_cmd_fail(c, "cannot move %s to a subdirectory of itself, %s", quoted(move, from), quoted(move, to));
    if (error && error != EXDEV)
        return tc_cmd_fail(c, "cannot move %s to %s: %s", quoted(move, from), quoted(move, to), strerror(error));
    if (move->verbose) {
        tc_cmd_printf(c->out, "%s %s -> %s", error ? "copied" : "renamed", quoted(move, from), quoted(move, to));
        if (backup)
            tc_cmd_printf(c->out, " (backup: %s)", quoted(move, backup));
        tc_cmd_putc(c->out, '\n');
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct move move = {.c = c, .target = {.c = c}};
    int option, status;
    bool ok;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!tc_target_option(&move.target, option, &ok)) {
            if (option == 'f' || option == 'i' || option == 'n') {
                move.ask = option == 'i';
                move.no_clobber = option == 'n';
            }
            move.update |= option == 'u';
            move.verbose |= option == 'v';
        }
        if (!ok)
            return 1;
    }
    status = tc_target_choose(&move.target);
    if (!status)
        status = tc_target_take_backup(&move.target, move.no_clobber);
    if (status)
        return status;
    for (int i = c->at; i < c->argc - !move.target.folder && tc_cmd_tick(c, 1); i++)
        status |= move_operand(&move, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_mv = {
    .name = "mv",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...",
    .summary = "Rename SOURCE to DEST, or move several into DIRECTORY.",
    .options = options,
    .run = run,
};
