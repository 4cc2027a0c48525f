/*
 * http and https URLs as this program takes them from others: absolute, in
 * visible ASCII, without user and password. Stricter than RFC 3986, so that what
 * is compared here and what libcurl connects to are the same.
 */
#ifndef TC_HTTP_URL_H
#define TC_HTTP_URL_H

#include "toolcrib/arena.h"

enum { TC_URL_MAX = 2048 };

/* Parts are borrowed from the text. */
struct tc_url {
    struct tc_str text; /* the whole */
    struct tc_str origin; /* "https://host:port" as it was written */
    struct tc_str host; /* without brackets; as it was written */
    struct tc_str path; /* empty, or begins with '/' */
    struct tc_str query; /* without '?' */
    struct tc_str fragment; /* without '#' */
    bool https, has_query, has_fragment;
    int port; /* the scheme's own where none is written */
};

/* False for everything else, and for more than TC_URL_MAX bytes. */
bool tc_url_parse(struct tc_str text, struct tc_url *ret_url);
/* Scheme, host (ignoring case) and port are the same. */
bool tc_url_same_origin(const struct tc_url *a, const struct tc_url *b);
bool tc_url_same_host(const struct tc_url *a, const struct tc_url *b);
/* localhost, 127.0.0.0/8 or ::1 by its name alone. */
bool tc_url_is_loopback(const struct tc_url *url);

#endif
