/*
 * ln: hard and symbolic links.
 */
#include <errno.h>

#include "shell/cmds/target.h"
#include "toolcrib/shelltext.h"

static const struct tc_cmd_option options[] = {
    {TC_TARGET_BACKUP, "backup", TC_CMD_MAYBE, "CONTROL", "back up what is there: none, simple, existing, numbered"},
    {'b', "b", TC_CMD_NONE, NULL, "the same without a value"},
    {'f', "f,force", TC_CMD_NONE, NULL, "remove what is there"},
    {'i', "i,interactive", TC_CMD_NONE, NULL, "ask before removing"},
    {'L', "L,logical", TC_CMD_NONE, NULL, "follow targets that are links"},
    {'n', "n,no-dereference", TC_CMD_NONE, NULL, "a LINK_NAME that is a link to a folder is a file"},
    {'P', "P,physical", TC_CMD_NONE, NULL, "hard links to links themselves (default)"},
    {'r', "r,relative", TC_CMD_NONE, NULL, "with -s, links from where they lie"},
    {'s', "s,symbolic", TC_CMD_NONE, NULL, "symbolic links instead of hard ones"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUFFIX", "of backups, instead of ~"},
    {'t', "t,target-directory", TC_CMD_VALUE, "DIRECTORY", "make the links in DIRECTORY"},
    {'T', "T,no-target-directory", TC_CMD_NONE, NULL, "LINK_NAME is a file"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct link {
    struct tc_cmd_call *c;
    struct tc_target target;
    bool force, ask, no_follow, follow_target, relative, symbolic, verbose;
};

static const char *quoted(struct link *link, const char *path)
{
    return tc_cmd_quote_name(link->c, path);
}

/* From the folder of `to` to `from`, both real. */
static const char *relative_target(struct link *link, const char *from, const char *to)
{
    struct tc_cmd_call *c = link->c;
    struct tc_str last = tc_target_last_part(to);
    struct tc_str folder = last.p == to ? TC_STR(".") : tc_str_n(to, (size_t)(last.p - to));
    char *real_from, *real_to, *path = tc_arena_cstr(c->arena, folder);
    struct tc_buf text;
    struct tc_str kept;

    if (!path || tc_cmd_realpath(c, from, -1, &real_from) != 0 || tc_cmd_realpath(c, path, -1, &real_to) != 0)
        return from;
    tc_buf_init(&text, 16384);
    tc_cmd_relative_path(&text, real_from, real_to);
    kept = tc_buf_dup(&text, c->arena);
    tc_buf_finish(&text);
    return kept.p ? kept.p : from;
}

static int fail(struct link *link, const char *from, const char *to, int error)
{
    if (link->symbolic)
        return tc_cmd_fail(link->c, "failed to create symbolic link %s: %s", quoted(link, to), strerror(error));
    if (error == EEXIST || error == ENOSPC || error == EROFS || error == EDQUOT)
        return tc_cmd_fail(link->c, "failed to create hard link %s: %s", quoted(link, to), strerror(error));
    return tc_cmd_fail(link->c, "failed to create hard link %s => %s: %s", quoted(link, to), quoted(link, from),
                       strerror(error));
}

static bool is_one_name(struct link *link, const char *a, const char *b)
{
    char *x, *y;

    return tc_cmd_realpath(link->c, a, 0, &x) == 0 && tc_cmd_realpath(link->c, b, 0, &y) == 0 && strcmp(x, y) == 0;
}

/* What would be taken away is the file itself. A symbolic link to itself is made when that is kept, or a person
 * says so. */
static bool takes_itself(struct link *link, const char *from, const char *to, const struct stat *there)
{
    struct stat source;
    int error;

    if (link->symbolic && (!link->force || link->target.backup))
        return false;
    error = link->symbolic ? tc_cmd_stat(link->c, from, &source) : tc_cmd_lstat(link->c, from, &source);
    return !error && source.st_ino == there->st_ino && source.st_dev == there->st_dev && is_one_name(link, from, to);
}

/* Takes what is there away, as -f, -i and -b say. -1 go on; else the status. */
static int clear_way(struct link *link, const char *from, const char *to, const char **backup)
{
    struct stat there;
    int error;

    if ((!link->force && !link->ask && !link->target.backup) || tc_cmd_lstat(link->c, to, &there) != 0)
        return -1;
    if (S_ISDIR(there.st_mode))
        return tc_cmd_fail(link->c, "%s: cannot overwrite directory", tc_cmd_quote_odd(link->c, to));
    if (takes_itself(link, from, to, &there))
        return tc_cmd_fail(link->c, "%s and %s are the same file", quoted(link, from), quoted(link, to));
    if (link->ask && !tc_cmd_ask(link->c, "replace %s? ", quoted(link, to)))
        return 0;
    error = tc_target_back_up(&link->target, to, backup);
    if (error)
        return tc_cmd_fail(link->c, "cannot backup %s: %s", quoted(link, to), strerror(error));
    error = *backup ? 0 : tc_cmd_unlink(link->c, to);
    return error ? tc_cmd_fail(link->c, "cannot remove %s: %s", quoted(link, to), strerror(error)) : -1;
}

static int link_operand(struct link *link, const char *from, const char *to)
{
    struct tc_cmd_call *c = link->c;
    const char *backup = NULL, *shown = from;
    struct stat stat;
    char *real;
    int error = 0, status;

    if (!to)
        return tc_cmd_fail_memory(c);
    if (!link->symbolic) {
        error = link->follow_target ? tc_cmd_stat(c, from, &stat) : tc_cmd_lstat(c, from, &stat);
        if (error)
            return tc_cmd_fail(c, "failed to access %s: %s", quoted(link, from), strerror(error));
        if (S_ISDIR(stat.st_mode))
            return tc_cmd_fail(c, "%s: hard link not allowed for directory", tc_cmd_quote_odd(c, from));
    }
    status = clear_way(link, from, to, &backup);
    if (status >= 0)
        return status;
    if (link->symbolic) {
        shown = link->relative ? relative_target(link, from, to) : from;
        error = tc_cmd_symlink(c, shown, to);
    } else {
        if (link->follow_target && tc_cmd_realpath(c, from, 0, &real) == 0)
            from = real;
        error = tc_cmd_link(c, from, to);
    }
    if (error)
        return fail(link, from, to, error);
    if (link->verbose) {
        if (backup)
            tc_cmd_printf(c->out, "%s ~ ", quoted(link, backup));
        tc_cmd_printf(c->out, "%s %s %s\n", quoted(link, to), link->symbolic ? "->" : "=>", quoted(link, shown));
    }
    return 0;
}

/* With -n a last operand that is a link is no folder. */
static void mind_links(struct link *link)
{
    struct tc_cmd_call *c = link->c;
    struct stat stat;

    if (link->no_follow && !link->target.folder && c->argc - c->at == 2 &&
        tc_cmd_lstat(c, c->argv[c->argc - 1], &stat) == 0 && S_ISLNK(stat.st_mode))
        link->target.no_folder = true;
}

static int run(struct tc_cmd_call *c)
{
    struct link link = {.c = c, .target = {.c = c, .one_is_enough = true}};
    int option, status;
    bool ok;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!tc_target_option(&link.target, option, &ok)) {
            link.force = option == 'f' || (link.force && option != 'i');
            link.ask = option == 'i' || (link.ask && option != 'f');
            link.no_follow |= option == 'n';
            link.follow_target = option == 'L' || (link.follow_target && option != 'P');
            link.relative |= option == 'r';
            link.symbolic |= option == 's';
            link.verbose |= option == 'v';
        }
        if (!ok)
            return 1;
    }
    if (link.relative && !link.symbolic)
        return tc_cmd_fail(c, "cannot do --relative without --symbolic");
    mind_links(&link);
    status = tc_target_choose(&link.target);
    if (!status)
        status = tc_target_take_backup(&link.target, false);
    if (status)
        return status;
    for (int i = c->at; i < c->argc - !link.target.folder && tc_cmd_tick(c, 1); i++)
        status |= link_operand(&link, c->argv[i], tc_target_of(&link.target, c->argv[i]));
    return status;
}

const struct tc_cmd tc_command_ln = {
    .name = "ln",
    .usage = "[OPTION]... [-T] TARGET LINK_NAME\n[OPTION]... TARGET\n[OPTION]... TARGET... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY TARGET...",
    .summary = "Make a link LINK_NAME to TARGET, or links to each TARGET in DIRECTORY.",
    .options = options,
    .run = run,
};
