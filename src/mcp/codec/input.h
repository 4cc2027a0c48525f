/*
 * Results of the era without handshake that are not the end of it: of which type
 * a result is, and what it asks for.
 */
#ifndef TC_MCP_CODEC_INPUT_H
#define TC_MCP_CODEC_INPUT_H

#include "mcp/codec/revision.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum tc_mcp_result_type {
    TC_MCP_RESULT_COMPLETE, /* the end; also where a revision has no types */
    TC_MCP_RESULT_INPUT, /* input_required */
    TC_MCP_RESULT_TASK, /* task, of the extension */
    TC_MCP_RESULT_OTHER /* one that is not known, or none at all */
};
enum tc_mcp_result_type tc_mcp_result_type(const struct tc_json *result, const struct tc_mcp_revision *revision);

enum { TC_MCP_INPUTS_MAX = 32 }; /* requests of one result */

struct tc_mcp_input {
    const struct tc_json *requests; /* an object of {method, params?}, or NULL */
    const struct tc_json *state; /* requestState, a string that goes back exactly so, or NULL */
};
/* Reads a result that is input_required. TC_E_MCP_UNSUPPORTED_RESPONSE with the
 * reason: it asks for nothing and has no state, or for something of no method that
 * there is, or for too much at once. */
enum tc_err tc_mcp_input_read(struct tc_cx *cx, const struct tc_json *result, struct tc_mcp_input *ret_input);
/* The same for requests on their own. */
enum tc_err tc_mcp_input_check(struct tc_cx *cx, const struct tc_json *requests);

#endif
