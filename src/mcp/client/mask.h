/*
 * What a server writes for people may hold the secrets that it was given: they
 * go out before the text is shown or kept.
 */
#ifndef TC_MCP_CLIENT_MASK_H
#define TC_MCP_CLIENT_MASK_H

#include "mcp/client/launch.h"

/* text with "***" in place of the values of variables that the operator named
 * for ${VAR}, of configured variables whose name speaks of a credential, of
 * configured headers (also of what follows their first word, as in "Bearer …") and
 * of the values in the query of the URL; values of less than 6 bytes are no
 * secrets. text itself when it holds none; empty without memory. */
struct tc_str tc_mcp_mask(struct tc_cx *cx, struct tc_str text, const struct tc_mcp_config *config,
                          const struct tc_mcp_launch_rules *rules);

#endif
