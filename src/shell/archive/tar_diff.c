/*
 * -d: what an archive holds beside what is there. Differences are told on standard
 * output and make the status 1. Owners are not kept, so they are not compared.
 */
#include <errno.h>
#include <string.h>

#include "shell/archive/tar.h"

static void differs(struct tc_tar *t, const char *name, const char *how)
{
    tc_cmd_printf(t->c->out, "%s: %s\n", name, how);
    if (!t->status)
        t->status = 1;
}

/* What could not be looked at: when it is not there, that is a difference only. */
static void unseen(struct tc_tar *t, const char *name, const char *what, int error)
{
    if (error != ENOENT) {
        tc_tar_fault(t, name, tc_arena_printf(t->c->arena, "%s: %s", what, strerror(error)).p);
        return;
    }
    tc_cmd_fail(t->c, "%s: Warning: %s: %s", name, what, strerror(error));
    if (!t->status)
        t->status = 1;
}

static bool look(struct tc_tar *t, const char *name, struct stat *ret_stat)
{
    const char *path = tc_tar_path(t, name);
    int error = !path ? ENOMEM : t->follow ? tc_cmd_stat(t->c, path, ret_stat) : tc_cmd_lstat(t->c, path, ret_stat);

    if (error)
        unseen(t, name, "Cannot stat", error);
    return !error;
}

/* Whether the next bytes of the file are these. */
static bool same_bytes(struct tc_cmd_call *c, struct tc_cmd_in *in, const char *p, size_t n)
{
    struct tc_str there;

    while (n > 0) {
        if (tc_cmd_peek(c, in, &there) <= 0)
            return false;
        if (there.n > n)
            there.n = n;
        if (memcmp(p, there.p, there.n) != 0)
            return false;
        tc_cmd_took(in, there.n);
        p += there.n;
        n -= there.n;
    }
    return true;
}

/* What of the data was not read. */
static int64_t compare_data(struct tc_tar *t, const struct tc_tar_data *data, int64_t size, const char *name)
{
    struct tc_cmd_in *in;
    bool same = true;
    const char *path = tc_tar_path(t, name);
    int error = path ? tc_cmd_open(t->c, path, &in) : ENOMEM;

    if (error) {
        unseen(t, name, "Cannot open", error);
        return size;
    }
    while (same && size > 0) {
        ssize_t got = tc_flow_read(data->flow, data->chunk, size < TC_TAR_CHUNK ? (size_t)size : TC_TAR_CHUNK);

        if (got <= 0)
            break;
        size -= got;
        same = same_bytes(t->c, in, data->chunk, (size_t)got);
    }
    tc_cmd_close(t->c, in);
    if (!same)
        differs(t, name, "Contents differ");
    return size;
}

static int64_t diff_file(struct tc_tar *t, const struct tc_tar_data *data, const struct tc_tar_entry *entry,
                         const char *name)
{
    struct stat stat;

    if (!look(t, name, &stat))
        return entry->size;
    if (!S_ISREG(stat.st_mode)) {
        differs(t, name, "File type differs");
        return entry->size;
    }
    if ((stat.st_mode & 07777) != entry->mode)
        differs(t, name, "Mode differs");
    if (stat.st_mtim.tv_sec != entry->mtime)
        differs(t, name, "Mod time differs");
    if (stat.st_size == entry->size)
        return compare_data(t, data, entry->size, name);
    differs(t, name, "Size differs");
    return entry->size;
}

static void diff_folder(struct tc_tar *t, const struct tc_tar_entry *entry, const char *name)
{
    struct stat stat;

    if (!look(t, name, &stat))
        return;
    if (!S_ISDIR(stat.st_mode))
        differs(t, name, "File type differs");
    else if ((stat.st_mode & 07777) != entry->mode)
        differs(t, name, "Mode differs");
}

static void diff_link(struct tc_tar *t, const struct tc_tar_entry *entry, const char *name)
{
    const char *path = tc_tar_path(t, name);
    char *target;
    int error = path ? tc_cmd_readlink(t->c, path, &target) : ENOMEM;

    if (error)
        unseen(t, name, "Cannot readlink", error);
    else if (strcmp(target, entry->link) != 0)
        differs(t, name, "Symlink differs");
}

static void diff_hard(struct tc_tar *t, const struct tc_tar_entry *entry, const char *name)
{
    const char *target = tc_tar_place(t, entry->link);
    struct stat stat, of;

    if (target && look(t, name, &stat) && look(t, target, &of) &&
        (stat.st_dev != of.st_dev || stat.st_ino != of.st_ino))
        differs(t, name, tc_arena_printf(t->c->arena, "Not linked to %s", target).p);
}

int64_t tc_tar_diff(struct tc_tar *t, const struct tc_tar_data *data, const struct tc_tar_entry *entry)
{
    const char *name = tc_tar_place(t, entry->name);
    size_t n = name ? strlen(name) : 0;

    if (!n)
        return entry->size;
    while (n > 1 && name[n - 1] == '/')
        n--;
    name = tc_arena_cstr(t->c->arena, tc_str_n(name, n));
    if (!name)
        return tc_cmd_fail_memory(t->c), entry->size;
    if (entry->type == '0')
        return diff_file(t, data, entry, name);
    if (entry->type == '5')
        diff_folder(t, entry, name);
    else if (entry->type == '2')
        diff_link(t, entry, name);
    else if (entry->type == '1')
        diff_hard(t, entry, name);
    else
        tc_tar_fault(t, name, "is neither a file, a folder nor a link: left out");
    return entry->size;
}
