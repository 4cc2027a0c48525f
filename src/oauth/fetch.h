/*
 * Requests to the servers that an MCP server, or the operator, names for
 * authorization. What strangers name must be https and on a public address; a host
 * that the operator entered may be private, and plain http where it is this machine.
 */
#ifndef TC_OAUTH_FETCH_H
#define TC_OAUTH_FETCH_H

#include "http/client.h"
#include "http/url.h"

enum { TC_OAUTH_DOCUMENT_MAX = 256 * 1024, TC_OAUTH_ENTERED = 2 };

struct tc_oauth_rules {
    struct tc_client *client;
    struct tc_url entered[TC_OAUTH_ENTERED]; /* URLs that the operator entered */
    size_t n;
};

/* TC_E_HTTP_ADDRESS for one that is not followed. what: "token endpoint", … */
enum tc_err tc_oauth_may(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str text, const char *what,
                         struct tc_url *ret_url);

/* Any status is success, no redirect is followed. The answer is in the arena. */
PARKS
enum tc_err tc_oauth_get(struct tc_cx *cx, const struct tc_oauth_rules *rules, struct tc_str url,
                         struct tc_client_response *ret_response);
struct tc_oauth_post {
    struct tc_str url;
    const char *what; /* of the URL, for errors */
    struct tc_str type, body;
    struct tc_str authorization; /* may be empty */
};
PARKS
enum tc_err tc_oauth_send(struct tc_cx *cx, const struct tc_oauth_rules *rules, const struct tc_oauth_post *post,
                          struct tc_client_response *ret_response);

#endif
