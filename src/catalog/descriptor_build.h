/*
 * How descriptors come into being, for the files of this folder that make them:
 * a source writes one JSON text, which becomes the one document that the
 * descriptor owns and borrows all its strings and schemas from.
 */
#ifndef TC_CATALOG_DESCRIPTOR_BUILD_H
#define TC_CATALOG_DESCRIPTOR_BUILD_H

#include "catalog/descriptor.h"

enum { TC_DESCRIPTOR_TEXT_MAX = 4 * 1024 * 1024 }; /* bytes of that JSON text */

/* Members: id and name (required), server, title, description, searchHint,
 * toolset, promptHint, renamed, inputSchema (an object), outputSchema,
 * annotations, extra. Traits are left zero, schemas not yet compiled. */
enum tc_err tc_descriptor_build(struct tc_cx *cx, struct tc_str json, struct tc_descriptor **ret);
/* Compiles the input schema. TC_E_SCHEMA_* when it is not a schema. */
enum tc_err tc_descriptor_compile_input(struct tc_cx *cx, struct tc_descriptor *descriptor);
enum tc_err tc_descriptor_compile_output(struct tc_cx *cx, struct tc_descriptor *descriptor);
/* Copies the sentence into schema_fault. */
enum tc_err tc_descriptor_set_fault(struct tc_cx *cx, struct tc_descriptor *descriptor, struct tc_str sentence);
/* Fills in the hash of the definition and its size in tokens. */
enum tc_err tc_descriptor_define(struct tc_cx *cx, struct tc_descriptor *descriptor, struct tc_str description,
                                 const struct tc_json *input_schema);

#endif
