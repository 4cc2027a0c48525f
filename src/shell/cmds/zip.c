/*
 * zip: makes archives and changes them. The archive that is there lies in memory; the
 * new one is written beside it and takes its place at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "shell/archive/zip.h"

enum { DEPTH_MAX = 200, ENTRIES_MAX = 65535, LEVEL = 6, STATUS_BROKEN = 3, STATUS_FAILED = 15, STATUS_NOTHING = 12 };
enum { STATUS_UNREAD = 18, READ_CHUNK = 64 * 1024 };

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
    {'X', "X,no-extra", TC_CMD_NONE, NULL, "store no times and owners of Unix"},
    {'T', "T,test", TC_CMD_NONE, NULL, "check the archive"},
    {'@', "@,names-stdin", TC_CMD_NONE, NULL, "take names from standard input, one a line"},
    {'x', "x", TC_CMD_VALUE, "PATTERN", "leave out what matches; all patterns up to the next option or @"},
    {'i', "i", TC_CMD_VALUE, "PATTERN", "take only what matches; likewise"},
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

struct file { /* what is to be stored */
    char *path, *name;
    struct stat stat;
    bool stored;
};

struct zip {
    struct tc_cmd_call *c;
    const char *path; /* NULL: standard output */
    char **excludes, **includes;
    int excludes_n, includes_n, level, status;
    bool recurse, quiet, flat, delete, update, freshen, move, links, no_folders, no_extra, test, names_stdin;
    struct tc_zip old, now;
    struct file *files;
    size_t n, cap;
    struct tc_cmd_out *out, *words;
    uint64_t at;
    bool exists;
    struct stat archive;
};

static bool matches_any(char **patterns, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (tc_cmd_pattern(tc_str_of(patterns[i]), tc_str_of(name), 0))
            return true;
    return false;
}

static int fail(struct zip *z, int status, const char *why)
{
    tc_cmd_printf(z->words, "\nzip error: %s (%s)\n", why, z->path ? z->path : "-");
    return status;
}

/* --- what is to be stored --- */

/* The name in the archive: relative; a folder's with '/'. NULL: none is left. */
static char *stored_name(struct zip *z, const char *path, bool folder)
{
    const char *slash = strrchr(path, '/');
    size_t n;

    if (z->flat && slash && !folder)
        path = slash + 1;
    while (path[0] == '/' || (path[0] == '.' && path[1] == '/'))
        path += path[0] == '/' ? 1 : 2;
    n = strlen(path);
    while (n > 0 && path[n - 1] == '/')
        n--;
    if (n == 0 || (n == 1 && *path == '.'))
        return NULL;
    return (char *)tc_arena_printf(z->c->arena, "%.*s%s", (int)n, path, folder ? "/" : "").p;
}

static bool add_file(struct zip *z, char *path, char *name, const struct stat *stat)
{
    if (matches_any(z->excludes, z->excludes_n, name) ||
        (z->includes_n && !matches_any(z->includes, z->includes_n, name)))
        return true;
    for (size_t i = 0; i < z->n; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return true;
    if (z->n == z->cap) {
        size_t cap = z->cap ? 2 * z->cap : 64;
        struct file *files = TC_ARENA_NEW_N(z->c->arena, struct file, cap);

        if (!files || cap > 2 * ENTRIES_MAX)
            return tc_cmd_fail_memory(z->c), false;
        if (z->n)
            memcpy(files, z->files, z->n * sizeof *files);
        z->files = files;
        z->cap = cap;
    }
    z->files[z->n++] = (struct file){.path = path, .name = name, .stat = *stat};
    return true;
}

static bool gather(struct zip *z, char *path, int depth);

static bool gather_below(struct zip *z, const char *path, int depth)
{
    char **names;
    size_t n, end = strlen(path);

    if (tc_cmd_names(z->c, path, &names, &n)) {
        tc_cmd_printf(z->words, "\tzip warning: could not open directory: %s\n", path);
        z->status = STATUS_UNREAD;
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        char *below = (char *)tc_arena_printf(z->c->arena, "%s%s%s", path, end && path[end - 1] == '/' ? "" : "/",
                                              names[i])
                          .p;
        if (!below || !gather(z, below, depth + 1))
            return false;
    }
    return true;
}

static bool gather(struct zip *z, char *path, int depth)
{
    struct stat stat;
    int error = z->links ? tc_cmd_lstat(z->c, path, &stat) : tc_cmd_stat(z->c, path, &stat);
    bool folder = !error && S_ISDIR(stat.st_mode);
    char *name;

    if (!tc_cmd_tick(z->c, 1))
        return false;
    if (error || depth > DEPTH_MAX) {
        tc_cmd_printf(z->words, "\tzip warning: name not matched: %s\n", path);
        return true;
    }
    if (z->exists && stat.st_ino == z->archive.st_ino && stat.st_dev == z->archive.st_dev)
        return true;
    if (!folder && !S_ISREG(stat.st_mode) && !S_ISLNK(stat.st_mode))
        return true;
    name = stored_name(z, path, folder);
    if (name && !(folder && (z->no_folders || z->flat)) && !add_file(z, path, name, &stat))
        return false;
    return !folder || !z->recurse || gather_below(z, path, depth);
}

static bool gather_all(struct zip *z)
{
    struct tc_cmd_call *c = z->c;
    struct tc_cmd_in *in;
    struct tc_str line;

    for (int i = c->at; i < c->argc; i++)
        if (!gather(z, c->argv[i], 0))
            return false;
    if (z->names_stdin && tc_cmd_open(c, NULL, &in) == 0)
        while (tc_cmd_line(c, in, '\n', &line, NULL) > 0) {
            char *path = tc_arena_cstr(c->arena, line);
            if (!path || (*path && !gather(z, path, 0)))
                return false;
        }
    if (z->freshen && c->at == c->argc && !z->names_stdin)
        for (size_t i = 0; i < z->old.n; i++) {
            struct stat stat;
            char *path = (char *)z->old.entries[i].name;

            if (tc_cmd_stat(c, path, &stat) == 0 && !S_ISDIR(stat.st_mode) && !add_file(z, path, path, &stat))
                return false;
        }
    return true;
}

/* --- writing --- */

/* The content of a file or link, at most what an archive may be. */
static bool read_content(struct zip *z, struct file *file, struct tc_buf *plain)
{
    struct tc_cmd_call *c = z->c;
    struct tc_cmd_in *in;
    ssize_t got = 0;
    char *target;
    int error;

    if (S_ISLNK(file->stat.st_mode)) {
        error = tc_cmd_readlink(c, file->path, &target);
        if (!error)
            tc_buf_cstr(plain, target);
        return !error;
    }
    if (S_ISDIR(file->stat.st_mode))
        return true;
    if (tc_cmd_open(c, file->path, &in))
        return false;
    do {
        char *room = tc_buf_reserve(plain, READ_CHUNK);
        got = room ? tc_cmd_read(c, in, room, READ_CHUNK) : -1;
        plain->n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    tc_cmd_close(c, in);
    return got == 0;
}

static bool store(struct zip *z, struct file *file, const char *verb)
{
    struct tc_buf plain, packed;
    struct tc_zip_entry entry;
    bool ok;

    file->stored = true;
    tc_buf_init(&plain, TC_ZIP_ARCHIVE_MAX);
    tc_buf_init(&packed, TC_ZIP_ARCHIVE_MAX);
    ok = read_content(z, file, &plain);
    if (!ok && !tc_cmd_stopped(z->c)) {
        tc_cmd_printf(z->words, "\tzip warning: could not open for reading: %s\n", file->path);
        z->status = STATUS_UNREAD;
        file->stored = false;
        tc_buf_finish(&plain);
        return true;
    }
    ok = ok && tc_zip_describe(z->c, file->name, &file->stat, !z->no_extra, &entry) &&
         tc_zip_pack(z->c, tc_buf_get(&plain), S_ISREG(file->stat.st_mode) ? z->level : 0, &packed, &entry);
    if (ok) {
        tc_zip_write(z->out, &entry, &z->at);
        if (!z->quiet)
            tc_cmd_printf(z->words, "%s: %s (%s %d%%)\n", verb, file->name, entry.method ? "deflated" : "stored",
                          tc_zip_saved(entry.size, entry.packed_size));
        entry.packed = tc_str_n("", 0);
        z->now.entries[z->now.n++] = entry;
    }
    tc_buf_finish(&plain);
    tc_buf_finish(&packed);
    return ok && z->at < UINT32_MAX / 2;
}

static struct file *file_named(struct zip *z, const char *name)
{
    for (size_t i = 0; i < z->n; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return &z->files[i];
    return NULL;
}

static bool in_old(const struct zip *z, const char *name)
{
    for (size_t i = 0; i < z->old.n; i++)
        if (strcmp(z->old.entries[i].name, name) == 0)
            return true;
    return false;
}

/* Takes off the list what -u and -f leave alone. */
static void keep_newer(struct zip *z)
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

static bool write_entries(struct zip *z)
{
    for (size_t i = 0; i < z->old.n && tc_cmd_tick(z->c, 1); i++) {
        struct tc_zip_entry *entry = &z->old.entries[i];
        struct file *file = z->delete ? NULL : file_named(z, entry->name);

        if (z->delete && matches_any(z->c->argv + z->c->at, z->c->argc - z->c->at, entry->name)) {
            if (!z->quiet)
                tc_cmd_printf(z->words, "deleting: %s\n", entry->name);
            continue;
        }
        if (file) {
            if (!store(z, file, z->freshen ? "freshening" : "updating"))
                return false;
            if (file->stored)
                continue;
        }
        tc_zip_write(z->out, entry, &z->at);
        z->now.entries[z->now.n++] = *entry;
    }
    for (size_t i = 0; i < z->n && !z->delete; i++)
        if (!in_old(z, z->files[i].name) && !store(z, &z->files[i], "  adding"))
            return false;
    z->now.comment = z->old.comment;
    tc_zip_write_end(z->out, &z->now, z->at);
    return !tc_cmd_stopped(z->c);
}

static int open_output(struct zip *z)
{
    if (!z->path) {
        z->out = z->c->out;
        return 0;
    }
    return z->exists ? tc_cmd_replace(z->c, z->path, &z->out)
                     : tc_cmd_create(z->c, z->path, O_WRONLY | O_CREAT | O_TRUNC, 0666, &z->out);
}

static int write_archive(struct zip *z)
{
    int error;
    bool ok;

    z->now.entries = TC_ARENA_NEW_N(z->c->arena, struct tc_zip_entry, z->old.n + z->n + 1);
    if (!z->now.entries)
        return tc_cmd_fail_memory(z->c);
    if (z->old.n + z->n > ENTRIES_MAX)
        return fail(z, STATUS_FAILED, "Too many entries");
    error = open_output(z);
    if (error)
        return fail(z, STATUS_FAILED, "Could not create output file");
    ok = write_entries(z);
    if (z->path)
        error = z->exists ? tc_cmd_replace_close(z->c, z->out, ok) : tc_cmd_out_close(z->c, z->out);
    if (ok && z->now.n == 0)
        tc_cmd_puts(z->words, "\tzip warning: zip file empty\n");
    if (!ok && z->path && !z->exists)
        tc_cmd_unlink(z->c, z->path);
    return error || !ok ? fail(z, STATUS_FAILED, "Could not create output file") : 0;
}

/* --- the whole --- */

static int read_old(struct zip *z)
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
    return fail(z, STATUS_BROKEN, "Zip file structure invalid");
}

/* Reads back what was written. */
static int test(struct zip *z)
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
            return fail(z, 8, "Zip file invalid, could not spawn unzip, or wrong unzip");
        }
    if (!z->quiet)
        tc_cmd_printf(z->words, "test of %s OK\n", z->path);
    return 0;
}

/* Files first; folders, the innermost first, when they are empty. */
static void remove_moved(struct zip *z)
{
    for (size_t i = 0; i < z->n; i++)
        if (z->files[i].stored && !S_ISDIR(z->files[i].stat.st_mode))
            tc_cmd_unlink(z->c, z->files[i].path);
    for (size_t i = z->n; i-- > 0;)
        if (z->files[i].stored && S_ISDIR(z->files[i].stat.st_mode))
            tc_cmd_rmdir(z->c, z->files[i].path);
}

static bool delete_matches(struct zip *z)
{
    bool any = false;

    for (int i = z->c->at; i < z->c->argc; i++) {
        bool met = false;
        for (size_t j = 0; j < z->old.n; j++)
            met = met || matches_any(&z->c->argv[i], 1, z->old.entries[j].name);
        if (!met)
            tc_cmd_printf(z->words, "\tzip warning: name not matched: %s\n", z->c->argv[i]);
        any = any || met;
    }
    return any;
}

static int zip(struct zip *z)
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
        return fail(z, STATUS_NOTHING, "Nothing to do!");
    if (!z->delete && !gather_all(z))
        return 1;
    if (z->update || z->freshen) {
        keep_newer(z);
        if (z->n == 0)
            return STATUS_NOTHING;
    }
    if (!z->delete && z->n == 0)
        return fail(z, STATUS_NOTHING, "Nothing to do!");
    status = write_archive(z);
    if (!status && z->test && z->path)
        status = test(z);
    if (!status && z->move)
        remove_moved(z);
    return status ? status : z->status;
}

static void apply(struct zip *z, int option, char *value)
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
    struct zip z = {.c = c, .level = LEVEL, .words = c->out};
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
