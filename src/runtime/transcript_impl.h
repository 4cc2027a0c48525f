/*
 * Parts of making a transcript; private to transcript*.c.
 */
#ifndef TC_RUNTIME_TRANSCRIPT_IMPL_H
#define TC_RUNTIME_TRANSCRIPT_IMPL_H

#include "runtime/transcript.h"

/* For a result without a word. */
extern const char tc_transcript_silent[];

/* Every provider takes the names that are offered. What a model made up may be anything,
 * and one that a provider does not take would void each request from now on: it is made
 * fit. In cx->arena. */
enum tc_err tc_transcript_name(struct tc_cx *cx, struct tc_str name, struct tc_str *ret);
/* An id as the model's provider takes it, not in use yet; it is then. In cx->arena. */
enum tc_err tc_transcript_id(struct tc_cx *cx, struct tc_transcript *t, const struct tc_transcript_options *options,
                             struct tc_str id, struct tc_str *ret);

/* Reads the images into copies of the parts that have them; all of it in cx->arena. */
PARKS enum tc_err tc_transcript_load(struct tc_cx *cx, const struct tc_transcript *t,
                                     const struct tc_transcript_options *options);

#endif
