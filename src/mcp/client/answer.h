/*
 * An answer on its way from the link that read it to the caller: its document
 * must live as long as the caller's arena, and what is kept of it is clean.
 */
#ifndef TC_MCP_CLIENT_ANSWER_H
#define TC_MCP_CLIENT_ANSWER_H

#include "mcp/codec/rpc.h"
#include "ports/tool_source.h"

struct tc_answer {
    struct tc_json_doc *doc; /* holds rpc; one reference, this struct's */
    struct tc_rpc rpc; /* TC_RPC_RESULT or TC_RPC_ERROR */
    bool suspect; /* strings may need cleaning (codec/clean.h) */
    const char *trouble; /* it could not be read: a clause without subject; else NULL */
};

/* Takes over a document for as long as the arena lasts. Made before a request
 * leaves, since nothing may fail for memory after. */
struct tc_answer_keeper;
enum tc_err tc_answer_keep(struct tc_cx *cx, struct tc_answer_keeper **ret_keeper);

/* Makes a reply of it: RESULT, SERVER_ERROR or UNSUPPORTED. The reference goes
 * over to the keeper. */
void tc_answer_read(struct tc_cx *cx, struct tc_answer_keeper *keeper, const struct tc_answer *answer,
                    struct tc_source_reply *ret_reply);
/* A reply that is none of these; message is borrowed. */
void tc_answer_none(struct tc_source_reply *reply, enum tc_outcome outcome, const char *message);

#endif
