/*
 * The model that runs of an agent have: looked up before one is shown, checked when one is
 * stored.
 */
#ifndef TC_API_AGENT_MODEL_H
#define TC_API_AGENT_MODEL_H

#include "api/api.h"
#include "runtime/channels.h"

struct tc_agent_model {
    bool found;
    struct tc_channels_model found_as;
    struct tc_error why; /* there is none */
};

/* Not found is no failure. key is completed with the model. In cx->arena. */
PARKS enum tc_err tc_agent_model_find(struct tc_cx *cx, struct tc_api_call *call, struct tc_view_key *key,
                                      struct tc_agent_model *ret);
/* The same of an agent that is at hand, stored or not. ask says what stands in place of its channel and
 * model, and has no agent yet; NULL: nothing does. */
enum tc_err tc_agent_model_of(struct tc_cx *cx, struct tc_api_call *call, const struct tc_agent *agent,
                              const struct tc_channels_ask *ask, struct tc_view_key *key, struct tc_agent_model *ret);
/* Writes why there is none, as a diagnostic; nothing when there is one. */
void tc_agent_model_diagnose(struct tc_jsonw *w, const struct tc_agent_model *model);

/* The channel and the model that a document names are there, unless `stored` (or NULL)
 * names them already: an agent can be changed whose channel has gone. */
enum tc_err tc_agent_model_check(struct tc_cx *cx, struct tc_api_call *call, struct tc_str document,
                                 const struct tc_agent *stored);

#endif
