/*
 * Percent-encoding of URLs (RFC 3986), and query strings made of it.
 */
#ifndef TC_BASE_PERCENT_H
#define TC_BASE_PERCENT_H

#include "toolcrib/buf.h"

/* Every '%' is followed by two hex digits and none of them encodes NUL. */
bool tc_percent_valid(struct tc_str s);
/* Decoded into the arena, or s itself when there is nothing to decode. A '%'
 * without two hex digits stays as it is. p is NULL without memory. */
struct tc_str tc_percent_decode(struct tc_arena *arena, struct tc_str s);
/* As decode, and '+' is a blank, as in forms and query strings. */
struct tc_str tc_percent_decode_form(struct tc_arena *arena, struct tc_str s);
/* Appends s with all but unreserved characters encoded. */
void tc_percent_encode(struct tc_buf *to, struct tc_str s);

/* The decoded value of the first parameter of that name in a query string
 * ("a=1&b=2", without '?'); "name" without '=' is empty. p is NULL when it is
 * absent or there is no memory. */
struct tc_str tc_percent_query(struct tc_arena *arena, struct tc_str query, struct tc_str name);

#endif
