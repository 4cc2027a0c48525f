/*
 * References to URLs (RFC 3986, 4.1), as a Location field or an HTTP+SSE server's
 * endpoint event gives them. Pure.
 */
#ifndef TC_HTTP_REFERENCE_H
#define TC_HTTP_REFERENCE_H

#include "http/url.h"

/* What the reference means beside the base, in the arena; p is NULL when it is no
 * http or https URL, holds what a URL must not, or without memory. "." and ".."
 * stay for the client to resolve: they never change the origin. */
struct tc_str tc_reference_resolve(struct tc_arena *arena, const struct tc_url *base, struct tc_str reference);

#endif
