/*
 * Reading and writing open files. Each call ticks, so that a process which does
 * nothing else gives way to others and ends with the budget.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rand.h"
#include "shell/file_impl.h"

enum { BLOCK = 16 * 1024 };

static unsigned cost(size_t n)
{
    return 1 + (unsigned)((n < 1024 * 1024 * 1024 ? n : 1024 * 1024 * 1024) / 4096);
}

/* --- what was read ahead --- */

/* Another write may have changed what was read ahead: it is read again. */
static void check_ahead(struct tc_sh_file *file)
{
    if (file->ahead_n && file->kind == TC_SH_FD && file->disk &&
        file->ahead_writes != file->disk->writes[file->slot]) {
        lseek(file->fd, -(off_t)file->ahead_n, SEEK_CUR);
        file->ahead_n = 0;
    }
}

static bool ahead_room(struct tc_sh_file *file, size_t n)
{
    char *p;

    if (n <= file->ahead_max)
        return true;
    p = tc_mem_realloc(file->ahead, n);
    if (!p)
        return false;
    file->ahead = p;
    file->ahead_max = n;
    return true;
}

bool tc_sh_file_unread(struct tc_sh_file *file, const void *p, size_t n)
{
    if (n == 0)
        return true;
    if (tc_sh_file_seekable(file)) {
        lseek(file->fd, -(off_t)(n + file->ahead_n), SEEK_CUR);
        file->ahead_n = 0;
        return true;
    }
    if (file->ahead_at < n) { /* make room before what is there */
        size_t at = n + BLOCK;
        if (!ahead_room(file, at + file->ahead_n))
            return false;
        memmove(file->ahead + at, file->ahead + file->ahead_at, file->ahead_n);
        file->ahead_at = at;
    }
    file->ahead_at -= n;
    file->ahead_n += n;
    memcpy(file->ahead + file->ahead_at, p, n);
    return true;
}

/* --- reading --- */

static ssize_t read_fd(struct tc_sh_sched *sched, struct tc_sh_file *file, void *p, size_t n, int64_t until)
{
    for (;;) {
        ssize_t got;

        if (!file->regular) {
            if (!tc_sh_sched_poll(sched, file->fd, POLLIN, until))
                return -EINTR;
            if (until && tc_sh_sched_now(sched) >= until && !tc_sh_file_ready(file))
                return -ETIMEDOUT;
        }
        got = read(file->fd, p, n);
        if (got >= 0)
            return got;
        if (errno != EINTR && errno != EAGAIN)
            return -errno;
        if (tc_sh_sched_stopped(sched))
            return -EINTR;
    }
}

static int read_ahead(struct tc_sh_sched *sched, struct tc_sh_file *file, int64_t until)
{
    ssize_t got;

    if (!ahead_room(file, BLOCK)) {
        tc_sh_budget_spend(tc_sh_sched_budget(sched), TC_SH_LIMIT_MEMORY);
        return -ENOMEM;
    }
    if (file->kind == TC_SH_DEVICE) {
        if (file->device == TC_SH_NULL)
            return 0;
        if (file->device == TC_SH_RANDOM)
            tc_rand_bytes(file->ahead, BLOCK);
        else
            memset(file->ahead, 0, BLOCK);
        got = BLOCK;
    } else {
        got = read_fd(sched, file, file->ahead, BLOCK, until);
    }
    if (got <= 0)
        return (int)got;
    file->ahead_at = 0;
    file->ahead_n = (size_t)got;
    if (file->kind == TC_SH_FD && file->disk)
        file->ahead_writes = file->disk->writes[file->slot];
    return 1;
}

/* Waits for bytes and lends them; they are taken by consume. 1; 0 at the end; -errno. */
static int lend(struct tc_sh_sched *sched, struct tc_sh_file *file, int64_t until, struct tc_str *ret_bytes)
{
    int got = 1;

    if (!file->ahead_n) {
        switch (file->kind) {
        case TC_SH_TEXT:
            *ret_bytes = tc_str_n(file->text + file->text_at, file->text_n - file->text_at);
            return ret_bytes->n > 0;
        case TC_SH_READ_END:
            return tc_sh_pipe_lend(sched, file->pipe, until, ret_bytes);
        case TC_SH_FD:
        case TC_SH_DEVICE:
            got = read_ahead(sched, file, until);
            break;
        default:
            return -EBADF;
        }
    }
    *ret_bytes = tc_str_n(file->ahead + file->ahead_at, file->ahead_n);
    return got;
}

static void consume(struct tc_sh_file *file, size_t n)
{
    if (file->ahead_n) {
        file->ahead_at += n;
        file->ahead_n -= n;
    } else if (file->kind == TC_SH_TEXT) {
        file->text_at += n;
    } else if (file->kind == TC_SH_READ_END) {
        tc_sh_pipe_consume(file->pipe, n);
    }
}

ssize_t tc_sh_file_read(struct tc_sh_sched *sched, struct tc_sh_file *file, void *p, size_t n)
{
    struct tc_str bytes;
    int got;

    if (!tc_sh_sched_tick(sched, cost(n)))
        return -EINTR;
    if (n == 0)
        return 0;
    check_ahead(file);
    if (file->kind == TC_SH_FD && !file->ahead_n)
        return read_fd(sched, file, p, n, 0);
    got = lend(sched, file, 0, &bytes);
    if (got <= 0)
        return got;
    n = n < bytes.n ? n : bytes.n;
    memcpy(p, bytes.p, n);
    consume(file, n);
    return (ssize_t)n;
}

int tc_sh_file_read_to(struct tc_sh_sched *sched, struct tc_sh_file *file, int delimiter, size_t max,
                       int64_t until_ns, struct tc_buf *buf)
{
    if (!tc_sh_sched_tick(sched, 1))
        return -EINTR;
    check_ahead(file);
    while (max > 0) {
        struct tc_str bytes;
        const char *end;
        int got = lend(sched, file, until_ns, &bytes);

        if (got <= 0)
            return got;
        if (bytes.n > max)
            bytes.n = max;
        end = delimiter >= 0 ? memchr(bytes.p, delimiter, bytes.n) : NULL;
        if (end)
            bytes.n = (size_t)(end - bytes.p) + 1;
        tc_buf_str(buf, bytes);
        consume(file, bytes.n);
        if (buf->failed) {
            tc_sh_budget_spend(tc_sh_sched_budget(sched), TC_SH_LIMIT_MEMORY);
            return -ENOMEM;
        }
        max -= bytes.n;
        if (end)
            break;
        if (!tc_sh_sched_tick(sched, cost(bytes.n)))
            return -EINTR;
    }
    return 1;
}

/* --- writing --- */

/* May n bytes be written where the file stands? Counts them. 0 or an errno. */
static int reserve(struct tc_sh_file *file, size_t n)
{
    struct stat stat;
    off_t at;

    if (fstat(file->fd, &stat) != 0)
        return errno;
    at = fcntl(file->fd, F_GETFL) & O_APPEND ? stat.st_size : lseek(file->fd, 0, SEEK_CUR);
    return tc_sh_disk_grow(file->disk, stat.st_size, at + (int64_t)n);
}

static ssize_t write_fd(struct tc_sh_sched *sched, struct tc_sh_file *file, const char *p, size_t n)
{
    size_t done = 0;

    if (file->disk) {
        int error = reserve(file, n);
        if (error)
            return -error;
        tc_sh_disk_touch(file->disk, file->slot);
    }
    while (done < n) {
        /* A pipe that is ready has room for this much; one that does not block says itself what it takes. */
        size_t most = file->regular || file->nonblocking ? n - done : TC_SH_PIPE_ATOMIC;
        ssize_t wrote;

        if (!file->regular && !tc_sh_sched_poll(sched, file->fd, POLLOUT, 0))
            return -EINTR;
        wrote = write(file->fd, p + done, n - done < most ? n - done : most);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR && errno != EAGAIN)
            return -errno;
        else if (tc_sh_sched_stopped(sched))
            return -EINTR;
    }
    return (ssize_t)n;
}

static bool count_output(struct tc_sh_sched *sched, size_t n)
{
    struct tc_sh_budget *budget = tc_sh_sched_budget(sched);

    budget->output += (int64_t)n;
    return !budget->max.output || budget->output <= budget->max.output ||
           tc_sh_budget_spend(budget, TC_SH_LIMIT_OUTPUT);
}

static ssize_t write_buf(struct tc_sh_sched *sched, struct tc_buf *buf, const void *p, size_t n)
{
    tc_buf_add(buf, p, n);
    if (!buf->failed)
        return (ssize_t)n;
    tc_sh_budget_spend(tc_sh_sched_budget(sched), TC_SH_LIMIT_MEMORY);
    return -ENOMEM;
}

ssize_t tc_sh_file_write(struct tc_sh_sched *sched, struct tc_sh_file *file, const void *p, size_t n)
{
    int error;

    if (!tc_sh_sched_tick(sched, cost(n)))
        return -EINTR;
    if (n == 0)
        return 0;
    switch (file->kind) {
    case TC_SH_FD:
        if (!file->disk && !count_output(sched, n))
            return -EINTR;
        if (tc_sh_file_seekable(file) && file->ahead_n)
            tc_sh_file_seek(file, 0, SEEK_CUR);
        return write_fd(sched, file, p, n);
    case TC_SH_WRITE_END:
        return tc_sh_pipe_write(sched, file->pipe, p, n);
    case TC_SH_SINK:
        if (!count_output(sched, n))
            return -EINTR;
        error = file->sink(file->sink_arg, p, n);
        return error ? -error : (ssize_t)n;
    case TC_SH_BUF:
        return write_buf(sched, file->buf, p, n);
    case TC_SH_DEVICE:
        return file->device == TC_SH_FULL ? -ENOSPC : (ssize_t)n;
    default:
        return -EBADF;
    }
}
