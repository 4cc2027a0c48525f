/*
 * The metaschemas of the drafts, so that a $ref to them works without a network.
 */
#ifndef TC_SCHEMA_METASCHEMA_H
#define TC_SCHEMA_METASCHEMA_H

#include "toolcrib/str.h"

/* The text of the metaschema of that URI (no fragment); p is NULL when there is
 * none. http and https are the same. */
struct tc_str tc_metaschema_find(struct tc_str uri);

#endif
