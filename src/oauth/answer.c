/*
 * Numbers come as numbers or, from some servers, as strings of digits.
 */
#include "oauth/answer.h"

#include "http/header.h"

enum { SHOWN_MAX = 200, TOKEN_MAX = 32 * 1024 };

static struct tc_str member(const struct tc_json *root, const char *key)
{
    const struct tc_json *v = tc_json_get_c(root, key);

    return tc_json_is(v, TC_JSON_STRING) ? tc_json_str(v) : TC_STR("");
}

static bool seconds(const struct tc_json *root, const char *key, int64_t *ret)
{
    const struct tc_json *v = tc_json_get_c(root, key);
    int64_t n;
    double d;

    if (tc_json_int(v, &n) || (tc_json_is(v, TC_JSON_STRING) && tc_str_int(tc_json_str(v), &n)))
        *ret = n;
    else if (tc_json_double(v, &d) && d >= 0 && d < 1e12)
        *ret = (int64_t)d;
    else
        return false;
    return *ret >= 0 && *ret < (int64_t)1000 * 1000 * 1000 * 1000;
}

static enum tc_err parse(struct tc_cx *cx, struct tc_str json, const struct tc_json **ret_root)
{
    enum tc_err e = tc_json_parse_root(cx, json, NULL, ret_root);

    if (e == TC_E_NO_MEMORY)
        return e;
    if (e || !tc_json_is(*ret_root, TC_JSON_OBJECT)) {
        tc_fail_clear(cx);
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server answered with something else than JSON.");
    }
    return TC_OK;
}

/* A token goes into a header field. */
static bool is_token(struct tc_str token)
{
    return token.n > 0 && token.n <= TOKEN_MAX && tc_header_value_ok(token) && tc_str_chr(token, ' ') == SIZE_MAX;
}

enum tc_err tc_oauth_tokens_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_tokens *ret)
{
    const struct tc_json *root;
    struct tc_oauth_tokens tokens = {.expires_in_s = -1};
    enum tc_err e = parse(cx, json, &root);

    if (e)
        return e;
    tokens.access = member(root, "access_token");
    tokens.refresh = member(root, "refresh_token");
    tokens.scope = member(root, "scope");
    if (!is_token(tokens.access))
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server answered without a usable token.");
    if (!tc_str_eq_nocase(member(root, "token_type"), TC_STR("Bearer")))
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server gave a token that is not of type Bearer.");
    if (tokens.refresh.n > TOKEN_MAX)
        tokens.refresh = TC_STR("");
    if (!seconds(root, "expires_in", &tokens.expires_in_s))
        tokens.expires_in_s = -1;
    *ret = tokens;
    return TC_OK;
}

enum tc_err tc_oauth_shown(struct tc_cx *cx, struct tc_str text, struct tc_str *ret_shown)
{
    size_t n = text.n < SHOWN_MAX ? text.n : SHOWN_MAX;
    char *to = tc_arena_alloc(cx->arena, n + 1);

    if (!to)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        to[i] = text.p[i] >= ' ' && text.p[i] <= '~' ? text.p[i] : '?';
    to[n] = '\0';
    *ret_shown = tc_str_n(to, n);
    return TC_OK;
}

enum tc_err tc_oauth_refusal_read(struct tc_cx *cx, struct tc_str body, struct tc_oauth_refusal *ret)
{
    const struct tc_json *root = NULL;
    enum tc_err e = tc_json_parse_root(cx, body, NULL, &root);

    if (e == TC_E_NO_MEMORY)
        return e;
    if (e) {
        tc_fail_clear(cx);
        root = NULL;
    }
    e = tc_oauth_shown(cx, member(root, "error"), &ret->code);
    return e ? e : tc_oauth_shown(cx, member(root, "error_description"), &ret->description);
}

enum tc_err tc_oauth_registration_read(struct tc_cx *cx, struct tc_str json, struct tc_oauth_registration *ret)
{
    const struct tc_json *root;
    struct tc_oauth_registration client = {.secret_expires_at = 0};
    enum tc_err e = parse(cx, json, &root);

    if (e)
        return e;
    client.client_id = member(root, "client_id");
    client.client_secret = member(root, "client_secret");
    client.method = tc_oauth_method_of(member(root, "token_endpoint_auth_method"));
    if (client.client_id.n == 0 || client.client_id.n > TC_URL_MAX || client.client_secret.n > TOKEN_MAX)
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server registered without a usable client id.");
    if (!seconds(root, "client_secret_expires_at", &client.secret_expires_at))
        client.secret_expires_at = 0;
    *ret = client;
    return TC_OK;
}
