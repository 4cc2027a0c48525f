/*
 * The gathering part of ls: operands and folders, what is left out, and the order.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "shell/ls/ls.h"
#include "shell/sort/sort.h"
#include "toolcrib/shelltext.h"

struct pending { /* a folder that is to be listed */
    const char *path;
    struct pending *next;
};

struct list {
    struct ls_file **files;
    size_t n, max;
};

bool tc_ls_is_dir(const struct ls_file *file)
{
    return file->has_stat ? S_ISDIR(file->stat.st_mode) : file->type == DT_DIR;
}

static bool add(struct ls *ls, struct list *list, struct ls_file *file)
{
    if (list->n == list->max) {
        size_t max = list->max ? list->max * 2 : 64;
        struct ls_file **files = TC_ARENA_NEW_N(ls->c->arena, struct ls_file *, max);

        if (!files)
            return false;
        if (list->n)
            memcpy(files, list->files, list->n * sizeof *files);
        list->files = files;
        list->max = max;
    }
    list->files[list->n++] = file;
    return true;
}

/* --- order --- */

static const struct timespec *time_of(const struct ls *ls, const struct ls_file *file)
{
    return ls->time == LS_ACCESSED ? &file->stat.st_atim
           : ls->time == LS_CHANGED ? &file->stat.st_ctim
                                    : &file->stat.st_mtim;
}

static int by_time(const struct ls *ls, const struct ls_file *a, const struct ls_file *b)
{
    const struct timespec *x = time_of(ls, a), *y = time_of(ls, b);

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? 1 : -1;
    return x->tv_nsec == y->tv_nsec ? 0 : x->tv_nsec < y->tv_nsec ? 1 : -1;
}

static int by_extension(const struct ls_file *a, const struct ls_file *b)
{
    const char *x = strrchr(a->name, '.'), *y = strrchr(b->name, '.');

    return strcmp(x ? x : "", y ? y : "");
}

static int compare(const void *p, const void *q, void *arg)
{
    const struct ls *ls = arg;
    const struct ls_file *a = *(struct ls_file *const *)p, *b = *(struct ls_file *const *)q;
    int order = 0;

    if (ls->dirs_first) {
        bool x = tc_ls_is_dir(a) || (a->target_there && S_ISDIR(a->target_mode));
        bool y = tc_ls_is_dir(b) || (b->target_there && S_ISDIR(b->target_mode));
        if (x != y)
            return x ? -1 : 1;
    }
    if (ls->sort == LS_BY_SIZE)
        order = a->stat.st_size == b->stat.st_size ? 0 : a->stat.st_size < b->stat.st_size ? 1 : -1;
    else if (ls->sort == LS_BY_TIME)
        order = by_time(ls, a, b);
    else if (ls->sort == LS_BY_EXTENSION)
        order = by_extension(a, b);
    else if (ls->sort == LS_BY_VERSION)
        order = tc_sort_version(tc_str_of(a->name), tc_str_of(b->name));
    else if (ls->sort == LS_BY_WIDTH)
        order = a->width == b->width ? 0 : a->width < b->width ? -1 : 1;
    if (order == 0)
        order = strcmp(a->name, b->name);
    return ls->reverse ? -order : order;
}

static void sort(struct ls *ls, struct list *list)
{
    if (ls->sort != LS_UNSORTED && list->n)
        qsort_r(list->files, list->n, sizeof *list->files, compare, ls);
}

/* --- one file --- */

static bool needs_stat(const struct ls *ls)
{
    return ls->format == LS_LONG || ls->blocks || ls->sort == LS_BY_SIZE || ls->sort == LS_BY_TIME ||
           ls->mark == LS_MARK_ALL;
}

/* Of links it matters what they lead to. */
static bool needs_type(const struct ls *ls)
{
    return ls->dirs_first || (ls->follow == LS_FOLLOW_ALL && (ls->recursive || ls->mark != LS_NO_MARK || ls->inode));
}

static void read_target(struct ls *ls, struct ls_file *file, const char *path)
{
    struct stat stat;

    tc_cmd_readlink(ls->c, path, &file->target);
    if (tc_cmd_stat(ls->c, path, &stat) == 0) {
        file->target_there = true;
        file->target_mode = stat.st_mode;
    }
}

/* 0 or an errno. */
static int look_at(struct ls *ls, struct ls_file *file, const char *path, bool operand)
{
    bool follow = ls->follow == LS_FOLLOW_ALL || (operand && ls->follow == LS_FOLLOW_OPERANDS);
    int error = ENOENT;

    if (follow || (operand && ls->follow == LS_FOLLOW_DIRS))
        error = tc_cmd_stat(ls->c, path, &file->stat);
    if (!follow && (error == 0 ? !S_ISDIR(file->stat.st_mode) : error == ENOENT || error == ELOOP))
        error = tc_cmd_lstat(ls->c, path, &file->stat);
    if (error)
        return error;
    file->has_stat = true;
    file->type = IFTODT(file->stat.st_mode);
    if (S_ISLNK(file->stat.st_mode) && (ls->format == LS_LONG || ls->dirs_first))
        read_target(ls, file, path);
    return 0;
}

/* A new file of a list. False when that failed, which is told. */
static bool gather(struct ls *ls, struct list *list, const char *name, unsigned char type, const char *path)
{
    struct ls_file *file = TC_ARENA_NEW(ls->c->arena, struct ls_file);
    int error = 0;

    if (file) {
        file->name = tc_arena_cstr(ls->c->arena, tc_str_of(name));
        file->shown = file->name ? tc_ls_quote(ls, file->name) : NULL; /* may be the name itself */
    }
    if (!file || !file->name || !file->shown || !add(ls, list, file)) {
        tc_cmd_fail_memory(ls->c);
        return false;
    }
    file->width = tc_cmd_text_width(tc_str_of(file->shown));
    file->type = type;
    if (needs_stat(ls) || type == DT_UNKNOWN || (type == DT_LNK && needs_type(ls)))
        error = look_at(ls, file, path, type == DT_UNKNOWN);
    if (error == 0)
        return true;
    tc_cmd_fail(ls->c, "cannot access %s: %s", tc_cmd_quote_name(ls->c, path), strerror(error));
    if (type == DT_UNKNOWN) /* of a folder it is listed all the same */
        list->n--;
    ls->status = type == DT_UNKNOWN ? 2 : ls->status ? ls->status : 1;
    return true;
}

/* --- folders --- */

static bool matches(char **patterns, const char *name)
{
    for (; patterns && *patterns; patterns++)
        if (tc_cmd_pattern(tc_str_of(*patterns), tc_str_of(name), TC_CMD_PATTERN_PERIOD))
            return true;
    return false;
}

static bool is_left_out(const struct ls *ls, const char *name)
{
    size_t n = strlen(name);

    if (ls->which == LS_VISIBLE && (name[0] == '.' || matches(ls->hide, name)))
        return true;
    return (ls->no_backups && n && name[n - 1] == '~') || matches(ls->ignore, name);
}

static const char *join(struct ls *ls, const char *path, const char *name)
{
    size_t n = strlen(path);

    return tc_arena_printf(ls->c->arena, "%s%s%s", path, n && path[n - 1] == '/' ? "" : "/", name).p;
}

static bool gather_dots(struct ls *ls, struct list *list, const char *path)
{
    return ls->which != LS_ALL || (gather(ls, list, ".", DT_DIR, join(ls, path, ".")) &&
                                   gather(ls, list, "..", DT_DIR, join(ls, path, "..")));
}

static int read_folder(struct ls *ls, const char *path, struct list *list)
{
    struct tc_cmd_dirent entry;
    struct tc_cmd_dir *dir;
    int error = tc_cmd_opendir(ls->c, path, &dir);

    if (error)
        return error;
    gather_dots(ls, list, path);
    while (tc_cmd_readdir(dir, &entry)) {
        const char *full;

        if (is_left_out(ls, entry.name))
            continue;
        full = join(ls, path, entry.name);
        if (!full) {
            tc_cmd_fail_memory(ls->c);
            break;
        }
        gather(ls, list, entry.name, entry.type == DT_UNKNOWN ? DT_REG : entry.type, full);
        if (ls->inode && list->n && !list->files[list->n - 1]->has_stat)
            list->files[list->n - 1]->stat.st_ino = entry.inode;
    }
    tc_cmd_closedir(dir);
    return 0;
}

/* The folders of a list come before what is pending. */
static struct pending *queue_folders(struct ls *ls, const char *path, const struct list *list, struct pending *next)
{
    for (size_t i = list->n; i-- > 0;) {
        const struct ls_file *file = list->files[i];
        struct pending *pending;

        if (!tc_ls_is_dir(file) || (path && (strcmp(file->name, ".") == 0 || strcmp(file->name, "..") == 0)))
            continue;
        pending = TC_ARENA_NEW(ls->c->arena, struct pending);
        if (!pending || !(pending->path = path ? join(ls, path, file->name) : file->name)) {
            tc_cmd_fail_memory(ls->c);
            return NULL;
        }
        pending->next = next;
        next = pending;
    }
    return next;
}

static struct pending *list_folder(struct ls *ls, const char *path, bool header, bool operand, struct pending *next)
{
    struct list list = {0};
    int error = read_folder(ls, path, &list);

    if (error) {
        tc_cmd_fail(ls->c, "cannot open directory %s: %s", tc_cmd_quote_name(ls->c, path), strerror(error));
        ls->status = operand ? 2 : ls->status ? ls->status : 1;
        return next;
    }
    sort(ls, &list);
    if (header) {
        tc_cmd_printf(ls->c->out, "%s%s:\n", ls->begun ? "\n" : "", tc_ls_quote(ls, path));
        ls->begun = true;
    }
    if (ls->format == LS_LONG || ls->blocks)
        tc_ls_show_total(ls, list.files, list.n);
    tc_ls_show(ls, list.files, list.n);
    ls->begun = true;
    return ls->recursive ? queue_folders(ls, path, &list, next) : next;
}

/* Takes the folders out of a list. */
static void keep_files(struct list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        if (!tc_ls_is_dir(list->files[i]))
            list->files[n++] = list->files[i];
    list->n = n;
}

void tc_ls_operands(struct ls *ls, char **names, size_t n)
{
    struct list list = {0};
    struct pending *pending = NULL;
    size_t operands = n;
    bool header;

    for (size_t i = 0; i < n && tc_cmd_tick(ls->c, 1); i++)
        gather(ls, &list, names[i], DT_UNKNOWN, names[i]);
    sort(ls, &list);
    if (!ls->immediate) {
        pending = queue_folders(ls, NULL, &list, NULL);
        keep_files(&list);
    }
    if (list.n) {
        tc_ls_show(ls, list.files, list.n);
        ls->begun = true;
    }
    header = operands > 1 || ls->recursive;
    for (size_t i = 0; pending && tc_cmd_tick(ls->c, 1); i++) {
        struct pending *next = pending->next;

        pending = list_folder(ls, pending->path, header, i < operands, next);
    }
}
