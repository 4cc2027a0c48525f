/*
 * How servers are shown. Private to the resource mcp.
 */
#ifndef TC_API_MCP_SHOW_H
#define TC_API_MCP_SHOW_H

#include "api/api.h"
#include "runtime/servers.h"
#include "runtime/servers_offer.h"

/* Lists of a server besides its tools, by their names in answers. */
enum { TC_API_MCP_LISTS = 3 };
struct tc_api_mcp_list {
    const char *key;
    enum tc_source_kind kind;
};
extern const struct tc_api_mcp_list tc_api_mcp_lists[TC_API_MCP_LISTS];

enum tc_api_mcp_part {
    TC_API_MCP_ROW,  /* of a list */
    TC_API_MCP_WHOLE /* with its tools, definitions that wait beside what was approved, connection, who uses it */
};
/* Writes n servers, each as one value. */
PARKS enum tc_err tc_api_mcp_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *servers,
                                   size_t n, enum tc_api_mcp_part part);
/* The server of that name or UUID, whole, as the answer. */
PARKS enum tc_err tc_api_mcp_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name);

#endif
