/*
 * From a server's configuration to where it is reached over HTTP: ${VAR} filled in,
 * URL and headers checked, and which addresses it may have.
 */
#ifndef TC_MCP_CLIENT_REACH_H
#define TC_MCP_CLIENT_REACH_H

#include "mcp/client/launch.h"
#include "mcp/client/remote.h"

/* Everything belongs to the arena; client and auth are left alone. Connections are
 * made to public addresses only, but where the operator entered a host that is
 * plainly of his own machine or network (localhost, an address that is not public, a
 * name without a dot or below .local, .localhost, .lan, .internal or .home.arpa), or
 * said so (ownNetwork). TC_E_MCP_SERVER_INVALID, with the variable at fault. */
enum tc_err tc_reach_make(struct tc_cx *cx, const struct tc_mcp_config *config,
                          const struct tc_mcp_launch_rules *rules, struct tc_remote *ret_remote);

#endif
