/*
 * URIs that somebody wants to hear of, each once, in the order in which they came.
 */
#ifndef TC_MCP_CLIENT_URI_SET_H
#define TC_MCP_CLIENT_URI_SET_H

#include "toolcrib/str.h"

enum { TC_URI_SET_MAX = 1000, TC_URI_SET_BYTES_MAX = 8192 /* of one */ };

struct tc_uri_set { /* a zeroed one is empty */
    struct tc_str *items;
    size_t n, cap;
};

/* False without memory, or when there is no room for one more. One that is there
 * is no failure. */
bool tc_uri_set_add(struct tc_uri_set *set, struct tc_str uri);
void tc_uri_set_remove(struct tc_uri_set *set, struct tc_str uri);
bool tc_uri_set_has(const struct tc_uri_set *set, struct tc_str uri);
void tc_uri_set_finish(struct tc_uri_set *set);

#endif
