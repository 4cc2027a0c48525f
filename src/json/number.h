/*
 * Exact arithmetic on JSON number lexemes of any size, with no rounding and no
 * allocation. Every argument must match the number grammar of RFC 8259, as the
 * lexemes of a parsed document do. Work is linear in the lengths.
 */
#ifndef TC_JSON_NUMBER_H
#define TC_JSON_NUMBER_H

#include "toolcrib/str.h"

/* Most significant digits of a divisor. */
enum { TC_NUMBER_DIVISOR_DIGITS = 37 };

/* By value: <0, 0, >0. -0 is 0, 1e400 is 10e399. */
int tc_number_cmp(struct tc_str a, struct tc_str b);
/* Whether the value is whole: 1.0, 1e2 and 120e-1 are. */
bool tc_number_is_integer(struct tc_str a);
/* Whether b can divide: over 0, and of at most TC_NUMBER_DIVISOR_DIGITS
 * significant digits. */
bool tc_number_is_divisor(struct tc_str b);
/* Whether a / b is whole; b must be a divisor. */
bool tc_number_multiple_of(struct tc_str a, struct tc_str b);

/* The value when it is whole and in range. */
bool tc_number_int(struct tc_str a, int64_t *ret_value);
/* The nearest double; false when that is not finite. */
bool tc_number_double(struct tc_str a, double *ret_value);

#endif
