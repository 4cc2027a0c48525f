/*
 * A place that answers with something else than a JSON object has no metadata:
 * many servers answer every path with a page. A place that fails does not tell
 * that there is none, so the search ends there: going on would fall back to less.
 */
#include "oauth/discover.h"

/* The first of the places that has a document; empty when none has. */
static enum tc_err search(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_oauth_places *places,
                          struct tc_str *ret_json)
{
    struct tc_client_response response;
    enum tc_err e;

    *ret_json = TC_STR("");
    for (size_t i = 0; i < places->n; i++) {
        e = tc_oauth_get(cx, rules, places->url[i], &response);
        if (e)
            return e;
        if (response.status >= 500)
            return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The metadata at %.*s cannot be read now: status %d.",
                           TC_STR_ARG(places->url[i]), response.status);
        if (response.status == 200 && tc_str_starts(tc_str_trim(response.body), TC_STR("{"))) {
            *ret_json = response.body;
            return TC_OK;
        }
    }
    return TC_OK;
}

enum tc_err tc_oauth_discover_resource(struct tc_cx *cx, const struct tc_oauth_rules *rules,
                                       const struct tc_oauth_wish *wish, struct tc_oauth_resource *ret_resource)
{
    struct tc_oauth_places places, named = {.url = {wish->metadata}, .n = wish->metadata.n ? 1 : 0};
    struct tc_oauth_resource resource = {.resource = TC_STR(""), .scopes = TC_STR("")};
    struct tc_str json;
    enum tc_err e = search(cx, rules, &named, &json);

    if (!e && json.n == 0)
        e = tc_oauth_resource_places(cx, &wish->server, &places);
    if (!e && json.n == 0)
        e = search(cx, rules, &places, &json);
    if (!e && json.n)
        e = tc_oauth_resource_read(cx, json, &resource);
    if (e)
        return e;
    if (resource.resource.n && !tc_oauth_resource_is(resource.resource, &wish->server)) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The server says that it is another resource: \"%.*s\".",
                TC_STR_ARG(resource.resource));
        return tc_fail_hint(cx, "A token for that one would be handed to the wrong server; check the URL.");
    }
    *ret_resource = resource;
    return TC_OK;
}

/* false: it publishes none. */
static enum tc_err find_issuer(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str issuer,
                               struct tc_oauth_issuer *ret_issuer, bool *ret_found)
{
    struct tc_oauth_places places;
    struct tc_url url;
    struct tc_str json;
    enum tc_err e = tc_oauth_may(cx, rules, issuer, "authorization server", &url);

    if (!e && url.has_query)
        e = tc_fail(cx, TC_E_MCP_AUTHORIZATION, "An issuer has no query: %.*s.", TC_STR_ARG(issuer));
    if (!e)
        e = tc_oauth_issuer_places(cx, &url, &places);
    if (!e)
        e = search(cx, rules, &places, &json);
    if (e)
        return e;
    *ret_found = json.n > 0;
    return json.n ? tc_oauth_issuer_read(cx, json, issuer, ret_issuer) : TC_OK;
}

enum tc_err tc_oauth_discover_issuer(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str issuer,
                                     struct tc_oauth_issuer *ret_issuer)
{
    bool found;
    enum tc_err e = find_issuer(cx, rules, issuer, ret_issuer, &found);

    if (e || found)
        return e;
    return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server %.*s publishes no metadata.",
                   TC_STR_ARG(issuer));
}

/* --- the authorization server --- */

static bool lists(const struct tc_oauth_resource *resource, struct tc_str issuer)
{
    for (size_t i = 0; i < resource->issuers_n; i++)
        if (tc_str_eq(resource->issuers[i], issuer))
            return true;
    return false;
}

/* Empty: the resource names none. */
static enum tc_err choose(struct tc_cx *cx, const struct tc_oauth_wish *wish, const struct tc_oauth_resource *resource,
                          struct tc_str *ret_issuer)
{
    if (wish->issuer.n && resource->issuers_n && !lists(resource, wish->issuer)) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The server does not use the authorization server %.*s.",
                TC_STR_ARG(wish->issuer));
        return tc_fail_hint(cx, "It names %.*s.", TC_STR_ARG(resource->issuers[0]));
    }
    if (wish->issuer.n)
        *ret_issuer = wish->issuer;
    else if (wish->known.n && lists(resource, wish->known))
        *ret_issuer = wish->known;
    else
        *ret_issuer = resource->issuers_n ? resource->issuers[0] : TC_STR("");
    return TC_OK;
}

static enum tc_err default_endpoint(struct tc_cx *cx, struct tc_str origin, const char *path, struct tc_str *ret)
{
    *ret = tc_arena_printf(cx->arena, "%.*s%s", TC_STR_ARG(origin), path);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* Revision 2025-03-26: the server's origin is the issuer, and where it publishes
 * nothing its endpoints have fixed places. */
static enum tc_err fall_back(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_url *server,
                             struct tc_oauth_issuer *ret_issuer)
{
    struct tc_oauth_issuer issuer = {.issuer = server->origin};
    bool found;
    enum tc_err e = find_issuer(cx, rules, server->origin, ret_issuer, &found);

    if (e || found)
        return e;
    if ((e = default_endpoint(cx, server->origin, "/authorize", &issuer.authorization)) ||
        (e = default_endpoint(cx, server->origin, "/token", &issuer.token)) ||
        (e = default_endpoint(cx, server->origin, "/register", &issuer.registration)))
        return e;
    *ret_issuer = issuer;
    return TC_OK;
}

enum tc_err tc_oauth_check_pkce(struct tc_cx *cx, const struct tc_oauth_found *found)
{
    if (found->issuer.s256 || (found->legacy && !found->issuer.pkce_known))
        return TC_OK;
    tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server %.*s does not say that it knows PKCE with S256.",
            TC_STR_ARG(found->issuer.issuer));
    return tc_fail_hint(cx, "Without it a code that somebody catches on its way can be used; tell whoever runs it.");
}

enum tc_err tc_oauth_discover(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_oauth_wish *wish,
                              struct tc_oauth_found *ret_found)
{
    struct tc_oauth_found found = {0};
    struct tc_oauth_resource resource;
    struct tc_str issuer;
    enum tc_err e = tc_oauth_discover_resource(cx, rules, wish, &resource);

    if (!e)
        e = choose(cx, wish, &resource, &issuer);
    if (e)
        return e;
    found.legacy = resource.resource.n == 0 && issuer.n == 0;
    found.resource =
        resource.resource.n
            ? resource.resource
            : tc_str_n(wish->server.text.p,
                       wish->server.text.n - (wish->server.has_fragment ? wish->server.fragment.n + 1 : 0));
    found.scopes = resource.scopes;
    found.scopes_known = resource.scopes_known;
    e = issuer.n ? tc_oauth_discover_issuer(cx, rules, issuer, &found.issuer)
                 : fall_back(cx, rules, &wish->server, &found.issuer);
    if (!e)
        *ret_found = found;
    return e;
}
