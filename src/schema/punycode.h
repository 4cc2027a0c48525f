/*
 * Punycode, RFC 3492, for labels of host names.
 */
#ifndef TC_SCHEMA_PUNYCODE_H
#define TC_SCHEMA_PUNYCODE_H

#include "toolcrib/str.h"

enum { TC_PUNYCODE_MAX = 63 }; /* characters of a label, either way */

/* What stands behind xn--. False when malformed, too long, or not what encoding
 * its result gives (ASCII letters of either case are the same). */
bool tc_punycode_decode(struct tc_str text, uint32_t ret_label[TC_PUNYCODE_MAX], uint32_t *ret_n);
/* Bytes behind xn-- that the label takes; SIZE_MAX when over TC_PUNYCODE_MAX. to
 * may be NULL. */
size_t tc_punycode_encode(const uint32_t *label, uint32_t n, char to[TC_PUNYCODE_MAX]);

#endif
