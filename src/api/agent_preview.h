/*
 * What an agent would be given now: its prompt, its tools, and what is kept from it.
 */
#ifndef TC_API_AGENT_PREVIEW_H
#define TC_API_AGENT_PREVIEW_H

#include "api/agent_draft.h"
#include "api/resolution.h"

#define TC_AGENT_PREVIEW_INPUT                                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"id\":{\"type\":\"string\"},\"document\":{"  \
    "\"type\":\"object\"},\"for\":{\"enum\":[\"run\",\"client\"]},\"stage\":" TC_AGENT_STAGES ",\"model\":"            \
    TC_AGENT_MODEL_INPUT ",\"answers\":{\"type\":\"boolean\"},\"instructions\":{\"type\":\"string\","                  \
    "\"maxLength\":1000000}}}"
#define TC_AGENT_PREVIEW_SHAPE                                                                                         \
    "{agent string, stage string, model string|null, capability " TC_CAPABILITY_SHAPE ", toolNames [string], "         \
    "deferred [string], tools [{id string, name string, deferred boolean, tokens integer}], "                          \
    "filtered [{id string, label string, toolset string, reason " TC_REASON_SHAPE ", detail string, "                  \
    "reasons [Reason]}], hints [{toolId string, name string, source (operator|code), hint string, tokens integer, "    \
    "updatedBy UpdatedBy|null}], prompt? string, "                                                                     \
    "parts? [{source (base|agent|caller|code|operator|skills|agents|workspace), toolId? string, text string, "         \
    "tokens integer}], tokens? {prompt integer, tools integer}, diagnostics [Diagnostic]}"

/* POST /admin/agent/previewPrompt, of an agent or of a document in its place. A client has no prompt of ours, a run
 * has. */
PARKS enum tc_err tc_agent_preview(struct tc_cx *cx, struct tc_api_call *call);

#endif
