/*
 * What the server answers to one message of a client, whatever carried it:
 * initialize, ping, tools, resources (revisions with a handshake). Transports
 * frame; this knows the methods.
 */
#ifndef TC_MCP_SERVER_DIALOG_H
#define TC_MCP_SERVER_DIALOG_H

#include "mcp/codec/rpc.h"
#include "mcp/server/session.h"
#include "runtime/pipeline.h"

struct tc_dialog {
    struct tc_runtime *runtime;
    const struct tc_principal *principal;
    struct tc_str agent;
    struct tc_session *session;  /* NULL: none */
    struct tc_caller *caller;    /* progress of this request; may be NULL */
};

/* Appends the answer to a request: a result or an error message. Fails only when
 * the answer itself could not be made. */
PARKS enum tc_err tc_dialog_answer(struct tc_cx *cx, const struct tc_dialog *dialog, const struct tc_rpc *request,
                                   struct tc_buf *answer);
/* A notification: cancels a request of the session, or is taken note of. */
void tc_dialog_notice(struct tc_cx *cx, const struct tc_dialog *dialog, const struct tc_rpc *notification);
/* The failure in cx as an error message to that id (empty: null). */
void tc_dialog_error(struct tc_cx *cx, struct tc_str id, struct tc_buf *answer);
/* The revision to speak with a client that asked for this one. */
const struct tc_mcp_revision *tc_dialog_revision(struct tc_str asked);
/* Declared in the params of initialize: the client can answer questions. */
bool tc_dialog_answers(const struct tc_json *params);

#endif
