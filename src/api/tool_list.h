/*
 * Lists of tools, as they are known in memory: pages by all columns, and how many there are
 * of each kind.
 */
#ifndef TC_API_TOOL_LIST_H
#define TC_API_TOOL_LIST_H

#include "api/tool_row.h"

#define TC_TOOL_PAGE_INPUT                                                                                             \
    TC_API_SORTED_PAGE_INPUT("\"sort\",\"name\",\"label\",\"toolset\",\"source\",\"capability\",\"updatedAt\"",        \
                             "\"source\":{\"type\":\"string\"},\"toolset\":{\"type\":\"string\"},\"capability\":{"     \
                             "\"enum\":[\"text\",\"vision\",\"multimodal\"]},\"visibility\":{\"enum\":["               \
                             "\"tool\",\"skill\",\"internal\"]},\"status\":{\"enum\":[0,1]},\"detached\":{"            \
                             "\"type\":\"boolean\"},\"isCore\":{\"type\":\"boolean\"},\"hint\":{\"enum\":[\"none\","   \
                             "\"code\",\"operator\"]},\"definition\":{\"enum\":["                                      \
                             "\"approved\",\"new\",\"changed\",\"broken\"]}")
#define TC_TOOL_FACETS_SHAPE                                                                                           \
    "{total integer, sources [ToolSource], "                                                                           \
    "toolsets [{name string, label string, count integer}], capability [TextCount], visibility [TextCount], "          \
    "status [{value integer, count integer}], detached [FlagCount], isCore [FlagCount], hint [TextCount], "            \
    "definition [TextCount], lastSync time|null}"
#define TC_TOOL_FACETS_COMPONENTS                                                                                      \
    {"TextCount", "{value string, count integer}"}, {"FlagCount", "{value boolean, count integer}"},                   \
    {"ToolSource", "{source string, label string, state string|null, count integer}"},                                 \
    {"ToolFacets", TC_TOOL_FACETS_SHAPE}

/* POST /admin/tool/page, GET /admin/tool/facets. */
PARKS enum tc_err tc_tool_page(struct tc_cx *cx, struct tc_api_call *call);
enum tc_err tc_tool_facets(struct tc_cx *cx, struct tc_api_call *call);

#endif
