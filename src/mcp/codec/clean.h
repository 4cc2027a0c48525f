/*
 * Cleaning of what a server sends (spec 6): NUL and invisible tag characters go
 * out of every string and key. Invalid UTF-8 and lone surrogates became U+FFFD
 * when the text was parsed with TC_JSON_CLEAN.
 */
#ifndef TC_MCP_CODEC_CLEAN_H
#define TC_MCP_CODEC_CLEAN_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

/* False when JSON text, not parsed yet, cannot hold a string that is dirty: a
 * scan of the bytes that spares the walk over the values. */
bool tc_mcp_clean_suspect(struct tc_str text);
/* v itself when it is clean, else a cleaned copy that belongs to cx->arena. */
enum tc_err tc_mcp_clean(struct tc_cx *cx, const struct tc_json *v, const struct tc_json **ret_v);

#endif
