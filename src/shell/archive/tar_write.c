/*
 * Making archives: each operand with all that is below it, by name. A file that has
 * several names is stored once and linked.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "shell/archive/tar.h"

enum { CHUNK = 64 * 1024, DEPTH_MAX = 200 };

struct seen { /* a file with more than one name */
    struct seen *next;
    dev_t device;
    ino_t inode;
    const char *name;
};

struct writing {
    struct tc_tar *t;
    struct tc_flow *flow;
    struct seen *seen;
    char *chunk;
    struct stat archive; /* what is written, which does not go into itself */
};

static bool put(struct writing *w, const char *name, int depth);

static bool put_data(struct writing *w, const char *path, int64_t size)
{
    struct tc_cmd_call *c = w->t->c;
    struct tc_cmd_in *in;
    int64_t left = size;
    int error = tc_cmd_open(c, path, &in);

    while (!error && left > 0) {
        ssize_t got = tc_cmd_read(c, in, w->chunk, left < CHUNK ? (size_t)left : CHUNK);
        if (got <= 0) { /* it became shorter: the archive stays whole */
            memset(w->chunk, 0, CHUNK);
            got = left < CHUNK ? left : CHUNK;
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
    entry->user = t->owner ? t->owner : "user";
    entry->group = t->group ? t->group : "user";
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

/* The name in the archive: without a leading '/', a folder's with a '/' behind. */
static char *stored_name(struct writing *w, const char *name, bool folder)
{
    struct tc_tar *t = w->t;
    size_t slashes = strspn(name, "/"), n = strlen(name);

    if (slashes && !t->told_slash && !t->absolute) {
        tc_cmd_fail(t->c, "Removing leading `/' from member names");
        t->told_slash = true;
    }
    name += t->absolute ? 0 : slashes;
    n = strlen(name);
    return (char *)tc_arena_printf(t->c->arena, "%s%s", n ? name : "./", folder && n && name[n - 1] != '/' ? "/" : "")
        .p;
}

static bool put(struct writing *w, const char *name, int depth)
{
    struct tc_tar *t = w->t;
    char *path = tc_tar_path(t, name);
    struct tc_tar_entry entry = {0};
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
        tc_tar_fault(t, name, tc_arena_printf(t->c->arena, "Cannot stat: %s", strerror(error)).p);
        return true;
    }
    if (t->archive && stat.st_dev == w->archive.st_dev && stat.st_ino == w->archive.st_ino) {
        tc_cmd_fail(t->c, "%s: file is the archive; not dumped", name);
        return true;
    }
    describe(w, &stat, &entry);
    entry.name = stored_name(w, name, entry.type == '5');
    if (entry.type == '2' && tc_cmd_readlink(t->c, path, &entry.link))
        return true;
    if ((first = linked_to(w, &stat, entry.name))) {
        entry.type = '1';
        entry.link = (char *)first;
        entry.size = 0;
    }
    if (!entry.name)
        return tc_cmd_fail_memory(t->c), false;
    if (t->verbose)
        tc_tar_show(t, &entry, t->verbose > 1, t->archive ? t->c->out : t->c->err);
    if (!tc_tar_write(t->c, w->flow, &entry) || (entry.size && !put_data(w, path, entry.size)))
        return false;
    return entry.type != '5' || t->no_recursion || put_below(w, name, depth);
}

/* What an archive holds before its end is copied, so that more can follow. */
static bool copy_old(struct writing *w)
{
    struct tc_cmd_call *c = w->t->c;
    struct tc_cmd_in *in;
    struct tc_flow *from;
    struct tc_tar_entry entry;
    enum tc_tar_read read;

    if (tc_cmd_open(c, w->t->archive, &in))
        return true; /* there is none yet */
    from = tc_flow_read_from(c, in);
    while (from && (read = tc_tar_read(c, from, &entry)) == TC_TAR_ENTRY) {
        int64_t left = entry.size;
        if (!tc_tar_write(c, w->flow, &entry))
            return false;
        while (left > 0) {
            ssize_t got = tc_flow_read(from, w->chunk, left < CHUNK ? (size_t)left : CHUNK);
            if (got <= 0 || !tc_flow_write(w->flow, w->chunk, (size_t)got))
                return false;
            left -= got;
        }
        if (!tc_tar_pad(w->flow, entry.size) || !tc_tar_skip(from, entry.size, 0))
            return false;
    }
    tc_flow_finish(from);
    tc_cmd_close(c, in);
    return from && read == TC_TAR_END;
}

static bool write_entries(struct writing *w)
{
    static const char zeros[TC_TAR_BLOCK];
    struct tc_tar *t = w->t;

    if (t->act == TC_TAR_APPEND && !copy_old(w))
        return false;
    for (size_t i = 0; i < t->names_n; i++)
        if (!put(w, t->names[i], 0))
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

    if (t->act == TC_TAR_APPEND)
        return tc_cmd_replace(t->c, t->archive, ret_out);
    error = tc_cmd_create(t->c, t->archive, O_WRONLY | O_CREAT | O_TRUNC, 0666, ret_out);
    return error ? error : tc_cmd_stat(t->c, t->archive, &w->archive);
}

int tc_tar_write_all(struct tc_tar *t)
{
    struct writing w = {.t = t, .chunk = tc_arena_alloc(t->c->arena, CHUNK)};
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
    if (t->archive && t->act == TC_TAR_APPEND)
        error = tc_cmd_replace_close(t->c, out, ok);
    else if (t->archive)
        error = tc_cmd_out_close(t->c, out);
    if (error)
        tc_tar_fault(t, t->archive, tc_arena_printf(t->c->arena, "Cannot write: %s", strerror(error)).p);
    if (!ok && !tc_cmd_stopped(t->c))
        t->status = 2;
    if (t->status)
        tc_cmd_fail(t->c, "Exiting with failure status due to previous errors");
    return t->status;
}
