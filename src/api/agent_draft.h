/*
 * An agent as it stands in a body: edited, perhaps never to be stored. What a form shows
 * while it is edited is asked of it, and nothing of it stays.
 */
#ifndef TC_API_AGENT_DRAFT_H
#define TC_API_AGENT_DRAFT_H

#include "api/agent_model.h"

/* Members of a body: which agent, in what, with which model. */
#define TC_AGENT_STAGES "{\"enum\":[\"plain\",\"session\",\"chat_foreground\",\"chat_background\",\"child\"]}"
#define TC_AGENT_MODEL_INPUT                                                                                           \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"channel\":{\"type\":\"string\"},"           \
    "\"model\":{\"type\":\"string\"}}}"

struct tc_agent_draft {
    struct tc_view_key key; /* with the agent, the stage and the model that were asked for */
    struct tc_agent_model model;
    struct tc_agent *agent; /* the draft, or the stored agent */
};

/* Of document (an object) or, where it is NULL, of the stored agent `id`; and of the members `for`, `stage`,
 * `answers` and `model` of the body. A document is checked as at a save, faults name their field. In cx->arena;
 * key.draft is set for a document only. */
enum tc_err tc_agent_draft_read(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *document,
                                struct tc_str id, struct tc_agent_draft *ret);

#endif
