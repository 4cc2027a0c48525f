/*
 * Arguments of a tool that go into header fields as well (x-mcp-header in its
 * input schema), and how a value is written in a field.
 */
#ifndef TC_MCP_CODEC_PARAM_HEADER_H
#define TC_MCP_CODEC_PARAM_HEADER_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum { TC_MCP_PARAM_HEADERS_MAX = 64 }; /* of one tool */

struct tc_mcp_param_header {
    struct tc_str name; /* of the field: Mcp-Param-… */
    struct tc_str path; /* of the argument: a JSON pointer into the arguments */
};

struct tc_mcp_param_headers {
    const struct tc_mcp_param_header *items;
    size_t n;
};

/* What an input schema declares, in the arena. TC_E_MCP_PROTOCOL when a declaration
 * is not allowed: no token, twice the same but for case, on a property that is no
 * string, integer or boolean, or where no chain of properties alone leads to. */
enum tc_err tc_mcp_param_headers_read(struct tc_cx *cx, const struct tc_json *schema,
                                      struct tc_mcp_param_headers *ret_headers);

/* The field's value for an argument, in the arena or borrowed; p is NULL for an
 * argument that has none: absent, null, or of no type that is allowed. */
enum tc_err tc_mcp_param_header_value(struct tc_cx *cx, const struct tc_json *argument, struct tc_str *ret_value);
/* Text as a field's value: itself where that is safe, else "=?base64?…?=" in the
 * arena; p is NULL without memory. */
struct tc_str tc_mcp_header_text(struct tc_arena *arena, struct tc_str text);

#endif
