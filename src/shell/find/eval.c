/*
 * The evaluation of find's expression for one file.
 */
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "shell/find/find.h"

void tc_find_fault(struct find *f, const char *path, int error)
{
    tc_cmd_fail(f->c, "‘%s’: %s", path, strerror(error));
    f->failed = true;
}

const struct stat *tc_find_status(struct find *f, struct find_file *file)
{
    if (!file->has_status) {
        bool follow = f->follow || (f->follow_operands && file->depth == 0);

        file->error = follow ? tc_cmd_stat(f->c, file->path, &file->status) : ENOENT;
        if (file->error) /* also of a link that leads nowhere */
            file->error = tc_cmd_lstat(f->c, file->path, &file->status);
        file->has_status = true;
        if (file->error)
            tc_find_fault(f, file->path, file->error);
    }
    return file->error ? NULL : &file->status;
}

static bool compare(const struct find_number *number, int64_t value)
{
    switch (number->compare) {
    case FIND_MORE: return value > number->n;
    case FIND_LESS: return value < number->n;
    default: return value == number->n;
    }
}

char tc_find_type_letter(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return 'f';
    case S_IFDIR: return 'd';
    case S_IFLNK: return 'l';
    case S_IFIFO: return 'p';
    case S_IFSOCK: return 's';
    case S_IFCHR: return 'c';
    case S_IFBLK: return 'b';
    default: return 'U';
    }
}

static bool has_type(struct find *f, const struct find_node *node, struct find_file *file)
{
    const struct stat *st;
    struct stat other;
    char letter;

    if (node->op == FIND_TYPE && file->type != DT_UNKNOWN) {
        letter = tc_find_type_letter(DTTOIF(file->type));
    } else {
        st = tc_find_status(f, file);
        if (!st)
            return false;
        letter = tc_find_type_letter(st->st_mode);
        if (node->op == FIND_XTYPE && S_ISLNK(st->st_mode) && !tc_cmd_stat(f->c, file->path, &other))
            letter = tc_find_type_letter(other.st_mode);
        else if (node->op == FIND_XTYPE && f->follow && !tc_cmd_lstat(f->c, file->path, &other))
            letter = tc_find_type_letter(other.st_mode);
    }
    return memchr(node->text.p, letter, node->text.n) != NULL;
}

static bool is_empty(struct find *f, struct find_file *file)
{
    const struct stat *st = tc_find_status(f, file);
    struct tc_cmd_dir *dir;
    struct tc_cmd_dirent entry;
    bool empty;
    int error;

    if (!st || (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)))
        return false;
    if (S_ISREG(st->st_mode))
        return st->st_size == 0;
    error = tc_cmd_opendir(f->c, file->path, &dir);
    if (error) {
        tc_find_fault(f, file->path, error);
        return false;
    }
    empty = !tc_cmd_readdir(dir, &entry);
    tc_cmd_closedir(dir);
    return empty;
}

static bool has_link(struct find *f, const struct find_node *node, struct find_file *file)
{
    const struct stat *st = tc_find_status(f, file);
    char *target;

    if (!st || !S_ISLNK(st->st_mode) || tc_cmd_readlink(f->c, file->path, &target))
        return false;
    return tc_cmd_pattern(node->text, tc_str_of(target), node->icase ? TC_CMD_PATTERN_ICASE : 0);
}

/* Whole days are rounded down, minutes and the days of -used up. */
static bool has_age(const struct find_node *node, double age)
{
    double from = node->amount * (double)node->unit, to = from + (double)node->unit;

    if (node->op == FIND_USED || node->unit == 60) {
        to = from;
        from -= (double)node->unit;
    }
    switch (node->number.compare) {
    case FIND_MORE: return age > to;
    case FIND_LESS: return age < (node->op == FIND_TIME && node->unit != 60 ? from + 1 : to);
    default: return age > from && age <= to;
    }
}

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static bool was_used(const struct find_node *node, const struct stat *st)
{
    double age = seconds_between(st->st_ctim, st->st_atim);

    return age >= 0 && has_age(node, age);
}

static bool has_perm(const struct find_node *node, mode_t mode)
{
    mode &= 07777;
    if (node->which == '-')
        return (mode & node->mode) == node->mode;
    if (node->which == '/')
        return node->mode == 0 || (mode & node->mode) != 0;
    return mode == node->mode;
}

/* Tests on the status of the file. */
static bool status_test(struct find *f, const struct find_node *node, struct find_file *file)
{
    const struct stat *st = tc_find_status(f, file);
    struct timespec t;

    if (!st)
        return false;
    switch (node->op) {
    case FIND_SIZE: return compare(&node->number, (st->st_size + node->unit - 1) / node->unit);
    case FIND_PERM: return has_perm(node, st->st_mode);
    case FIND_LINKS: return compare(&node->number, (int64_t)st->st_nlink);
    case FIND_INUM: return compare(&node->number, (int64_t)st->st_ino);
    case FIND_UID: case FIND_GID: return compare(&node->number, FIND_OWNER);
    case FIND_FSTYPE: return tc_str_is(node->text, FIND_FS_NAME);
    case FIND_SAMEFILE: return st->st_dev == node->device && st->st_ino == node->inode;
    case FIND_TIME: return has_age(node, seconds_between(*tc_find_time(st, node->which), node->time));
    case FIND_USED: return was_used(node, st);
    default:
        t = *tc_find_time(st, node->which);
        return t.tv_sec > node->time.tv_sec || (t.tv_sec == node->time.tv_sec && t.tv_nsec > node->time.tv_nsec);
    }
}

static bool remove_file(struct find *f, struct find_file *file)
{
    const struct stat *st;
    int error;

    if (strcmp(file->name, ".") == 0 || strcmp(file->name, "..") == 0)
        return true;
    st = tc_find_status(f, file);
    if (!st)
        return false;
    error = S_ISDIR(st->st_mode) ? tc_cmd_rmdir(f->c, file->path) : tc_cmd_unlink(f->c, file->path);
    if (error) {
        tc_cmd_fail(f->c, "cannot delete ‘%s’: %s", file->path, strerror(error));
        f->failed = true;
    }
    return error == 0;
}

static bool act(struct find *f, const struct find_node *node, struct find_file *file)
{
    struct tc_cmd_out *out = node->output ? node->output->out : f->c->out;

    switch (node->op) {
    case FIND_PRUNE: file->pruned = true; return true;
    case FIND_QUIT: f->quits = true; return true;
    case FIND_DELETE: return remove_file(f, file);
    case FIND_PRINT:
    case FIND_PRINT0:
        tc_cmd_puts(out, file->path);
        tc_cmd_putc(out, node->op == FIND_PRINT ? '\n' : '\0');
        return true;
    case FIND_PRINTF: tc_find_printf(f, node->text, file, out); return true;
    case FIND_LS: tc_find_ls(f, file, out); return true;
    default: return tc_find_exec(f, node->exec, file);
    }
}

static bool test(struct find *f, const struct find_node *node, struct find_file *file)
{
    unsigned flags = node->icase ? TC_CMD_PATTERN_ICASE : 0;

    switch (node->op) {
    case FIND_NAME: return tc_cmd_pattern(node->text, tc_str_of(file->name), flags);
    case FIND_PATH: return tc_cmd_pattern(node->text, tc_str_of(file->path), flags);
    case FIND_LNAME: return has_link(f, node, file);
    case FIND_REGEX: return tc_regex_search(node->regex, tc_str_of(file->path), 0, NULL, 0) == TC_REGEX_FOUND;
    case FIND_TYPE: case FIND_XTYPE: return has_type(f, node, file);
    case FIND_EMPTY: return is_empty(f, file);
    case FIND_ACCESS:
        return tc_cmd_access(f->c, file->path, node->which == 'r' ? R_OK : node->which == 'w' ? W_OK : X_OK);
    default: return status_test(f, node, file);
    }
}

bool tc_find_eval(struct find *f, const struct find_node *node, struct find_file *file)
{
    for (; !f->quits && !tc_cmd_stopped(f->c); node = node->b) {
        switch (node->op) {
        case FIND_TRUE: return true;
        case FIND_FALSE: return false;
        case FIND_NOT: return !tc_find_eval(f, node->a, file);
        case FIND_AND:
            if (!tc_find_eval(f, node->a, file))
                return false;
            break;
        case FIND_OR:
            if (tc_find_eval(f, node->a, file))
                return true;
            break;
        case FIND_COMMA: tc_find_eval(f, node->a, file); break;
        case FIND_PRUNE: case FIND_QUIT: case FIND_DELETE: case FIND_PRINT: case FIND_PRINT0: case FIND_PRINTF:
        case FIND_LS: case FIND_EXEC: return act(f, node, file);
        default: return test(f, node, file);
        }
    }
    return false;
}
