/*
 * Making archives: each operand with all that is below it, by name. A file that has
 * several names is stored once and linked.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "shell/archive/tar.h"

enum { DEPTH_MAX = 200 };

struct seen { /* a file with more than one name */
    struct seen *next;
    dev_t device;
    ino_t inode;
    const char *name;
};

struct old {
    struct old *next;
    const char *name;
    int64_t mtime;
};

struct stored { /* what --remove-files takes away */
    struct stored *next;
    const char *path;
    bool folder;
};

struct writing {
    struct tc_tar *t;
    struct tc_flow *flow;
    struct seen *seen;
    char *chunk;
    struct stat archive; /* what is written, which does not go into itself */
    struct stored *stored; /* the last first */
    struct old *old;     /* of -u: what the archive has already, the last first */
    bool unsound;        /* an archive that is read: that was told */
};

static bool put(struct writing *w, const char *name, int depth);

static bool put_data(struct writing *w, const char *path, int64_t size)
{
    struct tc_cmd_call *c = w->t->c;
    struct tc_cmd_in *in;
    int64_t left = size;
    int error = tc_cmd_open(c, path, &in);

    while (!error && left > 0) {
        ssize_t got = tc_cmd_read(c, in, w->chunk, left < TC_TAR_CHUNK ? (size_t)left : TC_TAR_CHUNK);
        if (got <= 0) { /* it became shorter: the archive stays whole */
            memset(w->chunk, 0, TC_TAR_CHUNK);
            got = left < TC_TAR_CHUNK ? left : TC_TAR_CHUNK;
        }
        if (!tc_flow_write(w->flow, w->chunk, (size_t)got))
            return false;
        left -= got;
    }
    if (!error)
        tc_cmd_close(c, in);
    return tc_tar_pad(w->flow, size);
}

/* The name that the file has in the archive already; NULL: this is its first. */
static const char *linked_to(struct writing *w, const struct stat *stat, const char *name)
{
    struct seen *seen;

    if (!S_ISREG(stat->st_mode) || stat->st_nlink < 2)
        return NULL;
    for (seen = w->seen; seen; seen = seen->next)
        if (seen->device == stat->st_dev && seen->inode == stat->st_ino)
            return seen->name;
    seen = TC_ARENA_NEW(w->t->c->arena, struct seen);
    if (seen) {
        *seen = (struct seen){w->seen, stat->st_dev, stat->st_ino, name};
        w->seen = seen;
    }
    return NULL;
}

static void describe(struct writing *w, const struct stat *stat, struct tc_tar_entry *entry)
{
    const struct tc_tar *t = w->t;

    entry->mode = stat->st_mode & 07777;
    entry->mtime = t->has_mtime ? t->mtime : stat->st_mtim.tv_sec;
    entry->user = t->owner.name ? t->owner.name : "user";
    entry->group = t->group.name ? t->group.name : "user";
    entry->uid = t->owner.id;
    entry->gid = t->group.id;
    entry->type = S_ISDIR(stat->st_mode) ? '5' : S_ISLNK(stat->st_mode) ? '2' : '0';
    entry->size = entry->type == '0' ? stat->st_size : 0;
}

static bool put_below(struct writing *w, const char *name, int depth)
{
    struct tc_cmd_call *c = w->t->c;
    char **names;
    size_t n;
    int error = tc_cmd_names(c, tc_tar_path(w->t, name), &names, &n);

    if (error) {
        tc_tar_fault(w->t, name, tc_arena_printf(c->arena, "Cannot open: %s", strerror(error)).p);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        size_t end = strlen(name);
        char *below = (char *)tc_arena_printf(c->arena, "%s%s%s", name, name[end - 1] == '/' ? "" : "/", names[i]).p;
        if (!below || !put(w, below, depth + 1))
            return false;
    }
    return true;
}

static bool note_stored(struct writing *w, const char *path, bool folder)
{
    struct stored *stored = TC_ARENA_NEW(w->t->c->arena, struct stored);

    if (!stored)
        return tc_cmd_fail_memory(w->t->c), false;
    *stored = (struct stored){w->stored, path, folder};
    w->stored = stored;
    return true;
}

/* Whether -u leaves it out: the archive has it as new as it is. */
static bool is_old(const struct writing *w, const char *name, const struct stat *stat)
{
    const struct old *old = w->old;

    while (old && strcmp(old->name, name) != 0)
        old = old->next;
    return old && old->mtime >= stat->st_mtim.tv_sec;
}

/* The name in the archive: without a leading '/', a folder's with a '/' behind. */
static char *stored_name(struct writing *w, const char *name, bool folder)
{
    size_t n;

    name = tc_tar_relative(w->t, name);
    n = strlen(name);
    return (char *)tc_arena_printf(w->t->c->arena, "%s%s", n ? name : "./",
                                   folder && n && name[n - 1] != '/' ? "/" : "")
        .p;
}

/* A file that is not there, or may not be looked at. */
static void tell_unread(struct writing *w, const char *name, int error)
{
    struct tc_tar *t = w->t;

    if (t->ignore_failed)
        tc_cmd_fail(t->c, "%s: Warning: Cannot stat: %s", name, strerror(error));
    else
        tc_tar_fault(t, name, tc_arena_printf(t->c->arena, "Cannot stat: %s", strerror(error)).p);
}

static bool put(struct writing *w, const char *name, int depth)
{
    struct tc_tar *t = w->t;
    char *path = tc_tar_path(t, name);
    struct tc_tar_entry entry = {0}, shown;
    const char *first;
    struct stat stat;
    int error;

    if (!path || !tc_cmd_tick(t->c, 1))
        return false;
    if (tc_tar_excluded(t, name))
        return true;
    error = t->follow ? tc_cmd_stat(t->c, path, &stat) : tc_cmd_lstat(t->c, path, &stat);
    if (!error && depth > DEPTH_MAX)
        error = ELOOP;
    if (error) {
        tell_unread(w, name, error);
        return true;
    }
    if (t->archive && stat.st_dev == w->archive.st_dev && stat.st_ino == w->archive.st_ino) {
        tc_cmd_fail(t->c, "%s: file is the archive; not dumped", name);
        return true;
    }
    describe(w, &stat, &entry);
    entry.name = stored_name(w, name, entry.type == '5');
    if (!entry.name)
        return tc_cmd_fail_memory(t->c), false;
    if (entry.type == '2' && tc_cmd_readlink(t->c, path, &entry.link))
        return true;
    if ((first = linked_to(w, &stat, entry.name))) {
        entry.type = '1';
        entry.link = (char *)first;
        entry.size = 0;
    }
    shown = entry;
    if (!tc_tar_transform_entry(t, &entry))
        return false;
    if (t->act == TC_TAR_UPDATE && is_old(w, entry.name, &stat))
        return entry.type != '5' || t->no_recursion || put_below(w, name, depth);
    if (t->verbose)
        tc_tar_show(t, &shown, t->verbose > 1, t->archive ? t->c->out : t->c->err);
    if (!tc_tar_write(t->c, w->flow, &entry) || (entry.size && !put_data(w, path, entry.size)) ||
        (t->remove && !note_stored(w, path, entry.type == '5')))
        return false;
    return entry.type != '5' || t->no_recursion || put_below(w, name, depth);
}

static bool copy_entry(struct writing *w, struct tc_flow *from, const struct tc_tar_entry *entry)
{
    int64_t left = entry->size;

    if (!tc_tar_write(w->t->c, w->flow, entry))
        return false;
    while (left > 0) {
        ssize_t got = tc_flow_read(from, w->chunk, left < TC_TAR_CHUNK ? (size_t)left : TC_TAR_CHUNK);
        if (got <= 0 || !tc_flow_write(w->flow, w->chunk, (size_t)got))
            return false;
        left -= got;
    }
    return tc_tar_pad(w->flow, entry->size) && tc_tar_skip(from, entry->size, 0);
}

/* Remembers what an entry has, for -u. */
static bool note_old(struct writing *w, const struct tc_tar_entry *entry)
{
    struct old *old = TC_ARENA_NEW(w->t->c->arena, struct old);

    if (!old)
        return tc_cmd_fail_memory(w->t->c), false;
    *old = (struct old){w->old, entry->name, entry->mtime};
    w->old = old;
    return true;
}

/* What an archive holds before its end is copied, so that more can follow; but for what is deleted. */
static bool copy_archive(struct writing *w, struct tc_cmd_in *in)
{
    struct tc_tar *t = w->t;
    struct tc_flow *from = tc_flow_read_from(t->c, in);
    struct tc_tar_entry entry;
    enum tc_tar_read read;
    bool ok = true;

    if (!from)
        return false;
    if (tc_flow_see(from) != TC_FLOW_PLAIN) {
        tc_cmd_fail(t->c, "Cannot update compressed archives");
        w->unsound = true;
        return false;
    }
    while (ok && (read = tc_tar_read(t->c, from, &entry)) == TC_TAR_ENTRY) {
        if (t->act == TC_TAR_DELETE && tc_tar_wanted(t, entry.name))
            ok = tc_tar_skip(from, entry.size, entry.size);
        else
            ok = (t->act != TC_TAR_UPDATE || note_old(w, &entry)) && copy_entry(w, from, &entry);
    }
    w->unsound = !ok || read != TC_TAR_END;
    return ok && read == TC_TAR_END;
}

static bool copy_old(struct writing *w)
{
    struct tc_cmd_call *c = w->t->c;
    struct tc_cmd_in *in;
    bool ok;

    if (tc_cmd_open(c, w->t->archive, &in))
        return true; /* there is none yet */
    ok = copy_archive(w, in);
    tc_cmd_close(c, in);
    return ok;
}

/* -A: the operands are archives. */
static bool join(struct writing *w)
{
    struct tc_tar *t = w->t;
    struct tc_cmd_in *in;

    for (size_t i = 0; i < t->names_n; i++) {
        int error = tc_cmd_open(t->c, t->names[i].text, &in);

        if (error)
            tc_tar_fault(t, t->names[i].text, tc_arena_printf(t->c->arena, "Cannot open: %s", strerror(error)).p);
        else if (!copy_archive(w, in))
            return false;
        if (!error)
            tc_cmd_close(t->c, in);
    }
    return true;
}

static bool put_names(struct writing *w)
{
    struct tc_tar *t = w->t;

    for (size_t i = 0; i < t->names_n; i++) {
        t->folder = t->names[i].folder;
        if (!put(w, t->names[i].text, 0))
            return false;
    }
    return true;
}

static bool write_entries(struct writing *w)
{
    static const char zeros[TC_TAR_BLOCK];
    struct tc_tar *t = w->t;

    if (t->act != TC_TAR_CREATE && !copy_old(w))
        return false;
    if (t->act == TC_TAR_DELETE)
        tc_tar_tell_missing(t);
    else if (t->act == TC_TAR_JOIN ? !join(w) : !put_names(w))
        return false;
    for (int least = 2; least > 0 || tc_flow_info(w->flow)->plain % TC_TAR_RECORD != 0; least--)
        if (!tc_flow_write(w->flow, zeros, TC_TAR_BLOCK))
            return false;
    return tc_flow_finish(w->flow);
}

/* A new archive is written in its place, one that grows beside it. */
static int open_archive(struct writing *w, struct tc_cmd_out **ret_out)
{
    struct tc_tar *t = w->t;
    int error;

    if (t->act != TC_TAR_CREATE)
        return tc_cmd_replace(t->c, t->archive, ret_out);
    error = tc_cmd_create(t->c, t->archive, O_WRONLY | O_CREAT | O_TRUNC, 0666, ret_out);
    return error ? error : tc_cmd_stat(t->c, t->archive, &w->archive);
}

/* --remove-files: what was stored goes, the last first, so that folders are empty. */
static void remove_stored(struct writing *w)
{
    for (const struct stored *stored = w->stored; stored; stored = stored->next) {
        if (stored->folder)
            tc_cmd_rmdir(w->t->c, stored->path);
        else
            tc_cmd_unlink(w->t->c, stored->path);
    }
}

int tc_tar_write_all(struct tc_tar *t)
{
    struct writing w = {.t = t, .chunk = tc_arena_alloc(t->c->arena, TC_TAR_CHUNK)};
    struct tc_cmd_out *out = t->c->out;
    int error = t->archive ? open_archive(&w, &out) : 0;
    bool ok;

    if (!w.chunk)
        return tc_cmd_fail_memory(t->c);
    if (error) {
        tc_tar_fault(t, t->archive, tc_arena_printf(t->c->arena, "Cannot open: %s", strerror(error)).p);
        return t->status;
    }
    w.flow = tc_flow_write_to(t->c, out, &(struct tc_flow_form){.kind = t->kind});
    ok = w.flow && write_entries(&w);
    if (t->archive && t->act != TC_TAR_CREATE)
        error = tc_cmd_replace_close(t->c, out, ok);
    else if (t->archive)
        error = tc_cmd_out_close(t->c, out);
    if (error)
        tc_tar_fault(t, t->archive, tc_arena_printf(t->c->arena, "Cannot write: %s", strerror(error)).p);
    if (!ok && !tc_cmd_stopped(t->c))
        t->status = 2;
    if (!error && ok && t->remove && !t->status)
        remove_stored(&w);
    if (w.unsound)
        tc_cmd_fail(t->c, "Error is not recoverable: exiting now");
    else if (t->status)
        tc_cmd_fail(t->c, "Exiting with failure status due to previous errors");
    return t->status;
}
