/*
 * dd: blocks of a file, converted. A block is read until it is full or the input ends,
 * also from a pipe, so what is copied does not depend on how its writer went about it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { BLOCK = 512, BLOCK_MAX = 64 << 20, SCALED_SIZE = 32 };

enum conversion {
    TO_LOWER = 1 << 0, TO_UPPER = 1 << 1, SWAB = 1 << 2, SYNC = 1 << 3, BLOCKS = 1 << 4, UNBLOCK = 1 << 5,
    EXCLUSIVE = 1 << 6, NO_CREATE = 1 << 7, NO_TRUNCATE = 1 << 8, IGNORED = 1 << 9
};
enum flag { APPEND = 1 << 0, COUNT_BYTES = 1 << 1, SKIP_BYTES = 1 << 2, SEEK_BYTES = 1 << 3, FULL = 1 << 4 };

struct word {
    const char *name;
    unsigned bit;
};

static const struct word conversions[] = {
    {"lcase", TO_LOWER}, {"ucase", TO_UPPER}, {"swab", SWAB}, {"sync", SYNC}, {"block", BLOCKS}, {"unblock", UNBLOCK},
    {"excl", EXCLUSIVE}, {"nocreat", NO_CREATE}, {"notrunc", NO_TRUNCATE}, {"noerror", IGNORED}, {"fsync", IGNORED},
    {"fdatasync", IGNORED}, {"sparse", IGNORED}, {NULL, 0},
};
static const struct word in_flags[] = {
    {"append", APPEND}, {"count_bytes", COUNT_BYTES}, {"skip_bytes", SKIP_BYTES}, {"fullblock", FULL}, {NULL, 0},
};
static const struct word out_flags[] = {{"append", APPEND}, {"seek_bytes", SEEK_BYTES}, {NULL, 0}};

struct size {
    int64_t n;
    bool bytes; /* not blocks */
};

struct dd {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    const char *from, *to; /* NULL: the standard streams */
    int64_t in_size, out_size, record_size;
    bool one_size;              /* bs= */
    struct size count, skip, seek; /* count.n -1: all */
    unsigned conversion, in_flag, out_flag;
    enum { ALL, NO_RATE, SILENT } status;
    bool gathers;               /* blocks of output are made anew, not those of the input */
    struct tc_buf gathered;
    int64_t full_in, partial_in, full_out, partial_out, truncated, written;
    int64_t column;             /* of conv=block and unblock */
    int64_t blanks;             /* that unblock holds back */
    int saved;                  /* the odd byte of swab, or -1 */
    int failed;
};

/* --- output --- */

static void write_record(struct dd *d, const char *p, size_t n)
{
    tc_cmd_write(d->out, p, n);
    d->written += (int64_t)n;
    if ((int64_t)n == d->out_size)
        d->full_out++;
    else
        d->partial_out++;
}

static void put(struct dd *d, const char *p, size_t n)
{
    if (!d->gathers) {
        write_record(d, p, n);
        return;
    }
    while (n > 0) {
        size_t room = (size_t)d->out_size - d->gathered.n, part = n < room ? n : room;

        tc_buf_add(&d->gathered, p, part);
        p += part;
        n -= part;
        if (d->gathered.n == (size_t)d->out_size) {
            write_record(d, d->gathered.p, d->gathered.n);
            tc_buf_clear(&d->gathered);
        }
    }
}

static void put_many(struct dd *d, char c, int64_t n)
{
    for (; n > 0; n--)
        put(d, &c, 1);
}

/* --- conversions --- */

/* Lines become records of one length. */
static void block(struct dd *d, const char *p, size_t n)
{
    for (; n > 0; p++, n--) {
        if (*p == '\n') {
            put_many(d, ' ', d->record_size - d->column);
            d->column = 0;
            continue;
        }
        if (d->column < d->record_size)
            put(d, p, 1);
        else if (d->column == d->record_size)
            d->truncated++;
        d->column++;
    }
}

/* Records become lines without the blanks at their end. */
static void unblock(struct dd *d, const char *p, size_t n)
{
    for (; n > 0; p++, n--) {
        if (d->column == d->record_size) {
            put(d, "\n", 1);
            d->column = d->blanks = 0;
        }
        d->column++;
        if (*p == ' ') {
            d->blanks++;
            continue;
        }
        put_many(d, ' ', d->blanks);
        d->blanks = 0;
        put(d, p, 1);
    }
}

static void put_records(struct dd *d, const char *p, size_t n)
{
    if (d->conversion & BLOCKS)
        block(d, p, n);
    else if (d->conversion & UNBLOCK)
        unblock(d, p, n);
    else
        put(d, p, n);
}

/* Pairs of bytes change their places, over the borders of blocks as well. */
static void put_swapped(struct dd *d, const char *p, size_t n)
{
    for (; n > 0; p++, n--) {
        if (d->saved < 0) {
            d->saved = (unsigned char)*p;
        } else {
            const char pair[2] = {*p, (char)d->saved};

            put_records(d, pair, 2);
            d->saved = -1;
        }
    }
}

static void convert(struct dd *d, char *p, size_t n)
{
    for (size_t i = 0; (d->conversion & TO_LOWER) && i < n; i++)
        p[i] = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] + 32) : p[i];
    for (size_t i = 0; (d->conversion & TO_UPPER) && i < n; i++)
        p[i] = p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 32) : p[i];
    if (d->conversion & SWAB)
        put_swapped(d, p, n);
    else
        put_records(d, p, n);
}

static void finish_records(struct dd *d)
{
    if (d->saved >= 0) {
        const char last = (char)d->saved;

        put_records(d, &last, 1);
    }
    if ((d->conversion & BLOCKS) && d->column > 0)
        put_many(d, ' ', d->record_size - d->column);
    if ((d->conversion & UNBLOCK) && d->column > 0)
        put(d, "\n", 1);
    if (d->gathered.n > 0)
        write_record(d, d->gathered.p, d->gathered.n);
}

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
        if (n < d->in_size && (d->conversion & SYNC)) {
            memset(buffer + n, d->conversion & (BLOCKS | UNBLOCK) ? ' ' : '\0', (size_t)(d->in_size - n));
            n = d->in_size;
        }
        convert(d, buffer, (size_t)n);
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
    bool cuts = !(d->conversion & NO_TRUNCATE);
    int flags = O_WRONLY | (d->conversion & NO_CREATE ? 0 : O_CREAT) | (d->conversion & EXCLUSIVE ? O_EXCL : 0) |
                (d->out_flag & APPEND ? O_APPEND : 0) | (cuts && seek < d->out_size ? O_TRUNC : 0);
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

    if (d->status == SILENT)
        return;
    tc_cmd_printf(err, "%lld+%lld records in\n%lld+%lld records out\n", (long long)d->full_in,
                  (long long)d->partial_in, (long long)d->full_out, (long long)d->partial_out);
    if (d->truncated)
        tc_cmd_printf(err, "%lld truncated record%s\n", (long long)d->truncated, d->truncated == 1 ? "" : "s");
    if (d->status == NO_RATE)
        return;
    tc_cmd_printf(err, "%lld byte%s", (long long)d->written, d->written == 1 ? "" : "s");
    if (scale((double)d->written, 1000, 0, si))
        tc_cmd_printf(err, scale((double)d->written, 1024, 0, iec) ? " (%s, %s)" : " (%s)", si, iec);
    if (seconds > 0)
        scale((double)d->written / seconds, 1000, 1, rate);
    tc_cmd_printf(err, " copied, %g s, %s/s\n", seconds, seconds > 0 ? rate : "Infinity B");
}

/* --- operands --- */

/* "4", "2k", "3x512"; *ret_bytes when it ends in B alone. False when it is no such number. */
static bool parse_number(struct dd *d, const char *text, int64_t *ret, bool *ret_bytes)
{
    struct tc_str rest = tc_str_of(text), part;
    int64_t all = 1, n;

    *ret_bytes = false;
    while (tc_str_split(&rest, 'x', &part)) {
        char last = part.n ? part.p[part.n - 1] : '\0', before = part.n > 1 ? part.p[part.n - 2] : '\0';
        bool own = last == 'c' || last == 'w' || (last == 'B' && before >= '0' && before <= '9');
        const char *digits = tc_arena_cstr(d->c->arena, tc_str_n(part.p, part.n - own));

        *ret_bytes = own && last == 'B';
        if (!digits || *digits < '0' || *digits > '9' || !tc_cmd_number(digits, true, &n) ||
            __builtin_mul_overflow(n, last == 'w' ? 2 : 1, &n) || __builtin_mul_overflow(all, n, &all))
            return false;
    }
    *ret = all;
    return *text != '\0';
}

static bool bad(struct dd *d, const char *what, const char *text)
{
    tc_cmd_fail_usage(d->c, "%s: %s", what, tc_cmd_quote(d->c, text));
    return false;
}

static bool take_words(struct dd *d, const struct word *words, const char *what, const char *list, unsigned *bits)
{
    struct tc_str rest = tc_str_of(list), one;

    while (tc_str_split(&rest, ',', &one)) {
        const struct word *word = words;

        while (word->name && !tc_str_is(one, word->name))
            word++;
        if (!word->name)
            return bad(d, what, tc_arena_cstr(d->c->arena, one));
        *bits |= word->bit;
    }
    return true;
}

static bool take_size(struct dd *d, const char *text, int64_t *ret)
{
    bool bytes;

    if (!parse_number(d, text, ret, &bytes) || *ret == 0)
        return tc_cmd_fail(d->c, "invalid number: %s", tc_cmd_quote(d->c, text)) == 0;
    if (*ret > BLOCK_MAX)
        return tc_cmd_fail(d->c, "blocks of %lld bytes are too large", (long long)*ret) == 0;
    return true;
}

static bool take_count(struct dd *d, const char *text, struct size *ret)
{
    if (!parse_number(d, text, &ret->n, &ret->bytes) || ret->n > INT64_MAX / BLOCK_MAX)
        return tc_cmd_fail(d->c, "invalid number: %s", tc_cmd_quote(d->c, text)) == 0;
    return true;
}

static bool take_status(struct dd *d, const char *text)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "noxfer") == 0)
        d->status = text[2] == 'n' ? SILENT : NO_RATE;
    else if (strcmp(text, "progress") != 0)
        return bad(d, "invalid status level", text);
    return true;
}

static bool take_operand(struct dd *d, const char *operand)
{
    struct tc_str value = tc_str_of(operand), name;
    const char *text;

    tc_str_split(&value, '=', &name);
    text = value.p;
    if (text && tc_str_is(name, "if"))
        d->from = text;
    else if (text && tc_str_is(name, "of"))
        d->to = text;
    else if (text && tc_str_is(name, "bs"))
        return d->one_size = take_size(d, text, &d->in_size);
    else if (text && tc_str_is(name, "ibs"))
        return d->one_size || take_size(d, text, &d->in_size);
    else if (text && tc_str_is(name, "obs"))
        return take_size(d, text, &d->out_size);
    else if (text && tc_str_is(name, "cbs"))
        return take_size(d, text, &d->record_size);
    else if (text && tc_str_is(name, "count"))
        return take_count(d, text, &d->count);
    else if (text && (tc_str_is(name, "skip") || tc_str_is(name, "iseek")))
        return take_count(d, text, &d->skip);
    else if (text && (tc_str_is(name, "seek") || tc_str_is(name, "oseek")))
        return take_count(d, text, &d->seek);
    else if (text && tc_str_is(name, "conv"))
        return take_words(d, conversions, "invalid conversion", text, &d->conversion);
    else if (text && tc_str_is(name, "iflag"))
        return take_words(d, in_flags, "invalid input flag", text, &d->in_flag);
    else if (text && tc_str_is(name, "oflag"))
        return take_words(d, out_flags, "invalid output flag", text, &d->out_flag);
    else if (text && tc_str_is(name, "status"))
        return take_status(d, text);
    else {
        tc_cmd_fail_usage(d->c, "unrecognized operand %s", tc_cmd_quote(d->c, operand));
        return false;
    }
    return true;
}

static bool excludes(struct dd *d, unsigned a, unsigned b, const char *what)
{
    if ((d->conversion & a) && (d->conversion & b))
        return tc_cmd_fail(d->c, "cannot combine %s", what) != 0;
    return false;
}

static bool settle(struct dd *d)
{
    if (excludes(d, BLOCKS, UNBLOCK, "block and unblock") || excludes(d, TO_LOWER, TO_UPPER, "lcase and ucase") ||
        excludes(d, EXCLUSIVE, NO_CREATE, "excl and nocreat"))
        return false;
    if (d->one_size)
        d->out_size = d->in_size;
    if (d->record_size == 0)
        d->conversion &= ~(unsigned)(BLOCKS | UNBLOCK);
    d->gathers = !d->one_size || (d->conversion & (TO_LOWER | TO_UPPER | SWAB | BLOCKS | UNBLOCK));
    d->count.bytes |= (d->in_flag & COUNT_BYTES) != 0;
    d->skip.bytes |= (d->in_flag & SKIP_BYTES) != 0;
    d->seek.bytes |= (d->out_flag & SEEK_BYTES) != 0;
    if ((d->out_flag & APPEND) && d->to && !(d->conversion & NO_TRUNCATE))
        tc_cmd_fail(d->c, "you probably want conv=notrunc with oflag=append");
    return true;
}

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
        finish_records(d);
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
    struct dd d = {.c = c, .in_size = BLOCK, .out_size = BLOCK, .count = {.n = -1}, .saved = -1};
    int status;

    if (tc_cmd_option_next(c) == TC_CMD_OPTION_BAD)
        return 2;
    for (int i = c->at; i < c->argc; i++)
        if (!take_operand(&d, c->argv[i]))
            return 1;
    if (!settle(&d))
        return 1;
    tc_buf_init(&d.gathered, BLOCK_MAX + 1);
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
