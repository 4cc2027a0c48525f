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

struct tc_mcp_config {
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
 * TC_E_MCP_SERVER_INVALID with the field at fault (a JSON pointer into the
 * block): a value of the wrong type, no command, or a server that is reached by
 * url, of which this version has none. */
enum tc_err tc_mcp_config_read(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *ret_config);

#endif
