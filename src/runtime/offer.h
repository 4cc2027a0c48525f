/*
 * What an agent is offered besides tools (spec 11): prompts, resources and
 * templates of the servers whose toolset it has, under names and URIs that do not
 * collide, and back from those to the servers.
 *
 * Of two servers that list the same URI the older one keeps it; the other's becomes
 * toolcrib://<server>/<encoded URI>, which is understood for every URI.
 */
#ifndef TC_RUNTIME_OFFER_H
#define TC_RUNTIME_OFFER_H

#include "runtime/runtime.h"
#include "runtime/servers_offer.h"

struct tc_offer_entry {
    const struct tc_offered *server;
    const struct tc_json *entry; /* as the server listed it */
    struct tc_str native;        /* its name, URI or URI template there */
    struct tc_str name;          /* as the agent's clients see it */
};

struct tc_offer { /* in the arena */
    struct tc_offered *servers; size_t servers_n;  /* all that the agent sees, the oldest first */
    struct tc_offer_entry *entries; size_t n;      /* of the kind that was asked for */
};

/* wait_ms: as tc_servers_offered. */
PARKS enum tc_err tc_offer_get(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                               enum tc_source_kind kind, int64_t wait_ms, struct tc_offer *ret);
/* By its name; NULL when there is none. */
const struct tc_offer_entry *tc_offer_find(const struct tc_offer *offer, struct tc_str name);
/* One number a kind that changes when what the agent is offered does. */
PARKS enum tc_err tc_offer_hashes(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                                  uint64_t ret[TC_SOURCE_KINDS]);

/* The caller's roots have changed: told to those of the agent's servers that have
 * asked for roots. */
PARKS enum tc_err tc_offer_roots_changed(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                                         struct tc_caller *caller);

enum { TC_OFFER_ROUTES = 8 };
struct tc_offer_route {
    struct tc_str uuid, name, uri; /* of the server, and the URI there */
};
/* Where a URI may be read, best first; *ret_n 0: nowhere. One that nobody lists may
 * be known to any of the agent's servers all the same. */
PARKS enum tc_err tc_offer_route(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent, struct tc_str uri,
                                 struct tc_offer_route routes[TC_OFFER_ROUTES], size_t *ret_n);
/* How the agent's clients name a URI of that server; itself where it leads there.
 * resources: an offer of that kind. p NULL without memory. */
struct tc_str tc_offer_uri(struct tc_cx *cx, const struct tc_offer *resources, struct tc_str uuid, struct tc_str uri);
/* Whether a URI is one that the template (RFC 6570) stands for: literals match, an
 * expression matches anything but '/', one with an operator anything. */
bool tc_offer_matches(struct tc_str uri_template, struct tc_str uri);

#endif
