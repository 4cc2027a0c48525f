/*
 * zip: makes archives and changes them. The archive that is there lies in memory; the
 * new one is written beside it and takes its place at the end.
 */
#include <errno.h>
#include <string.h>

#include "shell/archive/zip_job.h"

enum { LEVEL = 6 };

static const struct tc_cmd_option options[] = {
    {'r', "r,recurse-paths", TC_CMD_NONE, NULL, "go into folders"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "say nothing of what is done"},
    {'j', "j,junk-paths", TC_CMD_NONE, NULL, "store names without their folders"},
    {'d', "d,delete", TC_CMD_NONE, NULL, "delete members"},
    {'u', "u,update", TC_CMD_NONE, NULL, "only files that are new or newer"},
    {'f', "f,freshen", TC_CMD_NONE, NULL, "only files that are newer than a member"},
    {'m', "m,move", TC_CMD_NONE, NULL, "delete the files afterwards"},
    {'y', "y,symlinks", TC_CMD_NONE, NULL, "store links as links"},
    {'D', "D,no-dir-entries", TC_CMD_NONE, NULL, "no entries for folders"},
    {'X', "X,strip-extra", TC_CMD_NONE, NULL, "store no times and owners of Unix"},
    {'T', "T,test", TC_CMD_NONE, NULL, "check the archive"},
    {'@', "@,names-stdin", TC_CMD_NONE, NULL, "take names from standard input, one a line"},
    {'x', "x,exclude", TC_CMD_VALUE, "PATTERN", "leave out what matches; all patterns up to the next option or @"},
    {'i', "i,include", TC_CMD_VALUE, "PATTERN", "take only what matches; likewise"},
    {'0', "0", TC_CMD_NONE, NULL, "store only"},
    {'1', "1", TC_CMD_NONE, NULL, "compress fast"},
    {'2', "2", TC_CMD_NONE, NULL, "…"},
    {'3', "3", TC_CMD_NONE, NULL, "…"},
    {'4', "4", TC_CMD_NONE, NULL, "…"},
    {'5', "5", TC_CMD_NONE, NULL, "…"},
    {'6', "6", TC_CMD_NONE, NULL, "as without it"},
    {'7', "7", TC_CMD_NONE, NULL, "…"},
    {'8', "8", TC_CMD_NONE, NULL, "…"},
    {'9', "9", TC_CMD_NONE, NULL, "compress well"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

/* Takes off the list what -u and -f leave alone. */
static void keep_newer(struct tc_zip_job *z)
{
    size_t kept = 0;

    for (size_t i = 0; i < z->n; i++) {
        bool there = false, newer = false;

        for (size_t j = 0; j < z->old.n; j++)
            if (strcmp(z->old.entries[j].name, z->files[i].name) == 0) {
                there = true;
                newer = z->files[i].stat.st_mtim.tv_sec > z->old.entries[j].mtime;
            }
        if (there ? newer : !z->freshen)
            z->files[kept++] = z->files[i];
    }
    z->n = kept;
}

static int read_old(struct tc_zip_job *z)
{
    struct tc_cmd_call *c = z->c;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    int error = z->path ? tc_cmd_stat(c, z->path, &z->archive) : ENOENT;

    if (error)
        return 0;
    z->exists = true;
    error = tc_cmd_open(c, z->path, &in);
    if (!error)
        error = tc_cmd_read_all(c, in, TC_ZIP_ARCHIVE_MAX, &bytes);
    if (error)
        return tc_cmd_fail_errno(c, z->path, error);
    tc_cmd_close(c, in);
    switch (tc_zip_parse(c, bytes, &z->old)) {
    case TC_ZIP_FINE:
        return 0;
    case TC_ZIP_NO_MEMORY:
        return tc_cmd_fail_memory(c);
    case TC_ZIP_NO_END:
        tc_cmd_puts(z->words, "\tzip warning: missing end signature--probably not a zip file (did you\n"
                              "\tzip warning: remember to use binary mode when you transferred it?)\n"
                              "\tzip warning: (if you are trying to read a damaged archive try -F)\n");
        break;
    default:
        break;
    }
    return tc_zip_fail(z, TC_ZIP_STATUS_BROKEN, "Zip file structure invalid");
}

/* Reads back what was written. */
static int test(struct tc_zip_job *z)
{
    uint32_t crc;
    int status;

    z->old = (struct tc_zip){0};
    status = read_old(z);
    if (status)
        return status;
    for (size_t i = 0; i < z->old.n; i++)
        if (tc_zip_unpack(z->c, &z->old.entries[i], NULL, &crc) != TC_ZIP_OK) {
            tc_cmd_printf(z->words, "test of %s FAILED\n", z->path);
            return tc_zip_fail(z, 8, "Zip file invalid, could not spawn unzip, or wrong unzip");
        }
    if (!z->quiet)
        tc_cmd_printf(z->words, "test of %s OK\n", z->path);
    return 0;
}

/* Files first; folders, the innermost first, when they are empty. */
static void remove_moved(struct tc_zip_job *z)
{
    for (size_t i = 0; i < z->n; i++)
        if (z->files[i].stored && !S_ISDIR(z->files[i].stat.st_mode))
            tc_cmd_unlink(z->c, z->files[i].path);
    for (size_t i = z->n; i-- > 0;)
        if (z->files[i].stored && S_ISDIR(z->files[i].stat.st_mode))
            tc_cmd_rmdir(z->c, z->files[i].path);
}

static bool delete_matches(struct tc_zip_job *z)
{
    bool any = false;

    for (int i = z->c->at; i < z->c->argc; i++) {
        bool met = false;
        for (size_t j = 0; j < z->old.n; j++)
            met = met || tc_zip_matches(&z->c->argv[i], 1, z->old.entries[j].name);
        if (!met)
            tc_cmd_printf(z->words, "\tzip warning: name not matched: %s\n", z->c->argv[i]);
        any = any || met;
    }
    return any;
}

static int zip(struct tc_zip_job *z)
{
    struct tc_cmd_call *c = z->c;
    bool only_test = z->test && z->path && c->at == c->argc && !z->names_stdin && !z->freshen;
    int status = only_test ? 0 : read_old(z);

    if (only_test)
        return test(z);
    if (status)
        return status;
    if ((z->update || z->freshen) && !z->exists && z->path)
        tc_cmd_printf(z->words, "\tzip warning: %s not found or empty\n", z->path);
    if (z->delete && !delete_matches(z))
        return tc_zip_fail(z, TC_ZIP_STATUS_NOTHING, "Nothing to do!");
    if (!z->delete && !tc_zip_gather(z))
        return 1;
    if (z->update || z->freshen) {
        keep_newer(z);
        if (z->n == 0)
            return TC_ZIP_STATUS_NOTHING;
    }
    if (!z->delete && z->n == 0)
        return tc_zip_fail(z, TC_ZIP_STATUS_NOTHING, "Nothing to do!");
    status = tc_zip_make(z);
    if (!status && z->test && z->path)
        status = test(z);
    if (!status && z->move)
        remove_moved(z);
    return status ? status : z->status;
}

static void apply(struct tc_zip_job *z, int option, char *value)
{
    bool *const flags[] = {&z->recurse, &z->quiet, &z->flat,       &z->delete,   &z->update, &z->freshen,
                           &z->move,    &z->links, &z->no_folders, &z->no_extra, &z->test,   &z->names_stdin};
    static const char letters[] = "rqjdufmyDXT@";
    const char *letter = strchr(letters, option);

    if (option == 'x')
        z->excludes[z->excludes_n++] = value;
    else if (option == 'i')
        z->includes[z->includes_n++] = value;
    else if (letter)
        *flags[letter - letters] = true;
    else
        z->level = option - '0';
}

static int run(struct tc_cmd_call *c)
{
    struct tc_zip_job z = {.c = c, .level = LEVEL, .words = c->out};
    const char *base;
    int option;

    if (!tc_zip_spread(c, "xi"))
        return tc_cmd_fail_memory(c);
    z.excludes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    z.includes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    if (!z.excludes || !z.includes)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        apply(&z, option, c->value);
    }
    if (c->at == c->argc)
        return tc_cmd_fail_usage(c, "an archive is needed");
    z.path = c->argv[c->at++];
    base = strrchr(z.path, '/');
    if (strcmp(z.path, "-") == 0) {
        z.path = NULL;
        z.words = c->err;
    } else if (!strchr(base ? base : z.path, '.')) {
        z.path = tc_arena_printf(c->arena, "%s.zip", z.path).p;
        if (!z.path)
            return tc_cmd_fail_memory(c);
    }
    return zip(&z);
}

const struct tc_cmd tc_command_zip = {
    .name = "zip",
    .usage = "[OPTION]... ARCHIVE[.zip] [FILE]... [-x PATTERN...] [-i PATTERN...]",
    .summary = "Put files into a zip archive; members of the same name are replaced; \"-\" is standard output.",
    .options = options,
    .run = run,
};
