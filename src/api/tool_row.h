/*
 * One tool as operators see it: the stored row over the descriptor, which is not there for
 * a tool that is gone.
 */
#ifndef TC_API_TOOL_ROW_H
#define TC_API_TOOL_ROW_H

#include "api/resolution.h"
#include "ports/store_changes.h"
#include "ports/store_tools.h"

struct tc_tool_picture {
    const struct tc_tool_row *row;
    const struct tc_descriptor *tool;    /* NULL: detached */
    const struct tc_tool_state *state;   /* with tool */
    struct tc_str provider;              /* "builtin", "mcp/<uuid>", "extension/<id>", "host" */
    uint32_t place;                      /* among all by id, where it stands in a list */
};

struct tc_tool_picture tc_tool_picture(const struct tc_api_call *call, const struct tc_tool_row *row);
struct tc_tool_picture tc_tool_picture_at(const struct tc_registry_view *now, const struct tc_registry_row *row);
/* "builtin", "mcp:<server>", "ext:<id>", "host"; in the arena, p NULL without memory. */
struct tc_str tc_tool_picture_source(struct tc_arena *arena, const struct tc_tool_picture *picture);
const char *tc_tool_picture_hint(const struct tc_tool_picture *picture); /* "code", "operator"; NULL: none */
/* Of a server's tool: "approved", "new" (nobody decided on it yet), "changed", "broken" (its schema is none); else
 * NULL. */
const char *tc_tool_picture_definition(const struct tc_tool_picture *picture);

/* The members of it, in an object that is open. whole: with its schemas. */
enum tc_err tc_tool_picture_write(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_tool_picture *picture,
                                  bool whole);
/* A row of a list as one value; `last` is its last change. */
enum tc_err tc_tool_row_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row,
                              const struct tc_change_row *last);

/* Shapes of answers, see api/shape.h. */
#define TC_TOOL_MEMBERS                                                                                                \
    "id integer, name string, label string, toolset string, source string, description string|null, "                  \
    "descriptionEdited boolean, visibility (tool|skill|internal), capability " TC_CAPABILITY_SHAPE ", "                \
    "status (0|1), isCore boolean, canDisable boolean, supportsPromptHint boolean, promptHint string|null, "         \
    "defaultPromptHint string|null, hintSource (code|operator)|null, "                                                 \
    "definitionState (approved|new|changed|broken)|null, sort integer, extra object|null, detached boolean, "          \
    "version integer, createTime time|null, updateTime time|null, deleteTime time|null, "                              \
    "group? (core|extended|mcp), title? string, server? string, definition? string, tokens? integer, "                 \
    "updatedBy UpdatedBy|null"
#define TC_TOOL_COMPONENTS                                                                                             \
    {"Tool", "{" TC_TOOL_MEMBERS "}"},                                                                                 \
    {"ToolInfo",                                                                                                       \
     "{" TC_TOOL_MEMBERS ", inputSchema? object|boolean|null, outputSchema? object|boolean|null, "                     \
     "annotations? object|null, schemaFault? string, "                                                                 \
     "requires [{kind (helper|setting|secret|server|capability|imageInput|scene), name string, met boolean|null, "     \
     "detail string|null, where string|null}], offeredTo {agents integer, of integer}}"}

#endif
