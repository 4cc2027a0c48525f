/*
 * Schemas of answers in a notation that is read at a glance: what a reader would write on
 * paper, and nothing that needs quoting in C.
 *
 *   string integer number boolean null     the types of JSON
 *   time                                   a string of date and time
 *   object any                             whatever its members; any value
 *   Tool                                   a component
 *   (text|vision)                          one of these strings
 *   (0|1)                                  one of these numbers
 *   [string]                               a list
 *   {id string, note? string|null}         a closed object; note may be left out
 *   {* number}                             an object of any names
 *   string|null                            one or the other
 *
 * Text that is JSON stands for itself: for limits and patterns, which this has none of.
 */
#ifndef TC_API_SHAPE_H
#define TC_API_SHAPE_H

#include "toolcrib/jsonw.h"

/* Writes the schema as one value. Text that is neither is a bug. */
void tc_shape_write(struct tc_jsonw *w, const char *text);

#endif
