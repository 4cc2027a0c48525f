/*
 * A request as the handlers see it. Everything in it is borrowed from the
 * parser that read it and stays until the parser is reset.
 */
#ifndef TC_HTTP_REQUEST_H
#define TC_HTTP_REQUEST_H

#include "http/header.h"

struct tc_request {
    struct tc_str method;         /* as sent: "GET" */
    struct tc_str target;         /* as sent */
    struct tc_str path;           /* raw, begins with '/', or is "*" */
    struct tc_str query;          /* raw, without '?'; empty when there is none */
    struct tc_str host;           /* the Host field; empty in HTTP/1.0 without one */
    struct tc_header_list headers;
    int64_t content_length;       /* -1: chunked; 0 also when there is no body */
    int minor;                    /* HTTP/1.minor */
    bool keep_alive;              /* the client wants another request on this connection */
    bool expect_continue;         /* and waits for 100 before it sends the body */
};

#endif
