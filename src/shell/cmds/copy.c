/*
 * Copying files and trees. Links that name one inode are kept as such when that is
 * wanted: what was copied once is linked when it is met again.
 */
#include "shell/cmds/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "shell/cmds/same.h"
#include "toolcrib/shelltext.h"

struct tc_copy_seen {
    dev_t device;
    ino_t inode;
    const char *path;
    struct tc_copy_seen *next;
};

/* One file on its way. */
struct item {
    const char *from, *to;
    struct stat stat, there; /* there: of `to`, when has_there */
    bool has_there, operand;
    const char *backup;
};

static const char *quoted(struct tc_copy *copy, const char *path)
{
    return tc_cmd_quote_name(copy->c, path);
}

static int fail(struct tc_copy *copy, const char *what, const char *path, int error)
{
    return tc_cmd_fail(copy->c, "%s %s: %s", what, quoted(copy, path), strerror(error));
}

static void tell(struct tc_copy *copy, const struct item *item)
{
    if (!copy->verbose || copy->quiet_name)
        return;
    tc_cmd_printf(copy->c->out, "%s -> %s", quoted(copy, item->from), quoted(copy, item->to));
    if (item->backup)
        tc_cmd_printf(copy->c->out, " (backup: %s)", quoted(copy, item->backup));
    tc_cmd_putc(copy->c->out, '\n');
}

static bool follows(const struct tc_copy *copy, bool operand)
{
    switch (copy->follow) {
    case TC_COPY_FOLLOW_NONE: return false;
    case TC_COPY_FOLLOW_OPERANDS: return operand;
    case TC_COPY_FOLLOW_ALL: return true;
    default: return !copy->recursive;
    }
}

/* Where an inode with several names was copied to before; else it is remembered. */
static const char *copied_before(struct tc_copy *copy, const struct item *item)
{
    struct tc_copy_seen *seen;

    if (!copy->links || (item->stat.st_nlink < 2 && !follows(copy, item->operand)) || S_ISDIR(item->stat.st_mode))
        return NULL;
    for (seen = copy->seen; seen; seen = seen->next)
        if (seen->inode == item->stat.st_ino && seen->device == item->stat.st_dev)
            return seen->path;
    seen = TC_ARENA_NEW(copy->c->arena, struct tc_copy_seen);
    if (seen) {
        *seen = (struct tc_copy_seen){item->stat.st_dev, item->stat.st_ino,
                                      tc_arena_cstr(copy->c->arena, tc_str_of(item->to)), copy->seen};
        if (seen->path)
            copy->seen = seen;
    }
    return NULL;
}

static void keep_attributes(struct tc_copy *copy, const struct item *item, bool new_file)
{
    const struct timespec times[2] = {item->stat.st_atim, item->stat.st_mtim};

    if (S_ISLNK(item->stat.st_mode)) {
        if (copy->times)
            tc_cmd_utimes(copy->c, item->to, times, false);
        return;
    }
    if (copy->mode)
        tc_cmd_chmod(copy->c, item->to, item->stat.st_mode & 01777);
    else if (new_file && S_ISDIR(item->stat.st_mode))
        tc_cmd_chmod(copy->c, item->to, item->stat.st_mode & 0777 & ~tc_cmd_umask(copy->c));
    if (copy->times)
        tc_cmd_utimes(copy->c, item->to, times, true);
}

static int copy_bytes(struct tc_copy *copy, const struct item *item, struct tc_cmd_out *out)
{
    struct tc_cmd_call *c = copy->c;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    ssize_t got;
    int error = tc_cmd_open(c, item->from, &in);

    if (error) {
        tc_cmd_out_close(c, out);
        return fail(copy, "cannot open", item->from, error);
    }
    while ((got = tc_cmd_peek(c, in, &bytes)) > 0 && tc_cmd_tick(c, 1)) {
        tc_cmd_write(out, bytes.p, bytes.n);
        tc_cmd_took(in, bytes.n);
    }
    error = tc_cmd_in_error(in);
    tc_cmd_close(c, in);
    if (error)
        fail(copy, "error reading", item->from, error);
    else if ((error = tc_cmd_out_close(c, out)) != 0)
        return fail(copy, "error writing", item->to, error);
    return error != 0;
}

static int copy_regular(struct tc_copy *copy, const struct item *item)
{
    struct tc_cmd_call *c = copy->c;
    mode_t mode = copy->no_mode ? 0666 : item->stat.st_mode & 0777;
    struct tc_cmd_out *out;
    bool exists = item->has_there && !item->backup && !copy->remove_first;
    int error;

    error = tc_cmd_create(c, item->to, O_WRONLY | (exists ? (copy->attributes_only ? 0 : O_TRUNC) : O_CREAT | O_EXCL),
                          mode, &out);
    if (error && exists && copy->force && tc_cmd_unlink(c, item->to) == 0) {
        exists = false;
        error = tc_cmd_create(c, item->to, O_WRONLY | O_CREAT | O_EXCL, mode, &out);
    }
    if (error == EISDIR && item->to[strlen(item->to) - 1] == '/')
        error = ENOTDIR;
    if (error)
        return fail(copy, "cannot create regular file", item->to, error);
    if (copy->attributes_only)
        tc_cmd_out_close(c, out);
    else if (copy_bytes(copy, item, out) != 0)
        return 1;
    keep_attributes(copy, item, !exists);
    return 0;
}

static int copy_link(struct tc_copy *copy, const struct item *item)
{
    char *target;
    int error = tc_cmd_readlink(copy->c, item->from, &target);

    if (error)
        return fail(copy, "cannot read symbolic link", item->from, error);
    if (item->has_there && !item->backup)
        tc_cmd_unlink(copy->c, item->to);
    error = tc_cmd_symlink(copy->c, target, item->to);
    if (error)
        return fail(copy, "cannot create symbolic link", item->to, error);
    keep_attributes(copy, item, true);
    return 0;
}

static int copy_item(struct tc_copy *copy, const char *from, const char *to, bool operand);

static int copy_below(struct tc_copy *copy, const struct item *item)
{
    struct tc_cmd_call *c = copy->c;
    char **names;
    size_t n;
    int status = 0, error = tc_cmd_names(c, item->from, &names, &n);

    if (error)
        return fail(copy, "cannot access", item->from, error);
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        bool slash = item->from[strlen(item->from) - 1] == '/', to_slash = item->to[strlen(item->to) - 1] == '/';
        struct tc_str from = tc_arena_printf(c->arena, "%s%s%s", item->from, slash ? "" : "/", names[i]);
        struct tc_str to = tc_arena_printf(c->arena, "%s%s%s", item->to, to_slash ? "" : "/", names[i]);

        if (!from.p || !to.p)
            return tc_cmd_fail_memory(c);
        if (from.n >= PATH_MAX || to.n >= PATH_MAX)
            status = fail(copy, "cannot access", from.p, ENAMETOOLONG);
        else
            status |= copy_item(copy, from.p, to.p, false);
    }
    return status;
}

static int copy_folder(struct tc_copy *copy, const struct item *item)
{
    bool new_file = !item->has_there;
    struct stat into;
    int status, error;

    if (!item->operand && item->stat.st_ino == copy->into && item->stat.st_dev == copy->into_device)
        return tc_cmd_fail(copy->c, "cannot copy a directory, %s, into itself, %s", quoted(copy, copy->from),
                           quoted(copy, copy->to));
    if (!copy->recursive)
        return tc_cmd_fail(copy->c, "-r not specified; omitting directory %s", quoted(copy, item->from));
    if (item->has_there && !S_ISDIR(item->there.st_mode))
        return tc_cmd_fail(copy->c, "cannot overwrite non-directory %s with directory %s", quoted(copy, item->to),
                           quoted(copy, item->from));
    if (new_file) {
        error = tc_cmd_mkdir(copy->c, item->to, 0700 | (item->stat.st_mode & 0777));
        if (error)
            return fail(copy, "cannot create directory", item->to, error);
        tell(copy, item);
    }
    if (item->operand && tc_cmd_stat(copy->c, item->to, &into) == 0) {
        copy->into = into.st_ino;
        copy->into_device = into.st_dev;
    }
    status = copy_below(copy, item);
    keep_attributes(copy, item, new_file);
    return status;
}

static bool is_newer_there(const struct item *item)
{
    const struct timespec *a = &item->stat.st_mtim, *b = &item->there.st_mtim;

    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec <= b->tv_nsec);
}

/* Is it what it would be copied to? -1 no; else the status. */
static int check_same(struct tc_copy *copy, const struct item *item)
{
    const struct tc_same how = {
        .follows = follows(copy, item->operand),
        .backup = copy->target->backup,
        .remove_first = copy->remove_first,
        .link = copy->link,
        .symlink = copy->symlink,
    };

    switch (copy->no_clobber ? TC_SAME_NOT : tc_same_file(copy->c, &how, item->from, item->to)) {
    case TC_SAME_REFUSED:
        return tc_cmd_fail(copy->c, "%s and %s are the same file", quoted(copy, item->from), quoted(copy, item->to));
    case TC_SAME_DONE: return 0;
    default: return -1;
    }
}

/* Is what is there in the way? -1 go on; else the status. */
static int clear_way(struct tc_copy *copy, struct item *item)
{
    struct stat target;
    int error;

    if (copy->no_clobber || (copy->update && is_newer_there(item)))
        return 0;
    if (S_ISDIR(item->there.st_mode))
        return tc_cmd_fail(copy->c, "cannot overwrite directory %s with non-directory", quoted(copy, item->to));
    if (copy->ask && !tc_cmd_ask(copy->c, "overwrite %s? ", quoted(copy, item->to)))
        return 0;
    error = tc_target_back_up(copy->target, item->to, &item->backup);
    if (error)
        return fail(copy, "cannot backup", item->to, error);
    if (copy->remove_first && !item->backup && (error = tc_cmd_unlink(copy->c, item->to)) != 0)
        return fail(copy, "cannot remove", item->to, error);
    if (copy->remove_first && !item->backup && copy->verbose && !copy->quiet_name)
        tc_cmd_printf(copy->c->out, "removed %s\n", quoted(copy, item->to));
    if (!item->backup && !copy->remove_first && S_ISLNK(item->there.st_mode) && !copy->link && !copy->symlink &&
        tc_cmd_stat(copy->c, item->to, &target) != 0 && !S_ISLNK(item->stat.st_mode))
        return tc_cmd_fail(copy->c, "not writing through dangling symlink %s", quoted(copy, item->to));
    return -1;
}

/* In the working directory itself. */
static bool lies_here(struct tc_copy *copy, const char *path)
{
    size_t n = (size_t)(tc_target_last_part(path).p - path);
    const char *folder = n ? tc_arena_cstr(copy->c->arena, tc_str_n(path, n)) : ".";
    struct stat here, there;

    return folder && tc_cmd_stat(copy->c, ".", &here) == 0 && tc_cmd_stat(copy->c, folder, &there) == 0 &&
           here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

static int link_instead(struct tc_copy *copy, const struct item *item, const char *to)
{
    int error;

    if (item->has_there && !item->backup && !copy->remove_first) {
        if (copy->no_clobber)
        return 0;
    if (item->stat.st_ino == item->there.st_ino && item->stat.st_dev == item->there.st_dev)
            return 0;
        if (copy->force || to)
            tc_cmd_unlink(copy->c, item->to);
    }
    if (copy->symlink && !to && item->from[0] != '/' && !lies_here(copy, item->to))
        return tc_cmd_fail(copy->c, "%s: can make relative symbolic links only in current directory",
                           tc_cmd_quote_odd(copy->c, item->to));
    if (copy->symlink && !to) {
        error = tc_cmd_symlink(copy->c, item->from, item->to);
        return !error ? 0 : tc_cmd_fail(copy->c, "cannot create symbolic link %s to %s: %s", quoted(copy, item->to),
                                        quoted(copy, item->from), strerror(error));
    }
    error = tc_cmd_link(copy->c, to ? to : item->from, item->to);
    if (!error)
        return 0;
    return tc_cmd_fail(copy->c, "cannot create hard link %s to %s: %s", quoted(copy, item->to),
                       quoted(copy, to ? to : item->from), strerror(error));
}

static int copy_file(struct tc_copy *copy, struct item *item)
{
    const char *before;
    int status = item->has_there ? clear_way(copy, item) : -1;

    if (status >= 0)
        return status;
    tell(copy, item);
    before = copied_before(copy, item);
    if (before || copy->link || copy->symlink)
        return link_instead(copy, item, before);
    if (S_ISLNK(item->stat.st_mode))
        return copy_link(copy, item);
    if (S_ISREG(item->stat.st_mode) || S_ISCHR(item->stat.st_mode) || item->operand)
        return copy_regular(copy, item);
    return tc_cmd_fail(copy->c, "cannot copy special file %s", quoted(copy, item->from));
}

static int copy_item(struct tc_copy *copy, const char *from, const char *to, bool operand)
{
    bool replaces = copy->link || copy->symlink || copy->target->backup || copy->remove_first;
    struct item item = {.from = from, .to = to, .operand = operand};
    struct stat there;
    int error = follows(copy, operand) ? tc_cmd_stat(copy->c, from, &item.stat)
                                       : tc_cmd_lstat(copy->c, from, &item.stat);

    if (error)
        return fail(copy, "cannot stat", from, error);
    /* A link that is there is followed when the copy will be written through it. */
    item.has_there = tc_cmd_lstat(copy->c, to, &item.there) == 0;
    if (item.has_there && S_ISLNK(item.there.st_mode) && !S_ISLNK(item.stat.st_mode) && !replaces &&
        tc_cmd_stat(copy->c, to, &there) == 0)
        item.there = there;
    if (item.has_there && (error = check_same(copy, &item)) >= 0)
        return error;
    return S_ISDIR(item.stat.st_mode) ? copy_folder(copy, &item) : copy_file(copy, &item);
}

int tc_copy(struct tc_copy *copy, const char *from, const char *to)
{
    copy->from = from;
    copy->to = to;
    copy->into = 0;
    return copy_item(copy, from, to, true);
}
