/*
 * Numbers of bc: whole numbers of any length in limbs of nine decimal digits, times
 * ten to the minus `scale`. Counted by references, never changed once made. Functions
 * give NULL when there is no memory or a number gets longer than BC_DIGITS_MAX, and
 * NULL for a NULL operand, so that a chain of them is checked once.
 */
#ifndef TC_SHELL_CMDS_BC_NUM_H
#define TC_SHELL_CMDS_BC_NUM_H

#include "toolcrib/buf.h"

enum { BC_DIGITS_MAX = 2000000, BC_LIMB_DIGITS = 9 };

struct bc_num {
    unsigned refs;
    bool minus;
    size_t scale; /* decimals */
    size_t n;     /* limbs, the least first; the last is not 0, so zero has none */
    uint32_t limbs[];
};

struct bc_num *tc_bc_int(int64_t value);
struct bc_num *tc_bc_parse(struct tc_str digits); /* decimal ones, behind a '-' perhaps */
struct bc_num *tc_bc_ref(struct bc_num *num);
void tc_bc_unref(struct bc_num *num); /* NULL is fine */

struct bc_num *tc_bc_add(const struct bc_num *a, const struct bc_num *b);
struct bc_num *tc_bc_sub(const struct bc_num *a, const struct bc_num *b);
struct bc_num *tc_bc_neg(const struct bc_num *a);
/* Cut to `scale` decimals, or filled up to them. */
struct bc_num *tc_bc_rescale(const struct bc_num *a, size_t scale);
struct bc_num *tc_bc_mul(const struct bc_num *a, const struct bc_num *b); /* exact */
/* b is not 0; cut behind `scale` decimals. */
struct bc_num *tc_bc_div(const struct bc_num *a, const struct bc_num *b, size_t scale);
struct bc_num *tc_bc_sqrt(const struct bc_num *a, size_t scale); /* a is not negative */
int tc_bc_cmp(const struct bc_num *a, const struct bc_num *b);
bool tc_bc_is_zero(const struct bc_num *a);
size_t tc_bc_digits(const struct bc_num *a); /* of the whole without its point; 0 for zero */
/* The whole part; INT64_MAX or MIN when it is beyond. */
int64_t tc_bc_to_int(const struct bc_num *a);
/* In base 10 as bc writes it: ".5", "-1.50", "0". */
void tc_bc_print(const struct bc_num *a, struct tc_buf *to);

#endif
