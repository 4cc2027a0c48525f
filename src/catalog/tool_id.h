/*
 * ToolId: "provider:native-name", split at the first colon (spec 2). Opaque and
 * stable; settings, agents, audit and UI use it.
 */
#ifndef TC_CATALOG_TOOL_ID_H
#define TC_CATALOG_TOOL_ID_H

#include "toolcrib/cx.h"

enum tc_tool_provider { TC_PROVIDER_BUILTIN, TC_PROVIDER_MCP, TC_PROVIDER_EXTENSION, TC_PROVIDER_HOST };

enum { TC_TOOL_ID_MAX = 512, TC_TOOL_ID_EXTENSION_MAX = 128 }; /* bytes */

struct tc_tool_id {
    enum tc_tool_provider provider;
    struct tc_str provider_text; /* "builtin", "mcp/<uuid>", "extension/<id>", "host" */
    struct tc_str subject;       /* the uuid or extension id; empty otherwise */
    struct tc_str native;
};

/* Parts borrow from `text`. TC_E_TOOL_ID_INVALID (no colon, over the maximum, not UTF-8), TC_E_TOOL_PROVIDER_EMPTY,
 * TC_E_TOOL_PROVIDER_INVALID (unknown provider, uuid not canonical, extension id
 * empty, too long or with spaces), TC_E_TOOL_NAME_EMPTY. The native name may hold anything. */
enum tc_err tc_tool_id_parse(struct tc_cx *cx, struct tc_str text, struct tc_tool_id *ret_id);

#endif
