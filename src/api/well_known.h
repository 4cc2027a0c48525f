/*
 * This daemon as a protected resource (RFC 9728): what it says of itself, and of
 * the tokens that it wants, to clients that have none.
 */
#ifndef TC_API_WELL_KNOWN_H
#define TC_API_WELL_KNOWN_H

#include "api/api.h"

/* The value of WWW-Authenticate for what cx->err refuses, in the arena. */
struct tc_str tc_api_challenge(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange);

#endif
