/*
 * URI references, RFC 3986 section 5.2, as far as schemas name each other.
 */
#ifndef TC_SCHEMA_URI_H
#define TC_SCHEMA_URI_H

#include "toolcrib/arena.h"

/* `reference` seen from `base`, which may be empty. p is NULL without memory. */
struct tc_str tc_uri_resolve(struct tc_arena *arena, struct tc_str base, struct tc_str reference);
/* Cuts at the first '#': what is before it, and behind it (empty without one). */
void tc_uri_split(struct tc_str uri, struct tc_str *ret_document, struct tc_str *ret_fragment);
/* Percent escapes decoded; an invalid one stays. p is NULL without memory. */
struct tc_str tc_uri_decode(struct tc_arena *arena, struct tc_str text);

#endif
