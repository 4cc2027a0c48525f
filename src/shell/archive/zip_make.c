/*
 * Writing the archive of zip: members that stay are copied, files are packed. One that
 * is there is replaced when the new one is whole.
 */
#include "shell/archive/zip_job.h"

#include <fcntl.h>
#include <string.h>

enum { READ_CHUNK = 64 * 1024 };

int tc_zip_fail(struct tc_zip_job *z, int status, const char *why)
{
    tc_cmd_printf(z->words, "\nzip error: %s (%s)\n", why, z->path ? z->path : "-");
    return status;
}

/* The content of a file or link, at most what an archive may be. */
static bool read_content(struct tc_zip_job *z, struct tc_zip_file *file, struct tc_buf *plain)
{
    struct tc_cmd_call *c = z->c;
    struct tc_cmd_in *in;
    ssize_t got = 0;
    char *target;
    int error;

    if (S_ISLNK(file->stat.st_mode)) {
        error = tc_cmd_readlink(c, file->path, &target);
        if (!error)
            tc_buf_cstr(plain, target);
        return !error;
    }
    if (S_ISDIR(file->stat.st_mode))
        return true;
    if (tc_cmd_open(c, file->path, &in))
        return false;
    do {
        char *room = tc_buf_reserve(plain, READ_CHUNK);
        got = room ? tc_cmd_read(c, in, room, READ_CHUNK) : -1;
        plain->n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    tc_cmd_close(c, in);
    return got == 0;
}

static bool store(struct tc_zip_job *z, struct tc_zip_file *file, const char *verb)
{
    struct tc_buf plain, packed;
    struct tc_zip_entry entry;
    bool ok;

    file->stored = true;
    tc_buf_init(&plain, TC_ZIP_ARCHIVE_MAX);
    tc_buf_init(&packed, TC_ZIP_ARCHIVE_MAX);
    ok = read_content(z, file, &plain);
    if (!ok && !tc_cmd_stopped(z->c)) {
        tc_cmd_printf(z->words, "\tzip warning: could not open for reading: %s\n", file->path);
        z->status = TC_ZIP_STATUS_UNREAD;
        file->stored = false;
        tc_buf_finish(&plain);
        return true;
    }
    ok = ok && tc_zip_describe(z->c, file->name, &file->stat, !z->no_extra, &entry) &&
         tc_zip_pack(z->c, tc_buf_get(&plain), S_ISREG(file->stat.st_mode) ? z->level : 0, &packed, &entry);
    if (ok) {
        tc_zip_write(z->out, &entry, &z->at);
        if (!z->quiet)
            tc_cmd_printf(z->words, "%s: %s (%s %d%%)\n", verb, file->name, entry.method ? "deflated" : "stored",
                          tc_zip_saved(entry.size, entry.packed_size));
        entry.packed = tc_str_n("", 0);
        z->now.entries[z->now.n++] = entry;
    }
    tc_buf_finish(&plain);
    tc_buf_finish(&packed);
    return ok && z->at < UINT32_MAX / 2;
}

static struct tc_zip_file *file_named(struct tc_zip_job *z, const char *name)
{
    for (size_t i = 0; i < z->n; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return &z->files[i];
    return NULL;
}

static bool in_old(const struct tc_zip_job *z, const char *name)
{
    for (size_t i = 0; i < z->old.n; i++)
        if (strcmp(z->old.entries[i].name, name) == 0)
            return true;
    return false;
}

static bool write_entries(struct tc_zip_job *z)
{
    for (size_t i = 0; i < z->old.n && tc_cmd_tick(z->c, 1); i++) {
        struct tc_zip_entry *entry = &z->old.entries[i];
        struct tc_zip_file *file = z->delete ? NULL : file_named(z, entry->name);

        if (z->delete && tc_zip_matches(z->c->argv + z->c->at, z->c->argc - z->c->at, entry->name)) {
            if (!z->quiet)
                tc_cmd_printf(z->words, "deleting: %s\n", entry->name);
            continue;
        }
        if (file) {
            if (!store(z, file, z->freshen ? "freshening" : "updating"))
                return false;
            if (file->stored)
                continue;
        }
        tc_zip_write(z->out, entry, &z->at);
        z->now.entries[z->now.n++] = *entry;
    }
    for (size_t i = 0; i < z->n && !z->delete; i++)
        if (!in_old(z, z->files[i].name) && !store(z, &z->files[i], "  adding"))
            return false;
    z->now.comment = z->old.comment;
    tc_zip_write_end(z->out, &z->now, z->at);
    return !tc_cmd_stopped(z->c);
}

static int open_output(struct tc_zip_job *z)
{
    if (!z->path) {
        z->out = z->c->out;
        return 0;
    }
    return z->exists ? tc_cmd_replace(z->c, z->path, &z->out)
                     : tc_cmd_create(z->c, z->path, O_WRONLY | O_CREAT | O_TRUNC, 0666, &z->out);
}

int tc_zip_make(struct tc_zip_job *z)
{
    int error;
    bool ok;

    z->now.entries = TC_ARENA_NEW_N(z->c->arena, struct tc_zip_entry, z->old.n + z->n + 1);
    if (!z->now.entries)
        return tc_cmd_fail_memory(z->c);
    if (z->old.n + z->n > TC_ZIP_ENTRIES_MAX)
        return tc_zip_fail(z, TC_ZIP_STATUS_FAILED, "Too many entries");
    error = open_output(z);
    if (error)
        return tc_zip_fail(z, TC_ZIP_STATUS_FAILED, "Could not create output file");
    ok = write_entries(z);
    if (z->path)
        error = z->exists ? tc_cmd_replace_close(z->c, z->out, ok) : tc_cmd_out_close(z->c, z->out);
    if (ok && z->now.n == 0 && !z->quiet)
        tc_cmd_puts(z->words, "\tzip warning: zip file empty\n");
    if (!ok && z->path && !z->exists)
        tc_cmd_unlink(z->c, z->path);
    return error || !ok ? tc_zip_fail(z, TC_ZIP_STATUS_FAILED, "Could not create output file") : 0;
}
