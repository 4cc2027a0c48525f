/*
 * Listing and extraction, and the way through an archive for both and for comparison.
 * Times and modes of folders are set at the end, so that what is put in them does not
 * change them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "shell/archive/tar.h"

struct folder { /* whose time and mode wait */
    struct folder *next;
    char *path;
    int64_t mtime;
    mode_t mode;
};

struct late { /* a link that is made at the end, where the file still is that stands for it */
    struct late *next;
    char *path;
    const char *target;
    int64_t mtime;
    dev_t device;
    ino_t inode;
};

struct reading {
    struct tc_tar *t;
    struct tc_flow *flow;
    struct folder *folders;
    struct late *late;
    mode_t mask;
    char *chunk;
};

static int make_parents(struct tc_cmd_call *c, char *path)
{
    int error = 0;

    for (char *slash = strchr(path + 1, '/'); slash && slash[1] && !error; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        error = tc_cmd_mkdir(c, path, 0777 & ~tc_cmd_umask(c));
        error = error == EEXIST ? 0 : error;
        *slash = '/';
    }
    return error;
}

/* Copies the data; what of it was not read. */
static int64_t copy_data(struct reading *r, int64_t size, struct tc_cmd_out *out)
{
    while (size > 0) {
        ssize_t got = tc_flow_read(r->flow, r->chunk, size < TC_TAR_CHUNK ? (size_t)size : TC_TAR_CHUNK);
        if (got <= 0)
            break;
        tc_cmd_write(out, r->chunk, (size_t)got);
        size -= got;
    }
    return size;
}

static void fault(struct reading *r, const char *name, const char *what, int error)
{
    tc_tar_fault(r->t, name, tc_arena_printf(r->t->c->arena, "%s: %s", what, strerror(error)).p);
}

/* Whether what is there stays, as the options say; that is told. */
static bool stays(struct reading *r, const struct tc_tar_entry *entry, const char *name, const struct stat *there)
{
    struct tc_tar *t = r->t;
    const char *what;

    switch (t->old) {
    case TC_TAR_SKIP:
        return true;
    case TC_TAR_KEEP_NEWER:
        if (there->st_mtim.tv_sec < entry->mtime)
            return false;
        tc_cmd_fail(t->c, "Current %s is newer or same age", tc_cmd_quote(t->c, name));
        return true;
    case TC_TAR_KEEP:
        what = entry->type == '2' ? "Cannot create symlink to" : entry->type == '1' ? "Cannot hard link to" : NULL;
        if (what)
            what = tc_arena_printf(t->c->arena, "%s %s", what, tc_cmd_quote(t->c, entry->link)).p;
        fault(r, name, what ? what : "Cannot open", EEXIST);
        return true;
    default:
        return false;
    }
}

static int64_t extract_file(struct reading *r, const struct tc_tar_entry *entry, const char *name, const char *path)
{
    struct tc_cmd_call *c = r->t->c;
    struct tc_cmd_out *out;
    int64_t left = entry->size;
    struct stat there;
    bool over = r->t->old == TC_TAR_OVERWRITE && tc_cmd_lstat(c, path, &there) == 0 && S_ISREG(there.st_mode);
    int error;

    if (!over)
        tc_cmd_unlink(c, path);
    error = tc_cmd_create(c, path, O_WRONLY | O_CREAT | (over ? O_TRUNC : O_EXCL), 0600, &out);
    if (error) {
        fault(r, name, "Cannot open", error);
        return left;
    }
    left = copy_data(r, left, out);
    error = tc_cmd_out_close(c, out);
    if (error)
        fault(r, name, "Cannot write", error);
    tc_cmd_chmod(c, path, entry->mode & ~r->mask);
    return left;
}

/* A link that leads out of the folder, or may: an empty file stands for it until all else is there, so that
 * nothing is written through it. */
static int put_off(struct reading *r, const struct tc_tar_entry *entry, char *path)
{
    struct tc_cmd_call *c = r->t->c;
    struct late *late = TC_ARENA_NEW(c->arena, struct late);
    struct tc_cmd_out *out;
    struct stat stat;
    int error = late ? tc_cmd_create(c, path, O_WRONLY | O_CREAT | O_EXCL, 0, &out) : ENOMEM;

    if (!error)
        error = tc_cmd_out_close(c, out);
    if (!error)
        error = tc_cmd_lstat(c, path, &stat);
    if (error)
        return error;
    *late = (struct late){r->late, path, entry->link, entry->mtime, stat.st_dev, stat.st_ino};
    r->late = late;
    return 0;
}

/* A hard link; to a link that waits it waits as well. */
static int extract_hard(struct reading *r, const char *target, char *path)
{
    struct tc_cmd_call *c = r->t->c;
    char *from = tc_tar_path(r->t, target);
    struct stat stat;
    int error = from ? tc_cmd_link(c, from, path) : ENOMEM;

    if (error || tc_cmd_lstat(c, path, &stat) != 0)
        return error;
    for (struct late *of = r->late; of; of = of->next) {
        struct late *late;

        if (of->inode != stat.st_ino || of->device != stat.st_dev)
            continue;
        late = TC_ARENA_NEW(c->arena, struct late);
        if (!late)
            return ENOMEM;
        *late = *of;
        late->next = r->late;
        late->path = path;
        r->late = late;
        break;
    }
    return 0;
}

static int extract_link(struct reading *r, const struct tc_tar_entry *entry, char *path)
{
    const char *target;

    tc_cmd_unlink(r->t->c, path);
    if (entry->type == '1')
        return (target = tc_tar_place(r->t, entry->link)) ? extract_hard(r, target, path) : 0;
    if (!r->t->absolute && (entry->link[0] == '/' || tc_tar_has_dots(entry->link)))
        return put_off(r, entry, path);
    return tc_cmd_symlink(r->t->c, entry->link, path);
}

static int extract_folder(struct reading *r, const struct tc_tar_entry *entry, char *path)
{
    struct tc_cmd_call *c = r->t->c;
    struct folder *folder = TC_ARENA_NEW(c->arena, struct folder);
    int error = tc_cmd_mkdir(c, path, 0700);

    if (!folder)
        return ENOMEM;
    *folder = (struct folder){r->folders, path, entry->mtime, entry->mode & ~r->mask};
    if (error && error != EEXIST)
        return error;
    if (!error || r->t->keep_mode)
        r->folders = folder;
    return 0;
}

static void set_time(struct reading *r, const char *path, int64_t mtime, bool follow)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = (time_t)mtime}};

    if (!r->t->no_mtime)
        tc_cmd_utimes(r->t->c, path, times, follow);
}

/* What of the data was not read. */
static int64_t extract(struct reading *r, const struct tc_tar_entry *entry)
{
    struct tc_cmd_call *c = r->t->c;
    const char *name = tc_tar_place(r->t, entry->name);
    char *path = name ? tc_tar_path(r->t, name) : NULL;
    int64_t left = entry->size;
    struct stat there;
    int error;

    if (!path)
        return left;
    if (entry->type != '5' && tc_cmd_lstat(c, path, &there) == 0 && stays(r, entry, name, &there))
        return left;
    error = make_parents(c, path);
    if (error == ENOTDIR)
        fault(r, name, "Cannot open", error);
    else if (!error && entry->type == '0')
        left = extract_file(r, entry, name, path);
    else if (!error && entry->type == '5')
        error = extract_folder(r, entry, path);
    else if (!error && (entry->type == '1' || entry->type == '2'))
        error = extract_link(r, entry, path);
    else if (!error)
        tc_tar_fault(r->t, name, "is neither a file, a folder nor a link: left out");
    if (error && error != ENOTDIR)
        tc_tar_fault(r->t, name, strerror(error));
    else if (entry->type == '0' || entry->type == '2')
        set_time(r, path, entry->mtime, false);
    return left;
}

static void finish_late(struct reading *r)
{
    struct tc_cmd_call *c = r->t->c;

    for (struct late *late = r->late; late; late = late->next) {
        struct stat there;
        int error;

        if (tc_cmd_lstat(c, late->path, &there) != 0 || there.st_ino != late->inode || there.st_dev != late->device ||
            !S_ISREG(there.st_mode) || there.st_size != 0 || (there.st_mode & 07777) != 0)
            continue; /* something else is there now, though the number of its inode may be the same */
        tc_cmd_unlink(c, late->path);
        error = tc_cmd_symlink(c, late->target, late->path);
        if (error)
            fault(r, late->path, "Cannot create symlink", error);
        else
            set_time(r, late->path, late->mtime, false);
    }
    for (struct folder *folder = r->folders; folder; folder = folder->next) {
        tc_cmd_chmod(c, folder->path, folder->mode);
        set_time(r, folder->path, folder->mtime, true);
    }
}

static int64_t one_entry(struct reading *r, const struct tc_tar_entry *entry)
{
    struct tc_tar *t = r->t;
    struct tc_cmd_out *words = t->to_stdout ? t->c->err : t->c->out;
    struct tc_tar_entry placed = *entry;

    if (!tc_tar_wanted(t, entry->name))
        return entry->size;
    if (t->act == TC_TAR_LIST) {
        tc_tar_relative(t, entry->name);
        tc_tar_show(t, entry, t->verbose > 0, t->c->out);
        return entry->size;
    }
    if (!tc_tar_transform_entry(t, &placed) || (t->strip && !tc_tar_stripped(t, placed.name)))
        return entry->size;
    if (t->verbose)
        tc_tar_show(t, entry, t->verbose > 1, words);
    if (t->act == TC_TAR_DIFF)
        return tc_tar_diff(t, &(struct tc_tar_data){r->flow, r->chunk}, &placed);
    if (t->to_stdout)
        return entry->type == '0' ? copy_data(r, entry->size, t->c->out) : entry->size;
    return extract(r, &placed);
}

static void read_entries(struct reading *r)
{
    struct tc_tar *t = r->t;
    struct tc_tar_entry entry;
    enum tc_tar_read read;

    while ((read = tc_tar_read(t->c, r->flow, &entry)) == TC_TAR_ENTRY) {
        int64_t left = one_entry(r, &entry);
        if (!tc_tar_skip(r->flow, entry.size, left)) {
            read = TC_TAR_BAD;
            tc_cmd_fail(t->c, "Unexpected EOF in archive");
            break;
        }
    }
    finish_late(r);
    if (read == TC_TAR_END)
        tc_tar_tell_missing(t);
    if (read == TC_TAR_NONE)
        t->status = 2;
    if (read == TC_TAR_BAD)
        tc_cmd_fail(t->c, "Error is not recoverable: exiting now");
    else if (t->status > 1)
        tc_cmd_fail(t->c, "Exiting with failure status due to previous errors");
    t->status = read == TC_TAR_BAD ? 2 : t->status;
}

int tc_tar_read_all(struct tc_tar *t)
{
    struct reading r = {.t = t, .mask = t->keep_mode ? 0 : tc_cmd_umask(t->c) | 07000};
    struct tc_cmd_in *in;
    int error = tc_cmd_open(t->c, t->archive, &in);

    if (error) {
        tc_tar_fault(t, t->archive, tc_arena_printf(t->c->arena, "Cannot open: %s", strerror(error)).p);
        tc_cmd_fail(t->c, "Error is not recoverable: exiting now");
        return t->status;
    }
    r.chunk = tc_arena_alloc(t->c->arena, TC_TAR_CHUNK);
    if (!r.chunk)
        return tc_cmd_fail_memory(t->c);
    r.flow = tc_flow_read_from(t->c, in);
    if (!r.flow)
        return 1;
    read_entries(&r);
    tc_flow_finish(r.flow);
    return t->status;
}
