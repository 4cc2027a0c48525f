/*
 * Content of results in the words of a client's revision, and under the URIs that
 * it knows.
 */
#ifndef TC_MCP_SERVER_CONTENT_H
#define TC_MCP_SERVER_CONTENT_H

#include "mcp/codec/revision.h"
#include "toolcrib/cx.h"
#include "toolcrib/jsonw.h"

struct tc_content_rules {
    const struct tc_mcp_revision *revision; /* NULL: the newest */
    /* How the client names a resource of the server that the content is from; p NULL
     * without memory. NULL: as the server does. */
    struct tc_str (*uri)(struct tc_cx *cx, const void *arg, struct tc_str uri);
    const void *arg;
};

/* Writes the array of content blocks (JSON text). A block of a kind that came after
 * the revision becomes a text that says what it is. */
enum tc_err tc_mcp_content_write(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str content,
                                 const struct tc_content_rules *rules);
/* The same for one block. */
enum tc_err tc_mcp_content_write_block(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_json *block,
                                       const struct tc_content_rules *rules);

#endif
