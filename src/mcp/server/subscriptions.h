/*
 * Which resources one client wants to hear of. URIs are the client's; behind each
 * stands a subscription at the server that has it.
 */
#ifndef TC_MCP_SERVER_SUBSCRIPTIONS_H
#define TC_MCP_SERVER_SUBSCRIPTIONS_H

#include "runtime/offer.h"

enum { TC_SUBSCRIPTIONS_MAX = 1000 };

struct tc_subscriptions { /* zeroed: none */
    struct tc_map by_uri; /* → what stands behind it */
};

/* TC_E_MCP_RESOURCE_NOT_FOUND, TC_E_LIMIT, or what the server says. Twice is once. */
PARKS enum tc_err tc_subscriptions_add(struct tc_cx *cx, struct tc_subscriptions *subscriptions,
                                       struct tc_runtime *runtime, struct tc_str agent, struct tc_str uri);
void tc_subscriptions_remove(struct tc_subscriptions *subscriptions, struct tc_servers *servers, struct tc_str uri);
/* Ends all. */
void tc_subscriptions_finish(struct tc_subscriptions *subscriptions, struct tc_servers *servers);
/* The client's URI of a resource of that server that was updated, borrowed; p NULL
 * when it did not want to hear of it. A part of a resource counts as the resource. */
struct tc_str tc_subscriptions_match(const struct tc_subscriptions *subscriptions, struct tc_str uuid,
                                     struct tc_str uri);

#endif
