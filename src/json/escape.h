/*
 * The inside of a JSON string: \" \\ \b \f \n \r \t, \u00XX for other control
 * characters, everything else as it is. The text must be valid UTF-8.
 */
#ifndef TC_JSON_ESCAPE_H
#define TC_JSON_ESCAPE_H

#include "toolcrib/str.h"

/* No byte takes more than this. */
enum { TC_ESCAPE_MAX = 6 };

/* Bytes that the escaped text takes. */
size_t tc_escape_size(struct tc_str s);
/* Writes them and returns the place behind. */
char *tc_escape_put(char *to, struct tc_str s);

#endif
