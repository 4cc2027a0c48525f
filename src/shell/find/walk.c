/*
 * The walk of find: depth first, the entries of a folder in the order of their names.
 * The folders that are open form a list on the heap of the call, so depth costs no stack.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "shell/find/find.h"

struct entry {
    const char *name;
    unsigned char type;
};

struct folder { /* one that is walked; the innermost first */
    struct folder *outer;
    struct tc_arena_mark mark;
    struct find_file file;
    struct entry *entries;
    size_t n, at;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* Reads the names of a folder. An errno. */
static int read_folder(struct find *f, struct folder *folder)
{
    struct tc_cmd_dir *dir;
    struct tc_cmd_dirent found;
    size_t cap = 0;
    int error = tc_cmd_opendir(f->c, folder->file.path, &dir);
    bool opened = !error;

    while (!error && tc_cmd_readdir(dir, &found)) {
        if (folder->n == cap) {
            struct entry *grown = TC_ARENA_NEW_N(f->c->arena, struct entry, cap ? 2 * cap : 32);

            if (!grown) {
                error = ENOMEM;
                break;
            }
            if (cap)
                memcpy(grown, folder->entries, cap * sizeof *grown);
            folder->entries = grown;
            cap = cap ? 2 * cap : 32;
        }
        folder->entries[folder->n].name = tc_arena_cstr(f->c->arena, tc_str_of(found.name));
        folder->entries[folder->n].type = f->follow && found.type == DT_LNK ? DT_UNKNOWN : found.type;
        if (!folder->entries[folder->n++].name)
            error = ENOMEM;
    }
    if (opened)
        tc_cmd_closedir(dir);
    if (!error && folder->n)
        qsort(folder->entries, folder->n, sizeof *folder->entries, by_name);
    return error;
}

static bool is_folder(struct find *f, struct find_file *file)
{
    const struct stat *st;

    if (file->type != DT_UNKNOWN)
        return file->type == DT_DIR;
    st = tc_find_status(f, file);
    return st && S_ISDIR(st->st_mode);
}

static void evaluate(struct find *f, struct find_file *file)
{
    if (file->depth >= f->min_depth && !f->quits)
        tc_find_eval(f, f->expression, file);
}

/* The folder is one of those that it lies in, which a followed link can bring about. */
static bool is_loop(struct find *f, struct find_file *file, struct folder *outer)
{
    const struct stat *st = tc_find_status(f, file);

    for (struct folder *folder = outer; st && folder; folder = folder->outer) {
        const struct stat *above = tc_find_status(f, &folder->file);

        if (above && above->st_dev == st->st_dev && above->st_ino == st->st_ino) {
            tc_cmd_fail(f->c, "File system loop detected; ‘%s’ is part of the same file system loop as ‘%s’.",
                        file->path, folder->file.path);
            f->failed = true;
            return true;
        }
    }
    return false;
}

/* Meets one file; a folder to be walked becomes the innermost. */
static void meet(struct find *f, struct find_file *file, struct folder **innermost, struct tc_arena_mark mark)
{
    struct folder *folder;
    const struct stat *st;
    bool is_dir;
    int error;

    if (!tc_cmd_tick(f->c, 1))
        return;
    is_dir = is_folder(f, file);
    if (file->has_status && file->error)
        return;
    if (is_dir && f->follow && is_loop(f, file, *innermost))
        return;
    if (!f->post_order || !is_dir)
        evaluate(f, file);
    if (!is_dir || f->quits || (file->pruned && !f->post_order) || file->depth >= f->max_depth ||
        (f->one_device && file->depth > 0 && (st = tc_find_status(f, file)) && st->st_dev != f->device)) {
        if (is_dir && f->post_order)
            evaluate(f, file);
        return;
    }
    folder = TC_ARENA_NEW(f->c->arena, struct folder);
    if (!folder) {
        tc_cmd_fail_memory(f->c);
        return;
    }
    folder->file = *file;
    folder->mark = mark;
    folder->outer = *innermost;
    *innermost = folder;
    error = read_folder(f, folder);
    if (error == ENOMEM)
        tc_cmd_fail_memory(f->c);
    else if (error)
        tc_find_fault(f, file->path, error);
}

static bool meet_next(struct find *f, struct folder **innermost)
{
    struct folder *folder = *innermost;
    struct tc_arena_mark mark = tc_arena_mark(f->c->arena);
    struct find_file file = {.start = folder->file.start, .depth = folder->file.depth + 1};
    const struct entry *entry;
    struct tc_str path;
    size_t n = strlen(folder->file.path);

    if (folder->at == folder->n) {
        *innermost = folder->outer;
        if (f->post_order)
            evaluate(f, &folder->file);
        mark = folder->mark;
        tc_arena_rewind(f->c->arena, &mark);
        return *innermost != NULL;
    }
    entry = &folder->entries[folder->at++];
    path = tc_arena_printf(f->c->arena, "%s%s%s", folder->file.path,
                           n && folder->file.path[n - 1] == '/' ? "" : "/", entry->name);
    if (!path.p) {
        tc_cmd_fail_memory(f->c);
        return false;
    }
    file.path = path.p;
    file.name = entry->name;
    file.type = entry->type;
    meet(f, &file, innermost, mark);
    if (*innermost == folder)
        tc_arena_rewind(f->c->arena, &mark);
    return true;
}

/* What -name sees of an operand: its last part without slashes behind it. */
static const char *base_name(struct find *f, const char *path)
{
    size_t n = strlen(path), from;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from > 0 && path[from - 1] != '/'; from--)
        ;
    if (n == 1 && *path == '/')
        from = 0;
    return tc_arena_cstr(f->c->arena, tc_str_n(path + from, n - from));
}

void tc_find_walk(struct find *f, const char *operand)
{
    struct find_file file = {.path = operand, .start = operand, .name = base_name(f, operand), .type = DT_UNKNOWN};
    struct tc_arena_mark mark = tc_arena_mark(f->c->arena);
    struct folder *innermost = NULL;
    const struct stat *st;

    if (!file.name) {
        tc_cmd_fail_memory(f->c);
        return;
    }
    st = tc_find_status(f, &file);
    if (!st)
        return;
    f->device = st->st_dev;
    meet(f, &file, &innermost, mark);
    while (innermost && !f->quits && !tc_cmd_stopped(f->c) && meet_next(f, &innermost))
        ;
}
