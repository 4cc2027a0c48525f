/*
 * What operators change of tools, one or many at once. Private to the resource tool.
 */
#ifndef TC_API_TOOL_CHANGE_H
#define TC_API_TOOL_CHANGE_H

#include "api/schemas.h"
#include "api/tool_row.h"

#define TC_TOOL_CHANGE_MEMBERS                                                                                         \
    "\"label\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":200},\"description\":{\"type\":["                    \
    "\"string\",\"null\"],\"maxLength\":16384},\"status\":{\"enum\":[0,1]},\"promptHint\":{\"type\":[\"string\","      \
    "\"null\"],\"maxLength\":16384},\"sort\":" TC_API_INTEGER ",\"extra\":" TC_API_OBJECT_OR_NULL
#define TC_TOOL_UPDATE_INPUT                                                                                           \
    TC_API_CLOSED("\"id\"", "\"id\":" TC_API_STRING "," TC_TOOL_CHANGE_MEMBERS ",\"version\":" TC_API_INTEGER)
#define TC_TOOL_UPDATE_ALL_INPUT                                                                                       \
    TC_API_CLOSED("\"tools\",\"change\"",                                                                              \
                  "\"tools\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":500,\"items\":"                           \
                  TC_API_CLOSED("\"id\"", "\"id\":" TC_API_STRING ",\"version\":" TC_API_INTEGER)                      \
                  "},\"change\":" TC_API_CLOSED("", TC_TOOL_CHANGE_MEMBERS))
/* tool: as it is now; null: it was not found. */
#define TC_TOOL_OUTCOME_COMPONENT                                                                                      \
    {"ToolOutcome",                                                                                                    \
     "{id string, outcome (done|conflict|notFound|forbidden|failed), tool Tool|null, error Fault|null}"}

/* By a ToolId, mcp/<server>:<tool>, or a call name of ?agent= (default). TC_E_TOOL_NOT_FOUND. */
PARKS enum tc_err tc_tool_find(struct tc_cx *cx, struct tc_api_call *call, struct tc_str tool, struct tc_str *ret_id);
/* Writes one tool whole, as the answer. */
PARKS enum tc_err tc_tool_show(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);

/* POST /admin/tool/update, /admin/tool/updateAll. */
PARKS enum tc_err tc_tool_update(struct tc_cx *cx, struct tc_api_call *call);
PARKS enum tc_err tc_tool_update_all(struct tc_cx *cx, struct tc_api_call *call);

#endif
