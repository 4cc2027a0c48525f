/*
 * Where a request goes and what stands in its head. Pure.
 */
#ifndef TC_MODELS_ENDPOINT_H
#define TC_MODELS_ENDPOINT_H

#include "http/header.h"
#include "models/rows.h"

/* The URL of a path behind the target's base URL, in cx->arena. People write base URLs
 * with and without the version, and whole ones: all mean the same. */
enum tc_err tc_endpoint_url(struct tc_cx *cx, const struct tc_row *row, const struct tc_model_target *target,
                            struct tc_str path, struct tc_str *ret_url);
/* Fields of the protocol and of the channel, which win. */
enum tc_err tc_endpoint_headers(struct tc_cx *cx, const struct tc_model_target *target,
                                const struct tc_model_wire *wire, bool stream, struct tc_header_list *ret_headers);

#endif
