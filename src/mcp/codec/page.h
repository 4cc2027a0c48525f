/*
 * Pages that a person has to open (elicitation of mode url), in the words of each
 * revision: where they have ids, a question needs one and an error may name several.
 */
#ifndef TC_MCP_CODEC_PAGE_H
#define TC_MCP_CODEC_PAGE_H

#include "mcp/codec/revision.h"
#include "toolcrib/jsonw.h"

enum { TC_MCP_PAGES_MAX = 32 }; /* of one error */

/* The pages that the data of a URLElicitationRequiredError names, an array of params
 * of questions; NULL when they are none, too many, or not what they have to be. */
const struct tc_json *tc_mcp_pages(const struct tc_json *data);
/* Writes the params of an elicitation for a peer of that revision. id: what a page
 * gets that has none, where it must have one. */
void tc_mcp_page_write(struct tc_jsonw *w, const struct tc_json *params, const struct tc_mcp_revision *revision,
                       struct tc_str id);

#endif
