/*
 * Streams that a command reads: a buffer over an open file. Lines are found in the
 * buffer and lent; a line that does not fit makes it grow.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "shell/cmd_impl.h"

enum { BUFFER = 64 * 1024 };
static const size_t LINE_MAX_BYTES = (size_t)1 << 31;

static void add_in(struct tc_sh_cmd *cmd, struct tc_sh_file *file, struct tc_cmd_in *in)
{
    *in = (struct tc_cmd_in){.of = cmd, .file = file, .next = cmd->ins};
    cmd->ins = in;
}

static int open_standard(struct tc_cmd_call *c, struct tc_cmd_in **ret_in)
{
    struct tc_sh_cmd *cmd = tc_sh_cmd_of(c);
    struct tc_sh_file *file = tc_sh_fds_get(&c->env->fds, 0);

    if (!cmd->in) {
        if (!file)
            return EBADF;
        cmd->in = &cmd->standard;
        add_in(cmd, tc_sh_file_ref(file), cmd->in);
    }
    cmd->in->ended = false;
    cmd->in->error = 0;
    *ret_in = cmd->in;
    return 0;
}

int tc_cmd_open(struct tc_cmd_call *c, const char *path, struct tc_cmd_in **ret_in)
{
    char absolute[PATH_MAX];
    struct tc_cmd_in *in;
    struct tc_sh_file *file;
    int error;

    if (!path || strcmp(path, "-") == 0)
        return open_standard(c, ret_in);
    error = tc_sh_cmd_path(c, path, absolute);
    if (error == 0)
        error = tc_sh_vfs_open(tc_sh_cmd_of(c)->vfs, &c->env->fds, absolute, O_RDONLY, 0, &file);
    if (error)
        return error;
    in = TC_ARENA_NEW(c->arena, struct tc_cmd_in);
    if (!in) {
        tc_sh_file_unref(file);
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    }
    add_in(tc_sh_cmd_of(c), file, in);
    *ret_in = in;
    return 0;
}

/* What was not taken of a file is for who reads it next; of a pipe it is lost, as elsewhere. */
static void give_back(struct tc_cmd_in *in)
{
    if (in->file && in->n > in->at && tc_sh_file_seekable(in->file)) {
        tc_sh_file_unread(in->file, in->buf + in->at, in->n - in->at);
        in->at = in->n = 0;
    }
}

static void close_in(struct tc_cmd_in *in)
{
    give_back(in);
    tc_sh_file_unref(in->file);
    tc_mem_free(in->buf);
    in->file = NULL;
    in->buf = NULL;
    in->at = in->n = in->cap = 0;
}

void tc_cmd_close(struct tc_cmd_call *c, struct tc_cmd_in *in)
{
    struct tc_cmd_in **at = &tc_sh_cmd_of(c)->ins;

    if (!in)
        return;
    if (in == tc_sh_cmd_of(c)->in) { /* it may be opened again, and what a pipe gave is still there */
        give_back(in);
        return;
    }
    while (*at != in)
        at = &(*at)->next;
    *at = in->next;
    close_in(in);
}

void tc_sh_cmd_close_ins(struct tc_sh_cmd *cmd)
{
    for (struct tc_cmd_in *in = cmd->ins; in; in = in->next)
        close_in(in);
    cmd->ins = NULL;
}

void tc_cmd_in_exact(struct tc_cmd_in *in)
{
    in->exact = true;
}

static ssize_t fail(struct tc_cmd_in *in, int error)
{
    in->error = error;
    return -1;
}

static bool grow(struct tc_cmd_in *in, size_t cap)
{
    char *buf = cap <= LINE_MAX_BYTES ? tc_mem_realloc(in->buf, cap) : NULL;

    if (!buf) {
        tc_cmd_fail_memory(&in->of->call);
        return false;
    }
    in->buf = buf;
    in->cap = cap;
    return true;
}

/* Reads more behind what there is, for which there is room. 1; 0 at the end; -1. */
static int fill(struct tc_cmd_in *in)
{
    ssize_t got;

    if (in->ended || in->error)
        return in->error ? -1 : 0;
    if (!in->buf && !grow(in, BUFFER))
        return (int)fail(in, ENOMEM);
    got = tc_sh_file_read(in->of->sched, in->file, in->buf + in->n, in->exact ? 1 : in->cap - in->n);
    if (got < 0)
        return (int)fail(in, (int)-got);
    in->ended = got == 0;
    in->n += (size_t)got;
    return got > 0;
}

ssize_t tc_cmd_peek(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_str *ret_bytes)
{
    (void)c;
    if (in->at == in->n) {
        int got;

        in->at = in->n = 0;
        got = fill(in);
        if (got <= 0)
            return got;
    }
    *ret_bytes = tc_str_n(in->buf + in->at, in->n - in->at);
    return (ssize_t)ret_bytes->n;
}

void tc_cmd_took(struct tc_cmd_in *in, size_t n)
{
    in->at += n;
}

ssize_t tc_cmd_read(struct tc_cmd_call *c, struct tc_cmd_in *in, void *p, size_t n)
{
    struct tc_str bytes;
    ssize_t got;

    if (in->at == in->n && n >= BUFFER && !in->ended && !in->error) {
        got = tc_sh_file_read(in->of->sched, in->file, p, n);
        in->ended = got == 0;
        return got < 0 ? fail(in, (int)-got) : got;
    }
    got = tc_cmd_peek(c, in, &bytes);
    if (got <= 0)
        return got;
    if (n > bytes.n)
        n = bytes.n;
    memcpy(p, bytes.p, n);
    in->at += n;
    return (ssize_t)n;
}

/* There is no delimiter among what is buffered: makes room and reads more. As fill. */
static int fill_line(struct tc_cmd_in *in)
{
    if (in->at > 0) {
        memmove(in->buf, in->buf + in->at, in->n - in->at);
        in->n -= in->at;
        in->at = 0;
    }
    if (in->n == in->cap && in->cap && !grow(in, in->cap * 2))
        return (int)fail(in, ENOMEM);
    return fill(in);
}

int tc_cmd_line(struct tc_cmd_call *c, struct tc_cmd_in *in, char delimiter, struct tc_str *ret_line, bool *ret_ended)
{
    size_t searched = 0;
    bool ended = true;

    (void)c;
    for (;;) {
        size_t from = in->at + searched;
        const char *end = in->n > from ? memchr(in->buf + from, delimiter, in->n - from) : NULL;
        int got;

        if (end) {
            *ret_line = tc_str_n(in->buf + in->at, (size_t)(end - in->buf) - in->at);
            in->at += ret_line->n + 1;
            break;
        }
        searched = in->n - in->at;
        got = fill_line(in);
        if (got > 0)
            continue;
        if (got < 0 || in->at == in->n)
            return got;
        *ret_line = tc_str_n(in->buf + in->at, in->n - in->at);
        in->at = in->n;
        ended = false;
        break;
    }
    if (ret_ended)
        *ret_ended = ended;
    return 1;
}

static void finish_buf(void *arg)
{
    tc_buf_finish(arg);
}

int tc_cmd_read_all(struct tc_cmd_call *c, struct tc_cmd_in *in, size_t max, struct tc_str *ret_bytes)
{
    struct tc_buf *all = TC_ARENA_NEW(c->arena, struct tc_buf);
    struct tc_str bytes;
    ssize_t got;

    if (!all || !tc_arena_defer(c->arena, finish_buf, all))
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    tc_buf_init(all, max < SIZE_MAX ? max + 1 : max);
    while ((got = tc_cmd_peek(c, in, &bytes)) > 0) {
        if (bytes.n > max - all->n)
            return EFBIG;
        tc_buf_str(all, bytes);
        tc_cmd_took(in, bytes.n);
    }
    if (got < 0)
        return in->error;
    tc_buf_char(all, '\0');
    if (all->failed)
        return tc_cmd_fail_memory(c) ? ENOMEM : 0;
    *ret_bytes = tc_str_n(all->p, all->n - 1);
    return 0;
}

int tc_cmd_in_error(const struct tc_cmd_in *in)
{
    return in->error;
}

int tc_cmd_in_stat(struct tc_cmd_in *in, struct stat *ret_stat)
{
    return tc_sh_file_stat(in->file, ret_stat);
}

int tc_cmd_in_seek(struct tc_cmd_call *c, struct tc_cmd_in *in, int64_t at, int whence, int64_t *ret_at)
{
    int64_t now;

    (void)c;
    if (!tc_sh_file_seekable(in->file))
        return ESPIPE;
    give_back(in);
    in->at = in->n = 0;
    now = tc_sh_file_seek(in->file, at, whence);
    if (now < 0)
        return (int)-now;
    in->ended = false;
    if (ret_at)
        *ret_at = now;
    return 0;
}
