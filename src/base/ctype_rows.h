/*
 * The tables of ctype.c. They are constant and sorted; ctype.h is the way to ask.
 */
#ifndef TC_BASE_CTYPE_ROWS_H
#define TC_BASE_CTYPE_ROWS_H

#include "base/ctype.h"

extern const struct tc_ctype_run tc_ctype_alpha[], tc_ctype_punct[], tc_ctype_upper[], tc_ctype_lower[],
    tc_ctype_space[], tc_ctype_blank[], tc_ctype_cntrl[], tc_ctype_digit[], tc_ctype_xdigit[],
    tc_ctype_printed_space[];
extern const size_t tc_ctype_alpha_n, tc_ctype_punct_n, tc_ctype_upper_n, tc_ctype_lower_n, tc_ctype_space_n,
    tc_ctype_blank_n, tc_ctype_cntrl_n, tc_ctype_digit_n, tc_ctype_xdigit_n, tc_ctype_printed_space_n;
extern const struct tc_ctype_shift tc_ctype_upward[], tc_ctype_downward[];
extern const size_t tc_ctype_upward_n, tc_ctype_downward_n;

#endif
