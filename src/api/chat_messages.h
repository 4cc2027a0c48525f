/*
 * The messages of a chat completion, as a run is asked with them.
 */
#ifndef TC_API_CHAT_MESSAGES_H
#define TC_API_CHAT_MESSAGES_H

#include "runtime/runs.h"

/* Fills text, parts, history and instructions of the request, in cx->arena.
 * TC_E_HTTP_BAD_REQUEST says what is not taken. */
enum tc_err tc_chat_messages(struct tc_cx *cx, const struct tc_json *messages, struct tc_run_request *request);

#endif
