/*
 * Between a model and the pipeline: the arguments of a call that a model made, in the
 * words of its provider, and a result as a model reads it. Pure.
 */
#ifndef TC_RUNTIME_SAID_H
#define TC_RUNTIME_SAID_H

#include "runtime/pipeline.h"
#include "toolcrib/model.h"

/* The arguments as the pipeline gets them: a JSON value, or a string where what came is
 * none; NULL: none came. projection: of the tool's schema for that provider, whose names
 * become the tool's own; NULL: the tool is not known. */
enum tc_err tc_said_arguments(struct tc_cx *cx, const struct tc_item *call,
                              const struct tc_schema_projection *projection, const struct tc_json **ret_arguments);
/* Text, images and is_error of a result, as a part of a transcript: text blocks joined,
 * structured data where there is no text; never empty. */
enum tc_err tc_said_result(struct tc_cx *cx, const struct tc_call_result *result, struct tc_part *ret_part);

#endif
