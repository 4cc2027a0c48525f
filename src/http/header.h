/*
 * Header fields as server, client and handlers share them: borrowed names and
 * values, and the few rules of RFC 9110 section 5 that apply to all of them.
 */
#ifndef TC_HTTP_HEADER_H
#define TC_HTTP_HEADER_H

#include "toolcrib/str.h"

struct tc_header {
    struct tc_str name, value;
};

struct tc_header_list {
    const struct tc_header *items;
    size_t n;
};

/* The value of the first field of that name, ignoring case; p is NULL when
 * there is none. */
struct tc_str tc_header_get(struct tc_header_list list, struct tc_str name);
/* True when a comma-separated value has that member, ignoring case and what
 * follows a semicolon in it. */
bool tc_header_has(struct tc_str value, struct tc_str member);

/* The same for a list of what is accepted: false where the member's weight is 0. What "*"
 * takes in does not count. */
bool tc_header_takes(struct tc_str value, struct tc_str member);

/* A token, as names and methods must be. */
bool tc_header_name_ok(struct tc_str name);
/* Free of control characters (tab is fine), so that it cannot end its line. */
bool tc_header_value_ok(struct tc_str value);
/* Characters of a token, one by one. */
bool tc_header_is_token(unsigned char c);

#endif
