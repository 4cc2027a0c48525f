/*
 * What to type on the machine where a server may not be added over the network. Private to
 * the resource mcp.
 */
#ifndef TC_API_MCP_LINE_H
#define TC_API_MCP_LINE_H

#include "api/api.h"

struct tc_api_mcp_line {
    struct tc_str name;
    const struct tc_json *config;    /* an mcpServers entry */
    struct tc_str agent, permission; /* may be empty */
    bool replace;
};
/* "toolcrib mcp add NAME … -- COMMAND …", each word quoted for sh where it must be; in the
 * arena, p NULL without memory. */
struct tc_str tc_api_mcp_line(struct tc_cx *cx, const struct tc_api_mcp_line *line);

#endif
