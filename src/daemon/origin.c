/*
 * A place is scheme, host and port; what is not written in it fits any, but that a scheme
 * has its usual port.
 */
#include "daemon/origin.h"

struct place {
    struct tc_str scheme, host; /* scheme empty: not named */
    int64_t port;               /* -1: not named */
};

/* "scheme://name:port/path" and "name:port"; a name may be [v6]. */
static struct place read_place(struct tc_str text)
{
    size_t at = tc_str_find(text, TC_STR("://")), end;
    struct place place = {.scheme = at == SIZE_MAX ? TC_STR("") : tc_str_n(text.p, at), .port = -1};
    struct tc_str rest = at == SIZE_MAX ? text : tc_str_from(text, at + 3);

    end = tc_str_chr(rest, '/');
    if (end != SIZE_MAX)
        rest.n = end;
    end = tc_str_chr(rest, rest.n && rest.p[0] == '[' ? ']' : ':');
    end = end != SIZE_MAX && rest.p[0] == '[' ? end + 1 : end;
    place.host = tc_str_n(rest.p, end < rest.n ? end : rest.n);
    rest = tc_str_from(rest, place.host.n + 1);
    if (rest.n && !tc_str_int(rest, &place.port))
        place.port = -2; /* no port at all fits it */
    if (place.port == -1 && tc_str_eq_nocase(place.scheme, TC_STR("http")))
        place.port = 80;
    if (place.port == -1 && tc_str_eq_nocase(place.scheme, TC_STR("https")))
        place.port = 443;
    return place;
}

static bool listed_host(const struct tc_config_list *list, struct tc_str host)
{
    for (size_t i = 0; i < list->n; i++)
        if (tc_str_eq_nocase(read_place(list->items[i]).host, host))
            return true;
    return false;
}

/* What the configuration does not name fits. */
static bool fits(const struct place *page, struct place wanted)
{
    return tc_str_eq_nocase(page->host, wanted.host) &&
           (!wanted.scheme.n || tc_str_eq_nocase(page->scheme, wanted.scheme)) &&
           (wanted.port == -1 || page->port == wanted.port);
}

static bool listed_page(const struct tc_config_list *list, const struct place *page)
{
    for (size_t i = 0; i < list->n; i++)
        if (fits(page, read_place(list->items[i])))
            return true;
    return false;
}

/* [v6] without its brackets, as an address to listen on is written. */
static struct tc_str without_brackets(struct tc_str host)
{
    return host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']' ? tc_str_n(host.p + 1, host.n - 2) : host;
}

static bool is_own(const char *listen_host, struct tc_str host)
{
    if (tc_str_eq_nocase(host, TC_STR("localhost")) || tc_str_is(host, "127.0.0.1") || tc_str_is(host, "[::1]"))
        return true;
    return listen_host && tc_str_eq_nocase(without_brackets(host), tc_str_of(listen_host));
}

static bool may_host(const struct tc_config *config, const char *listen_host, struct tc_str host)
{
    if (config->allowed_hosts.n)
        return listed_host(&config->allowed_hosts, host);
    return is_own(listen_host, host) ||
           (config->public_url.n && tc_str_eq_nocase(host, read_place(config->public_url).host));
}

/* `here`: what the request is for, its host checked. */
static bool may_page(const struct tc_config *config, const char *listen_host, const struct place *page,
                     const struct place *here)
{
    if (config->allowed_origins.n)
        return listed_page(&config->allowed_origins, page);
    if (config->public_url.n && fits(page, read_place(config->public_url)))
        return true;
    return page->port == here->port && (is_own(listen_host, page->host) || tc_str_eq_nocase(page->host, here->host));
}

enum tc_err tc_origin_check(struct tc_cx *cx, const struct tc_config *config, const char *listen_host,
                            const struct tc_exchange *exchange)
{
    struct place here = read_place(tc_exchange_request(exchange)->host), page;
    struct tc_str origin = tc_exchange_header(exchange, TC_STR("Origin"));

    if (here.port == -1)
        here.port = tc_exchange_is_secure(exchange) ? 443 : 80;
    if (!may_host(config, listen_host, here.host)) {
        tc_fail(cx, TC_E_AUTH_HOST, "The host \"%.*s\" is not served here.", TC_STR_ARG(here.host));
        return tc_fail_hint(cx, "Add it to allowedHosts when it is meant to be.");
    }
    if (!origin.p)
        return TC_OK;
    page = read_place(origin);
    if (!may_page(config, listen_host, &page, &here)) {
        tc_fail(cx, TC_E_AUTH_ORIGIN, "Pages of \"%.*s\" may not use this.", TC_STR_ARG(origin));
        return tc_fail_hint(cx, "Add it to allowedOrigins when it is meant to be.");
    }
    return TC_OK;
}
