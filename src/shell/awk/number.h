/*
 * Numbers from text and back, as awk has them.
 */
#ifndef TC_SHELL_AWK_NUMBER_H
#define TC_SHELL_AWK_NUMBER_H

#include "toolcrib/str.h"

/* The number that the text begins with, 0 when it does with none; *ret_used counts bytes with leading blanks. */
double tc_awk_number_parse(struct tc_str text, size_t *ret_used);
/* The whole text is one number, with blanks around it. */
bool tc_awk_number_looks(struct tc_str text, double *ret_num);
/* "0x1f", "017" and decimal, as strtonum and the source have them. */
double tc_awk_number_parse_any(struct tc_str text, size_t *ret_used);
/* Whole numbers in full, others by fmt, whose conversion takes one double, or a long when AWK_WHOLE stands before
 * it. Bytes written. */
enum { AWK_WHOLE = 1 };
size_t tc_awk_number_print(double num, const char *fmt, char *to, size_t size);
size_t tc_awk_int_print(int64_t num, char *to); /* room for 21 */
/* "+inf", "-nan" …; NULL when it is an ordinary number. */
const char *tc_awk_number_odd(double num);

#endif
