/*
 * One tool as data (spec 3), whatever its source. Immutable once made and
 * reference counted, so that catalogs of different moments share it.
 */
#ifndef TC_CATALOG_DESCRIPTOR_H
#define TC_CATALOG_DESCRIPTOR_H

#include "catalog/tool_id.h"
#include "toolcrib/tool.h"

struct tc_schema;

struct tc_descriptor {
    struct tc_str id;
    struct tc_tool_id parts;
    struct tc_str name_hint;     /* what call names are made of: native name */
    struct tc_str server;        /* name of its MCP server; empty otherwise */
    struct tc_str title, description, search_hint, toolset, prompt_hint, renamed;
    const struct tc_json *input_schema;  /* an object; never NULL (missing: {"type":"object"}) */
    const struct tc_json *output_schema; /* or NULL */
    const struct tc_json *annotations;   /* as the source gave them, or NULL */
    const struct tc_json *extra;         /* icons, _meta and the like to pass on, or NULL */
    const struct tc_schema *schema;      /* compiled input schema; NULL when it did not compile */
    const struct tc_schema *output;      /* compiled output schema, or NULL */
    struct tc_str schema_fault;          /* why it did not compile; such a tool is quarantined */
    unsigned flags, scenes;
    enum tc_visibility visibility;
    enum tc_capability capability;
    enum tc_group group;
    bool mirrored;               /* properties of the input schema have x-mcp-header */
    int max_result_chars;
    uint32_t tokens;             /* of name, description and input schema, estimated */
    char definition[65];         /* SHA-256 of name, description, input schema: what an approval covers */
    const struct tc_tool *builtin; /* its handler; NULL for other sources */
};

/* Of a built-in. The id is "builtin:" and its name. */
enum tc_err tc_descriptor_of_builtin(struct tc_cx *cx, const struct tc_tool *tool, struct tc_descriptor **ret);
/* Of an entry of tools/list. Text is cleaned, the description capped at 4 KiB,
 * annotations become flags, _meta["toolcrib/capability"] the capability.
 * server_uuid makes the id, server_name the toolset "mcp-<name>". A bad input
 * schema is no error here: see schema_fault.
 * TC_E_MCP_PROTOCOL when the entry has no usable name. */
enum tc_err tc_descriptor_of_mcp(struct tc_cx *cx, struct tc_str server_uuid, struct tc_str server_name,
                                 const struct tc_json *entry, struct tc_descriptor **ret);

/* Of a tool's entry in a stored snapshot ({id, description, inputSchema, renamed,
 * selfBounded, maxResultChars}): what a call is checked against is the entry's, handler
 * and traits are those of the tool as it is now. present NULL: it is gone; nothing runs it. */
enum tc_err tc_descriptor_of_stored(struct tc_cx *cx, const struct tc_json *entry, const struct tc_descriptor *present,
                                    struct tc_descriptor **ret);

struct tc_descriptor *tc_descriptor_ref(struct tc_descriptor *descriptor);
void tc_descriptor_unref(struct tc_descriptor *descriptor); /* NULL is fine */

const char *tc_capability_name(enum tc_capability capability);
const char *tc_visibility_name(enum tc_visibility visibility);
const char *tc_group_name(enum tc_group group);
bool tc_capability_of(struct tc_str name, enum tc_capability *ret);

#endif
