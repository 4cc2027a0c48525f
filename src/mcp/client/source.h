/*
 * An MCP server as a source of tools (ports/tool_source.h): one connection
 * (connection.h) for all, or one an identity where each has its own grant.
 * A call is repeated once, and only when it provably did not leave.
 */
#ifndef TC_MCP_CLIENT_SOURCE_H
#define TC_MCP_CLIENT_SOURCE_H

#include "http/client.h"
#include "mcp/client/guard.h"
#include "mcp/client/launch.h"
#include "mcp/client/oauth.h"
#include "ports/tool_source.h"

struct tc_mcp_source_options {
    struct tc_loop *loop;
    struct tc_guard *guard;
    struct tc_client *client; /* for servers over HTTP; NULL: there can be none */
    struct tc_oauth *oauth;   /* whose grants they get; NULL: configured headers only */
    struct tc_mcp_launch_rules rules;
    size_t result_bytes; /* of one message of a server (limits.resultBytes); 0: 64 MiB */
    int64_t start_ms;    /* for a start; 0: 60 s */
};

/* Opens sources from mcpServers entries; see tc_mcp_config_read for the errors
 * of open. The options' strings are borrowed and must outlive the factory and
 * its sources. */
enum tc_err tc_mcp_source_factory_create(struct tc_cx *cx, const struct tc_mcp_source_options *options,
                                         struct tc_tool_source_factory **ret_factory);
/* Every source must be closed. NULL is fine. */
void tc_mcp_source_factory_destroy(struct tc_tool_source_factory *factory);

#endif
