/*
 * /.well-known/oauth-protected-resource, plain and for each path that MCP is served
 * at; there only where tokens of an issuer are taken (auth.oidc).
 */
#include "api/well_known.h"

#define PLACE "/.well-known/oauth-protected-resource"

/* Paths that are their own resources; the first is meant where none is named. */
static const char *const served[] = {"/mcp", "/sse"};

static bool is_plain(struct tc_str path)
{
    for (size_t i = 0; i < path.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/", path.p[i]) || !path.p[i])
            return false;
    return true;
}

/* The path itself, or one below it, in characters that need no quoting. */
static bool is_served(struct tc_str path)
{
    for (size_t i = 0; i < sizeof served / sizeof *served; i++) {
        struct tc_str root = tc_str_of(served[i]);

        if (tc_str_starts(path, root) && (path.n == root.n || path.p[root.n] == '/'))
            return is_plain(path);
    }
    return false;
}

/* As clients see it: the public URL, else the host that this one asked for, which
 * was checked before. */
static struct tc_str base_url(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange)
{
    struct tc_str base = runtime->tokens.public_url;

    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    if (base.n)
        return base;
    return tc_arena_printf(cx->arena, "http%s://%.*s", tc_exchange_is_secure(exchange) ? "s" : "",
                           TC_STR_ARG(tc_exchange_request(exchange)->host));
}

struct tc_str tc_api_challenge(struct tc_cx *cx, const struct tc_runtime *runtime, const struct tc_exchange *exchange)
{
    struct tc_str base = base_url(cx, runtime, exchange), path = tc_exchange_request(exchange)->path,
                  scope = runtime->tokens.scope;
    const char *error = cx->err.code == TC_E_AUTH_SCOPE     ? ", error=\"insufficient_scope\""
                        : cx->err.code == TC_E_AUTH_INVALID ? ", error=\"invalid_token\""
                                                            : "";

    if (runtime->tokens.issuer.n == 0)
        return TC_STR("Bearer");
    return tc_arena_printf(cx->arena, "Bearer resource_metadata=\"%.*s" PLACE "%.*s\"%s%.*s%s%s", TC_STR_ARG(base),
                           TC_STR_ARG(is_served(path) ? path : TC_STR("")), scope.n ? ", scope=\"" : "",
                           TC_STR_ARG(scope), scope.n ? "\"" : "", error);
}

static void write_scopes(struct tc_jsonw *w, struct tc_str scope)
{
    struct tc_str word;

    if (scope.n == 0)
        return;
    tc_jsonw_key(w, "scopes_supported");
    tc_jsonw_array(w);
    while (tc_str_split(&scope, ' ', &word))
        if (word.n)
            tc_jsonw_str(w, word);
    tc_jsonw_end(w);
}

static enum tc_err describe(struct tc_cx *cx, struct tc_api_call *call, struct tc_str path)
{
    struct tc_str base = base_url(cx, call->runtime, call->exchange);
    struct tc_jsonw *w = call->out;

    if (call->runtime->tokens.issuer.n == 0 || !is_served(path))
        return tc_fail(cx, TC_E_HTTP_NOT_FOUND, "Nothing is here.");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "resource");
    tc_jsonw_printf(w, "%.*s%.*s", TC_STR_ARG(base), TC_STR_ARG(path));
    tc_jsonw_key(w, "authorization_servers");
    tc_jsonw_array(w);
    tc_jsonw_str(w, call->runtime->tokens.issuer);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "bearer_methods_supported");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, "header");
    tc_jsonw_end(w);
    write_scopes(w, call->runtime->tokens.scope);
    tc_jsonw_kcstr(w, "resource_name", "Toolcrib");
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err at_root(struct tc_cx *cx, struct tc_api_call *call)
{
    return describe(cx, call, tc_str_of(served[0]));
}

static enum tc_err at_path(struct tc_cx *cx, struct tc_api_call *call)
{
    return describe(cx, call, tc_str_from(tc_exchange_request(call->exchange)->path, sizeof PLACE - 1));
}

static const struct tc_api_component components[] = {
    {"ProtectedResource",
     "{resource string, authorization_servers [string], bearer_methods_supported [string], "
     "scopes_supported? [string], resource_name string}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", PLACE}, TC_API_OPEN, "Where tokens for this daemon are issued", NULL, "ProtectedResource", at_root},
    {{"GET", PLACE "/{endpoint}"}, TC_API_OPEN, "The same for a path that MCP is served at", NULL, "ProtectedResource",
     at_path},
    {{"GET", PLACE "/{endpoint}/{agent}"}, TC_API_OPEN, "The same for the path of one agent", NULL, "ProtectedResource",
     at_path},
};

const struct tc_api_resource tc_api_well_known = {"well-known", "What this daemon says of itself to anybody", routes,
                                                  sizeof routes / sizeof *routes, components};
