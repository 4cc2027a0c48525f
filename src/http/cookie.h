/*
 * Cookies that came with a request (RFC 6265).
 */
#ifndef TC_HTTP_COOKIE_H
#define TC_HTTP_COOKIE_H

#include "http/header.h"

/* The value of the first cookie of that name, as sent; p is NULL when there is none. */
struct tc_str tc_cookie_get(struct tc_header_list headers, struct tc_str name);

#endif
