/*
 * One entry of an mcpServers block as other clients write it: checked, not yet
 * expanded, so that ${VAR} is read anew at each start (launch.h).
 */
#ifndef TC_MCP_CLIENT_CONFIG_H
#define TC_MCP_CLIENT_CONFIG_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_mcp_variable {
    struct tc_str name, value;
};

enum tc_mcp_transport {
    TC_MCP_STDIO,
    TC_MCP_ANY_HTTP,       /* Streamable HTTP or, where there is none, HTTP+SSE: what is found */
    TC_MCP_STREAMABLE_HTTP,
    TC_MCP_SSE
};

struct tc_mcp_config {
    enum tc_mcp_transport transport;
    struct tc_str url;               /* over HTTP; empty: a command */
    const struct tc_mcp_variable *headers; /* but for those that a transport sets itself */
    size_t headers_n;
    bool own_network;                /* the URL may lead to addresses that are not public, whatever its name */
    struct tc_str command;
    const struct tc_str *args;
    size_t args_n;
    const struct tc_mcp_variable *env;
    size_t env_n;
    struct tc_str cwd;               /* empty: the default */
    bool disabled;                   /* as the block says it; importing pauses the server */
    const struct tc_str *diagnostics; /* one sentence a key that means nothing here */
    size_t diagnostics_n;
};

/* Strings are borrowed from the block, arrays belong to the arena.
 * TC_E_MCP_SERVER_INVALID with the field at fault (a JSON pointer into the block):
 * a value of the wrong type, neither command nor url, or both, a url or header that
 * cannot be one, a type that is not known. Variables are not filled in yet, so what
 * holds one is checked at each start. */
enum tc_err tc_mcp_config_read(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *ret_config);

#endif
