/*
 * Servers by page. Private to the resource mcp.
 */
#ifndef TC_API_MCP_PAGE_H
#define TC_API_MCP_PAGE_H

#include "api/mcp_show.h"
#include "api/schemas.h"

#define TC_API_MCP_PAGE_INPUT                                                                                          \
    TC_API_SORTED_PAGE_INPUT("\"name\",\"state\",\"updatedAt\"",                                                       \
                             "\"state\":{\"enum\":[\"up\",\"idle\",\"down\",\"paused\"]},"                             \
                             "\"transport\":{\"enum\":[\"stdio\",\"http\",\"sse\"]},"                                  \
                             "\"source\":{\"enum\":[\"operator\",\"config\"]},\"held\":{\"type\":\"boolean\"},"        \
                             "\"agent\":" TC_API_STRING)

/* Writes a page of rows without their tools. */
PARKS enum tc_err tc_api_mcp_page(struct tc_cx *cx, struct tc_api_call *call);

#endif
