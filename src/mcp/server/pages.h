/*
 * Pages that a server behind us wants a person to open before it does what was asked
 * for. A client of the handshake era that can show them is given the server's error
 * and makes its request again; one of the metadata era is asked, and the request is
 * made again here. Who did not declare that it can show pages learns no address.
 */
#ifndef TC_MCP_SERVER_PAGES_H
#define TC_MCP_SERVER_PAGES_H

#include "mcp/server/dialog.h"

/* After the failure TC_E_MCP_PAGE of a request; round: how often it was made before.
 * TC_OK: the pages are opened, the request is to be made again. Fails with what the
 * client is to be told: TC_E_MCP_PAGE with the pages, TC_E_MCP_CAPABILITY, or
 * TC_E_MCP_SERVER_ERROR when there is no way. */
PARKS enum tc_err tc_pages_open(struct tc_cx *cx, const struct tc_dialog *dialog, unsigned round);

#endif
