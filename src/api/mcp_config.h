/*
 * The configuration of a server as it is stored: what it says, and how it is shown.
 * Private to the resource mcp and to what tells its changes.
 */
#ifndef TC_API_MCP_CONFIG_H
#define TC_API_MCP_CONFIG_H

#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

/* Stands for a value that is not shown; sent back, it stands for the stored one. */
#define TC_API_MCP_MASK "***"

/* Is that the name under which configurations have the address of a server? */
bool tc_api_mcp_is_url(struct tc_str key);
/* Where a server is reached over HTTP; empty: it is not. */
struct tc_str tc_api_mcp_url(const struct tc_json *config);
/* Writes a configuration, or null for NULL. Values of env and headers may be credentials:
 * names are shown, values are not. Arguments and addresses sometimes hold some too: viewers
 * do not see them. */
void tc_api_mcp_write_config(struct tc_jsonw *w, const struct tc_json *config, bool viewer);
const char *tc_api_mcp_transport(const struct tc_json *config); /* "stdio", "http", "sse" */

#endif
