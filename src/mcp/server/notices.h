/*
 * Notifications of clients that concern more than their dialog: changed roots are
 * told to the servers behind, which may then ask for them.
 */
#ifndef TC_MCP_SERVER_NOTICES_H
#define TC_MCP_SERVER_NOTICES_H

#include "mcp/server/endpoint_state.h"

/* Any notification; what comes of it is done beside. */
void tc_notices_take(struct tc_cx *cx, struct tc_endpoint *endpoint, const struct tc_dialog *dialog,
                     const struct tc_rpc *notification);

#endif
