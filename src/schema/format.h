/*
 * The formats of JSON Schema, each a test of one string. An unknown format
 * accepts everything, as the specification has it.
 */
#ifndef TC_SCHEMA_FORMAT_H
#define TC_SCHEMA_FORMAT_H

#include "toolcrib/schema.h"

/* The number of the format if the draft has it, else 0. */
unsigned tc_format_find(struct tc_str name, enum tc_schema_draft draft);
/* Is the text (valid UTF-8) of that format? */
bool tc_format_check(unsigned format, struct tc_str text);

#endif
