/*
 * The answers to tools/list and tools/call: checked, nothing repaired. Strings
 * are cleaned before (clean.h).
 */
#ifndef TC_MCP_CODEC_TOOLS_H
#define TC_MCP_CODEC_TOOLS_H

#include "mcp/codec/revision.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_mcp_list { /* a kind of list */
    const char *method, *key;
};
struct tc_mcp_page {
    const struct tc_json *entries; /* an array, or NULL for an empty one written as null; its entries are unchecked */
    struct tc_str cursor;          /* of the next page; empty: this is the last */
};
/* Reads the result of that list's method. TC_E_MCP_PROTOCOL with the reason. */
enum tc_err tc_mcp_tools_page(struct tc_cx *cx, const struct tc_mcp_list *list, const struct tc_json *result,
                              struct tc_mcp_page *ret_page);

struct tc_mcp_result {
    const struct tc_json *content;    /* an array, or NULL when only structured content came */
    const struct tc_json *structured; /* or NULL */
    bool is_error;
    bool structured_odd;              /* not of the kind that the revision allows; kept */
    size_t unknown_blocks;            /* blocks of a type not known here; kept */
};
/* Reads a CallToolResult. TC_E_MCP_UNSUPPORTED_RESPONSE with the reason when it
 * is none: no content at all, a known block without its fields, a result that
 * asks for input or stands for a task. */
enum tc_err tc_mcp_tools_result(struct tc_cx *cx, const struct tc_json *result, const struct tc_mcp_revision *revision,
                                struct tc_mcp_result *ret_result);

#endif
