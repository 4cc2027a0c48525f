/*
 * Questions to a client of the handshake era: requests of ours on the stream of the
 * call that is asked for, answered by messages that the client posts.
 */
#ifndef TC_MCP_SERVER_ASKS_H
#define TC_MCP_SERVER_ASKS_H

#include "mcp/codec/rpc.h"
#include "mcp/server/session.h"
#include "ports/caller.h"

/* The ask operation of an outlet with a session. Each question waits for its answer
 * for some minutes; those that have none when it ends are cancelled at the client. */
PARKS enum tc_err tc_asks_put(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n);
/* A result or an error of the client. One that answers nothing is overlooked. */
void tc_asks_answer(struct tc_session *session, const struct tc_rpc *rpc);

#endif
