/*
 * dd: blocks of a file, converted. A block is read until it is full or the input ends,
 * also from a pipe, so what is copied does not depend on how its writer went about it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "shell/cmds/dd.h"
#include "toolcrib/shelltext.h"

enum { SCALED_SIZE = 32 };

/* --- copying --- */

static const char *name_of(const char *path, const char *standard)
{
    return path ? path : standard;
}

/* A block, or what is left; -1 is told. */
static int64_t read_block(struct dd *d, char *to, int64_t max)
{
    int64_t n = 0;
    ssize_t got = 0;

    while (n < max && (got = tc_cmd_read(d->c, d->in, to + n, (size_t)(max - n))) > 0)
        n += got;
    if (got >= 0 || tc_cmd_stopped(d->c))
        return n;
    tc_cmd_fail(d->c, "error reading %s: %s", tc_cmd_quote_name(d->c, name_of(d->from, "standard input")),
                strerror(tc_cmd_in_error(d->in)));
    d->failed = 1;
    return n > 0 ? n : -1;
}

static void copy_blocks(struct dd *d, char *buffer)
{
    int64_t left = d->count.n;

    while (left != 0 && tc_cmd_tick(d->c, 1)) {
        int64_t want = d->count.bytes && left >= 0 && left < d->in_size ? left : d->in_size;
        int64_t n = read_block(d, buffer, want);

        if (n <= 0)
            break;
        if (n == d->in_size)
            d->full_in++;
        else
            d->partial_in++;
        if (left > 0)
            left -= d->count.bytes ? n : 1;
        if (n < d->in_size && (d->conversion & DD_SYNC)) {
            memset(buffer + n, d->conversion & (DD_BLOCKS | DD_UNBLOCK) ? ' ' : '\0', (size_t)(d->in_size - n));
            n = d->in_size;
        }
        tc_dd_convert(d, buffer, (size_t)n);
        if (tc_cmd_out_error(d->out))
            break;
    }
}

/* False when the output cannot be where it should be, which is told. */
static bool skip_and_seek(struct dd *d, char *buffer)
{
    int64_t skip = d->skip.n * (d->skip.bytes ? 1 : d->in_size), seek = d->seek.n * (d->seek.bytes ? 1 : d->out_size);
    struct stat stat;
    int64_t now = 0;
    int error;

    if (skip > 0 && tc_cmd_in_seek(d->c, d->in, skip, SEEK_CUR, &now) == 0) {
        skip = tc_cmd_in_stat(d->in, &stat) == 0 && S_ISREG(stat.st_mode) && now > stat.st_size;
    } else {
        for (int64_t n = 1; skip > 0 && n > 0; skip -= n)
            n = read_block(d, buffer, skip < d->in_size ? skip : d->in_size);
    }
    if (skip > 0)
        tc_cmd_fail(d->c, "%s: cannot skip to specified offset",
                    tc_cmd_quote_odd(d->c, name_of(d->from, "standard input")));
    error = seek > 0 ? tc_cmd_out_seek(d->out, seek, d->to ? SEEK_SET : SEEK_CUR) : 0;
    if (!error)
        return true;
    tc_cmd_fail(d->c, "%s: cannot seek: %s", tc_cmd_quote_odd(d->c, name_of(d->to, "standard output")),
                strerror(error));
    d->failed = 1;
    return false;
}

static int open_files(struct dd *d)
{
    int64_t seek = d->seek.n * (d->seek.bytes ? 1 : d->out_size);
    bool cuts = !(d->conversion & DD_NO_TRUNCATE);
    int flags = O_WRONLY | (d->conversion & DD_NO_CREATE ? 0 : O_CREAT) | (d->conversion & DD_EXCLUSIVE ? O_EXCL : 0) |
                (d->out_flag & DD_APPEND ? O_APPEND : 0) | (cuts && seek < d->out_size ? O_TRUNC : 0);
    const char *path = d->from ? d->from : "-";
    int error = d->from && strcmp(path, "-") == 0 ? tc_cmd_open(d->c, "./-", &d->in) : tc_cmd_open(d->c, path, &d->in);

    if (error)
        return tc_cmd_fail(d->c, "failed to open %s: %s", tc_cmd_quote_name(d->c, path), strerror(error));
    d->out = d->c->out;
    if (!d->to)
        return 0;
    error = tc_cmd_create(d->c, d->to, flags, 0666, &d->out);
    if (error)
        return tc_cmd_fail(d->c, "failed to open %s: %s", tc_cmd_quote_name(d->c, d->to), strerror(error));
    error = cuts && seek > 0 ? tc_cmd_truncate(d->c, d->to, seek) : 0;
    if (error)
        return tc_cmd_fail(d->c, "failed to truncate to %lld bytes in output file %s: %s", (long long)seek,
                           tc_cmd_quote_name(d->c, d->to), strerror(error));
    return 0;
}

/* --- the account at the end --- */

/* "1.5 kB"; false when there is no prefix. least: that of the first prefix that is used at any rate. */
static bool scale(double n, unsigned base, int least, char to[static SCALED_SIZE])
{
    static const char units[] = "\0kMGTPE";
    int unit = 0;

    for (; (n >= base - 0.5 || unit < least) && unit < 6; unit++)
        n /= base;
    snprintf(to, SCALED_SIZE, unit && n < 9.95 ? "%.1f %.1s%sB" : "%.0f %.1s%sB", n,
             unit == 1 && base == 1024 ? "K" : units + unit, unit && base == 1024 ? "i" : "");
    return unit > 0;
}

static void put_account(const struct dd *d, struct timespec begin)
{
    struct tc_cmd_out *err = d->c->err;
    struct timespec now = tc_cmd_now(d->c);
    double seconds = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9;
    char si[SCALED_SIZE], iec[SCALED_SIZE], rate[SCALED_SIZE];

    if (d->status == DD_SILENT)
        return;
    tc_cmd_printf(err, "%lld+%lld records in\n%lld+%lld records out\n", (long long)d->full_in,
                  (long long)d->partial_in, (long long)d->full_out, (long long)d->partial_out);
    if (d->truncated)
        tc_cmd_printf(err, "%lld truncated record%s\n", (long long)d->truncated, d->truncated == 1 ? "" : "s");
    if (d->status == DD_NO_RATE)
        return;
    tc_cmd_printf(err, "%lld byte%s", (long long)d->written, d->written == 1 ? "" : "s");
    if (scale((double)d->written, 1000, 0, si))
        tc_cmd_printf(err, scale((double)d->written, 1024, 0, iec) ? " (%s, %s)" : " (%s)", si, iec);
    if (seconds > 0)
        scale((double)d->written / seconds, 1000, 1, rate);
    tc_cmd_printf(err, " copied, %g s, %s/s\n", seconds, seconds > 0 ? rate : "Infinity B");
}

/* --- the command --- */

static int copy(struct dd *d)
{
    struct timespec begin = tc_cmd_now(d->c);
    char *buffer = TC_ARENA_NEW_N(d->c->arena, char, (size_t)d->in_size);
    int error;

    if (!buffer)
        return tc_cmd_fail_memory(d->c);
    if (open_files(d) != 0)
        return 1;
    if (skip_and_seek(d, buffer)) {
        copy_blocks(d, buffer);
        tc_dd_finish_records(d);
    }
    error = d->to ? tc_cmd_out_close(d->c, d->out) : tc_cmd_flush(d->out) ? 0 : tc_cmd_out_error(d->out);
    if (error)
        d->failed = tc_cmd_fail(d->c, "error writing %s: %s",
                                tc_cmd_quote_name(d->c, name_of(d->to, "standard output")), strerror(error));
    put_account(d, begin);
    return d->failed;
}

static int run(struct tc_cmd_call *c)
{
    struct dd d = {.c = c, .in_size = DD_BLOCK, .out_size = DD_BLOCK, .count = {.n = -1}, .saved = -1};
    int status;

    if (tc_cmd_option_next(c) == TC_CMD_OPTION_BAD)
        return 2;
    for (int i = c->at; i < c->argc; i++)
        if (!tc_dd_take_operand(&d, c->argv[i]))
            return 1;
    if (!tc_dd_settle(&d))
        return 1;
    tc_buf_init(&d.gathered, DD_BLOCK_MAX + 1);
    status = copy(&d);
    if (d.gathered.failed)
        status = tc_cmd_fail_memory(c);
    tc_buf_finish(&d.gathered);
    return status;
}

static const struct tc_cmd_option options[] = {{0}};

const struct tc_cmd tc_command_dd = {
    .name = "dd",
    .usage = "[if=FILE] [of=FILE] [bs=N] [ibs=N] [obs=N] [cbs=N] [count=N] [skip=N] [seek=N] [conv=WORDS] [iflag=WORDS]"
             " [oflag=WORDS] [status=none|noxfer|progress]",
    .summary = "Copy a file by blocks of N bytes (c, w, b, kB, K, MB, M ... behind N) and convert it: lcase, ucase, "
               "swab, sync, block, unblock, excl, nocreat, notrunc.",
    .options = options,
    .run = run,
};
