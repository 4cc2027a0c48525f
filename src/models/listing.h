/*
 * The models that an endpoint has, as it lists them.
 */
#ifndef TC_MODELS_LISTING_H
#define TC_MODELS_LISTING_H

#include "http/client.h"
#include "models/rows.h"
#include "ports/models.h"

/* Names in cx->arena; none where the endpoint lists none. Fails in words for a person. */
PARKS enum tc_err tc_listing_get(struct tc_cx *cx, struct tc_client *client, const struct tc_row *row,
                                 const struct tc_model_target *target, struct tc_str **ret_names, size_t *ret_n);

#endif
