/*
 * Variables, checks and the reach of a URL.
 */
#include "mcp/client/reach.h"

#include "http/address.h"
#include "http/url.h"

enum { HOST_MAX = 256 };

static bool is_own_name(struct tc_str host)
{
    static const char *const suffixes[] = {".local", ".localhost", ".lan", ".internal", ".home.arpa"};

    if (tc_str_chr(host, '.') == SIZE_MAX)
        return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        struct tc_str suffix = tc_str_of(suffixes[i]);

        if (host.n > suffix.n && tc_str_eq_nocase(tc_str_from(host, host.n - suffix.n), suffix))
            return true;
    }
    return false;
}

/* A number is what it says; a name is what it plainly means. */
static bool is_own(struct tc_str host)
{
    char text[HOST_MAX];

    if (host.n && host.p[host.n - 1] == '.')
        host.n--;
    if (host.n == 0 || host.n >= sizeof text)
        return false;
    memcpy(text, host.p, host.n);
    text[host.n] = '\0';
    if (tc_address_is_text(text))
        return !tc_address_text_is_public(text);
    return is_own_name(host);
}

static enum tc_err make_url(struct tc_cx *cx, const struct tc_mcp_config *config, const char *const *variables,
                            struct tc_remote *remote)
{
    struct tc_url url;
    enum tc_err code = tc_mcp_launch_expand(cx, config->url, variables, "url", &remote->url);

    if (code != TC_OK)
        return code;
    if (!tc_url_parse(remote->url, &url) || url.has_fragment)
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID,
                       "url of the server, with its variables filled in, is no http or https URL.");
    remote->public_only = !config->own_network && !is_own(url.host);
    return TC_OK;
}

static enum tc_err make_headers(struct tc_cx *cx, const struct tc_mcp_config *config, const char *const *variables,
                                struct tc_remote *remote)
{
    struct tc_header *items = TC_ARENA_NEW_N(cx->arena, struct tc_header, config->headers_n + 1);
    enum tc_err code = items ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; i < config->headers_n && code == TC_OK; i++) {
        items[i].name = config->headers[i].name;
        code = tc_mcp_launch_expand(cx, config->headers[i].value, variables, "headers", &items[i].value);
        if (code == TC_OK)
            items[i].value = tc_str_trim(items[i].value);
        if (code == TC_OK && !tc_header_value_ok(items[i].value))
            code = tc_fail(cx, TC_E_MCP_SERVER_INVALID,
                           "The header \"%.*s\" of the server, with its variables filled in, has a line end in it.",
                           TC_STR_ARG(items[i].name));
    }
    remote->headers = (struct tc_header_list){items, config->headers_n};
    return code;
}

enum tc_err tc_reach_make(struct tc_cx *cx, const struct tc_mcp_config *config,
                          const struct tc_mcp_launch_rules *rules, struct tc_remote *ret_remote)
{
    struct tc_remote remote = *ret_remote;
    enum tc_err code = make_url(cx, config, rules->variables, &remote);

    if (code == TC_OK)
        code = make_headers(cx, config, rules->variables, &remote);
    if (code == TC_OK)
        *ret_remote = remote;
    return code;
}
