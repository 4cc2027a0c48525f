/*
 * The rules are applied to each request anew: a document may name anything.
 */
#include "oauth/fetch.h"

enum { TIMEOUT_MS = 15 * 1000 };

static bool entered(const struct tc_oauth_rules *rules, const struct tc_url *url)
{
    for (size_t i = 0; i < rules->n; i++)
        if (tc_url_same_host(&rules->entered[i], url))
            return true;
    return false;
}

enum tc_err tc_oauth_may(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str text, const char *what,
                         struct tc_url *ret_url)
{
    struct tc_url url;

    if (!tc_url_parse(text, &url) || url.has_fragment)
        return tc_fail(cx, TC_E_HTTP_ADDRESS, "The %s is no usable address.", what);
    if (!url.https && !(tc_url_is_loopback(&url) && entered(rules, &url))) {
        tc_fail(cx, TC_E_HTTP_ADDRESS, "The %s, %.*s, is not https.", what, TC_STR_ARG(url.origin));
        return tc_fail_hint(cx, "Plain http is spoken with this machine only, under the name that the server was added "
                                "with.");
    }
    *ret_url = url;
    return TC_OK;
}

static enum tc_err fetch(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_client_request *request,
                         const struct tc_url *url, struct tc_client_response *ret_response)
{
    enum tc_err e;

    request->url = url->text;
    request->timeout_ms = TIMEOUT_MS;
    request->max_bytes = TC_OAUTH_DOCUMENT_MAX;
    request->public_only = !entered(rules, url);
    request->no_link_local = true;
    e = tc_client_fetch(cx, rules->client, request, ret_response);
    if (e == TC_E_HTTP_ADDRESS)
        tc_fail_hint(cx, "Addresses of this network are used only where the operator entered that very host.");
    return e;
}

enum tc_err tc_oauth_get(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str text,
                         struct tc_client_response *ret_response)
{
    static const struct tc_header accept = {TC_STR_INIT("Accept"), TC_STR_INIT("application/json")};
    struct tc_client_request request = {.headers = {&accept, 1}};
    struct tc_url url;
    enum tc_err e = tc_oauth_may(cx, rules, text, "address of the metadata", &url);

    return e ? e : fetch(cx, rules, &request, &url, ret_response);
}

enum tc_err tc_oauth_send(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_oauth_post *post,
                          struct tc_client_response *ret_response)
{
    struct tc_header headers[3] = {{TC_STR("Accept"), TC_STR("application/json")},
                                   {TC_STR("Content-Type"), post->type},
                                   {TC_STR("Authorization"), post->authorization}};
    struct tc_client_request request = {
        .method = TC_STR("POST"),
        .headers = {headers, post->authorization.n ? 3 : 2},
        .body = post->body,
    };
    struct tc_url url;
    enum tc_err e = tc_oauth_may(cx, rules, post->url, post->what, &url);

    return e ? e : fetch(cx, rules, &request, &url, ret_response);
}
