/*
 * One pass from left to right. A host is a registered name of letters, digits,
 * '.', '-' and '_', or an IPv6 address in brackets.
 */
#include "http/url.h"

#include <arpa/inet.h>

static bool is_visible(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] > '~' || s.p[i] == '\\' || s.p[i] == '"' || s.p[i] == '<' || s.p[i] == '>')
            return false;
    return true;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

/* The offset of the first of the characters, or the length. */
static size_t until(struct tc_str s, const char *stops)
{
    size_t i = 0;

    while (i < s.n && !strchr(stops, s.p[i]))
        i++;
    return i;
}

static bool take_address(struct tc_str *rest, struct tc_str *ret_host)
{
    size_t end = tc_str_chr(*rest, ']');
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;

    if (end == SIZE_MAX || end - 1 >= sizeof text)
        return false;
    *ret_host = tc_str_n(rest->p + 1, end - 1);
    memcpy(text, ret_host->p, ret_host->n);
    text[ret_host->n] = '\0';
    *rest = tc_str_from(*rest, end + 1);
    return inet_pton(AF_INET6, text, &address) == 1;
}

static bool take_host(struct tc_str *rest, struct tc_str *ret_host)
{
    size_t n = 0;

    if (rest->n && rest->p[0] == '[')
        return take_address(rest, ret_host);
    while (n < rest->n && is_name_char(rest->p[n]))
        n++;
    *ret_host = tc_str_n(rest->p, n);
    *rest = tc_str_from(*rest, n);
    return n > 0;
}

static bool take_port(struct tc_str authority_rest, bool https, int *ret_port)
{
    int64_t port;

    if (authority_rest.n == 0) {
        *ret_port = https ? 443 : 80;
        return true;
    }
    if (authority_rest.p[0] != ':' || authority_rest.n > 6)
        return false;
    if (!tc_str_int(tc_str_from(authority_rest, 1), &port) || port < 1 || port > 65535)
        return false;
    *ret_port = (int)port;
    return true;
}

static void take_tail(struct tc_str rest, struct tc_url *url)
{
    size_t n = until(rest, "?#");

    url->path = tc_str_n(rest.p, n);
    rest = tc_str_from(rest, n);
    if (rest.n && rest.p[0] == '?') {
        rest = tc_str_from(rest, 1);
        n = until(rest, "#");
        url->has_query = true;
        url->query = tc_str_n(rest.p, n);
        rest = tc_str_from(rest, n);
    }
    if (rest.n) {
        url->has_fragment = true;
        url->fragment = tc_str_from(rest, 1);
    }
}

bool tc_url_parse(struct tc_str text, struct tc_url *ret_url)
{
    struct tc_url url = {.text = text, .query = TC_STR(""), .fragment = TC_STR("")};
    struct tc_str rest, authority;
    size_t scheme;

    if (text.n > TC_URL_MAX || !is_visible(text))
        return false;
    url.https = text.n > 8 && tc_str_eq_nocase(tc_str_n(text.p, 8), TC_STR("https://"));
    scheme = url.https ? 8 : 7;
    if (!url.https && (text.n <= 7 || !tc_str_eq_nocase(tc_str_n(text.p, 7), TC_STR("http://"))))
        return false;
    rest = tc_str_from(text, scheme);
    authority = tc_str_n(rest.p, until(rest, "/?#"));
    rest = tc_str_from(rest, authority.n);
    url.origin = tc_str_n(text.p, scheme + authority.n);
    if (!take_host(&authority, &url.host) || !take_port(authority, url.https, &url.port))
        return false;
    take_tail(rest, &url);
    *ret_url = url;
    return true;
}

bool tc_url_same_host(const struct tc_url *a, const struct tc_url *b)
{
    return tc_str_eq_nocase(a->host, b->host);
}

bool tc_url_same_origin(const struct tc_url *a, const struct tc_url *b)
{
    return a->https == b->https && a->port == b->port && tc_url_same_host(a, b);
}

bool tc_url_is_loopback(const struct tc_url *url)
{
    char text[16];
    struct in_addr address;

    if (tc_str_eq_nocase(url->host, TC_STR("localhost")) || tc_str_is(url->host, "::1"))
        return true;
    if (url->host.n >= sizeof text)
        return false;
    memcpy(text, url->host.p, url->host.n);
    text[url->host.n] = '\0';
    return inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}
