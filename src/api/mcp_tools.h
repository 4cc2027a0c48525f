/*
 * How a server's tools are shown. Private to the resource mcp.
 */
#ifndef TC_API_MCP_TOOLS_H
#define TC_API_MCP_TOOLS_H

#include "api/api.h"
#include "runtime/servers.h"

struct tc_api_mcp_counts {
    size_t present, held, fresh, absent, excluded, bad;
    const struct tc_definition_row *first_held; /* NULL: none is */
};
struct tc_api_mcp_counts tc_api_mcp_count(struct tc_cx *cx, const struct tc_api_call *call,
                                          const struct tc_server_info *server);
/* The array of all that are known, with who approved each definition; one that is not the one that
 * was approved stands beside it, with what the change means. */
PARKS void tc_api_mcp_write_tools(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *server);

#endif
