/*
 * What an agent would be given now: its prompt, its tools, and what is kept from it.
 */
#ifndef TC_API_AGENT_PREVIEW_H
#define TC_API_AGENT_PREVIEW_H

#include "api/api.h"

#define TC_AGENT_PREVIEW_INPUT                                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"},\"for\":{\"enum\":[\"run\",\"client\"]},\"stage\":{\"enum\":[\"plain\",\"session\","                  \
    "\"chat_foreground\",\"chat_background\"]},\"answers\":{\"type\":\"boolean\"},\"instructions\":{\"type\":"         \
    "\"string\",\"maxLength\":1000000}}}"

/* POST /admin/agent/previewPrompt. A client has no prompt of ours, a run has. */
PARKS enum tc_err tc_agent_preview(struct tc_cx *cx, struct tc_api_call *call);

#endif
