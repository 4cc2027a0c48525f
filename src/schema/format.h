/*
 * The formats of JSON Schema, each a test of one string. An unknown format
 * accepts everything, as the specification has it. Tests take linear time; only
 * international host names take memory.
 */
#ifndef TC_SCHEMA_FORMAT_H
#define TC_SCHEMA_FORMAT_H

#include "toolcrib/schema.h"

/* The number of the format if the draft has it, else 0. */
unsigned tc_format_find(struct tc_str name, enum tc_schema_draft draft);
/* Steps that a test of that text is charged with. */
size_t tc_format_cost(unsigned format, struct tc_str text);
/* Is the text (valid UTF-8) of that format? */
bool tc_format_check(unsigned format, struct tc_str text);

/* --- format_time.c: RFC 3339 --- */
bool tc_format_date(struct tc_str text);
bool tc_format_time(struct tc_str text);
bool tc_format_date_time(struct tc_str text);
bool tc_format_duration(struct tc_str text);

/* --- format_net.c --- */
bool tc_format_ipv4(struct tc_str text);
bool tc_format_ipv6(struct tc_str text);
bool tc_format_email(struct tc_str text);
bool tc_format_idn_email(struct tc_str text);

/* --- format_name.c --- */
bool tc_format_hostname(struct tc_str text);
bool tc_format_idn_hostname(struct tc_str text);

/* --- format_uri.c: RFC 3986, 3987, 6570 --- */
bool tc_format_uri(struct tc_str text);
bool tc_format_uri_reference(struct tc_str text);
bool tc_format_iri(struct tc_str text);
bool tc_format_iri_reference(struct tc_str text);
bool tc_format_uri_template(struct tc_str text);

#endif
