/*
 * Servers by page. Private to the resource mcp.
 */
#ifndef TC_API_MCP_PAGE_H
#define TC_API_MCP_PAGE_H

#include "api/mcp_show.h"
#include "api/schemas.h"

#define TC_API_MCP_PAGE_INPUT                                                                                          \
    TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"state\":{\"enum\":["      \
                      "\"up\",\"idle\",\"down\",\"paused\"]},\"transport\":{\"enum\":[\"stdio\",\"http\",\"sse\"]},"   \
                      "\"source\":{\"enum\":[\"operator\",\"config\"]},\"held\":{\"type\":\"boolean\"},\"agent\":"     \
                      TC_API_STRING "}}")

/* Writes a page of rows without their tools. TC_E_USAGE for a sort that there is not. */
PARKS enum tc_err tc_api_mcp_page(struct tc_cx *cx, struct tc_api_call *call);

#endif
