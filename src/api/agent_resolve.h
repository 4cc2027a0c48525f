/*
 * What an agent may use, asked while it is edited, and of many agents at once.
 */
#ifndef TC_API_AGENT_RESOLVE_H
#define TC_API_AGENT_RESOLVE_H

#include "api/agent_draft.h"
#include "api/resolution.h"

#define TC_AGENT_RESOLVE_INPUT                                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"agent\"],\"properties\":{\"agent\":{"         \
    "\"type\":\"object\"},\"for\":{\"enum\":[\"run\",\"client\"]},\"stage\":" TC_AGENT_STAGES ",\"style\":{\"enum\":[" \
    "\"mcp\",\"server\",\"dmr\",\"bare\"]},\"answers\":{\"type\":\"boolean\"},\"brief\":{\"type\":\"boolean\"},"       \
    "\"model\":" TC_AGENT_MODEL_INPUT "}}"

/* POST /admin/agent/resolve: of the document in the body, which need not be stored. Gives no names away: those of an
 * agent that is stored are its own, others are as they would be. */
PARKS enum tc_err tc_agent_resolve(struct tc_cx *cx, struct tc_api_call *call);

#define TC_AGENT_SUMMARY_INPUT                                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"ids\"],\"properties\":{\"ids\":{\"type\":"    \
    "\"array\",\"maxItems\":200,\"items\":{\"type\":\"string\"}},\"for\":{\"enum\":[\"run\",\"client\"]}}}"
#define TC_AGENT_SUMMARY_SHAPE                                                                                         \
    "{id string, offered integer, deferred integer, out [ReasonCount], model string|null, channel string|null, "       \
    "capability " TC_CAPABILITY_SHAPE ", stage string, fault string|null}"

/* POST /admin/agent/summary: how many tools each of the agents has, and why not the others. Ids of agents that are not
 * there are passed over. */
PARKS enum tc_err tc_agent_summary(struct tc_cx *cx, struct tc_api_call *call);

#endif
