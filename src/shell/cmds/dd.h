/*
 * What the parts of dd share: its operands (dd_operands.c), the way of the bytes that
 * were read to the output (dd_convert.c), and the copying itself (dd.c).
 */
#ifndef TC_SHELL_CMDS_DD_H
#define TC_SHELL_CMDS_DD_H

#include "toolcrib/shellfs.h"

enum { DD_BLOCK = 512, DD_BLOCK_MAX = 64 << 20 };

enum dd_conversion {
    DD_TO_LOWER = 1 << 0, DD_TO_UPPER = 1 << 1, DD_SWAB = 1 << 2, DD_SYNC = 1 << 3, DD_BLOCKS = 1 << 4,
    DD_UNBLOCK = 1 << 5, DD_EXCLUSIVE = 1 << 6, DD_NO_CREATE = 1 << 7, DD_NO_TRUNCATE = 1 << 8, DD_IGNORED = 1 << 9
};
enum dd_flag {
    DD_APPEND = 1 << 0, DD_COUNT_BYTES = 1 << 1, DD_SKIP_BYTES = 1 << 2, DD_SEEK_BYTES = 1 << 3, DD_FULL = 1 << 4
};

struct dd_size {
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
    struct dd_size count, skip, seek; /* count.n -1: all */
    unsigned conversion, in_flag, out_flag;
    enum { DD_ALL, DD_NO_RATE, DD_SILENT } status;
    bool gathers;               /* blocks of output are made anew, not those of the input */
    struct tc_buf gathered;
    int64_t full_in, partial_in, full_out, partial_out, truncated, written;
    int64_t column;             /* of conv=block and unblock */
    int64_t blanks;             /* that unblock holds back */
    int saved;                  /* the odd byte of swab, or -1 */
    int failed;
};

/* False when it was told what is wrong. */
bool tc_dd_take_operand(struct dd *d, const char *operand);
/* After the last operand: which do not go together, and what follows from them. */
bool tc_dd_settle(struct dd *d);

/* Converts what was read, in place, and writes it. */
void tc_dd_convert(struct dd *d, char *p, size_t n);
/* Writes what conversions and blocks held back. */
void tc_dd_finish_records(struct dd *d);

#endif
