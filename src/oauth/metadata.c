/*
 * A document is refused as a whole when what it must have is missing or of the
 * wrong type; members that are optional and wrong are as good as absent.
 */
#include "oauth/metadata.h"

#include "oauth/scope.h"

static const char *const method_names[TC_OAUTH_METHODS] = {
    [TC_OAUTH_NONE] = "none",
    [TC_OAUTH_BASIC] = "client_secret_basic",
    [TC_OAUTH_POST] = "client_secret_post",
    [TC_OAUTH_JWT] = "private_key_jwt",
};

const char *tc_oauth_method_name(enum tc_oauth_method method)
{
    return method_names[method];
}

enum tc_oauth_method tc_oauth_method_of(struct tc_str name)
{
    unsigned i = 0;

    while (i < TC_OAUTH_METHODS && !tc_str_is(name, method_names[i]))
        i++;
    return (enum tc_oauth_method)i;
}

/* --- places --- */

/* "/" alone is no path. */
static struct tc_str path_of(const struct tc_url *url)
{
    struct tc_str path = url->path;

    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    return path;
}

static enum tc_err add(struct tc_cx *cx, struct tc_oauth_places *places, struct tc_str origin, struct tc_str before,
                       const char *name, struct tc_str after)
{
    struct tc_str url = tc_arena_printf(cx->arena, "%.*s%.*s/.well-known/%s%.*s", TC_STR_ARG(origin),
                                        TC_STR_ARG(before), name, TC_STR_ARG(after));

    if (!url.p)
        return tc_fail_memory(cx);
    places->url[places->n++] = url;
    return TC_OK;
}

enum tc_err tc_oauth_resource_places(struct tc_cx *cx, const struct tc_url *server, struct tc_oauth_places *ret)
{
    static const char name[] = "oauth-protected-resource";
    struct tc_str path = path_of(server);
    enum tc_err e = TC_OK;

    ret->n = 0;
    if (path.n)
        e = add(cx, ret, server->origin, TC_STR(""), name, path);
    return e ? e : add(cx, ret, server->origin, TC_STR(""), name, TC_STR(""));
}

enum tc_err tc_oauth_issuer_places(struct tc_cx *cx, const struct tc_url *issuer, struct tc_oauth_places *ret)
{
    static const char oauth[] = "oauth-authorization-server", openid[] = "openid-configuration";
    struct tc_str path = path_of(issuer);
    enum tc_err e;

    ret->n = 0;
    e = add(cx, ret, issuer->origin, TC_STR(""), oauth, path);
    if (!e)
        e = add(cx, ret, issuer->origin, TC_STR(""), openid, path);
    if (!e && path.n)
        e = add(cx, ret, issuer->origin, path, openid, TC_STR(""));
    return e;
}

/* --- documents --- */

static enum tc_err parse(struct tc_cx *cx, struct tc_str json, const char *what, const struct tc_json **ret_root)
{
    enum tc_err e = tc_json_parse_root(cx, json, NULL, ret_root);

    if (e == TC_E_NO_MEMORY)
        return e;
    if (e || !tc_json_is(*ret_root, TC_JSON_OBJECT)) {
        tc_fail_clear(cx);
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The metadata of the %s is no JSON object.", what);
    }
    return TC_OK;
}

static struct tc_str member(const struct tc_json *root, const char *key)
{
    const struct tc_json *v = tc_json_get_c(root, key);

    return tc_json_is(v, TC_JSON_STRING) ? tc_json_str(v) : TC_STR("");
}

enum tc_err tc_oauth_resource_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_resource *ret)
{
    const struct tc_json *root, *item, *scopes;
    struct tc_oauth_resource resource = {.scopes = TC_STR("")};
    struct tc_json_iter it;
    enum tc_err e = parse(cx, json, "protected resource", &root);

    if (e)
        return e;
    resource.resource = member(root, "resource");
    if (resource.resource.n == 0)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The metadata of the protected resource names no resource.");
    for (it = tc_json_iter(tc_json_get_c(root, "authorization_servers")); tc_json_next(&it, NULL, &item);)
        if (tc_json_is(item, TC_JSON_STRING) && resource.issuers_n < TC_OAUTH_ISSUERS)
            resource.issuers[resource.issuers_n++] = tc_json_str(item);
    scopes = tc_json_get_c(root, "scopes_supported");
    resource.scopes_known = tc_json_is(scopes, TC_JSON_ARRAY);
    e = tc_scope_of(cx, scopes, &resource.scopes);
    if (!e)
        *ret = resource;
    return e;
}

static unsigned methods_of(const struct tc_json *array)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *item;
    unsigned methods = 0;

    while (tc_json_next(&it, NULL, &item)) {
        enum tc_oauth_method method = tc_oauth_method_of(tc_json_str(item));

        if (method < TC_OAUTH_METHODS)
            methods |= 1u << method;
    }
    return methods;
}

static bool has_word(const struct tc_json *array, const char *word)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *item;

    while (tc_json_next(&it, NULL, &item))
        if (tc_str_is(tc_json_str(item), word))
            return true;
    return false;
}

enum tc_err tc_oauth_issuer_read(struct tc_cx *cx, struct tc_str json, struct tc_str issuer,
                                 struct tc_oauth_issuer *ret)
{
    const struct tc_json *root, *pkce;
    struct tc_oauth_issuer found;
    enum tc_err e = parse(cx, json, "authorization server", &root);

    if (e)
        return e;
    pkce = tc_json_get_c(root, "code_challenge_methods_supported");
    found = (struct tc_oauth_issuer){
        .issuer = member(root, "issuer"),
        .authorization = member(root, "authorization_endpoint"),
        .token = member(root, "token_endpoint"),
        .registration = member(root, "registration_endpoint"),
        .revocation = member(root, "revocation_endpoint"),
        .jwks = member(root, "jwks_uri"),
        .pkce_known = tc_json_is(pkce, TC_JSON_ARRAY),
        .s256 = has_word(pkce, "S256"),
        .iss = tc_json_bool(tc_json_get_c(root, "authorization_response_iss_parameter_supported"), false),
        .documents = tc_json_bool(tc_json_get_c(root, "client_id_metadata_document_supported"), false),
        .methods = methods_of(tc_json_get_c(root, "token_endpoint_auth_methods_supported")),
    };
    if (!tc_str_eq(found.issuer, issuer)) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION,
                "The metadata of the authorization server %.*s is that of another one: its issuer is \"%.*s\".",
                TC_STR_ARG(issuer), TC_STR_ARG(found.issuer));
        return tc_fail_hint(cx, "The two must be the same to the letter; tell whoever runs that server.");
    }
    e = tc_scope_of(cx, tc_json_get_c(root, "scopes_supported"), &found.scopes);
    if (!e)
        *ret = found;
    return e;
}

bool tc_oauth_resource_is(struct tc_str resource, const struct tc_url *server)
{
    struct tc_url url;
    struct tc_str path;

    if (!tc_url_parse(resource, &url) || url.has_fragment || !tc_url_same_origin(&url, server))
        return false;
    if (url.has_query && !(server->has_query && tc_str_eq(url.query, server->query)))
        return false;
    path = path_of(&url);
    return tc_str_starts(server->path, path) && (server->path.n == path.n || server->path.p[path.n] == '/');
}
