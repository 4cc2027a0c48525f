/*
 * What zip is to store: the operands with all that is below them, by name, each once.
 */
#include "shell/archive/zip_job.h"

#include <string.h>

enum { DEPTH_MAX = 200 };

bool tc_zip_matches(char **patterns, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (tc_cmd_pattern(tc_str_of(patterns[i]), tc_str_of(name), 0))
            return true;
    return false;
}

/* The name in the archive: relative; a folder's with '/'. NULL: none is left. */
static char *stored_name(struct tc_zip_job *z, const char *path, bool folder)
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

static bool add_file(struct tc_zip_job *z, char *path, char *name, const struct stat *stat)
{
    if (tc_zip_matches(z->excludes, z->excludes_n, name) ||
        (z->includes_n && !tc_zip_matches(z->includes, z->includes_n, name)))
        return true;
    for (size_t i = 0; i < z->n; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return true;
    if (z->n == z->cap) {
        size_t cap = z->cap ? 2 * z->cap : 64;
        struct tc_zip_file *files = TC_ARENA_NEW_N(z->c->arena, struct tc_zip_file, cap);

        if (!files || cap > 2 * TC_ZIP_ENTRIES_MAX)
            return tc_cmd_fail_memory(z->c), false;
        if (z->n)
            memcpy(files, z->files, z->n * sizeof *files);
        z->files = files;
        z->cap = cap;
    }
    z->files[z->n++] = (struct tc_zip_file){.path = path, .name = name, .stat = *stat};
    return true;
}

static bool gather(struct tc_zip_job *z, char *path, int depth);

static bool gather_below(struct tc_zip_job *z, const char *path, int depth)
{
    char **names;
    size_t n, end = strlen(path);

    if (tc_cmd_names(z->c, path, &names, &n)) {
        tc_cmd_printf(z->words, "\tzip warning: could not open directory: %s\n", path);
        z->status = TC_ZIP_STATUS_UNREAD;
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

static bool gather(struct tc_zip_job *z, char *path, int depth)
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

bool tc_zip_gather(struct tc_zip_job *z)
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
