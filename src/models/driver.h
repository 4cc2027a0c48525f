/*
 * The models port over HTTP: one request, its stream, its retries. What the scripted
 * model plays goes through the same port (scripted.h).
 */
#ifndef TC_MODELS_DRIVER_H
#define TC_MODELS_DRIVER_H

#include "http/client.h"
#include "ports/models.h"

/* The client stays the caller's and outlives it. */
enum tc_err tc_driver_create(struct tc_cx *cx, struct tc_client *client, struct tc_models **ret_models);
void tc_driver_destroy(struct tc_models *models); /* no turn may be under way; NULL is fine */

#endif
