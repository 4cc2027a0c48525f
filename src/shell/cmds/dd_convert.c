/*
 * Conversions of dd: what was read goes through letters, pairs of bytes and records
 * into blocks of output.
 */
#include "shell/cmds/dd.h"

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
    if (d->conversion & DD_BLOCKS)
        block(d, p, n);
    else if (d->conversion & DD_UNBLOCK)
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

void tc_dd_convert(struct dd *d, char *p, size_t n)
{
    for (size_t i = 0; (d->conversion & DD_TO_LOWER) && i < n; i++)
        p[i] = p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] + 32) : p[i];
    for (size_t i = 0; (d->conversion & DD_TO_UPPER) && i < n; i++)
        p[i] = p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 32) : p[i];
    if (d->conversion & DD_SWAB)
        put_swapped(d, p, n);
    else
        put_records(d, p, n);
}

void tc_dd_finish_records(struct dd *d)
{
    if (d->saved >= 0) {
        const char last = (char)d->saved;

        put_records(d, &last, 1);
    }
    if ((d->conversion & DD_BLOCKS) && d->column > 0)
        put_many(d, ' ', d->record_size - d->column);
    if ((d->conversion & DD_UNBLOCK) && d->column > 0)
        put(d, "\n", 1);
    if (d->gathered.n > 0)
        write_record(d, d->gathered.p, d->gathered.n);
}
