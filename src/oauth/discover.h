/*
 * From the URL of an MCP server to the authorization server that guards it, in
 * every way in which the revisions of MCP publish that.
 */
#ifndef TC_OAUTH_DISCOVER_H
#define TC_OAUTH_DISCOVER_H

#include "oauth/fetch.h"
#include "oauth/metadata.h"

struct tc_oauth_wish {
    struct tc_url server;
    struct tc_str metadata; /* where the challenge says that the metadata is; may be empty */
    struct tc_str issuer; /* the operator's choice among the resource's; may be empty */
    struct tc_str known; /* the one of an earlier login, which is preferred; may be empty */
};

struct tc_oauth_found {
    struct tc_str resource; /* for the parameter of that name: as published, else the server's URL */
    bool scopes_known;
    struct tc_str scopes; /* of the resource */
    bool legacy; /* no metadata of the resource: as in revision 2025-03-26 */
    struct tc_oauth_issuer issuer;
};

/* TC_E_MCP_AUTHORIZATION with what is wrong; the failures of oauth/fetch.h. A
 * server that says of itself to be another resource is refused. */
PARKS
enum tc_err tc_oauth_discover(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_oauth_wish *wish,
                              struct tc_oauth_found *ret_found);
/* TC_E_MCP_AUTHORIZATION when the authorization server does not say that it knows
 * S256; one of revision 2025-03-26 need not say it. */
enum tc_err tc_oauth_check_pkce(struct tc_cx *cx, const struct tc_oauth_found *found);
/* The resource alone, to see whether its authorization servers are still the same.
 * *ret_resource.resource is empty when it publishes nothing. */
PARKS
enum tc_err tc_oauth_discover_resource(struct tc_cx *cx, const struct tc_oauth_rules *rules,
                                       const struct tc_oauth_wish *wish, struct tc_oauth_resource *ret_resource);
/* The metadata of one issuer; TC_E_MCP_AUTHORIZATION when it has none. */
PARKS
enum tc_err tc_oauth_discover_issuer(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str issuer,
                                     struct tc_oauth_issuer *ret_issuer);

#endif
