/*
 * The first look at a request: is the host one of ours, does the page it comes
 * from belong here, who calls; then to the API, the MCP endpoint or the web interface.
 */
#ifndef TC_DAEMON_DISPATCH_H
#define TC_DAEMON_DISPATCH_H

#include "api/api.h"
#include "daemon/config.h"
#include "daemon/interface.h"
#include "http/exchange.h"
#include "mcp/server/endpoint.h"

struct tc_dispatch {
    const struct tc_config *config;
    struct tc_runtime *runtime;
    struct tc_api *api;
    struct tc_endpoint *endpoint;
    const char *listen_host;
    const struct tc_interface *interface; /* NULL: none */
};

/* A handler of http/server; arg is a struct tc_dispatch. */
PARKS void tc_dispatch_handle(struct tc_cx *cx, void *arg, struct tc_exchange *exchange);

/* The same for an address that serves the end of logins and nothing else. */
PARKS void tc_dispatch_callback(struct tc_cx *cx, void *arg, struct tc_exchange *exchange);

#endif
