/*
 * Streams that a command writes: a buffer over an open file that begins small and
 * grows, so that a short output costs little. What goes to a terminal, and messages,
 * are written by the line. The first error stays; what follows it is dropped.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/rand.h"
#include "shell/cmd_impl.h"

enum { BUFFER_FIRST = 512, BUFFER_GROWS = 16, BUFFER_MAX = 64 * 1024 };

void tc_sh_cmd_out_finish(struct tc_cmd_out *out)
{
    tc_mem_free(out->buf);
    out->buf = NULL;
    out->n = out->cap = 0;
}

void tc_sh_cmd_out_init(struct tc_sh_cmd *cmd, struct tc_cmd_out *out, struct tc_sh_file *file)
{
    *out = (struct tc_cmd_out){.of = cmd, .file = file, .by_line = file && tc_sh_file_tty(file)};
}

static void write_out(struct tc_cmd_out *out, const char *p, size_t n)
{
    ssize_t wrote;

    if (out->error || n == 0)
        return;
    out->tried += n;
    wrote = out->file ? tc_sh_file_write(out->of->sched, out->file, p, n) : -EBADF;
    if (wrote < 0)
        out->error = (int)-wrote;
}

bool tc_cmd_flush(struct tc_cmd_out *out)
{
    write_out(out, out->buf, out->n);
    out->n = 0;
    return !out->error;
}

/* A larger buffer, if there can be one. */
static bool grow(struct tc_cmd_out *out)
{
    size_t cap = out->cap ? out->cap * BUFFER_GROWS : BUFFER_FIRST;
    char *buf;

    if (out->cap == BUFFER_MAX)
        return false;
    cap = cap < BUFFER_MAX ? cap : BUFFER_MAX;
    buf = tc_mem_realloc(out->buf, cap);
    if (!buf)
        return false;
    out->buf = buf;
    out->cap = cap;
    return true;
}

static void add(struct tc_cmd_out *out, const char *p, size_t n)
{
    while (n > out->cap - out->n && !out->error) {
        if (n < BUFFER_MAX && grow(out))
            continue;
        tc_cmd_flush(out);
        if (n >= out->cap) {
            write_out(out, p, n);
            return;
        }
    }
    if (out->error)
        return;
    memcpy(out->buf + out->n, p, n);
    out->n += n;
}

void tc_cmd_write(struct tc_cmd_out *out, const void *p, size_t n)
{
    if (n == 0)
        return;
    add(out, p, n);
    if (out->by_line && memrchr(p, '\n', n))
        tc_cmd_flush(out);
}

void tc_cmd_puts(struct tc_cmd_out *out, const char *s)
{
    tc_cmd_write(out, s, strlen(s));
}

void tc_cmd_putc(struct tc_cmd_out *out, char c)
{
    if (out->n < out->cap && !out->by_line)
        out->buf[out->n++] = c;
    else
        tc_cmd_write(out, &c, 1);
}

void tc_cmd_printf(struct tc_cmd_out *out, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    if ((size_t)n < sizeof text) {
        tc_cmd_write(out, text, (size_t)n);
    } else {
        struct tc_str whole;

        va_start(ap, fmt);
        whole = tc_arena_vprintf(out->of->call.arena, fmt, ap);
        va_end(ap);
        if (whole.p)
            tc_cmd_write(out, whole.p, whole.n);
        else
            out->error = ENOMEM;
    }
}

int tc_cmd_out_error(const struct tc_cmd_out *out)
{
    return out->error;
}

int tc_cmd_out_seek(struct tc_cmd_out *out, int64_t at, int whence)
{
    int64_t now;

    if (!tc_cmd_flush(out))
        return out->error;
    if (!out->file || !tc_sh_file_seekable(out->file))
        return ESPIPE;
    now = tc_sh_file_seek(out->file, at, whence);
    return now < 0 ? (int)-now : 0;
}

bool tc_cmd_out_tty(const struct tc_cmd_out *out)
{
    return out->file && tc_sh_file_tty(out->file);
}

/* --- to files --- */

static int open_out(struct tc_cmd_call *c, const char *absolute, int flags, mode_t mode, struct tc_cmd_out **ret_out)
{
    struct tc_sh_cmd *cmd = tc_sh_cmd_of(c);
    struct tc_cmd_out *out = TC_ARENA_NEW(c->arena, struct tc_cmd_out);
    struct tc_sh_file *file;
    int error;

    if (!out)
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    error = tc_sh_vfs_open(cmd->vfs, &c->env->fds, absolute, flags, mode & ~c->env->umask, &file);
    if (error)
        return error;
    tc_sh_cmd_out_init(cmd, out, file);
    out->next = cmd->outs;
    cmd->outs = out;
    *ret_out = out;
    return 0;
}

int tc_cmd_create(struct tc_cmd_call *c, const char *path, int flags, mode_t mode, struct tc_cmd_out **ret_out)
{
    char absolute[PATH_MAX];
    int error = tc_sh_cmd_path(c, path, absolute);

    return error ? error : open_out(c, absolute, flags, mode, ret_out);
}

/* Flushes, closes and takes it out of the list. The error that it had. */
static int close_out(struct tc_cmd_out *out)
{
    struct tc_cmd_out **at = &out->of->outs;

    tc_cmd_flush(out);
    while (*at != out)
        at = &(*at)->next;
    *at = out->next;
    tc_sh_cmd_out_finish(out);
    tc_sh_file_unref(out->file);
    out->file = NULL;
    return out->error;
}

int tc_cmd_out_close(struct tc_cmd_call *c, struct tc_cmd_out *out)
{
    (void)c;
    return close_out(out);
}

int tc_cmd_replace(struct tc_cmd_call *c, const char *path, struct tc_cmd_out **ret_out)
{
    struct tc_sh_cmd *cmd = tc_sh_cmd_of(c);
    char absolute[PATH_MAX], temporary[PATH_MAX];
    struct stat stat;
    struct tc_cmd_out *out;
    int error = tc_sh_cmd_path(c, path, absolute), n;

    if (error)
        return error;
    n = snprintf(temporary, sizeof temporary, "%.*s/.tc-%016llx", (int)(strrchr(absolute, '/') - absolute), absolute,
                 (unsigned long long)tc_rand_u64());
    if (n >= (int)sizeof temporary)
        return ENAMETOOLONG;
    error = open_out(c, temporary, O_WRONLY | O_CREAT | O_EXCL, 0666, &out);
    if (error)
        return error;
    if (tc_sh_vfs_stat(cmd->vfs, NULL, absolute, true, &stat) == 0)
        tc_sh_vfs_chmod(cmd->vfs, temporary, stat.st_mode & 01777);
    out->path = tc_arena_cstr(c->arena, tc_str_of(absolute));
    out->temporary = tc_arena_cstr(c->arena, tc_str_of(temporary));
    if (!out->path || !out->temporary) {
        close_out(out);
        tc_sh_vfs_unlink(cmd->vfs, temporary);
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    }
    *ret_out = out;
    return 0;
}

int tc_cmd_replace_close(struct tc_cmd_call *c, struct tc_cmd_out *out, bool commit)
{
    struct tc_sh_vfs *vfs = tc_sh_cmd_of(c)->vfs;
    int error = close_out(out);

    if (error == 0 && commit)
        error = tc_sh_vfs_rename(vfs, out->temporary, out->path, false);
    if (error || !commit)
        tc_sh_vfs_unlink(vfs, out->temporary);
    return error;
}

void tc_sh_cmd_close_outs(struct tc_sh_cmd *cmd)
{
    while (cmd->outs) {
        struct tc_cmd_out *out = cmd->outs;

        if (out->temporary)
            tc_cmd_replace_close(&cmd->call, out, false);
        else
            close_out(out);
    }
}
