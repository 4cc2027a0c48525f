/*
 * The cookie of a sign-in: its name, and when it counts.
 *
 * Cookies know no ports, so the name has the one that the browser asked for: daemons
 * beside each other do not sign each other out. Where the public URL is https, it is
 * one that only this host may set, and only over https.
 */
#ifndef TC_API_SESSION_H
#define TC_API_SESSION_H

#include "api/api.h"

/* The text of the sign-in that the request came with; empty where none did, or where
 * it does not count: beside Authorization, on a Unix socket, outside /admin and /metrics. */
struct tc_str tc_session_text(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange);

#endif
