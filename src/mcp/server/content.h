/*
 * Content of results in the words of a client's revision.
 */
#ifndef TC_MCP_SERVER_CONTENT_H
#define TC_MCP_SERVER_CONTENT_H

#include "mcp/codec/revision.h"
#include "toolcrib/cx.h"
#include "toolcrib/jsonw.h"

/* Writes the array of content blocks (JSON text). A block of a kind that came
 * after the revision becomes a text that says what it is. revision NULL: the newest. */
enum tc_err tc_mcp_content_write(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str content,
                                 const struct tc_mcp_revision *revision);

#endif
