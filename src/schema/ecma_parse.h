/*
 * The translator from ECMA-262 patterns to PCRE2 text, and the short form of
 * the simple ones.
 */
#ifndef TC_SCHEMA_ECMA_PARSE_H
#define TC_SCHEMA_ECMA_PARSE_H

#include "toolcrib/buf.h"

/* One repeated set of characters. Bit c of low: ASCII c is in. high: all other
 * characters are in, but for U+2028 and U+2029 when no_separators. */
struct tc_ecma_item {
    uint64_t low[2];
    uint32_t min, max; /* UINT32_MAX: no limit */
    bool high, no_separators;
    bool has_stop; /* at least 0 or 1, no limit, of everything but `stop` */
    char stop;
};

enum { TC_ECMA_ITEMS_MAX = 40 };

/* A pattern that is a row of items from the start of the text, each of which can
 * be taken greedily without ever going back. */
struct tc_ecma_simple {
    struct tc_ecma_item items[TC_ECMA_ITEMS_MAX];
    uint32_t n;
    bool ok;       /* false: only the PCRE2 text tells */
    bool to_end;   /* ends with $ */
};

struct tc_ecma_fault {
    const char *reason;
    size_t offset;
};

/* False with *ret_fault when the pattern is not of the dialect. text may be
 * NULL (check only); simple may be NULL. */
bool tc_ecma_parse(struct tc_str pattern, struct tc_buf *text, struct tc_ecma_simple *simple,
                    struct tc_ecma_fault *ret_fault);

#endif
