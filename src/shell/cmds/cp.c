/*
 * cp: its options and operands; copying itself is copy.c.
 */
#include <errno.h>

#include "shell/cmds/copy.h"
#include "toolcrib/shelltext.h"

enum { ATTRIBUTES_ONLY = 256, COPY_CONTENTS, NO_PRESERVE, PARENTS, PRESERVE, REFLINK, REMOVE, SPARSE };

static const struct tc_cmd_option options[] = {
    {'a', "a,archive", TC_CMD_NONE, NULL, "as -dR --preserve=all"},
    {ATTRIBUTES_ONLY, "attributes-only", TC_CMD_NONE, NULL, "no contents, only what is preserved"},
    {TC_TARGET_BACKUP, "backup", TC_CMD_MAYBE, "CONTROL", "back up what is there: none, simple, existing, numbered"},
    {'b', "b", TC_CMD_NONE, NULL, "the same without a value"},
    {'d', "d", TC_CMD_NONE, NULL, "as --no-dereference --preserve=links"},
    {'f', "f,force", TC_CMD_NONE, NULL, "remove what cannot be written, and try again"},
    {'i', "i,interactive", TC_CMD_NONE, NULL, "ask before overwriting"},
    {'H', "H", TC_CMD_NONE, NULL, "follow links that are operands"},
    {'l', "l,link", TC_CMD_NONE, NULL, "hard links instead of copies"},
    {'L', "L,dereference", TC_CMD_NONE, NULL, "follow all links"},
    {'n', "n,no-clobber", TC_CMD_NONE, NULL, "do not overwrite"},
    {'P', "P,no-dereference", TC_CMD_NONE, NULL, "follow no link"},
    {'p', "p", TC_CMD_NONE, NULL, "as --preserve=mode,ownership,timestamps"},
    {PRESERVE, "preserve", TC_CMD_MAYBE, "LIST", "mode, ownership, timestamps, links, context, xattr, all"},
    {NO_PRESERVE, "no-preserve", TC_CMD_VALUE, "LIST", "do not preserve these"},
    {PARENTS, "parents", TC_CMD_NONE, NULL, "make the folders of the operand in the target"},
    {'r', "R,r,recursive", TC_CMD_NONE, NULL, "folders with all that is in them"},
    {REFLINK, "reflink", TC_CMD_MAYBE, "WHEN", "(ignored)"},
    {REMOVE, "remove-destination", TC_CMD_NONE, NULL, "remove what is there before"},
    {SPARSE, "sparse", TC_CMD_VALUE, "WHEN", "(ignored)"},
    {TC_TARGET_STRIP, "strip-trailing-slashes", TC_CMD_NONE, NULL, "take slashes off the ends of operands"},
    {'s', "s,symbolic-link", TC_CMD_NONE, NULL, "symbolic links instead of copies"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUFFIX", "of backups, instead of ~"},
    {'t', "t,target-directory", TC_CMD_VALUE, "DIRECTORY", "copy all operands into DIRECTORY"},
    {'T', "T,no-target-directory", TC_CMD_NONE, NULL, "the last operand is a file"},
    {'u', "u,update", TC_CMD_NONE, NULL, "only what is newer or missing"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each"},
    {'x', "x,one-file-system", TC_CMD_NONE, NULL, "(ignored)"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static bool take_preserve(struct tc_copy *copy, const char *list, bool on, const char *option)
{
    static const char *const choices[] = {"mode", "timestamps", "ownership", "links", "context", "xattr", "all", NULL};
    struct tc_str rest = tc_str_of(list), part;

    while (tc_str_split(&rest, ',', &part)) {
        const char *word = tc_arena_cstr(copy->c->arena, part);
        int found = word ? tc_cmd_choose(copy->c, option, word, choices) : -1;

        if (found < 0)
            return false;
        if (found == 0 || found == 6) {
            copy->mode = on;
            copy->no_mode = !on;
        }
        if (found == 1 || found == 6)
            copy->times = on;
        if (found == 3 || found == 6)
            copy->links = on;
    }
    return true;
}

static void take_flag(struct tc_copy *copy, int option)
{
    switch (option) {
    case 'a':
        copy->recursive = copy->mode = copy->times = copy->links = true;
        copy->follow = TC_COPY_FOLLOW_NONE;
        break;
    case ATTRIBUTES_ONLY: copy->attributes_only = true; break;
    case 'd':
        copy->links = true;
        copy->follow = TC_COPY_FOLLOW_NONE;
        break;
    case 'f': copy->force = true; break;
    case 'i': copy->ask = true; copy->no_clobber = false; break;
    case 'H': copy->follow = TC_COPY_FOLLOW_OPERANDS; break;
    case 'l': copy->link = true; break;
    case 'L': copy->follow = TC_COPY_FOLLOW_ALL; break;
    case 'n': copy->no_clobber = true; copy->ask = false; break;
    case 'P': copy->follow = TC_COPY_FOLLOW_NONE; break;
    case 'p': copy->mode = copy->times = true; break;
    case 'r': copy->recursive = true; break;
    case REMOVE: copy->remove_first = true; break;
    case 's': copy->symlink = true; break;
    case 'u': copy->update = true; break;
    case 'v': copy->verbose = true; break;
    default: break;
    }
}

/* --parents: the folders of the operand, in the target, with their modes. */
static int make_parents(struct tc_copy *copy, char *to, size_t from_at)
{
    for (char *at = to + strlen(copy->target->folder) + 1; (at = strchr(at, '/')); at++) {
        struct stat stat;
        int error = 0;

        *at = '\0';
        if (tc_cmd_stat(copy->c, to, &stat) != 0) {
            error = tc_cmd_mkdir(copy->c, to, 0777);
            if (error == 0 && copy->verbose)
                tc_cmd_printf(copy->c->out, "%s -> %s\n", to + from_at, to);
            if (error == 0 && tc_cmd_stat(copy->c, to + from_at, &stat) == 0)
                tc_cmd_chmod(copy->c, to,
                             copy->mode ? stat.st_mode & 01777 : stat.st_mode & 0777 & ~tc_cmd_umask(copy->c));
        }
        if (error)
            tc_cmd_fail(copy->c, "cannot make directory %s: %s", tc_cmd_quote_name(copy->c, to), strerror(error));
        *at = '/';
        if (error)
            return 1;
    }
    return 0;
}

/* A file onto itself with -f and a backup: the copy is the backup. */
static int copy_aside(struct tc_copy *copy, char *from)
{
    const char *to = tc_target_backup_name(copy->target, from);

    copy->target->backup = TC_TARGET_NO_BACKUP;
    return to ? tc_copy(copy, from, to) : tc_cmd_fail_memory(copy->c);
}

static int copy_operand(struct tc_copy *copy, char *from, bool parents)
{
    struct tc_cmd_call *c = copy->c;
    char *to;
    size_t n = strlen(from);

    while (copy->target->strip && n > 1 && from[n - 1] == '/')
        from[--n] = '\0';
    if (parents) {
        to = (char *)tc_arena_printf(c->arena, "%s/%s", copy->target->folder, from + strspn(from, "/")).p;
        if (to && make_parents(copy, to, strlen(copy->target->folder) + 1) != 0)
            return 1;
    } else {
        to = tc_target_of(copy->target, from);
    }
    if (to && !copy->target->folder && copy->force && copy->target->backup && strcmp(from, to) == 0)
        return copy_aside(copy, from);
    return to ? tc_copy(copy, from, to) : tc_cmd_fail_memory(c);
}

static int run(struct tc_cmd_call *c)
{
    struct tc_target target = {.c = c};
    struct tc_copy copy = {.c = c, .target = &target};
    bool parents = false, ok = true;
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == PRESERVE)
            ok = take_preserve(&copy, c->value ? c->value : "mode,ownership,timestamps", true, "--preserve");
        else if (option == NO_PRESERVE)
            ok = take_preserve(&copy, c->value, false, "--no-preserve");
        else if (!tc_target_option(&target, option, &ok))
            take_flag(&copy, option);
        if (!ok)
            return 1;
        parents |= option == PARENTS;
    }
    status = tc_target_take_backup(&target, copy.no_clobber);
    if (!status)
        status = tc_target_choose(&target);
    if (status)
        return status;
    if (parents && !target.folder) {
        tc_cmd_fail_usage(c, "with --parents, the destination must be a directory");
        return 1;
    }
    for (int i = c->at; i < c->argc - !target.folder && tc_cmd_tick(c, 1); i++)
        status |= copy_operand(&copy, c->argv[i], parents);
    return status;
}

const struct tc_cmd tc_command_cp = {
    .name = "cp",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...",
    .summary = "Copy SOURCE to DEST, or several into DIRECTORY.",
    .options = options,
    .run = run,
};
