/*
 * Characters as the locale C.UTF-8 of GNU's C library has them: the POSIX classes
 * and simple case. Constant tables, no locale, no state; fit for any thread. A
 * character is a code point; what is none belongs to no class.
 */
#ifndef TC_BASE_CTYPE_H
#define TC_BASE_CTYPE_H

#include "toolcrib/str.h"

enum tc_ctype {
    TC_CTYPE_ALPHA,
    TC_CTYPE_DIGIT,
    TC_CTYPE_ALNUM,
    TC_CTYPE_UPPER,
    TC_CTYPE_LOWER,
    TC_CTYPE_SPACE,
    TC_CTYPE_BLANK,
    TC_CTYPE_PUNCT,
    TC_CTYPE_GRAPH,
    TC_CTYPE_PRINT,
    TC_CTYPE_CNTRL,
    TC_CTYPE_XDIGIT
};

/* Every step-th character from first to last; steps are 1 and 2. */
struct tc_ctype_run {
    uint32_t first, last, step;
};
/* The same with what is to be added for the other case. */
struct tc_ctype_shift {
    uint32_t first, last, step;
    int32_t by;
};
/* A class is the union of up to four tables. */
enum { TC_CTYPE_TABLES_MAX = 4 };
struct tc_ctype_table {
    const struct tc_ctype_run *runs; /* sorted; NULL: no more tables */
    size_t n;
};

/* "alpha", "upper" and so on; false when there is no such class. */
bool tc_ctype_find(struct tc_str name, enum tc_ctype *ret_type);
bool tc_ctype_is(uint32_t c, enum tc_ctype type);
/* The tables that make up a class. */
void tc_ctype_tables(enum tc_ctype type, struct tc_ctype_table ret_tables[TC_CTYPE_TABLES_MAX]);

uint32_t tc_ctype_to_upper(uint32_t c);
uint32_t tc_ctype_to_lower(uint32_t c);
/* What differs from c by case alone, that is has the same upper case; c itself is
 * not among them. Returns how many. */
enum { TC_CTYPE_CASES_MAX = 8 };
size_t tc_ctype_cases(uint32_t c, uint32_t ret_others[TC_CTYPE_CASES_MAX]);

#endif
