/*
 * Names of Unicode properties as \p{…} takes them, in ECMA-262 and in PCRE2.
 */
#ifndef TC_SCHEMA_ECMA_PROPS_H
#define TC_SCHEMA_ECMA_PROPS_H

#include "toolcrib/str.h"

enum { TC_ECMA_PROPERTY_MAX = 64 };

/* What stands between the braces: "L", "Letter", "Script=Han", "Alphabetic".
 * False when ECMA-262 has no such form; the value of a script or a binary
 * property is left to PCRE2 to know. */
bool tc_ecma_property(struct tc_str text, char ret_name[TC_ECMA_PROPERTY_MAX]);

#endif
