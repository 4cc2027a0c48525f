/*
 * Which route serves a path. Routes are constant data of their owners: a
 * resource keeps its rows (handler, scope, schemas) in its own struct with
 * struct tc_route as first member and gets that member back from a match.
 *
 * A pattern is a path of literal segments, "{name}" segments that take one
 * segment each, and perhaps a last "{name*}" that takes the rest, slashes
 * included. A literal path stands over patterns with names, then the route that
 * was added first. GET serves HEAD.
 *
 * Lifetime: init and add at the start, match from then on, finish.
 */
#ifndef TC_HTTP_ROUTER_H
#define TC_HTTP_ROUTER_H

#include "base/map.h"
#include "toolcrib/cx.h"

struct tc_route {
    const char *method, *pattern;
};

enum { TC_ROUTER_PARAMS_MAX = 8 };

struct tc_router_entry;

struct tc_router {
    struct tc_map literal;         /* path → first entry of that pattern */
    struct tc_router_entry *named; /* in the order of addition */
};

struct tc_router_match {
    const struct tc_route *route;
    size_t params;
    struct tc_str names[TC_ROUTER_PARAMS_MAX], values[TC_ROUTER_PARAMS_MAX]; /* values decoded, in cx->arena */
    struct tc_str allow; /* value of the Allow field, after TC_E_HTTP_METHOD, in cx->arena */
};

void tc_router_init(struct tc_router *router);
void tc_router_finish(struct tc_router *router);
/* Borrows the route. TC_E_INTERNAL on a malformed pattern or one that is there
 * already; TC_E_NO_MEMORY. */
enum tc_err tc_router_add(struct tc_cx *cx, struct tc_router *router, const struct tc_route *route);

/* path is raw, as in tc_request. TC_E_HTTP_NOT_FOUND, or TC_E_HTTP_METHOD with
 * ret_match->allow. */
enum tc_err tc_router_match(struct tc_cx *cx, const struct tc_router *router, struct tc_str method, struct tc_str path,
                            struct tc_router_match *ret_match);
/* The value of a named segment; p is NULL when the pattern has no such name. */
struct tc_str tc_router_param(const struct tc_router_match *match, struct tc_str name);

#endif
