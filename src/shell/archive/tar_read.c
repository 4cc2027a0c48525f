/*
 * Listing and extraction. No name of an archive leads out of the folder: a leading '/'
 * is taken off, a name with ".." is refused. Times and modes of folders are set at the
 * end, so that what is put in them does not change them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "shell/archive/tar.h"

enum { CHUNK = 64 * 1024 };

struct folder { /* whose time and mode wait */
    struct folder *next;
    char *path;
    int64_t mtime;
    mode_t mode;
};

struct reading {
    struct tc_tar *t;
    struct tc_flow *flow;
    struct folder *folders;
    mode_t mask;
    char *chunk;
};

static bool below(const char *name, const char *wanted)
{
    size_t n = strlen(wanted);

    while (n > 1 && wanted[n - 1] == '/')
        n--;
    return strncmp(name, wanted, n) == 0 && (name[n] == '\0' || name[n] == '/');
}

/* Whether the operands ask for it. */
static bool is_wanted(struct tc_tar *t, const char *name)
{
    bool any = t->names_n == 0;

    for (size_t i = 0; i < t->names_n; i++)
        if (below(name, t->names[i]) || (t->wildcards && tc_cmd_pattern(tc_str_of(t->names[i]), tc_str_of(name), 0)))
            any = t->met[i] = true;
    return any && !tc_tar_excluded(t, name);
}

static bool has_dots(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += strspn(at, "/");
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return true;
    }
    return false;
}

/* The name as it is extracted: NULL when it is not. */
static const char *safe_name(struct tc_tar *t, const char *name)
{
    const char *kept = name + strspn(name, "/");

    if (has_dots(name)) {
        tc_tar_fault(t, name, "Member name contains '..'");
        return NULL;
    }
    if (kept != name && !t->told_slash) {
        tc_cmd_fail(t->c, "Removing leading `/' from member names");
        t->told_slash = true;
    }
    for (int i = 0; i < t->strip; i++) {
        kept = strchr(kept, '/');
        if (!kept)
            return NULL;
        kept += strspn(kept, "/");
    }
    return *kept ? kept : NULL;
}

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
        ssize_t got = tc_flow_read(r->flow, r->chunk, size < CHUNK ? (size_t)size : CHUNK);
        if (got <= 0)
            break;
        tc_cmd_write(out, r->chunk, (size_t)got);
        size -= got;
    }
    return size;
}

static int64_t extract_file(struct reading *r, const struct tc_tar_entry *entry, const char *path)
{
    struct tc_cmd_call *c = r->t->c;
    struct tc_cmd_out *out;
    int64_t left = entry->size;
    struct stat there;
    int error;

    if (tc_cmd_lstat(c, path, &there) == 0) {
        if (r->t->keep_old) {
            tc_tar_fault(r->t, path, "Cannot open: File exists");
            return left;
        }
        if (!S_ISDIR(there.st_mode))
            tc_cmd_unlink(c, path);
    }
    error = tc_cmd_create(c, path, O_WRONLY | O_CREAT | O_EXCL, 0600, &out);
    if (error) {
        tc_tar_fault(r->t, path, tc_arena_printf(c->arena, "Cannot open: %s", strerror(error)).p);
        return left;
    }
    left = copy_data(r, left, out);
    error = tc_cmd_out_close(c, out);
    if (error)
        tc_tar_fault(r->t, path, tc_arena_printf(c->arena, "Cannot write: %s", strerror(error)).p);
    tc_cmd_chmod(c, path, entry->mode & ~r->mask);
    return left;
}

static int extract_link(struct reading *r, const struct tc_tar_entry *entry, const char *path)
{
    struct tc_cmd_call *c = r->t->c;
    const char *target = entry->link;

    if (!r->t->keep_old)
        tc_cmd_unlink(c, path);
    if (entry->type == '2')
        return tc_cmd_symlink(c, target, path);
    target = safe_name(r->t, target);
    return target ? tc_cmd_link(c, tc_tar_path(r->t, target), path) : 0;
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
    const char *name = safe_name(r->t, entry->name);
    char *path = name ? tc_tar_path(r->t, name) : NULL;
    int64_t left = entry->size;
    int error;

    if (!path)
        return left;
    error = make_parents(c, path);
    if (!error && entry->type == '0')
        left = extract_file(r, entry, path);
    else if (!error && entry->type == '5')
        error = extract_folder(r, entry, path);
    else if (!error && (entry->type == '1' || entry->type == '2'))
        error = extract_link(r, entry, path);
    else if (!error)
        tc_tar_fault(r->t, name, "is neither a file, a folder nor a link: left out");
    if (error)
        tc_tar_fault(r->t, name, strerror(error));
    else if (entry->type == '0' || entry->type == '2')
        set_time(r, path, entry->mtime, false);
    return left;
}

static int64_t one_entry(struct reading *r, const struct tc_tar_entry *entry)
{
    struct tc_tar *t = r->t;
    struct tc_cmd_out *words = t->to_stdout ? t->c->err : t->c->out;

    if (!is_wanted(t, entry->name))
        return entry->size;
    if (t->act == TC_TAR_LIST) {
        tc_tar_show(t, entry, t->verbose > 0, t->c->out);
        return entry->size;
    }
    if (t->verbose)
        tc_tar_show(t, entry, t->verbose > 1, words);
    if (t->to_stdout)
        return entry->type == '0' ? copy_data(r, entry->size, t->c->out) : entry->size;
    return extract(r, entry);
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
    for (struct folder *folder = r->folders; folder; folder = folder->next) {
        tc_cmd_chmod(t->c, folder->path, folder->mode);
        set_time(r, folder->path, folder->mtime, true);
    }
    for (size_t i = 0; i < t->names_n && read == TC_TAR_END; i++)
        if (!t->met[i])
            tc_tar_fault(t, t->names[i], "Not found in archive");
    if (read == TC_TAR_BAD)
        tc_cmd_fail(t->c, "Error is not recoverable: exiting now");
    else if (t->status)
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
    r.chunk = tc_arena_alloc(t->c->arena, CHUNK);
    t->met = TC_ARENA_NEW_N(t->c->arena, bool, t->names_n + 1);
    if (!r.chunk || !t->met)
        return tc_cmd_fail_memory(t->c);
    r.flow = tc_flow_read_from(t->c, in);
    if (!r.flow)
        return 1;
    read_entries(&r);
    tc_flow_finish(r.flow);
    return t->status;
}
